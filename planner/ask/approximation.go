package ask

import (
	"github.com/capplan/capplan/queueing"
)

// An Approximation says of figures that are not exact how they were come by and
// how far off that was found.
type Approximation struct {
	Approximate bool        `json:"approximate"`
	Method      string      `json:"method"`      // empty where the model is exact
	ErrorRange  *ErrorRange `json:"error_range"` // null where none was measured, or the model is exact
}

// An ErrorRange holds relative errors, estimate over simulation less 1.
type ErrorRange struct {
	MeanWait       *ErrorSpan `json:"mean_wait,omitempty"`
	WaitPercentile *ErrorSpan `json:"wait_percentile,omitempty"`
	Blocking       *ErrorSpan `json:"blocking_probability,omitempty"`
	// Response is of the 95th percentile of responses, over lognormal laws; the
	// others are over the regime.
	Response *ErrorSpan `json:"response_percentile,omitempty"`
	// WaitProbability is of the chance to wait in an interval of a curve.
	WaitProbability *ErrorSpan `json:"wait_probability,omitempty"`
	Regime          string     `json:"regime"` // where they were measured
	Source          string     `json:"source"` // by what
}

// An ErrorSpan is the least and the greatest error found, and what nine of ten
// kept within in either direction.
type ErrorSpan struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Most float64 `json:"nine_of_ten"`
}

// ApproximationOf restates what a model says of its approximation; nil is exact.
func ApproximationOf(a *queueing.Approximation) Approximation {
	if a == nil {
		return Approximation{}
	}
	out := Approximation{Approximate: true, Method: a.Method}
	if a.Source != "" {
		out.ErrorRange = &ErrorRange{
			MeanWait:        span(a.MeanWait),
			WaitPercentile:  span(a.WaitPercentile),
			Blocking:        span(a.Blocking),
			Response:        span(a.Response),
			WaitProbability: span(a.WaitProbability),
			Regime:          a.Regime,
			Source:          a.Source,
		}
	}
	return out
}

// span is nil for a figure that nothing was compared of.
func span(r queueing.ErrorRange) *ErrorSpan {
	if r == (queueing.ErrorRange{}) {
		return nil
	}
	return &ErrorSpan{r.Low, r.High, r.Most}
}
