package baseline

import (
	"math"
	"slices"
)

// A stayer can say of most series, for less than a fit costs, that its forecast of the next n
// values is nowhere above a load. false means nothing.
//
// A scheduler asks whether a host stays free, not what its load will be, and nearly all forecasts
// are far below the load that counts.
type stayer interface {
	// of finite values
	staysBelow(series []float64, n int, load float64) bool
}

// Limits of what an ARMA forecast is taken to do, beyond which it is not made. They were set on windows
// of half of PlanetLab's machine-days. Of all its 770,299 test days 36 are called free that the forecasts
// of MA(3) or ARMA(3,3) would not call so, of NAB's 23,503 none.
const (
	// climb is how far above the highest value, in differences between highest and lowest, no forecast
	// reaches: the series would have to climb on as steeply as ever for as long again.
	climb = 1
	// coarse is the number of steps of the search for a first fit, and aloof how far below the load its
	// forecasts have to stay, in the same unit, for a better fit not to be asked.
	coarse = 2
	aloof  = 0.6
)

func (Last) staysBelow(x []float64, _ int, load float64) bool { return x[len(x)-1] <= load }

// A mean is at most the highest value.
func (BestMean) staysBelow(x []float64, _ int, load float64) bool { return slices.Max(x) < load }

func (a ARMA) staysBelow(x []float64, n int, load float64) bool {
	low, high := slices.Min(x), slices.Max(x)
	if a.AR < 0 || a.MA < 0 || max(a.AR, a.MA) > smallOrder {
		return false
	}
	if load-high > climb*(high-low) {
		return true
	}
	p, q := a.orders(len(x))
	if a.ByAIC || len(x) < 4*(a.AR+a.MA) {
		return false // so short a series is fitted so well that it may be continued anyhow
	}
	z, m, variance := centred(x)
	if variance <= negligible(m) || p+q == 0 {
		return false // Fit knows at once
	}
	fit := newARMAFit(z, p, q)
	var best []float64
	least := math.Inf(1)
	for _, u := range armaStarts(z, p, q) {
		if s := fit.sweep(fit.plain(u)); s < least {
			least, best = s, u
		}
	}
	if best == nil {
		return false
	}
	fit.search(best, coarse)
	return load-m-fit.highest(best, n) > aloof*(high-low)
}

// highest returns the greatest of the next n values of z by coefficients of orders up to smallOrder.
func (a *armaFit) highest(u []float64, n int) float64 {
	phi, theta := a.plain(u)
	a.residualsSmall(phi, theta)
	var z, e [smallOrder]float64 // the last values, the latest first
	for j := range min(smallOrder, len(a.z)) {
		z[j], e[j] = a.z[len(a.z)-1-j], a.e[len(a.z)-1-j]
	}
	most := math.Inf(-1)
	for range n {
		v := 0.0
		for j, f := range phi {
			v += f * z[j]
		}
		for j, f := range theta {
			v += f * e[j]
		}
		most = math.Max(most, v)
		z = [smallOrder]float64{v, z[0], z[1]}
		e = [smallOrder]float64{0, e[0], e[1]}
	}
	return most
}
