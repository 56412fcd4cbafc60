package baseline

import "math"

// An armaFit searches the coefficients of an ARMA(p, q) of least conditional
// sum of squares. The search is Gauss–Newton's with Levenberg's damping over
// u, the arc hyperbolic tangents of the partial autocorrelations; the
// derivatives of the residuals come from their own recursion.
type armaFit struct {
	z    []float64 // the series less its mean
	p, q int
	e    []float64 // residuals
	ar   []float64 // their derivatives by the φ, one step early
	ma   []float64 // and by the θ
	cc   []float64 // products of the derivatives
	ce   []float64 // and with the residuals

	// Room for what a step of the search asks for, which a fit of so short a series
	// would otherwise spend half its time on.
	factor, step     []float64 // of damped
	trial            []float64 // of plain
	at, next         []float64 // of coefficients: φ and θ
	slopeAt, slopeTo []float64 // and their derivatives by u
	slopes           [][]float64
}

func newARMAFit(z []float64, p, q int) *armaFit {
	n, k := len(z), p+q
	room := make([]float64, 3*n+5*k*k+5*k)
	take := func(n int) []float64 {
		out := room[:n:n]
		room = room[n:]
		return out
	}
	return &armaFit{
		z:       z,
		p:       p,
		q:       q,
		e:       take(n),
		ar:      take(n),
		ma:      take(n),
		cc:      take(k * k),
		ce:      take(k),
		factor:  take(k * k),
		step:    take(k),
		trial:   take(k),
		at:      take(k),
		next:    take(k),
		slopeAt: take(k * k),
		slopeTo: take(k * k),
		slopes:  rows(take(k*k), k),
	}
}

// rows cuts a matrix of n columns into its rows.
func rows(a []float64, n int) [][]float64 {
	out := make([][]float64, 0, n)
	for i := 0; i < len(a); i += n {
		out = append(out, a[i:i+n])
	}
	return out
}

// Iterations from each start, and then from the best of what they found.
const (
	shortSearch = 8
	longSearch  = 30
)

// farthest is the bound of |u|: partial autocorrelations up to 1 − 4e-9.
const farthest = 10

// search improves u in place and returns the least sum of squares. It ends
// where an iteration gains less than 1e-7 of it.
func (a *armaFit) search(u []float64, iterations int) float64 {
	k := a.p + a.q
	phi, theta, slope := a.coefficients(u)
	least := a.residuals(phi, theta)
	damping := 1e-3
	normal, gradient := make([]float64, k*k), make([]float64, k)
	trial := make([]float64, k)
	for range iterations {
		a.derivatives(theta)
		a.normal(slope, normal, gradient)
		improved, gain := false, 0.0
		for damping < 1e12 {
			step, ok := dampedInto(a.factor, a.step, normal, gradient, damping)
			if ok {
				for j := range u {
					trial[j] = math.Max(-farthest, math.Min(farthest, u[j]-step[j]))
				}
				f, t := a.plain(trial)
				if v := a.residuals(f, t); v < least {
					gain, least, improved = least-v, v, true
					copy(u, trial)
					_, theta, slope = a.coefficients(u)
					damping = math.Max(damping/10, 1e-12)
					break
				}
			}
			damping *= 10
		}
		if !improved || gain <= 1e-7*least {
			break
		}
	}
	return least
}

// residuals fills e and returns its sum of squares.
func (a *armaFit) residuals(phi, theta []float64) float64 {
	s := 0.0
	for t, v := range a.z {
		p, q := phi[:min(len(phi), t)], theta[:min(len(theta), t)]
		for j, f := range p {
			v -= f * a.z[t-1-j]
		}
		for j, f := range q {
			v -= f * a.e[t-1-j]
		}
		a.e[t] = v
		s += v * v
	}
	return s
}

// derivatives fills ar with ∂e(t)/∂φ_1 at t+1 and ma with ∂e(t)/∂θ_1 at t+1:
//
//	∂e(t)/∂φ_j = −z(t−j) − Σθ_i ∂e(t−i)/∂φ_j = ar(t−j)
//	∂e(t)/∂θ_j = −e(t−j) − Σθ_i ∂e(t−i)/∂θ_j = ma(t−j)
//
// All derivatives by one kind of coefficient are the same series delayed.
func (a *armaFit) derivatives(theta []float64) {
	if a.p > 0 {
		filter(a.ar, a.z, theta)
	}
	if a.q > 0 {
		filter(a.ma, a.e, theta)
	}
}

