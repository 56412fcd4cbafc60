package bags

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/sim/bot"
)

// The frontier of a design that a race found is computed from runs too: for frontierPoints points
// of the law's frontier, for 1, 2, 4 and so on workers from frontierStarts, and for multiples frontierTimes of
// the design's workers. There are no more of them than take frontierMost.
const (
	frontierMost   = 1e7
	frontierPoints = 6
	frontierGain   = 0.005 // relative gain in time over the point before
)

var (
	frontierStarts = []float64{0, 0.5}
	frontierTimes  = []float64{0.1, 0.2, 0.4, 0.6, 0.8, 1.25, 1.6, 2.5, 5, 10}
)

// frontier computes points of the law by the runs of the race, and adds what was in time in these,
// and the design.
func (j *judge) frontier(ctx context.Context, points []bags.Point) ([]bags.Point, error) {
	best := j.raced.Best
	inTime := 1 - float64(bot.MayBeLate(best.Runs, j.Chance))/float64(best.Runs)
	told := func(t *bot.Trial) bags.Point {
		return bags.Point{Help: t.Help, By: t.Quantile(inTime), Hours: t.Hours}
	}
	tries := []bags.Help{{}}
	for k := range min(frontierPoints, len(points)) {
		tries = append(tries, points[k*len(points)/min(frontierPoints, len(points))].Help)
	}
	try := func(h bags.Help) (fits bool) {
		left := math.Ceil((1 - h.Start) * j.c.Bag.MeanSize())
		allowed := j.Most == 0 || h.Workers <= j.Most
		if fits = float64(h.Workers) <= left && allowed; fits && h.Workers > 0 {
			tries = append(tries, h)
		}
		return fits
	}
	for _, start := range frontierStarts {
		for workers := 1; try(bags.Help{Start: start, Workers: workers}); workers *= 2 {
		}
	}
	for _, times := range frontierTimes {
		try(bags.Help{Start: j.told.Start, Workers: int(math.Round(times * float64(j.told.Workers)))})
	}
	if most := int(frontierMost / j.raced.PointEffort()); most < len(tries) { // those of the law are left out first
		tries = slices.Delete(tries, 1, min(1+len(tries)-max(most, 1), len(tries)))
	}
	// Late runs are not followed to their end. Where more of them are late than may be, the time is not known:
	// that of the design is the deadline, which it keeps, and other help says nothing.
	design := told(j.told)
	if math.IsInf(design.By, 1) {
		design.By = j.by
	}
	all := []bags.Point{design}
	for _, h := range tries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := j.raced.Point(h)
		if err != nil {
			return nil, FromModel(err)
		}
		all = append(all, p)
	}
	for _, t := range j.raced.Held {
		all = append(all, told(t))
	}
	// What seems to be in time for fewer hours than the design was late on other runs.
	all = slices.DeleteFunc(all[1:], func(p bags.Point) bool {
		return p.By <= j.by && p.Hours < design.Hours || math.IsInf(p.By, 1)
	})
	all = append(all, design)
	sort.Slice(all, func(i, k int) bool {
		return cmp.Or(cmp.Compare(all[i].Hours, all[k].Hours), cmp.Compare(all[i].By, all[k].By)) < 0
	})
	kept := all[:0]
	for _, p := range all {
		if len(kept) == 0 || p.By < kept[len(kept)-1].By*(1-frontierGain) || p == design {
			kept = append(kept, p)
		}
	}
	return kept, nil
}
