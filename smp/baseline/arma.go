package baseline

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/smp"
)

// ARMA is the model
//
//	z(t) = Σ_{j≤p} φ_j z(t−j) + e(t) + Σ_{j≤q} θ_j e(t−j),   z = x − mean
//
// fitted by the least sum of squared residuals, conditional on zeros before
// the beginning. It is searched over partial autocorrelations within (−1, 1),
// so that every trial is stationary and invertible (Monahan), by Gauss and
// Newton's method from the start of Hannan and Rissanen and two others. With
// AR = 0 it is MA(q). With ByAIC every pair of orders up to (AR, MA) is fitted and that
// of least n·log σ² + 2(p+q) taken.
type ARMA struct {
	AR, MA int // p, q ≥ 0
	ByAIC  bool
}

func (a ARMA) Name() string {
	if a.AR == 0 {
		return fmt.Sprintf("MA(%d)", a.MA)
	}
	return fmt.Sprintf("ARMA(%d,%d)", a.AR, a.MA)
}

// Fit returns φ, θ and the mean square of the residuals.
func (a ARMA) Fit(x []float64) (phi, theta []float64, variance float64, err error) {
	if err := checkSeries("ARMA", x, 0); err != nil {
		return nil, nil, 0, err
	}
	if err := checkSquares("ARMA", x); err != nil {
		return nil, nil, 0, err
	}
	if a.AR < 0 || a.MA < 0 {
		return nil, nil, 0, &smp.DomainError{Func: "ARMA", Arg: "AR, MA", Value: float64(min(a.AR, a.MA)), Want: "orders >= 0"}
	}
	p, q := a.orders(len(x))
	fits := 1.0
	if a.ByAIC {
		fits = float64(p+1) * float64(q+1) / 3 // most of them of lower order
	}
	// A search takes some 50 steps, each a product of every two columns.
	if err := checkProducts("ARMA", "AR, MA",
		max(a.AR, a.MA), 50*fits*float64(p+q)*float64(p+q)*float64(len(x))); err != nil {
		return nil, nil, 0, err
	}
	if !a.ByAIC {
		phi, theta, variance = fitARMA(x, p, q)
		return phi, theta, variance, nil
	}
	least := math.Inf(1)
	for i := 0; i <= p; i++ {
		for j := 0; j <= q; j++ {
			f, t, v := fitARMA(x, i, j)
			if v <= 0 {
				return f, t, 0, nil
			}
			if aic := float64(len(x))*math.Log(v) + 2*float64(i+j); aic < least {
				least, phi, theta, variance = aic, f, t, v
			}
		}
	}
	return phi, theta, variance, nil
}

// orders are those that a series of n values is fitted with: no more coefficients than a third of the
// values.
func (a ARMA) orders(n int) (p, q int) {
	p, q = min(a.AR, n), min(a.MA, n)
	for p+q > 0 && 3*(p+q) > n {
		if p > q {
			p--
		} else {
			q--
		}
	}
	return p, q
}

func (a ARMA) Forecast(x []float64, n int) ([]float64, error) {
	if err := checkAhead("ARMA", n); err != nil {
		return nil, err
	}
	phi, theta, _, err := a.Fit(x)
	if err != nil {
		return nil, err
	}
	if err := checkProducts("ARMA", "n", n, float64(len(phi)+len(theta))*float64(n)); err != nil {
		return nil, err
	}
	return forecastARMA(x, mean(x), phi, theta, n), nil
}

func fitARMA(x []float64, p, q int) (phi, theta []float64, variance float64) {
	z, m, scale := centred(x)
	if scale <= negligible(m) || p+q == 0 {
		return make([]float64, p), make([]float64, q), scale // constant, or nothing to fit
	}
	search := newARMAFit(z, p, q)
	var best []float64
	low := math.Inf(1)
	for _, u := range armaStarts(z, p, q) {
		if v := search.search(u, shortSearch, accurate); v < low {
			low, best = v, u
		}
	}
	if best == nil { // no start has residuals that are numbers
		return make([]float64, p), make([]float64, q), scale
	}
	low = search.search(best, longSearch, accurate)
	phi, theta, _ = search.coefficients(best)
	return phi, theta, low / float64(len(x))
}

// centred returns the series less its mean, the mean and the mean square of what is left.
func centred(x []float64) (z []float64, m, variance float64) {
	m = mean(x)
	z = make([]float64, len(x))
	for t, v := range x {
		z[t] = v - m
	}
	return z, m, floats.Dot(z, z) / float64(len(x))
}

// negligible is the variance of a series that does not vary, about a mean.
func negligible(m float64) float64 { return 1e-24 * (1 + m*m) }

// armaStarts returns where the search begins: by Hannan and Rissanen, and
// from the autoregression alone.
func armaStarts(z []float64, p, q int) [][]float64 {
	long := min(len(z)/4, max(p+q, int(math.Round(10*math.Log10(float64(len(z)))))))
	c := make([]float64, max(p, long)+1)
	for k := range c {
		c[k] = lagged(z, z, 0, k)
	}
	partial, regression := partials(c, long)
	start := make([]float64, p+q)
	for k := range min(p, len(partial)) {
		start[k] = math.Atanh(math.Max(-0.95, math.Min(0.95, partial[k])))
	}
	out := [][]float64{start}
	if q > 0 {
		if u := hannanRissanen(z, regression, p, q); u != nil {
			out = append(out, u)
		}
	}
	if p > 0 && q > 0 {
		out = append(out, make([]float64, p+q))
	}
	return out
}

// partials returns the partial autocorrelations of lags 1 and more, and the coefficients of the
// autoregression of order long, both by Levinson's recursion; fewer where a lower order foretells the
// series without error.
func partials(c []float64, long int) (partial, phi []float64) {
	at, next := make([]float64, len(c)), make([]float64, len(c))
	partial = make([]float64, 0, len(c))
	variance := c[0]
	for k := 1; k < len(c) && variance > 1e-14*c[0]; k++ {
		r := c[k]
		for j, v := range at[:k-1] {
			r -= v * c[k-1-j]
		}
		r /= variance
		for j, v := range at[:k-1] {
			next[j] = v - r*at[k-2-j]
		}
		next[k-1] = r
		at, next = next, at
		variance *= 1 - r*r
		partial = append(partial, r)
		if k == long {
			phi = append(phi, at[:k]...)
		}
	}
	if len(partial) < long {
		phi = at[:len(partial)]
	}
	return partial, phi
}

// fromPartial turns unconstrained numbers u into the coefficients phi of a
// stationary autoregression: partial autocorrelations tanh u, then Levinson's
// recursion.
func fromPartial(phi, u []float64) {
	for k, v := range u {
		r := math.Tanh(v)
		for i, j := 0, k-1; i <= j; i, j = i+1, j-1 {
			a, b := phi[i], phi[j]
			phi[i], phi[j] = a-r*b, b-r*a
		}
		phi[k] = r
	}
}