// filter fills y(t) = −x(t) − Σθ_i y(t−i).
func filter(y, x, theta []float64) {
	for t, v := range x {
		v = -v
		for i := range min(len(theta), t) {
			v -= theta[i] * y[t-1-i]
		}
		y[t] = v
	}
}

// lagged returns Σ_t x(t−i)·y(t−j).
func lagged(x, y []float64, i, j int) float64 {
	n := len(x)
	if i < j {
		x, y, i, j = y, x, j, i
	}
	if i >= n {
		return 0
	}
	s := 0.0
	x, y = x[:n-i], y[i-j:n-j]
	for t, v := range x {
		s += v * y[t]
	}
	return s
}

// products fills c[i][j] = Σ_t x(t−1−i)·y(t−1−j) for a block of c from its
// first row and column: c[i+1][j+1] = c[i][j] − x(n−2−i)·y(n−2−j).
func products(c []float64, stride int, x, y []float64, p, q int) {
	n := len(x)
	for i := range p {
		for j := range q {
			if i == 0 || j == 0 {
				c[i*stride+j] = lagged(x, y, i+1, j+1)
				continue
			}
			v := c[(i-1)*stride+j-1]
			if i < n-1 && j < n-1 {
				v -= x[n-1-i] * y[n-1-j]
			}
			c[i*stride+j] = v
		}
	}
}

// normal fills JᵀJ and Jᵀe for the derivatives by u: by the coefficients
// first, then the chain rule.
func (a *armaFit) normal(slope [][]float64, jj, je []float64) {
	k := a.p + a.q
	cc, ce := a.cc, a.ce
	products(cc, k, a.ar, a.ar, a.p, a.p)
	if a.q > 0 {
		products(cc[a.p:], k, a.ar, a.ma, a.p, a.q)
		products(cc[a.p*k+a.p:], k, a.ma, a.ma, a.q, a.q)
	}
	for i := range k {
		for j := range i {
			cc[i*k+j] = cc[j*k+i]
		}
	}
	for j := range a.p {
		ce[j] = lagged(a.ar, a.e, j+1, 0)
	}
	for j := range a.q {
		ce[a.p+j] = lagged(a.ma, a.e, j+1, 0)
	}
	for i := range k {
		je[i] = 0
		for c := range k {
			je[i] += slope[c][i] * ce[c]
		}
		for j := range i + 1 {
			s := 0.0
			for c := range k {
				if slope[c][i] == 0 {
					continue
				}
				for d := range k {
					s += slope[c][i] * cc[c*k+d] * slope[d][j]
				}
			}
			jj[i*k+j], jj[j*k+i] = s, s
		}
	}
}

// plain returns φ and θ, until it is called again.
func (a *armaFit) plain(u []float64) (phi, theta []float64) {
	phi, theta = a.trial[:a.p:a.p], a.trial[a.p:]
	fromPartialInto(phi, u[:a.p])
	fromPartialInto(theta, u[a.p:])
	for j := range theta {
		theta[j] = -theta[j]
	}
	return phi, theta
}

// coefficients returns φ, θ and slope[c][i], the derivative of coefficient c
// by u_i, until it is called again.
func (a *armaFit) coefficients(u []float64) (phi, theta []float64, slope [][]float64) {
	p := a.p
	for c := range a.slopes {
		clear(a.slopes[c])
	}
	phi, f := fromPartialSlope(u[:p], a.at[:p], a.next[:p], a.slopeAt[:p*p], a.slopeTo[:p*p])
	for c := range p {
		copy(a.slopes[c], f[c*p:(c+1)*p])
	}
	theta, t := fromPartialSlope(u[p:], a.at[p:], a.next[p:], a.slopeAt[p*p:], a.slopeTo[p*p:])
	q := len(theta)
	for c := range q {
		theta[c] = -theta[c]
		for i, v := range t[c*q : (c+1)*q] {
			a.slopes[p+c][p+i] = -v
		}
	}
	return phi, theta, a.slopes
}

