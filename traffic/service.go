package traffic

import (
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/units"
)

// A Service is what durations say of the service law.
type Service struct {
	N    int     `json:"requests"` // durations, or requests in the intervals whose means they are
	Mean float64 `json:"mean_s"`
	// SCV is the squared coefficient of variation, variance/mean²; nil where only
	// means of intervals, or of a test, are known.
	SCV *float64 `json:"scv,omitempty"`
	// SCVLow and SCVHigh bound the SCV where buckets leave it open; SCVHigh is nil
	// where they bound it from below alone.
	SCVLow      *float64     `json:"scv_low,omitempty"`
	SCVHigh     *float64     `json:"scv_high,omitempty"`
	Percentiles []Percentile `json:"percentiles,omitempty"`
	// Sample holds the durations, in order of size; nil where they are not known
	// one by one.
	Sample []float64 `json:"-"`
	Source string    `json:"source"`
	Notes  []string  `json:"-"`
}

// A Percentile is a point of a distribution.
type Percentile struct {
	Percentile float64 `json:"percentile"` // in (0, 1)
	Value      float64 `json:"value_s"`
	// Low and High are the ends of the bucket that it lies in; nil: it is of
	// single durations, or High: beyond the last bound.
	Low  *float64 `json:"low_s,omitempty"`
	High *float64 `json:"high_s,omitempty"`
}

// shown are the percentiles told of a sample.
var shown = []float64{0.5, 0.9, 0.95, 0.99}

// ofSample returns the service law of single durations, which it sorts; nil of
// none.
func ofSample(took []float64, from string) *Service {
	if len(took) == 0 {
		return nil
	}
	slices.Sort(took)
	s := &Service{N: len(took), Sample: took, Source: from}
	for _, t := range took {
		s.Mean += t
	}
	s.Mean /= float64(len(took))
	if len(took) > 1 && s.Mean > 0 {
		// Two passes: a spread far below the mean keeps its digits.
		square := 0.0
		for _, t := range took {
			d := t/s.Mean - 1
			square += d * d
		}
		s.SCV = new(square / float64(len(took)-1))
	}
	for _, p := range shown {
		i := int(math.Ceil(p*float64(len(took))-1e-9)) - 1
		s.Percentiles = append(s.Percentiles, Percentile{Percentile: p, Value: took[max(i, 0)]})
	}
	return s
}

// duration reads how long something took: a number in the unit that the name of its column gives, a
// number with a unit, or hours, minutes and seconds.
func (r *reader) duration(cell []byte) (seconds float64, problem, want string) {
	const form = "a duration such as 250ms or 0:03:20, or a column whose name tells the unit, such as latency_ms"
	if strings.Count(string(cell), ":") == 2 {
		if s, ok := timeOfDay(cell); ok {
			return s, "", ""
		}
		return 0, "is not a duration", form
	}
	n, problem := r.numbers.read(cell, r.Line)
	if problem != "" {
		return 0, problem, form
	}
	unit := r.columns[DurationColumn].unit
	if n.suffix != "" {
		var ok bool
		if unit, ok = perSecond[n.suffix]; !ok {
			return 0, "is not a duration", form
		}
	}
	switch s := n.value * unit; {
	case unit == 0:
		return 0, "has no unit", form
	case !(s >= 0 && s <= source.MaxField):
		return 0, "is not a duration", "one from 0 to " + units.FormatDuration(source.MaxField, 2)
	case n.pending:
		// 1.234 ms: a later row decides which mark is the decimal one.
		r.pendingTook = append(r.pendingTook, pendingCell{index: r.at, mark: n.mark, line: r.Line})
		return s, "", ""
	default:
		return s, "", ""
	}
}
