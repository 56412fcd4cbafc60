package baseline

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/smp"
)

// A Forecaster is a time-series model that is fitted to the samples of a
// record and continues it, the baselines of iShare table 4.
type Forecaster interface {
	Name() string
	// Forecast fits the model to the series and returns its next n values. The
	// series must be finite and not empty; a model that needs more values than
	// there are is fitted with a lower order.
	Forecast(series []float64, n int) ([]float64, error)
}

func checkSeries(fn string, x []float64, n int) error {
	if len(x) == 0 {
		return fault.New("smp", fn, "empty series", smp.ErrNoData)
	}
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &smp.DomainError{Func: fn, Arg: "series", Value: v, Want: "finite values"}
		}
	}
	return checkAhead(fn, n)
}

// What a model can be asked for. An order beyond a quarter or so of the values
// says nothing, and at these bounds a fit takes some seconds.
const (
	maxForecast = 10_000_000  // values ahead
	maxOrder    = 10_000      // of an autoregression, which keeps those of all orders
	maxProducts = 500_000_000 // of two values of a series
)

func checkAhead(fn string, n int) error {
	if n < 0 || n > maxForecast {
		return &smp.DomainError{Func: fn, Arg: "n", Value: float64(n), Want: fmt.Sprintf("0 <= n <= %d", maxForecast)}
	}
	return nil
}

// checkSquares refuses values whose squares do not add up within float64.
func checkSquares(fn string, x []float64) error {
	for _, v := range x {
		if math.Abs(v) > 1e140 {
			return &smp.DomainError{Func: fn, Arg: "series", Value: v, Want: "values within ±1e140"}
		}
	}
	return nil
}

// checkProducts refuses an order that would take too long on its series.
func checkProducts(fn, arg string, order int, products float64) error {
	if products > maxProducts {
		return &smp.DomainError{Func: fn, Arg: arg, Value: float64(order),
			Want: fmt.Sprintf("one that takes at most %.0e products of two values, not %.2g", float64(maxProducts), products)}
	}
	return nil
}

// Last repeats the last value.
type Last struct{}

func (Last) Name() string { return "LAST" }

func (Last) Forecast(x []float64, n int) ([]float64, error) {
	if err := checkSeries("Last", x, n); err != nil {
		return nil, err
	}
	return repeat(x[len(x)-1], n), nil
}

func repeat(v float64, n int) []float64 {
	out := slices.Repeat([]float64{v}, n)
	return out
}

// BestMean is BM(p): the mean of the last N ≤ p values, with the N whose
// one-step forecasts of the series itself have the least mean square error.
// Forecasts further ahead repeat it.
type BestMean struct {
	Order int // p ≥ 1
}

func (b BestMean) Name() string { return fmt.Sprintf("BM(%d)", b.Order) }

// Window returns the N that is best for the series.
func (b BestMean) Window(x []float64) (int, error) {
	if err := checkSeries("BestMean", x, 0); err != nil {
		return 0, err
	}
	if b.Order < 1 {
		return 0, &smp.DomainError{Func: "BestMean", Arg: "Order", Value: float64(b.Order), Want: "Order >= 1"}
	}
	best, least := 1, math.Inf(1)
	p := min(b.Order, len(x)-1)
	if err := checkProducts("BestMean", "Order", b.Order, float64(p)*(float64(len(x))-float64(p)/2)); err != nil {
		return 0, err
	}
	for n := 1; n <= p; n++ {
		// All N are judged on the same values, those after the first p.
		s, err := 0.0, 0.0
		for i := p - n; i < p; i++ {
			s += x[i]
		}
		for t := p; t < len(x); t++ {
			e := x[t] - s/float64(n)
			err += e * e
			s += x[t] - x[t-n]
		}
		if err < least {
			best, least = n, err
		}
	}
	return best, nil
}

func (b BestMean) Forecast(x []float64, n int) ([]float64, error) {
	if err := checkAhead("BestMean", n); err != nil {
		return nil, err
	}
	w, err := b.Window(x)
	if err != nil {
		return nil, err
	}
	return repeat(mean(x[len(x)-min(w, len(x)):]), n), nil
}

// mean corrects the mean of a plain sum by that of what is left, so that a constant is its own mean.
func mean(x []float64) float64 {
	m, rest := floats.Sum(x)/float64(len(x)), 0.0
	for _, v := range x {
		rest += v - m
	}
	return m + rest/float64(len(x))
}

