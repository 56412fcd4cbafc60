package planner

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
)

// A wantedChance is one that a plan names the cheapest mix for.
type wantedChance struct {
	chance float64
	name   string
}

// The chances that plan and report name; that of 95 % is the one recommended.
var wantedChances = []wantedChance{
	{0.8, "cheapest with 80% chance"},
	{ask.SafeChance, "cheapest with 95% chance"},
	{0.99, "cheapest with 99% chance"},
}

// A closing looks for mixes that have the wanted chances and cost less than those judged so far. At
// first only some of the mixes found are judged: one between two of them may be cheaper, and leaving
// out one machine may lose nothing.
type closing struct {
	*judging
	frontier *FrontierAnswer
	judged   []MixCandidate
	pool     []MixCandidate // found and not judged yet, by cost
}

// closeIn looks for the cheapest mix of each wanted chance: by halving the mixes of the pool between
// the cheapest that has the chance and the one below it, by leaving machines out, and in small fleets
// by exchanging them. If no mix has the chance it adds machines. It returns all that are judged.
func (j *judging) closeIn(ctx context.Context, f *FrontierAnswer, judged, pool []MixCandidate) ([]MixCandidate, error) {
	c := &closing{j, f, judged, pool}
	for _, w := range wantedChances {
		if err := c.reach(ctx, w.chance); err != nil {
			return nil, err
		}
		for _, better := range []func(context.Context, float64) error{c.halve, c.prune, c.swap} {
			if j.spent() {
				break
			}
			if err := better(ctx, w.chance); err != nil {
				return nil, err
			}
		}
	}
	return c.judged, nil
}

// spent reports whether holding mixes against the draws took as many steps as it may.
func (j *judging) spent() bool {
	if j.draws == nil || j.work.Held.Left > 0 {
		return false
	}
	j.work.Held.Cut = 1
	return true
}

// cheapest returns the cheapest judged mix that has a chance, nil if none has it, and the cost of the
// mix below it.
func (c *closing) cheapest(chance float64) (mix *MixCandidate, below float64) {
	c.frontier.sort(c.judged)
	for i := range c.judged {
		if one := c.judged[i]; ask.Value(one.Chance) >= chance {
			return &one, below
		}
		below = c.judged[i].Cost
	}
	return nil, 0
}

// has judges a mix, and reports whether it has the chance.
func (c *closing) has(ctx context.Context, one *MixCandidate, chance float64) (bool, error) {
	held := []MixCandidate{*one}
	err := c.hold(ctx, held)
	*one = held[0]
	return err == nil && ask.Value(one.Chance) >= chance, err
}

// halve bisects the mixes that cost less than the cheapest with the chance and more than the one
// before, until none is left between them. Each step judges one mix.
func (c *closing) halve(ctx context.Context, chance float64) error {
	for {
		best, below := c.cheapest(chance)
		if best == nil {
			return nil
		}
		// Mixes that were judged are found by the key of their counts.
		between := slices.DeleteFunc(slices.Clone(c.pool), func(m MixCandidate) bool {
			return m.Cost <= below || m.Cost >= best.Cost || c.short[mixes.Key(m.Counts)] != nil
		})
		if len(between) == 0 || c.spent() {
			return nil
		}
		middle := between[len(between)/2]
		if _, err := c.has(ctx, &middle, chance); err != nil {
			return err
		}
		c.judged = append(c.judged, middle)
	}
}

// prune leaves machines out of the cheapest mix with a chance, the dearest type first, as
// long as it has the chance.
func (c *closing) prune(ctx context.Context, chance float64) error {
	best, below := c.cheapest(chance)
	if best == nil {
		return nil
	}
	// The dearest type first, since one of its machines saves the most.
	for _, t := range c.dearest() {
		if c.spent() {
			break
		}
		// The mix before it, which costs below, lacks the chance: no more machines are left out
		// than bring the cost down to that.
		most := best.Counts[t] - c.items[t].Least
		if price := c.items[t].Price; price > 0 {
			most = min(most, int64(math.Ceil((best.Cost-below)/price)))
		}
		// Steps are halved when they fail and kept when they succeed, so that
		// many machines are left out in few steps.
		for step := most; step > 0; {
			counts := slices.Clone(best.Counts)
			if counts[t] -= step; counts[t] >= c.items[t].Least && c.allowed(counts) && c.shared(counts) {
				less := c.outset("", counts)
				ok, err := c.has(ctx, &less, chance)
				if err != nil {
					return err
				}
				if c.judged = append(c.judged, less); ok {
					best = &less
					continue
				}
			}
			step /= 2
		}
	}
	return nil
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
	order := numeric.Indices[int](len(j.items))
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(j.items[b].Price, j.items[a].Price)
	})
	return order
}
