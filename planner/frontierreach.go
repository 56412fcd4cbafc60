package planner

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
)

const (
	// A fleet of so few machines and types is small: there one machine is a good part of
	// the cost, and mixes that are worth the same lie far apart in chance.
	smallFleet = 100
	smallTypes = 3
	// reachTypes are how many types machines are added of, the cheapest for their worth.
	reachTypes = 6
	// exchanges bounds the rounds in which machines are exchanged for cheaper ones.
	exchanges = 8
)

// reach adds machines if no judged mix has a wanted chance: to the mix of the greatest
// chance, of one type at a time, 1, 2, 4 and so on until they are enough, and then by
// halving. The mixes were searched by worth, and what is just enough by worth may be too
// little by its own figures.
func (c *closing) reach(ctx context.Context, chance float64) error {
	if best, _ := c.cheapest(chance); best != nil || len(c.judged) == 0 ||
		1-c.uncertainty.Infeasible < chance { // no mix has it
		return nil
	}
	base := c.judged[0]
	for _, one := range c.judged {
		if ask.Value(one.Chance) > ask.Value(base.Chance) {
			base = one
		}
	}
	least := math.Inf(1) // cost of a mix with the chance
	order := c.dearest()
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(c.items[a].Price*c.items[b].Worth, c.items[b].Price*c.items[a].Worth)
	})
	for _, t := range order[:min(len(order), reachTypes)] {
		it := &c.items[t]
		// Machines worth twice the need are enough, or no number is.
		most := int64(0)
		if it.Worth > 0 {
			most = min(it.Most-base.Counts[t], int64(math.Min(2*c.need/it.Worth+2, 1e12)))
		}
		low, high := int64(0), int64(0)
		// try judges the mix with n machines more and moves the end of the range that n is. A mix
		// that is forbidden lacks the chance.
		try := func(n int64) (forbidden bool, err error) {
			one, ok, err := c.exchange(ctx, &base, t, n, t, 0, chance, least)
			if one != nil && err == nil {
				c.judged = append(c.judged, *one)
			}
			if ok {
				high = n
			} else {
				low = n
			}
			return one == nil, err
		}
		for step := min(1, most); high == 0 && step > low; step = min(2*step, most) {
			if forbidden, err := try(step); err != nil {
				return err
			} else if forbidden {
				break
			}
		}
		for high-low > 1 {
			if _, err := try(low + (high-low)/2); err != nil {
				return err
			}
		}
		if high > 0 {
			least = math.Min(least, base.Cost+it.Price*float64(high))
		}
	}
	return nil
}

// exchange judges a mix with more machines of one type and fewer of another, and says
// whether it has a chance. The mix is nil if link, epoch or a share forbid it, or if it
// does not cost less than the given amount.
func (c *closing) exchange(ctx context.Context, from *MixCandidate, more int, added int64, less int, gone int64,
	chance, cost float64) (*MixCandidate, bool, error) {
	counts := slices.Clone(from.Counts)
	counts[more] += added
	counts[less] -= gone
	one := c.outset("", counts)
	if one.Cost >= cost-1e-9 || !c.allowed(counts) || !c.shared(counts) {
		return nil, false, nil
	}
	ok, err := c.has(ctx, &one, chance)
	return &one, ok, err
}

// swap looks for a cheaper mix of a small fleet: it exchanges all, a half, a quarter and so
// on of the machines of one type for as many of another as together cost less, and then
// leaves machines out again.
func (c *closing) swap(ctx context.Context, chance float64) error {
	for range exchanges {
		if c.spent() {
			break
		}
		best, _ := c.cheapest(chance)
		if best == nil || len(c.items) < 2 || len(c.items) > smallTypes {
			return nil
		}
		machines := int64(0)
		for _, n := range best.Counts {
			machines += n
		}
		if machines > smallFleet {
			return nil
		}
		better, err := c.cheaper(ctx, best, chance)
		if err != nil || better == nil {
			return err
		}
		c.judged = append(c.judged, *better)
		if err := c.prune(ctx, chance); err != nil {
			return err
		}
	}
	return nil
}

// cheaper is the first mix found that has a chance and costs less; nil where none is.
func (c *closing) cheaper(ctx context.Context, best *MixCandidate, chance float64) (*MixCandidate, error) {
	for less, out := range c.items {
		had := best.Counts[less] - out.Least
		for gone := had; gone > 0; gone /= 2 {
			for more, in := range c.items {
				// As many as cost less than what they stand for.
				added := in.Most - best.Counts[more]
				if in.Price > 0 {
					added = min(added, int64(math.Ceil(float64(gone)*out.Price/in.Price*(1-1e-12)))-1)
				}
				if c.spent() || more == less || added < 1 || added > smallFleet {
					continue
				}
				one, ok, err := c.exchange(ctx, best, more, added, less, gone, chance, best.Cost)
				if err != nil || ok {
					return one, err
				}
			}
		}
	}
	return nil, nil
}