// autocovariance returns c_0 … c_p of the series about its mean, each over
// the full length, so that the sequence is positive definite.
func autocovariance(x []float64, p int) []float64 {
	z, _, _ := centred(x)
	c := make([]float64, p+1)
	for k := range c {
		c[k] = lagged(z, z, 0, k) / float64(len(x))
	}
	return c
}

// levinson solves the Yule–Walker equations for every order up to p. phi[k]
// holds the k coefficients of order k, variance[k] that of its innovations.
func levinson(c []float64) (phi [][]float64, variance []float64) {
	p := len(c) - 1
	phi = [][]float64{{}}
	variance = []float64{c[0]}
	for k := 1; k <= p; k++ {
		if variance[k-1] <= 1e-14*c[0] {
			break // the series is foretold without error
		}
		a := c[k]
		last := phi[k-1]
		for j, v := range last {
			a -= v * c[k-1-j]
		}
		r := a / variance[k-1]
		next := make([]float64, k)
		for j := range last {
			next[j] = last[j] - r*last[k-2-j]
		}
		next[k-1] = r
		phi = append(phi, next)
		variance = append(variance, variance[k-1]*(1-r*r))
	}
	return phi, variance
}

// AR is the autoregressive model of the given order, by Yule and Walker's
// equations; with ByAIC the order 0..Order of least n·log σ² + 2p.
type AR struct {
	Order int // p ≥ 0
	ByAIC bool
}

func (a AR) Name() string { return fmt.Sprintf("AR(%d)", a.Order) }

// Fit returns the coefficients φ_1 … φ_p and the variance of the innovations.
func (a AR) Fit(x []float64) (phi []float64, variance float64, err error) {
	if err := checkSeries("AR", x, 0); err != nil {
		return nil, 0, err
	}
	if err := checkSquares("AR", x); err != nil {
		return nil, 0, err
	}
	if a.Order < 0 {
		return nil, 0, &smp.DomainError{Func: "AR", Arg: "Order", Value: float64(a.Order), Want: "Order >= 0"}
	}
	order := min(a.Order, len(x)-1)
	if order > maxOrder {
		return nil, 0, &smp.DomainError{Func: "AR", Arg: "Order", Value: float64(a.Order), Want: fmt.Sprintf("Order <= %d", maxOrder)}
	}
	if err := checkProducts("AR", "Order", a.Order, float64(order)*float64(len(x))); err != nil {
		return nil, 0, err
	}
	all, v := levinson(autocovariance(x, order))
	k := len(all) - 1
	if a.ByAIC {
		least := math.Inf(1)
		for p := range all {
			if v[p] <= 0 {
				k = p
				break
			}
			if aic := float64(len(x))*math.Log(v[p]) + 2*float64(p); aic < least {
				k, least = p, aic
			}
		}
	}
	return all[k], v[k], nil
}

func (a AR) Forecast(x []float64, n int) ([]float64, error) {
	if err := checkAhead("AR", n); err != nil {
		return nil, err
	}
	phi, _, err := a.Fit(x)
	if err != nil {
		return nil, err
	}
	if err := checkProducts("AR", "n", n, float64(len(phi))*float64(n)); err != nil {
		return nil, err
	}
	return forecastARMA(x, mean(x), phi, nil, n), nil
}

// forecastARMA continues a series: residuals from zero before its beginning,
// none after its end.
func forecastARMA(x []float64, m float64, phi, theta []float64, n int) []float64 {
	var e []float64
	if len(theta) > 0 {
		e = residuals(x, m, phi, theta)
	}
	z := make([]float64, len(x)+n)
	for t, v := range x {
		z[t] = v - m
	}
	for h := range n {
		t := len(x) + h
		v := 0.0
		for j, f := range phi {
			if t-1-j >= 0 {
				v += f * z[t-1-j]
			}
		}
		for j, f := range theta {
			if s := t - 1 - j; s >= 0 && s < len(x) {
				v += f * e[s]
			}
		}
		z[t] = v
	}
	out := z[len(x):]
	for i := range out {
		out[i] += m
	}
	return out
}

// residuals returns e(t) = z(t) − Σφ z(t−j) − Σθ e(t−j), z = x − m, with zeros
// before the beginning.
func residuals(x []float64, m float64, phi, theta []float64) []float64 {
	e := make([]float64, len(x))
	for t := range x {
		v := x[t] - m
		for j, f := range phi {
			if t-1-j >= 0 {
				v -= f * (x[t-1-j] - m)
			}
		}
		for j, f := range theta {
			if t-1-j >= 0 {
				v -= f * e[t-1-j]
			}
		}
		e[t] = v
	}
	return e
}
