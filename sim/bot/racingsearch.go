package bot

import (
	"cmp"
	"math"
	"slices"

	"github.com/capplan/capplan/bags"
)

const (
	muchLess  = 0.8   // of the hours of the best: help that takes fewer is tried on all runs at once
	lessWorth = 0.995 // of the hours of the best: of the help that takes more, mostAbout is tried on all runs
	mostAbout = 2
)

// raceLeft holds the shares of the tasks left at the starts of a race.
var raceLeft = []float64{1, 0.9, 0.7, 0.45, 0.25, 0.13, 0.06, 0.025, 0.01, 0.003, 0.001}

// search finds the best help: roughly from each of some starts, then more closely where it is probably cheapest, and
// then on a grid. Before that, help that is cheaper than the best and probably in time bounds the hours of all other
// help, but is tried on all runs only when no more is found: that takes as much as some ten pieces of help that are
// late.
func (r *racing) search() error {
	inTime := true
	for _, r := range []*racing{r, r.again} {
		t, late, _, err := r.on(r.q.From, r.order)
		if err != nil {
			return err
		}
		r.ends = t.ends
		inTime = inTime && late <= r.q.MayBeLate
	}
	if inTime {
		r.better(r.tried[r.q.From])
	}
	if err := r.roughly(); err != nil {
		return err
	}
	for {
		if err := r.finish(); err != nil || r.best != nil && r.best.total() == 0 {
			return err
		}
		if err := r.closer(); err != nil {
			return err
		}
		if !slices.ContainsFunc(r.starts, func(s *raceStart) bool { return s.waits > 0 }) {
			return r.sweep()
		}
	}
}

// roughly searches each start of a list.
func (r *racing) roughly() error {
	if err := r.from(r.newStart(r.q.From.Start), r.q.From.Workers); err != nil {
		return err
	}
	var starts []float64
	last := 1 / r.r.kase.Bag.MeanSize() // else no start is looked for after the last of the list
	for _, left := range raceLeft {
		if s, ok := r.startOf(max(left, last)); ok {
			starts = append(starts, s)
		}
	}
	away := func(start float64) float64 { return math.Abs(math.Log((1 - start) / (1 - r.q.From.Start))) }
	slices.SortStableFunc(starts, func(a, b float64) int { return cmp.Compare(away(a), away(b)) })
	for _, s := range starts {
		if r.hope == 0 {
			break // it costs nothing
		}
		if err := r.near(s); err != nil {
			return err
		}
	}
	return nil
}

// finish tries on all runs what waits for it, the cheapest first and, of help that costs the same, the latest start.
func (r *racing) finish() error {
	r.hope = math.Inf(1)
	waiting := slices.DeleteFunc(slices.Clone(r.starts), func(s *raceStart) bool { return s.waits == 0 })
	slices.SortStableFunc(waiting, func(a, b *raceStart) int {
		return cmp.Or(cmp.Compare(a.hoursOf(a.waits), b.hoursOf(b.waits)), cmp.Compare(b.start, a.start))
	})
	about := 0
	for _, s := range waiting {
		workers := s.waits
		s.waits = 0
		limit, err := r.limit()
		if err != nil {
			return err
		}
		if s.hoursOf(workers) > lessWorth*limit {
			if about++; about > mostAbout || r.spent() {
				continue
			}
		}
		inTime, isDear, err := r.all(bags.Help{Start: s.start, Workers: workers})
		if err != nil {
			return err
		}
		s.held(workers, inTime, isDear)
	}
	return nil
}
