package bags

import (
	"context"
	"math"
	"slices"
	"sync"
)

// A Target is what help has to reach: the bag done by a time with a chance.
type Target struct {
	By     float64 // s
	Chance float64 // with which the bag is done by then, 0 < Chance < 1
}

// starts are the shares of the bag at which help may begin.
var starts = []float64{0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.84, 0.87, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98,
	0.985, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9999}

// mostWorkers bounds a design.
const mostWorkers = 1 << 17

// Cheapest returns the help that reaches the target for the fewest worker hours, which is no
// help if the bag reaches it alone. If no help reaches the target, ok is false and best is the
// help with the greatest chance. The result is the cheapest of [FinishLaw.Designs] or one that starts
// between two of these; nothing on a dense grid of starts and numbers of workers was 2 % cheaper
// (TestDesignIsNotBeaten). Errors: that of ctx, those of [Cloud.Check], and a *DomainError for an invalid target.
func (f *FinishLaw) Cheapest(ctx context.Context, t Target, c Cloud) (best *Helped, ok bool, err error) {
	return (&designing{f: f, t: t, c: c, hours: math.Inf(1), found: func() {}}).cheapest(ctx)
}

// cheapest is [FinishLaw.Cheapest] for help of at most the given hours; best is nil if no help does. It goes
// through the starts from the last one on: few tasks are left then and the hours are few, so that the lower bounds of
// most other starts exceed them. Then it tries starts in between.
func (d *designing) cheapest(ctx context.Context) (best *Helped, ok bool, err error) {
	t, c, hours := d.t, d.c, d.hours
	if err := t.check(c); err != nil {
		return nil, false, err
	}
	f := d.f.until(t.By)
	without := f.With(Help{}, c)
	if without.Chance(t.By) >= t.Chance {
		d.found()
		return without, true, nil
	}
	d.f, d.found, d.chance = f, sync.OnceFunc(d.found), without.Chance(t.By)
	defer d.leave()
	tried := f.starts()
	for i := len(tried) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		d.try(tried[i])
	}
	if d.best.Workers == 0 && math.IsInf(hours, 1) {
		if err := d.surest(ctx, tried); err != nil {
			return nil, false, err
		}
	}
	if d.tried != nil {
		d.tried()
	}
	if err := d.between(ctx); err != nil {
		return nil, false, err
	}
	switch {
	case d.best.Workers > 0:
		return f.With(d.best, c), true, nil
	case !math.IsInf(hours, 1):
		return nil, false, nil
	}
	return f.With(d.most, c), false, nil
}

// Designs returns, for each start that is tried, in rising order, the help that reaches the
// target for the fewest hours. Starts from which no help does are left out; if no help is
// needed, that is the only design. From a given start the chance grows with the number of workers,
// so bisection finds the least number; the hours of that number are compared with those of some
// above it and of one worker for each task. Errors: those of [FinishLaw.Cheapest].
func (f *FinishLaw) Designs(ctx context.Context, t Target, c Cloud) ([]*Helped, error) {
	if err := t.check(c); err != nil {
		return nil, err
	}
	f = f.until(t.By)
	if none := f.With(Help{}, c); none.Chance(t.By) >= t.Chance {
		return []*Helped{none}, nil
	}
	d := &designing{f: f, t: t, c: c}
	defer d.leave()
	var all []*Helped
	for _, s := range starts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if workers, _, _, _ := d.design(s, math.Inf(1), 1); workers > 0 {
			all = append(all, d.helping.helped(Help{s, workers}, Target{}))
		}
	}
	return all, nil
}

func (t Target) check(c Cloud) error {
	if err := c.Check(); err != nil {
		return err
	}
	if !(t.By > 0) || !(t.Chance > 0 && t.Chance < 1) {
		return &DomainError{"Designs", "Target", t.By, "a time > 0, and a chance between 0 and 1"}
	}
	return nil
}

// starts returns the starts that differ in the number of tasks done, up to the one at which a
// single task is left or, in a large bag, a few are: starts are in ten thousandths, like the names
// of strategies.
func (f *FinishLaw) starts() []float64 {
	last := math.Floor(1e4*(f.tasks-1)/f.tasks) / 1e4
	all := append(slices.DeleteFunc(slices.Clone(starts), func(s float64) bool { return s >= last }), max(0, last))
	return slices.CompactFunc(all, func(a, b float64) bool { return f.startTask(a) == f.startTask(b) })
}

// leftThen returns how many tasks are left on average when workers begin.
func (w *helping) leftThen() int {
	left := 0.0
	for i := range w.courses {
		c := &w.courses[i]
		if w.reach(c, c.first+1); len(c.alone) >= c.first {
			left += c.share * c.beforeWorkers()
		}
	}
	return int(math.Ceil(left))
}

// payable allows for rounding when hours are compared with a limit.
const payable = 1 + 1e-9

// leastEach returns a lower bound of the hours of each worker, whatever their number, or some
// number above the limit if the bound exceeds it.
func (w *helping) leastEach(limit float64) float64 {
	each := 0.0
	for i := range w.courses {
		c := &w.courses[i]
		c.eachPaid = w.leastPaid(c)
		if each += c.eachPaid; each > payable*limit {
			break
		}
	}
	return each
}

// enough returns the most workers worth trying: one for each task left, as far as the cloud allows.
func (f *FinishLaw) enough(start float64, c Cloud) int {
	return min(int(min(max(1, math.Ceil((1-start)*f.tasks)), mostWorkers)), c.most())
}

// most returns the greatest number of workers that is allowed.
func (c Cloud) most() int {
	if c.Most > 0 {
		return c.Most
	}
	return math.MaxInt
}
