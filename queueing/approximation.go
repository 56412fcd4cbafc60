package queueing

import (
	"fmt"
	"math"
)

// An Approximation says how figures were come by that are not exact, and how
// far off such figures were found.
type Approximation struct {
	Method string // in words
	// Exact: the mean is exact for the laws that were assumed; the errors are
	// then those of other laws with the same two moments.
	Exact bool
	// MeanWait and WaitPercentile are the errors against simulation over the
	// regime, for the 90th and 99th percentiles together. A range of zeros was
	// not measured.
	MeanWait, WaitPercentile ErrorRange
	Blocking                 ErrorRange
	Regime                   string // where they were measured
	Source                   string // of the measurement; empty where there was none
}

// An ErrorRange is what was measured of the relative error, estimate over truth
// less 1.
type ErrorRange struct {
	Low, High float64 // the least and the greatest
	Most      float64 // nine of ten are within ± Most
}

// Approximation returns how the figures were approximated, nil where the model
// is exact.
func (f Figures) Approximation() *Approximation { return f.approximation }

// A FitKind is one of the ways in which [GIGC] comes by its figures.
type FitKind int

// The ways.
const (
	ExponentialService FitKind = iota
	PoissonOneServer
	ConstantService
	OneServer
	Interpolated
)

// fitErrors are the errors of [GIGC], the worse of those in testdata/ggcsim.csv
// and in ggcsimnew.csv, by which nothing was chosen, rounded outwards to whole
// per cents; TestGIGCErrorsAreMeasured computes them.
var fitErrors = [...]Approximation{
	ExponentialService: {
		Method:         "GI/M/c with gaps of a law fitted to mean and SCV",
		Exact:          true,
		MeanWait:       ErrorRange{-0.06, 0.30, 0.12},
		WaitPercentile: ErrorRange{-0.07, 0.42, 0.10},
		Regime:         measuredRegime,
		Source:         firstSource,
	},
	PoissonOneServer: {
		Method:         "M/G/1 with service times of a law fitted to mean and SCV",
		Exact:          true,
		MeanWait:       ErrorRange{-0.05, 0.06, 0.02},
		WaitPercentile: ErrorRange{-0.14, 0.09, 0.09},
		Regime:         measuredRegime,
		Source:         firstSource,
	},
	ConstantService: {
		Method:         "GI/D/c with gaps of a law fitted to mean and SCV",
		Exact:          true,
		MeanWait:       ErrorRange{-0.05, 2.05, 0.41},
		WaitPercentile: ErrorRange{-0.09, 2.33, 0.32},
		Regime:         measuredRegime,
		Source:         firstSource,
	},
	OneServer: {
		Method:         "GI/G/1 with laws fitted to mean and SCV",
		Exact:          true,
		MeanWait:       ErrorRange{-0.23, 0.38, 0.14},
		WaitPercentile: ErrorRange{-0.28, 0.32, 0.16},
		Regime:         measuredRegime,
		Source:         measuredSource,
	},
	Interpolated: {
		Method:         "GI/G/c between constant and exponential service",
		MeanWait:       ErrorRange{-0.31, 2.75, 0.30},
		WaitPercentile: ErrorRange{-0.28, 1.72, 0.26},
		Regime:         measuredRegime,
		Source:         measuredSource,
	},
}

// ggcErrors are the same for [GGC], [KraemerLangenbachBelz] and [Whitt1993].
var ggcErrors = [...]Approximation{
	{
		Method:         "Allen-Cunneen",
		MeanWait:       ErrorRange{-0.69, 8.63, 0.73},
		WaitPercentile: ErrorRange{-1.00, 3.91, 0.45},
		Regime:         measuredRegime,
		Source:         measuredSource,
	},
	{
		Method:         "Kraemer-Langenbach-Belz",
		MeanWait:       ErrorRange{-0.76, 5.01, 0.48},
		WaitPercentile: ErrorRange{-1.00, 2.52, 0.35},
		Regime:         measuredRegime,
		Source:         measuredSource,
	},
	{
		Method:         "Whitt 1993",
		MeanWait:       ErrorRange{-0.63, 8.80, 0.45},
		WaitPercentile: ErrorRange{-0.63, 8.13, 0.40},
		Regime:         measuredRegime,
		Source:         measuredSource,
	},
}

// What both simulations cover: 816 queues on a grid and 91 others, the rows of their
// tables (TestMeasuredSources).
const (
	measuredRegime = "utilization 0.5 to 0.95, SCVs up to 4, up to 100 servers"
	measuredSource = "simulation of 907 queues"
	firstSource    = "simulation of 816 queues" // those of the first table alone
)

func measured(k FitKind) *Approximation {
	return &fitErrors[k]
}

// warningOf puts the measured errors into words.
func (m GGC) warningOf(f Figures) *Warning {
	a := f.approximation
	if a == nil {
		return nil
	}
	advice := fmt.Sprintf("against simulation nine of ten mean waits were within %.0f %%, percentiles within %.0f %%", 100*a.MeanWait.Most, 100*a.WaitPercentile.Most)
	switch scv := math.Max(m.ArrivalSCV, m.ServiceSCV); {
	case scv > 4:
		advice += fmt.Sprintf("; here an SCV is %.3g: confirm by simulation before relying on it", scv)
	case f.Utilization < 0.5:
		advice += fmt.Sprintf("; here the utilization is %.3g: waits are short and their relative error can be larger", f.Utilization)
	}
	return &Warning{a.Method, a.Regime, advice}
}
