package queueing

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/queueing/internal/measured"
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
	// Response is of the 95th percentile of responses, WaitProbability of the chance
	// to wait in an interval of a curve.
	Response, WaitProbability ErrorRange
	Jobs                      ErrorRange // in the system, on average
	Regime                    string     // where they were measured
	Source                    string     // of the measurement; empty where there was none
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

// fitErrors are the errors of [GIGC], the worse of those on a grid of queues and on
// others by which nothing was chosen.
var fitErrors = [...]Approximation{
	ExponentialService: fittedBy("GI/M/c with gaps of a law fitted to mean and SCV",
		true, &measured.FittedExponentialServiceWait, &measured.FittedExponentialServicePercentile),
	PoissonOneServer: fittedBy("M/G/1 with service times of a law fitted to mean and SCV",
		true, &measured.FittedPoissonOneServerWait, &measured.FittedPoissonOneServerPercentile),
	ConstantService: fittedBy("GI/D/c with gaps of a law fitted to mean and SCV",
		true, &measured.FittedConstantServiceWait, &measured.FittedConstantServicePercentile),
	OneServer: fittedBy("GI/G/1 with laws fitted to mean and SCV",
		true, &measured.FittedOneServerWait, &measured.FittedOneServerPercentile),
	Interpolated: fittedBy("GI/G/c between constant and exponential service",
		false, &measured.FittedInterpolatedWait, &measured.FittedInterpolatedPercentile),
}

// ggcErrors are the same for [GGC], [KraemerLangenbachBelz] and [Whitt1993].
var ggcErrors = [...]Approximation{
	waitsBy("Allen-Cunneen", false, &measured.AllenCunneenWait, &measured.AllenCunneenPercentile),
	waitsBy("Kraemer-Langenbach-Belz", false, &measured.LangenbachBelzWait, &measured.LangenbachBelzPercentile),
	waitsBy("Whitt 1993", false, &measured.WhittWait, &measured.WhittPercentile),
}

// waitsBy puts what was measured of waits into an Approximation.
func waitsBy(method string, exact bool, wait, percentile *measured.Measurement) Approximation {
	return Approximation{
		Method:         method,
		Exact:          exact,
		MeanWait:       ErrorRange(wait.Range),
		WaitPercentile: ErrorRange(percentile.Range),
		Regime:         wait.Regime,
		Source:         wait.Source,
	}
}

// fittedBy adds what was measured of responses, for all ways together.
func fittedBy(method string, exact bool, wait, percentile *measured.Measurement) Approximation {
	a := waitsBy(method, exact, wait, percentile)
	a.Response = ErrorRange(measured.FittedResponse.Range)
	return a
}

// A remark is a [Warning], or what one is made of when it is read: a search over
// servers asks for thousands of figures and reads the words of one.
type remark struct {
	said             *Warning
	about            *Approximation // nil: nothing but what is said
	scv, utilization float64        // the greater SCV
}

// remarkOf remembers what the measured errors of the figures depend on.
func (m GGC) remarkOf(f Figures) remark {
	return remark{about: f.approximation, scv: math.Max(m.ArrivalSCV, m.ServiceSCV), utilization: f.Utilization}
}

// warning puts the measured errors into words.
func (r remark) warning() *Warning {
	a := r.about
	if a == nil {
		return r.said
	}
	advice := fmt.Sprintf("against simulation nine of ten mean waits were within %.0f%%, percentiles within %.0f%%",
		100*a.MeanWait.Most, 100*a.WaitPercentile.Most)
	switch {
	case r.scv > 4:
		advice += fmt.Sprintf("; here an SCV is %.3g: confirm by simulation before relying on it", r.scv)
	case r.utilization < 0.5:
		advice += fmt.Sprintf("; here the utilization is %.3g: waits are short and their relative error can be larger",
			r.utilization)
	}
	return &Warning{a.Method, a.Regime, advice}
}
