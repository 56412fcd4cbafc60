package bags

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/parallel"
)

// A Sought is the result of Seek.
type Sought struct {
	Best *Helped // of [FinishLaw.Cheapest]
	OK   bool    // of [FinishLaw.Cheapest]
	// Points waits for the points of [FinishLaw.Frontier] with the chance of the target, and
	// returns them and its errors. There are none if no help reaches the target.
	Points func() ([]Point, error)
}

// Seek runs [FinishLaw.Cheapest] and, as soon as some help is known to reach the target,
// [FinishLaw.Frontier] beside it. The latter goes on until Points returns or ctx is done. Errors:
// those of Cheapest.
func (f *FinishLaw) Seek(ctx context.Context, t Target, c Cloud) (*Sought, error) {
	type found struct {
		points []Point
		err    error
	}
	var frontier *parallel.Task[found]
	best, ok, err := f.cheapest(ctx, t, c, math.Inf(1), func() {
		frontier = parallel.Start(func() (x found) {
			x.points, x.err = f.Frontier(ctx, t.Chance, c)
			return x
		})
	})
	points := func() ([]Point, error) {
		if frontier == nil {
			return nil, nil
		}
		x := frontier.Value()
		return x.points, x.err
	}
	if err != nil {
		_, _ = points() // ctx is done
		return nil, err
	}
	return &Sought{best, ok, points}, nil
}
