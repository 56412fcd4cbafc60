package baseline

import (
	"math"
	"slices"

	"github.com/capplan/capplan/smp"
)

// A stayer can say of most series, for less than a fit costs, whether its forecast of the next n
// values stays free of overload. Where it is not sure, it is asked for the forecast.
//
// A scheduler asks whether a host stays free, not what its load will be, and nearly all forecasts
// are far from the load that counts.
type stayer interface {
	// of finite values
	stays(series []float64, n int, p smp.Thresholds) (free, sure bool)
}

// Limits of what is asked of an ARMA fit whose forecast is compared with one load. What differs by them
// is said in EVALUATION.md and measured by TestStays.
const (
	// climb is how far above the highest value and below the lowest, in differences between the two, no
	// forecast reaches: the series would have to climb on as steeply as ever for as long again.
	climb = 1
	// coarse is the number of steps of the search for a first fit, and aloof by how much the load may be
	// shifted up and down, in the same unit, without another answer for a better fit not to be asked.
	coarse = 2
	aloof  = 0.4
	// slight is the gain in the log likelihood, times two, below which a better fit is not searched: a gain
	// of 1 is what a coefficient wins that is a standard error off.
	slight = 0.04
	// recent is the number of values, the latest, that a long series is fitted with first, and narrow what
	// aloof is then.
	recent = 512
	narrow = 0.03
)

func (Last) stays(x []float64, n int, p smp.Thresholds) (free, sure bool) {
	return x[len(x)-1] <= p.Heavy || !lasts(n, p), true
}

// A mean is at most the highest value.
func (BestMean) stays(x []float64, _ int, p smp.Thresholds) (free, sure bool) {
	return true, slices.Max(x) < p.Heavy
}

func (a ARMA) stays(x []float64, n int, p smp.Thresholds) (free, sure bool) {
	low, high := slices.Min(x), slices.Max(x)
	if a.AR < 0 || a.MA < 0 || max(a.AR, a.MA) > smallOrder || checkSquares("", x) != nil {
		return false, false
	}
	if p.Heavy-high > climb*(high-low) {
		return true, true
	}
	if low-p.Heavy > climb*(high-low) {
		return !lasts(n, p), true
	}
	z, m, variance := centred(x)
	ar, ma := a.orders(len(x))
	// Without autoregression the forecast is the mean from the step q+1 on.
	if a.AR == 0 && m > p.Heavy && lasts(n-ma, p) {
		return false, true
	}
	if a.AR == 0 && m <= p.Heavy && !lasts(ma, p) {
		return true, true
	}
	if a.ByAIC || variance <= negligible(m) || ar+ma == 0 {
		return false, false // Fit knows at once
	}
	near := z[max(0, len(z)-recent):]
	fit := newARMAFit(near, ar, ma)
	var best []float64
	least := math.Inf(1)
	for _, u := range armaStarts(near, ar, ma) {
		if s := fit.sweep(fit.plain(u)); s < least {
			least, best = s, u
		}
	}
	if best == nil {
		return false, false
	}
	fit.search(best, coarse, accurate)
	settled := func(margin float64) (free, sure bool) {
		margin *= high - low
		over := fit.overloads(best, m+margin, n, p)
		return !over, over == fit.overloads(best, m-margin, n, p)
	}
	if free, sure := settled(aloof); sure {
		return free, true
	}
	fit.search(best, longSearch, slight/float64(len(near)))
	if len(near) < len(z) {
		if free, sure := settled(narrow); sure {
			return free, true
		}
		fit = newARMAFit(z, ar, ma)
		fit.search(best, longSearch, slight/float64(len(z)))
	}
	return settled(0)
}

// overloads reports whether the next n values of z about a mean are overloaded, by coefficients of orders
// up to smallOrder.
func (a *armaFit) overloads(u []float64, m float64, n int, p smp.Thresholds) bool {
	phi, theta := a.plain(u)
	a.residualsSmall(phi, theta)
	var z, e [smallOrder]float64 // the last values, the latest first
	for j := range min(smallOrder, len(a.z)) {
		z[j], e[j] = a.z[len(a.z)-1-j], a.e[len(a.z)-1-j]
	}
	apart := 1e-6 * math.Abs(p.Heavy-m)
	over := 0
	for step := range n {
		// Once the values are that near to the mean, they stay on its side of the load.
		if step > smallOrder && max(math.Abs(z[0]), math.Abs(z[1]), math.Abs(z[2])) < apart {
			return m > p.Heavy && lasts(over+n-step, p)
		}
		v := 0.0
		for j, f := range phi {
			v += f * z[j]
		}
		for j, f := range theta {
			v += f * e[j]
		}
		if over++; !(v+m > p.Heavy) {
			over = 0
		} else if lasts(over, p) {
			return true
		}
		z = [smallOrder]float64{v, z[0], z[1]}
		e = [smallOrder]float64{0, e[0], e[1]}
	}
	return false
}
