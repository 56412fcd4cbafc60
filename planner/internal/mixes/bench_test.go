package mixes

import (
	"testing"

	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// BenchmarkMeets holds one mix after another to its objectives, none of which was seen before.
func BenchmarkMeets(b *testing.B) {
	up := unlike.Coming{Up: 1, Speed: 1, PerJob: 1}
	spot := unlike.Coming{Up: 0.95, Speed: 0.8, PerJob: 1}
	slow := unlike.Coming{Up: 0.9, Speed: 0.5, PerJob: 1}
	lost := &sizing.Objectives{MaxBlocking: new(units.Fraction(0.01))}
	waits := &sizing.Objectives{MaxMeanWait: new(units.Duration(0.1))}
	answered := &sizing.Objectives{MaxResponse: new(units.Duration(4)), Percentile: new(units.Percentile(0.95))}
	for _, c := range []struct {
		name  string
		o     *sizing.Objectives
		kinds []unlike.Coming
	}{
		{"loss/types=2", lost, []unlike.Coming{up, {Up: 1, Speed: 0.7, PerJob: 1}}},
		{"wait/types=2", waits, []unlike.Coming{up, spot}},
		{"wait/types=3/coming=3", waits, []unlike.Coming{{Up: 0.99, Speed: 1, PerJob: 1}, spot, slow}},
		{"response/types=2", answered, []unlike.Coming{up, spot}},
	} {
		b.Run(c.name, func(b *testing.B) {
			f, err := sizing.NewFleet(&sizing.Traffic{}, c.o, "", nil, sizing.LoadOf(100, 1))
			if err != nil {
				b.Fatal(err)
			}
			x := NewModel(f, f, (&sizing.Traffic{}).UnlikeModelOf(f.Kind, f.Load), c.kinds, nil)
			counts := make([]int64, len(c.kinds))
			for i := 0; b.Loop(); i++ {
				// Mixes about as large as the load asks for, in an order that does not come again.
				if i%2000 == 0 {
					x.Forget()
				}
				for t := range counts {
					counts[t] = int64(60 + i%40 + 7*t)
				}
				counts[0] = int64(20 + i%2000/20)
				x.Meets(counts)
			}
		})
	}
}
