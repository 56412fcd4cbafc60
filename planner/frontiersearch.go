package planner

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/internal/mixes"
)

// frontierNeeds is the number of steps of the need that mixes are chosen for.
const frontierNeeds = 120

// A frontierSearch gathers the mixes among which a frontier is found: the cheapest for
// every need, worth of the machines and floor of dedicated ones that it goes through.
type frontierSearch struct {
	*judging
	// scale, by type, makes worths stand for the machines' own figures: those of the plane
	// above which mixes are searched. Nil: 1.
	scale []float64
	found map[string][]int64 // counts by their key
}

// newFrontierSearch begins a search. If mixes count by their own figures and are held
// against draws, it finds the scale by which worths stand for these figures.
func newFrontierSearch(j *judging) *frontierSearch {
	s := &frontierSearch{judging: j, found: map[string][]int64{}}
	if x := j.mixing.Model; x != nil && x.Prepared() && j.draws != nil {
		s.scale = make([]float64, len(j.items))
		for t, item := range j.items {
			s.scale[t] = 1
			// As many machines of one type alone as the model asks for stand for
			// the need: each is worth its share of that.
			if item.Most > 0 {
				s.scale[t] = j.need / x.Alone(t) / item.Worth
			}
		}
	}
	// The mix of the plan is the cheapest there is and the searches below need not find it:
	// they are shorter, or go by worth where it was chosen by figures.
	s.found[mixes.Key(j.counts)] = j.counts
	return s
}

// gather finds the mixes. The same mix is found by many needs, and kept once.
func (s *frontierSearch) gather(ctx context.Context) error {
	mixers, needs := s.mixers(), s.needs()
	for _, items := range s.worths() {
		for _, need := range needs {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			for k, by := range mixers {
				if err := s.take(ctx, by, items, need, len(mixers)-k); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// take keeps the cheapest mix of a choice, where there is one with few enough public
// machines. The search stops at 5000 nodes: a frontier needs many good mixes and
// not the proof that one is the best.
func (s *frontierSearch) take(ctx context.Context, by *mixer, items []cover.Item, need float64, mixers int) error {
	if x := s.mixing.Model; by.Model != nil {
		defer s.work.Frontier.Of(x, mixers)()
	} else if x != nil && by.Crossing != nil { // what link and epoch allow is asked of the model
		if s.work.Frontier.Left <= 0 {
			s.work.Frontier.Cut++
			return nil
		}
		by.Ends = x.EndsAfter(math.Max(s.work.Frontier.Left/4, mixes.LeastSteps))
		defer s.work.Frontier.Takes(x)()
	}
	mix, err := by.Cheapest(ctx, items, need, 0, 5000)
	switch {
	case errors.As(err, new(*cover.InfeasibleError)):
		return nil
	case err != nil:
		return mixError(err, "")
	case s.shared(mix.Counts):
		s.found[mixes.Key(mix.Counts)] = mix.Counts
	}
	return nil
}

// mixers are the choices. With a floor for the dedicated machines, from none to all of
// the need, the cheapest mixes go through all shares of public ones; without it the
// search would only ever find the cheapest kind.
func (s *frontierSearch) mixers() []*mixer {
	var all []*mixer
	step := 1
	if s.draws != nil {
		step = 5 // three floors are enough where a mix is told by its chance and not by its public share
	}
	for tenths := 0; tenths <= 10; tenths += step {
		by := *s.mixing
		if tenths > 0 {
			by.Floor = float64(tenths) / 10
		}
		if s.draws != nil {
			by.Model = nil // mixes to be judged, chosen by worth
			by.Crossing = s.mixing.Crossing.By(s.mixing.Model)
		}
		all = append(all, &by)
	}
	return all
}

// needs are the needs that mixes are chosen for, that of the plan among them, and steps
// from the least of the draws to somewhat above the greatest: machines may turn out to be
// worth less.
func (s *frontierSearch) needs() []float64 {
	needs := []float64{s.need}
	// What a loss leaves must meet the need, so that mixes are chosen for more.
	if s.mixing.Model == nil || s.draws != nil {
		needs[0] = s.raisedNeed(s.items, s.need, math.Max)
	}
	if s.draws != nil {
		drawn := s.uncertainty.needs
		if drawn = drawn[:countFinite(drawn)]; len(drawn) > 0 {
			low := s.raisedNeed(s.items, drawn[0], math.Min)
			high := 1.15 * s.raisedNeed(s.items, drawn[len(drawn)-1], math.Max)
			for k := range frontierNeeds + 1 {
				needs = append(needs, low+(high-low)*float64(k)/frontierNeeds)
			}
		}
	}
	slices.Sort(needs)
	return slices.Compact(needs)
}

// worths are what the machines count for: what they are likely to be worth, and
// less. The worths of a type are taken at low quantiles of its draws: mixes that
// are safe where machines turn out worth less are found only if they are looked
// for.
func (s *frontierSearch) worths() [][]cover.Item {
	all := [][]cover.Item{s.items}
	if s.draws == nil {
		return all
	}
	lows := []float64{0, 0.05, 0.2, 0.35}
	for range lows {
		all = append(all, slices.Clone(s.items))
	}
	column := make([]float64, s.draws.n)
	for t := range s.items {
		for i := range column {
			column[i] = s.draws.worth[i*s.draws.types+t]
		}
		slices.Sort(column)
		for k, low := range lows {
			item := &all[1+k][t]
			if item.Worth = *realQuantile(column, low); s.scale != nil {
				item.Worth *= s.scale[t]
			}
		}
	}
	return all
}

// byWorth holds the mixes that were found against the draws by what their machines are
// worth.
func (s *frontierSearch) byWorth(ctx context.Context) ([]MixCandidate, error) {
	// A map is gone through in no order: the same seed has to give the same frontier.
	keys := slices.Sorted(maps.Keys(s.found))
	all := make([]MixCandidate, len(keys))
	err := parallel.Counted(ctx, len(keys), func(i int) error {
		all[i] = s.judgeByWorth(ctx, "", s.found[keys[i]], s.scale)
		return ctx.Err()
	})
	return all, err
}

// raisedNeed estimates how much a mix has to be worth so that it is worth the need after
// every loss. How many machines a loss takes depends on the mix, which is not known yet:
// all are taken to be worth as much as the one that pick chooses, the least or the most.
// The mix is held against its own loss afterwards.
func (p *premises) raisedNeed(items []cover.Item, need float64, pick func(a, b float64) float64) float64 {
	one := math.Inf(1)
	for _, it := range items {
		if it.Most > 0 {
			if math.IsInf(one, 1) {
				one = it.Worth
			}
			one = pick(one, it.Worth)
		}
	}
	return mixes.Raised(p.Headroom(), need, one)
}
