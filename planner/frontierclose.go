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

// The chances are told by name in plan and report; that of 95 % is the one that
// is recommended.
var wantedChances = []wantedChance{
	{0.8, "cheapest with 80% chance"},
	{ask.SafeChance, "cheapest with 95% chance"},
	{0.99, "cheapest with 99% chance"},
}

// closeIn looks for cheaper mixes with the wanted chances than those that were judged,
// which are some of many: first among those that were not, between the cheapest with the
// chance and the one before it, by halving; then by leaving machines out of it, and in
// small fleets by exchanging them. Where none has the chance machines are added.
// What was judged lies on the frontier only by chance: mixes between two of them
// have not been looked at, and leaving out one machine may lose nothing.
func (j *judging) closeIn(ctx context.Context, f *FrontierAnswer, judged, pool []MixCandidate) ([]MixCandidate, error) {
	for _, w := range wantedChances {
		var err error
		if judged, err = j.reach(ctx, f, judged, w.chance); err != nil {
			return nil, err
		}
		if j.spent() {
			continue
		}
		if judged, err = j.halve(ctx, f, judged, pool, w.chance); err != nil {
			return nil, err
		}
		if judged, err = j.prune(ctx, f, judged, w.chance); err != nil {
			return nil, err
		}
		if judged, err = j.swap(ctx, f, judged, w.chance); err != nil {
			return nil, err
		}
	}
	return judged, nil
}

// spent reports whether holding mixes against the draws took as many steps as it may.
func (j *judging) spent() bool {
	if j.draws == nil || j.work.Held.Left > 0 {
		return false
	}
	j.work.Held.Cut = 1
	return true
}

// cheapestWith finds, in mixes by cost, the first with a chance, and what the one before
// it costs; -1 where none has it. The mixes must be in order of their cost.
func cheapestWith(all []MixCandidate, chance float64) (at int, below float64) {
	at = slices.IndexFunc(all, func(c MixCandidate) bool { return ask.Value(c.Chance) >= chance })
	if at > 0 {
		below = all[at-1].Cost
	}
	return at, below
}

// halve judges the middle of what costs less than the cheapest with the chance
// and more than the one before, until nothing is left between them. It takes as
// many steps as the logarithm of their number, each of which judges one mix.
func (j *judging) halve(ctx context.Context, f *FrontierAnswer, judged, pool []MixCandidate, chance float64) (
	[]MixCandidate, error) {
	for {
		f.sort(judged)
		at, below := cheapestWith(judged, chance)
		if at < 0 {
			return judged, nil
		}
		above := judged[at].Cost
		// Mixes that were judged are found by the key of their counts.
		between := slices.DeleteFunc(slices.Clone(pool), func(c MixCandidate) bool {
			return c.Cost <= below || c.Cost >= above || j.short[mixes.Key(c.Counts)] != nil
		})
		if len(between) == 0 || j.spent() {
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
	// The dearest type first, since one of its machines saves the most.
	for _, t := range j.dearest() {
		if j.spent() {
			break
		}
		// The mix before it has not the chance: to cost less than that, more would have to be
		// left out than was ever found to be enough.
		most := best.Counts[t] - j.items[t].Least
		if price := j.items[t].Price; price > 0 {
			most = min(most, int64(math.Ceil((best.Cost-below)/price)))
		}
		// Steps are halved when they fail and kept when they succeed, so that
		// many machines are left out in few steps.
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
// worth. By worth a mix is held against all draws, since that takes no time.
func (j *judging) hold(ctx context.Context, all []MixCandidate) error {
	if j.mixing.Model != nil {
		return j.judge(ctx, all)
	}
	for i, c := range all {
		all[i] = j.judgeByWorth(ctx, c.Name, c.Counts, nil)
	}
	return ctx.Err()
}

// dearest are the types, the dearest machines first. The sort is stable, so that
// types of one price stay in the order of the scenario.
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
