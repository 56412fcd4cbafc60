package bags

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim/bot"
)

// mostLarger is the number of standard deviations above the mean to which the greatest help covers
// a bag.
const mostLarger = 3

// greatest judges the greatest possible help, a worker for each task once the first is given out, by BOINC for each
// of its results if that is late (TestBOINCHelpsWithAWorkerForEachResult), if by the law no help is in time. Of 98
// refusals by laws drawn by a seed 8 were wrong, 3 of which kept the margin too; with this judge none of 91 was
// (TestRefusalsAreRight). If it is in time, cheaper help is looked for from there. A margin given by the user is kept
// in the runs, the default for the error of the formula is not. Large bags are not judged, nor are bags whose tasks
// have not all arrived by the deadline as often as wanted, which help cannot change.
func (j *judge) greatest(ctx context.Context, f *bags.FinishLaw, q *FinishQuestion) (*judge, error) {
	g := newJudge(j.c, q, j.Target, j.Cloud)
	if q.Margin != nil {
		g.by = g.By
	}
	g.least = min(wavesRuns, bot.LeastHeld(j.Chance))
	tasks := q.Bag.MeanSize() + mostLarger*q.Bag.Size.SD
	if runs := g.affordable(tasks); runs < g.least {
		g.least, g.few = runs, true
	}
	if g.least < fewestJudged || arrived(q.Bag, g.by) < g.Chance {
		return g, nil
	}
	most := int(math.Ceil(tasks * j.c.Results()))
	if q.MostWorkers > 0 {
		most = min(most, q.MostWorkers)
	}
	for workers, ok := min(most, int(math.Ceil(tasks))), true; ok; workers, ok = most, workers < most {
		_, holds, err := g.try(ctx, f.With(bags.Help{Workers: workers}, j.Cloud))
		if err != nil {
			return g, err
		}
		if holds {
			return g, g.cheaper(ctx, f)
		}
	}
	return g, nil
}

// arrived returns the probability that all tasks of a bag have arrived by a time, for a normal
// number of tasks:
func arrived(b *bags.Bag, by float64) float64 {
	for _, t := range b.Tasks {
		if t.Arrival > by {
			return 0
		}
	}
	if len(b.Tasks) > 0 || b.Arrival == nil {
		return 1
	}
	each := math.Log1p(-law.Survival(b.Arrival, by))
	return math.Exp(each*b.Size.Mean + each*each*b.Size.SD*b.Size.SD/2)
}

// fastestSpeed is how many standard deviations above the mean no machine is faster.
const fastestSpeed = 6

// fastest is what the largest of listed tasks takes at the least, in seconds, wherever it is done; 0 for tasks
// that are not listed.
func fastest(j *judge) float64 {
	if len(j.c.Bag.Tasks) == 0 {
		return 0
	}
	own := j.c.Hosts.Speed
	return j.c.Bag.LargestWork() / max(own.Mean+fastestSpeed*own.SD, j.Speed+fastestSpeed*j.SD)
}

// inTime reports whether the best was in time as often as wanted.
func (j *judge) inTime() bool { return j.told != nil && j.told.InTime() >= j.Chance }

// piece is what each worker of the greatest help may do.
func (j *judge) piece() string {
	if j.c != nil && j.c.Results() > 1 {
		return "result of each task"
	}
	return "task"
}

// refused returns the error that no help is in time: it names the greatest chance by the law, and
// the judgements of that help and of the greatest help.
func (q *FinishQuestion) refused(h *bags.Helped, j, greatest *judge, margin float64) error {
	const once = " once the first task is given out"
	workers, all := fmt.Sprintf("%d workers", h.Workers), "a worker for each "+greatest.piece()
	if most := q.MostWorkers; most > 0 {
		all = fmt.Sprintf("all %d workers that the limit allows", most)
		if most == 1 {
			all = "the one worker that the limit allows"
		}
		if h.Workers == most {
			workers = all
		}
	}
	tried := fmt.Sprintf("with %s from %s of the bag on the chance is %s",
		workers, ask.Percent(h.Start, 3), ask.Percent(h.Chance(j.By), 3))
	switch {
	case greatest.takes > 0:
		tried = "its largest task takes " + ask.Time(greatest.takes) + " on the fastest worker or machine"
	case h.Workers == 0:
		if tried = "even with " + all + once + " it would be late"; greatest.told != nil {
			tried = "even with " + all + once + " it was " + greatest.judged().String()
		}
	case greatest.told != nil:
		tried += " by the law of the bag, and with " + all + once + " it was " + greatest.judged().String()
	case j.told != nil:
		tried += ", and it was " + j.judged().String()
	default:
		tried += ", the highest by the formula of the starts that were tried"
	}
	if all := arrived(q.Bag, greatest.by); all < j.Chance {
		tried += fmt.Sprintf("; the chance that all tasks have arrived by then is %s", ask.Percent(all, 3))
	}
	return &ask.InfeasibleError{
		Constraint: "by", Limit: *q.By, Infimum: h.Quantile(j.Chance),
		Reason: fmt.Sprintf("no help that was tried finishes it by %s with chance %s and a margin of %s: %s",
			ask.Time(*q.By), ask.Percent(j.Chance, 3), ask.Percent(margin, 3), tried),
	}
}
