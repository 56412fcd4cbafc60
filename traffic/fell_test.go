package traffic_test

import (
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/traffic"
)

// Records that no file holds are refused, not folded.
func TestFoldRefuses(t *testing.T) {
	for name, r := range map[string]*traffic.Record{
		"nothing":   {Dated: true},
		"no time":   {Dated: true, Intervals: []traffic.Interval{{Wall: math.NaN(), Width: 60, Rate: 1}}},
		"far":       {Dated: true, Intervals: []traffic.Interval{{Wall: 1e300, Width: 60, Rate: 1}}},
		"no width":  {Dated: true, Intervals: []traffic.Interval{{Wall: 0, Width: math.NaN(), Rate: 1}}},
		"very wide": {Dated: true, Width: 1, Intervals: []traffic.Interval{{Wall: 0, Width: 1e15, Rate: 1}}},
	} {
		var domain *source.DomainError
		if _, err := r.Day(traffic.Level{Percentile: 0.5}); !errors.As(err, &domain) {
			t.Errorf("%s: %v, want a DomainError", name, err)
		}
		r.Curve()
	}
}
