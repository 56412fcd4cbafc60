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

// reach adds machines where no mix that was judged has a wanted chance: to the one of
// the greatest chance as many of each type as are needed, at first 1, 2, 4 and so on. By
// worth the most that was looked at may be just enough, and by its own figures not.
func (j *judging) reach(ctx context.Context, f *FrontierAnswer, judged []MixCandidate, chance float64) (
	[]MixCandidate, error) {
	f.sort(judged)
	at, _ := cheapestWith(judged, chance)
	if at >= 0 || len(judged) == 0 || 1-j.uncertainty.Infeasible < chance { // no mix has it
		return judged, nil
	}
	base := judged[0]
	for _, c := range judged {
		if ask.Value(c.Chance) > ask.Value(base.Chance) {
			base = c
		}
	}
	least := math.Inf(1) // cost of a mix with the chance
	order := j.dearest()
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(j.items[a].Price*j.items[b].Worth, j.items[b].Price*j.items[a].Worth)
	})
	for _, t := range order[:min(len(order), reachTypes)] {
		it := &j.items[t]
		var err error
		// More of the type, whether that was judged and has the chance.
		try := func(n int64) (one *MixCandidate, had bool) {
			if one, had, err = j.exchanged(ctx, &base, t, n, t, 0, chance, least); one != nil {
				judged = append(judged, *one)
			}
			return one, had
		}
		// Machines worth twice the need are enough, or no number is.
		most := int64(0)
		if it.Worth > 0 {
			most = min(it.Most-base.Counts[t], int64(math.Min(2*j.need/it.Worth+2, 1e12)))
		}
		low, high := int64(0), int64(0)
		for step := min(1, most); high == 0 && step > low; step = min(2*step, most) {
			one, had := try(step)
			if one == nil {
				break
			}
			if had {
				high = step
			} else {
				low = step
			}
		}
		for high-low > 1 && err == nil {
			middle := low + (high-low)/2
			if _, had := try(middle); had {
				high = middle
			} else {
				low = middle
			}
		}
		if err != nil {
			return nil, err
		}
		if high > 0 {
			least = math.Min(least, base.Cost+it.Price*float64(high))
		}
	}
	f.sort(judged)
	return judged, nil
}

// exchanged judges a mix with more machines of one type and fewer of another, and says
// whether it has a chance; nil where link, epoch or a share forbid it, or it costs as
// much as is given.
func (j *judging) exchanged(ctx context.Context, from *MixCandidate, more int, added int64, less int, gone int64,
	chance, cost float64) (*MixCandidate, bool, error) {
	counts := slices.Clone(from.Counts)
	counts[more] += added
	counts[less] -= gone
	c := []MixCandidate{j.outset("", counts)}
	if c[0].Cost >= cost-1e-9 || !j.allowed(counts) || !j.shared(counts) {
		return nil, false, nil
	}
	if err := j.hold(ctx, c); err != nil {
		return nil, false, err
	}
	return &c[0], ask.Value(c[0].Chance) >= chance, nil
}

// swap betters the cheapest mix of a small fleet with a chance: for all, a half, a quarter
// and so on of the machines of a type as many of another as cost less together, and then by leaving
// machines out again.
func (j *judging) swap(ctx context.Context, f *FrontierAnswer, judged []MixCandidate, chance float64) (
	[]MixCandidate, error) {
	for range exchanges {
		if j.spent() {
			break
		}
		at, _ := cheapestWith(judged, chance)
		if at < 0 || len(j.items) < 2 || len(j.items) > smallTypes {
			return judged, nil
		}
		best, machines := judged[at], int64(0)
		for _, n := range best.Counts {
			machines += n
		}
		if machines > smallFleet {
			return judged, nil
		}
		better, err := j.cheaper(ctx, &best, chance)
		if err != nil || better == nil {
			return judged, err
		}
		if judged, err = j.prune(ctx, f, append(judged, *better), chance); err != nil {
			return nil, err
		}
	}
	return judged, nil
}

// cheaper is the first mix found that has a chance and costs less; nil where none is.
func (j *judging) cheaper(ctx context.Context, best *MixCandidate, chance float64) (*MixCandidate, error) {
	for less, out := range j.items {
		had := best.Counts[less] - out.Least
		for gone := had; gone > 0; gone /= 2 {
			for more, in := range j.items {
				// As many as cost less than what they stand for.
				added := in.Most - best.Counts[more]
				if in.Price > 0 {
					added = min(added, int64(math.Ceil(float64(gone)*out.Price/in.Price*(1-1e-12)))-1)
				}
				if j.spent() || more == less || added < 1 || added > smallFleet {
					continue
				}
				one, ok, err := j.exchanged(ctx, best, more, added, less, gone, chance, best.Cost)
				if err != nil || ok {
					return one, err
				}
			}
		}
	}
	return nil, nil
}
