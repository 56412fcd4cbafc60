package planner

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
)

// A wantedChance is one that a plan names the cheapest mix for.
type wantedChance struct {
	chance float64
	name   string
}

var wantedChances = []wantedChance{
	{0.8, "cheapest with 80% chance"},
	{ask.SafeChance, "cheapest with 95% chance"},
	{0.99, "cheapest with 99% chance"},
}

// closeIn looks for cheaper mixes with the wanted chances than those that were judged,
// which are some of many: first among those that were not, between the cheapest with the
// chance and the one before it, by halving; then by leaving machines out of it.
func (j *judging) closeIn(ctx context.Context, f *FrontierAnswer, judged, pool []MixCandidate) ([]MixCandidate, error) {
	for _, w := range wantedChances {
		var err error
		if judged, err = j.halve(ctx, f, judged, pool, w.chance); err != nil {
			return nil, err
		}
		if judged, err = j.prune(ctx, f, judged, w.chance); err != nil {
			return nil, err
		}
	}
	return judged, nil
}

// cheapestWith finds, in mixes by cost, the first with a chance, and what the one before
// it costs; -1 where none has it.
func cheapestWith(all []MixCandidate, chance float64) (at int, below float64) {
	at = slices.IndexFunc(all, func(c MixCandidate) bool { return ask.Value(c.Chance) >= chance })
	if at > 0 {
		below = all[at-1].Cost
	}
	return at, below
}

func (j *judging) halve(ctx context.Context, f *FrontierAnswer, judged, pool []MixCandidate, chance float64) (
	[]MixCandidate, error) {
	for {
		f.sort(judged)
		at, below := cheapestWith(judged, chance)
		if at < 0 {
			return judged, nil
		}
		above := judged[at].Cost
		between := slices.DeleteFunc(slices.Clone(pool), func(c MixCandidate) bool {
			return c.Cost <= below || c.Cost >= above || j.short[mixes.Key(c.Counts)] != nil
		})
		if len(between) == 0 {
			return judged, nil
		}
		middle := between[len(between)/2 : len(between)/2+1]
		if err := j.hold(ctx, middle); err != nil {
			return nil, err
		}
		judged = append(judged, middle...)
	}
}

// prune leaves machines out of the cheapest mix with a chance, the dearest type first, as
// long as it has the chance.
func (j *judging) prune(ctx context.Context, f *FrontierAnswer, judged []MixCandidate, chance float64) (
	[]MixCandidate, error) {
	f.sort(judged)
	at, below := cheapestWith(judged, chance)
	if at < 0 {
		return judged, nil
	}
	best := judged[at]
	for _, t := range j.dearest() {
		// The mix before it has not the chance: to cost less than that, more would have to be
		// left out than was ever found to be enough.
		most := best.Counts[t] - j.items[t].Least
		if price := j.items[t].Price; price > 0 {
			most = min(most, int64(math.Ceil((best.Cost-below)/price)))
		}
		for step := most; step > 0; {
			counts := slices.Clone(best.Counts)
			if counts[t] -= step; counts[t] >= j.items[t].Least && j.allowed(counts) && j.shared(counts) {
				less := []MixCandidate{j.outset("", counts)}
				if err := j.hold(ctx, less); err != nil {
					return nil, err
				}
				judged = append(judged, less[0])
				if ask.Value(less[0].Chance) >= chance {
					best = less[0]
					continue
				}
			}
			step /= 2
		}
	}
	f.sort(judged)
	return judged, nil
}

// hold holds mixes against the draws, by their own figures or by what their machines are
// worth.
func (j *judging) hold(ctx context.Context, all []MixCandidate) error {
	if j.mixing.Model != nil {
		return j.judge(ctx, all)
	}
	for i, c := range all {
		all[i] = j.judgeByWorth(ctx, c.Name, c.Counts, nil)
	}
	return ctx.Err()
}

// dearest are the types, the dearest machines first.
func (j *judging) dearest() []int {
	order := make([]int, len(j.items))
	for t := range order {
		order[t] = t
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(j.items[b].Price, j.items[a].Price)
	})
	return order
}
