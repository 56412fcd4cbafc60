package planner

import (
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/internal/mixes"
)

// drawnMixes are the cheapest for draws of ever greater need, by their own figures.
// Where slow machines do harm, as to a limit on the response, worth does not tell
// which mixes are safe: those that it would take may meet no draw at all.
func (j *judging) drawnMixes(ctx context.Context) ([]MixCandidate, error) {
	d, base := j.draws, j.items
	// In a plain model a machine never does harm, so that the worth of a mix says whether it is
	// safe.
	if j.mixing.Model.Plain {
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
	// Towards the end of the draws the steps are small: a plan wants to be safe, and the
	// last per cent cost the most.
	for _, share := range []float64{0.5, 0.8, 0.9, 0.95, 0.97, 0.99, 1} {
		if len(order) == 0 {
			break
		}
		i := order[int(share*float64(len(order)-1))]
		if j.spent() {
			break
		}
		// Worths are those of the draw, and prices the most likely ones, by which
		// a plan is paid.
		items := d.items(i, base)
		for t := range items {
			items[t].Price = base[t].Price
		}
		x := d.judged[i].figure
		begun := x.Steps()
		enough := func() bool { return x.Steps() > begun+x.Allowed }
		starts := x.OfOneType(items, enough)
		s, err := x.Cheapest(ctx, items, j.mixing.Crossing.ForCase(d.rate[i], d.load[i]), d.judged[i].need, 2000)
		switch {
		case errors.As(err, new(*cover.InfeasibleError)):
		// Mixes of one type alone are added, which the search among all may pass
		// by.
		case err != nil:
			return nil, mixError(err, "")
		default:
			starts = append(starts, s.Counts)
			if enough() { // the others are looked at as far as goes
				starts = slices.Insert(starts[:len(starts)-1], 0, s.Counts)
				begun = x.Steps()
			}
		}
		for _, counts := range starts {
			if enough() {
				j.work.Held.Cut = 1
				break
			}
			// Pruned leaves out machines that are not needed.
			if counts = x.Pruned(items, counts); !found[mixes.Key(counts)] && j.allowed(counts) {
				found[mixes.Key(counts)] = true
				all = append(all, j.outset("", counts))
			}
		}
		j.work.Held.Left -= x.Steps() - begun
	}
	return all, nil
}
