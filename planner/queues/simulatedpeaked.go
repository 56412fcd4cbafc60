package queues

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim/station"
	"github.com/capplan/capplan/units"
)

// peakedGaps returns renewal gaps whose stream has the given load and peakedness
// beside exponential services, and their SCV:
//
//	z = 1/(1 − φ(1/m)) − a
//
// where φ is the transform of the gaps' law, of two moments. Source: Wolff,
// Stochastic modeling and the theory of queues, 1989, section 5-17. Peakedness
// grows with the SCV of the gaps, which is why a search for the SCV finds it.
// Errors: *ask.InputError where no SCV from 0 to 1e9 has that peakedness.
func peakedGaps(load, peakedness, service float64) (station.Law, float64, error) {
	gap := service / load
	of := func(scv float64) (station.Law, float64, error) {
		l, err := simulate.Law("peakedness", gap, new(units.Number(scv)))
		if err != nil {
			return nil, 0, err
		}
		// Every fitted law has a transform; one without would be an error here
		// and no panic.
		t, ok := l.(interface {
			Transform(complex128) complex128
		})
		if !ok {
			return nil, 0, ask.Inputf("peakedness", "no law of gaps")
		}
		return l, 1/(1-real(t.Transform(complex(1/service, 0)))) - load, nil
	}
	// The upper end doubles until it is peaked enough; the lower one is then the
	// last that was not.
	low, high := 0.0, 1.0
	for {
		_, z, err := of(high)
		if err != nil {
			return nil, 0, err
		}
		if z >= peakedness {
			break
		}
		if low, high = high, 2*high; high > 1e9 {
			return nil, 0, ask.Inputf("peakedness", "no renewal stream of this load is as peaked as %s",
				ask.Digits(peakedness))
		}
	}
	// Constant gaps are the smoothest renewal stream there is. Below their
	// peakedness there is nothing to look for, and the search would end at 0 in
	// silence.
	if _, z, err := of(0); err != nil || z > peakedness {
		return nil, 0, ask.Inputf("peakedness", "no renewal stream of this load is as smooth as %s",
			ask.Digits(peakedness))
	}
	// Sixty halvings take the interval below the distance of two floating-point
	// numbers.
	for range 60 {
		mid := low + (high-low)/2
		if _, z, err := of(mid); err != nil {
			return nil, 0, err
		} else if z < peakedness {
			low = mid
		} else {
			high = mid
		}
	}
	// The bisection ends beside 1 and not at it; at 1 the law is the exponential
	// one, which is cheaper to draw and has a name.
	if math.Abs(high-1) < 1e-9 {
		high = 1
	}
	l, _, err := of(high)
	return l, high, err
}
