package traffic

import (
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/source"
)

// Records that no file holds are refused, not folded.
func TestFoldRefuses(t *testing.T) {
	for name, r := range map[string]*Record{
		"nothing":   {Dated: true},
		"no time":   {Dated: true, Intervals: []Interval{{Wall: math.NaN(), Width: 60, Rate: 1}}},
		"far":       {Dated: true, Intervals: []Interval{{Wall: 1e300, Width: 60, Rate: 1}}},
		"no width":  {Dated: true, Intervals: []Interval{{Wall: 0, Width: math.NaN(), Rate: 1}}},
		"very wide": {Dated: true, Width: 1, Intervals: []Interval{{Wall: 0, Width: 1e15, Rate: 1}}},
	} {
		var domain *source.DomainError
		if _, err := r.Day(Level{Percentile: 0.5}); !errors.As(err, &domain) {
			t.Errorf("%s: %v, want a DomainError", name, err)
		}
		r.Curve()
	}
}
