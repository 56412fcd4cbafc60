package baseline

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

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
	normalAt, half   []float64 // of search and normal
	gradientAt       []float64
	trialAt          []float64
	at, next         []float64 // of coefficients: φ and θ
	slopeAt, slopeTo []float64 // and their derivatives by u
	slopes           [][]float64
}

func newARMAFit(z []float64, p, q int) *armaFit {
	n, k := len(z), p+q
	room := make([]float64, 3*n+7*k*k+7*k)
	take := func(n int) []float64 {
		out := room[:n:n]
		room = room[n:]
		return out
	}
	return &armaFit{
		z:          z,
		p:          p,
		q:          q,
		e:          take(n),
		ar:         take(n),
		ma:         take(n),
		cc:         take(k * k),
		ce:         take(k),
		factor:     take(k * k),
		step:       take(k),
		trial:      take(k),
		normalAt:   take(k * k),
		half:       take(k * k),
		gradientAt: take(k),
		trialAt:    take(k),
		at:         take(k),
		next:       take(k),
		slopeAt:    take(k * k),
		slopeTo:    take(k * k),
		slopes:     rows(take(k*k), k),
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

// accurate is the share of the sum of squares below which a gain ends the search of a fit.
const accurate = 1e-7

// search improves u in place and returns the least sum of squares. It ends
// where an iteration gains less than the share enough of it, or foresees to.
func (a *armaFit) search(u []float64, iterations int, enough float64) float64 {
	k := a.p + a.q
	least := a.sweep(a.plain(u))
	damping := 1e-3
	normal, gradient, trial := a.normalAt, a.gradientAt, a.trialAt
	for range iterations {
		a.normal(u, normal, gradient)
		improved, gain := false, 0.0
		for damping < 1e12 {
			step, ok := dampedInto(a.factor, a.step, normal, gradient, damping)
			if ok {
				foreseen := 0.0 // gain, were the residuals linear
				for j := range u {
					foreseen += step[j] * (gradient[j] + damping*normal[j*k+j]*step[j])
					trial[j] = math.Max(-farthest, math.Min(farthest, u[j]-step[j]))
				}
				if foreseen <= enough/100*least {
					return least
				}
				if v := a.sweep(a.plain(trial)); v < least {
					gain, least, improved = least-v, v, true
					copy(u, trial)
					damping = math.Max(damping/10, 1e-12)
					break
				}
			}
			damping *= 10
		}
		if !improved || gain <= enough*least {
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
	return floats.Dot(x[:n-i], y[i-j:n-j])
}

// products fills c[i][j] = Σ_t x(t−1−i)·y(t−1−j) for a block of c from its
// first row and column: c[i+1][j+1] = c[i][j] − x(n−2−i)·y(n−2−j). Of x with itself only those
// with j ≥ i.
func products(c []float64, stride int, x, y []float64, p, q int) {
	n := len(x)
	for i := range p {
		for j := range q {
			if j < i && &x[0] == &y[0] {
				continue
			}
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

// gather fills cc and ce from the residuals and their derivatives.
func (a *armaFit) gather() {
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
}

// normal fills JᵀJ and Jᵀe for the derivatives by u, from those by the coefficients that the last
// sweep made. The coefficients of one kind depend on the u of that kind alone.
func (a *armaFit) normal(u, jj, je []float64) {
	p, k := a.p, a.p+a.q
	_, _, slope := a.coefficients(u)
	kind := func(i int) (from, to int) {
		if i < p {
			return 0, p
		}
		return p, k
	}
	half := a.half // cc by the coefficients on the left and by u on the right
	for i := range k {
		from, to := kind(i)
		for c := range k {
			s := 0.0
			for d := from; d < to; d++ {
				s += a.cc[c*k+d] * slope[d][i]
			}
			half[c*k+i] = s
		}
	}
	for i := range k {
		from, to := kind(i)
		s := 0.0
		for c := from; c < to; c++ {
			s += slope[c][i] * a.ce[c]
		}
		je[i] = s
		for j := range i + 1 {
			s := 0.0
			for c := from; c < to; c++ {
				s += slope[c][i] * half[c*k+j]
			}
			jj[i*k+j], jj[j*k+i] = s, s
		}
	}
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
	e := make([]float64, len(z))
	back := slices.Clone(long) // the oldest first
	slices.Reverse(back)
	for t, v := range z {
		n := min(t, len(back))
		e[t] = v - floats.Dot(back[len(back)-n:], z[t-n:t])
	}
	// Products of the columns z(t−1) … z(t−p), e(t−1) … e(t−q) with each other and with z(t), t ≥ first.
	first = max(first, p)
	column := func(i int) []float64 {
		if i < p {
			return z[first-1-i : len(z)-1-i]
		}
		i -= p
		return e[first-1-i : len(z)-1-i]
	}
	a, b := make([]float64, k*k), make([]float64, k)
	for i := range k {
		x := column(i)
		b[i] = floats.Dot(x, z[first:])
		for j := range i + 1 {
			a[i*k+j] = floats.Dot(x, column(j))
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
