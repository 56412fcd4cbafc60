package bot

import (
	"math"
	"slices"

	"github.com/capplan/capplan/bags"
)

// Point returns by when help is done on all runs of the race but as many as may be late, and on as many others that it
// was held against, and the hours that it takes. The time is told from the runs that are likely to be late. It is never
// above that of all runs, and was within 1 % of it (TestPointsOfARace); the hours, of an even sample, were within 5 %.
// The time is +Inf if more runs than may be late are late by so much that they were not followed. Errors: those of
// [Race.Run].
func (r *Raced) Point(h bags.Help) (bags.Point, error) {
	if r == nil || r.racing == nil {
		return bags.Point{}, &DomainError{"Raced.Point", "Raced", math.NaN(), "that of a race"}
	}
	hours, err := r.racing.sampled(h)
	if err != nil {
		return bags.Point{}, err
	}
	p := bags.Point{Help: h, Hours: hours / float64(r.racing.sample())}
	for _, race := range []*racing{r.racing, r.racing.again} {
		t, _, _, err := race.on(h, race.hardest()[:race.hard()])
		if err != nil {
			return bags.Point{}, err
		}
		var ends []float64
		for k, made := range t.made {
			if made {
				ends = append(ends, t.ends[k])
			}
		}
		slices.Sort(ends)
		p.By = max(p.By, ends[max(0, len(ends)-1-race.q.MayBeLate)])
	}
	return p, nil
}

// PointEffort returns about the most effort that a point takes, counted as for a [Drawing].
func (r *Raced) PointEffort() float64 {
	if r == nil || r.racing == nil {
		return 0
	}
	race := r.racing
	return float64(min(race.hard()+race.sample(), race.q.Runs)+race.hard()) * race.each()
}

// each returns the mean effort of a run.
func (r *racing) each() float64 { return r.effort / float64(max(1, r.r.out.Simulated)) }