// fromPartialSlope is fromPartial with the derivatives slope[c·k+i] of
// coefficient c of k by u_i. It works in the two vectors and the two matrices given,
// and returns one of each.
func fromPartialSlope(u, phi, next, slope, deriv []float64) ([]float64, []float64) {
	n := len(u)
	for k, v := range u {
		r := math.Tanh(v)
		for j := range k {
			next[j] = phi[j] - r*phi[k-1-j]
			of, back, to := slope[j*n:(j+1)*n], slope[(k-1-j)*n:(k-j)*n], deriv[j*n:(j+1)*n]
			clear(to)
			for i := range k {
				to[i] = of[i] - r*back[i]
			}
			to[k] = -(1 - r*r) * phi[k-1-j]
		}
		next[k] = r
		clear(deriv[k*n : (k+1)*n])
		deriv[k*n+k] = 1 - r*r
		phi, next = next, phi
		slope, deriv = deriv, slope
	}
	return phi, slope
}

// toPartial is the inverse of fromPartial, with the partial autocorrelations
// of a model outside its range drawn back to ±0.95.
func toPartial(phi []float64) []float64 {
	a := append([]float64(nil), phi...)
	u := make([]float64, len(a))
	for k := len(a) - 1; k >= 0; k-- {
		r := math.Max(-0.95, math.Min(0.95, a[k]))
		u[k] = math.Atanh(r)
		next := make([]float64, k)
		for j := range next {
			next[j] = (a[j] + r*a[k-1-j]) / (1 - r*r)
		}
		a = next
	}
	return u
}

// damped solves (A + damping·diag A) x = b by Cholesky's factors; ok is false
// where A is not positive definite.
//
// By hand, since A has a handful of rows and is solved many times: mat.Cholesky finds
// the same steps, but estimates the condition each time, and a fit takes 1.6 times as
// long with it (BenchmarkARMAFit).
func damped(a, b []float64, damping float64) (x []float64, ok bool) {
	return dampedInto(make([]float64, len(b)*len(b)), make([]float64, len(b)), a, b, damping)
}

// dampedInto is damped with room for the factor and for x.
func dampedInto(l, x, a, b []float64, damping float64) ([]float64, bool) {
	k := len(b)
	for i := range k {
		for j := range i + 1 {
			s := a[i*k+j]
			if i == j {
				s += damping*s + 1e-300
			}
			for m := range j {
				s -= l[i*k+m] * l[j*k+m]
			}
			if i == j {
				if !(s > 0) {
					return nil, false
				}
				l[i*k+i] = math.Sqrt(s)
			} else {
				l[i*k+j] = s / l[j*k+j]
			}
		}
	}
	copy(x, b)
	for i := range k {
		for m := range i {
			x[i] -= l[i*k+m] * x[m]
		}
		x[i] /= l[i*k+i]
	}
	for i := k - 1; i >= 0; i-- {
		for m := i + 1; m < k; m++ {
			x[i] -= l[m*k+i] * x[m]
		}
		x[i] /= l[i*k+i]
	}
	return x, true
}

// hannanRissanen returns a start: the residuals of a long autoregression
// stand for the innovations, on which and on the past the series is
// regressed. nil where the series is too short. Source: Hannan, Rissanen,
// Biometrika 69 (1982) 81.
func hannanRissanen(z []float64, long []float64, p, q int) []float64 {
	k, first := p+q, len(long)+q
	if len(z)-first < 2*k {
		return nil
	}
	e := residuals(z, 0, long, nil)
	a, b := make([]float64, k*k), make([]float64, k)
	row := make([]float64, k)
	for t := max(first, p); t < len(z); t++ {
		for j := range p {
			row[j] = z[t-1-j]
		}
		for j := range q {
			row[p+j] = e[t-1-j]
		}
		for i, v := range row {
			b[i] += v * z[t]
			for j := range i + 1 {
				a[i*k+j] += v * row[j]
			}
		}
	}
	x, ok := damped(a, b, 1e-8)
	if !ok {
		return nil
	}
	for j := p; j < k; j++ {
		x[j] = -x[j]
	}
	return append(toPartial(x[:p]), toPartial(x[p:])...)
}
