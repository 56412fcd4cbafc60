package planner

import (
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/cover"
)

// drawnMixes are the cheapest for draws of ever greater need, by their own figures.
// Where slow machines do harm, as to a limit on the response, worth does not tell
// which mixes are safe: those that it would take may meet no draw at all.
func (p *planning) drawnMixes(ctx context.Context, base []cover.Item) ([]MixCandidate, error) {
	d := p.draws
	if p.mixing.figure.plain {
		return nil, nil
	}
	var order []int
	for i := range d.judged {
		if d.judged[i].figure != nil {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return d.judged[order[a]].need < d.judged[order[b]].need })
	var all []MixCandidate
	found := map[string]bool{}
	for _, share := range []float64{0.5, 0.8, 0.9, 0.95, 0.97, 0.99, 1} {
		if len(order) == 0 {
			break
		}
		i := order[int(share*float64(len(order)-1))]
		items := d.items(i, base)
		for j := range items {
			items[j].Price = base[j].Price
		}
		x := d.judged[i].figure
		starts := x.ofOneType(items)
		s, err := x.within(ctx, items, p.mixing.crossing.forCase(d.rate[i], d.load[i]), d.judged[i].need, 2000)
		switch {
		case errors.As(err, new(*cover.InfeasibleError)):
		case err != nil:
			return nil, p.mixError(err, "")
		default:
			starts = append(starts, s.Counts)
		}
		for _, counts := range starts {
			if counts = x.pruned(items, counts); !found[keyOf(counts)] && p.allowed(base, counts) {
				found[keyOf(counts)] = true
				all = append(all, p.outset("", counts, base))
			}
		}
	}
	return all, nil
}

// allowed reports whether link and epoch allow a mix at the most likely figures.
func (p *planning) allowed(base []cover.Item, counts []int64) bool {
	if p.crossing == nil {
		return true
	}
	return (&crossingLimit{crossing: p.crossing.by(p.mixing.figure), items: base}).Admits(counts)
}

// ofOneType are the mixes of one type, beside what is taken in any case, that meet
// the objectives: as many as the next power of two.
func (x *mixFigure) ofOneType(items []cover.Item) [][]int64 {
	var all [][]int64
	for i := range items {
		counts := make([]int64, len(items))
		for j, it := range items {
			counts[j] = it.Least
		}
		for more := int64(1); ; more *= 2 {
			counts[i] = min(items[i].Least+more, items[i].Most)
			if x.meets(counts) {
				all = append(all, counts)
				break
			}
			if counts[i] == items[i].Most || more > 1<<40 {
				break
			}
		}
	}
	return all
}

// pruned takes machines out of a mix, the dearest first, as long as it meets the
// objectives.
func (x *mixFigure) pruned(items []cover.Item, counts []int64) []int64 {
	counts = slices.Clone(counts)
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return items[order[a]].Price > items[order[b]].Price })
	for _, i := range order {
		for step := counts[i] - items[i].Least; step > 0; {
			counts[i] -= step
			if counts[i] >= items[i].Least && x.meets(counts) {
				continue
			}
			counts[i] += step
			step /= 2
		}
	}
	return counts
}
