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
	// Cheaper waits for the help that reaches the easier target for the fewest hours if these are at most hours, else
	// nil. Errors: that of ctx.
	Cheaper func(hours float64) (*Helped, error)
}

// Seek runs [FinishLaw.Cheapest] and, as soon as some help is known to reach the target,
// [FinishLaw.Frontier] beside it. Once all starts of the list were tried it looks beside these for help that reaches an
// easier target for at most a share of the hours, unless the share is 0. Both go on until they are asked for or ctx is
// done. Errors: those of Cheapest.
func (f *FinishLaw) Seek(ctx context.Context, t Target, c Cloud, easier Target, share float64) (*Sought, error) {
	type found struct {
		points []Point
		best   *Helped
		hours  float64 // that the best may take at most
		err    error
	}
	var frontier, easy *parallel.Task[found]
	d := &designing{f: f, t: t, c: c, hours: math.Inf(1)}
	d.found = func() {
		frontier = parallel.Start(func() (x found) {
			x.points, x.err = f.Frontier(ctx, t.Chance, c)
			return x
		})
	}
	cheaper := func(hours float64) func() found {
		e := &designing{f: f, t: easier, c: c, hours: hours, found: func() {}, harder: d.known}
		return func() (x found) {
			x.hours = hours
			x.best, _, x.err = e.cheapest(ctx)
			return x
		}
	}
	d.tried = func() {
		if share > 0 && d.best.Workers > 0 {
			easy = parallel.Start(cheaper(payable * share * d.hours))
		}
	}
	best, ok, err := d.cheapest(ctx)
	s := &Sought{best, ok, func() ([]Point, error) {
		if frontier == nil {
			return nil, nil
		}
		x := frontier.Value()
		return x.points, x.err
	}, func(hours float64) (*Helped, error) {
		var x found
		if easy != nil {
			x = easy.Value()
		}
		if x.hours < hours {
			x = cheaper(hours)()
		}
		if x.best == nil || x.best.Hours > hours {
			return nil, x.err
		}
		return x.best, nil
	}}
	if err != nil { // ctx is done
		_, _ = s.Points()
		_, _ = s.Cheaper(0)
		return nil, err
	}
	return s, nil
}
