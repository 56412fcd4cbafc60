package baseline

import "math"

// plain returns φ and θ, until it is called again.
func (a *armaFit) plain(u []float64) (phi, theta []float64) {
	phi, theta = a.trial[:a.p:a.p], a.trial[a.p:]
	fromPartial(phi, u[:a.p])
	fromPartial(theta, u[a.p:])
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
