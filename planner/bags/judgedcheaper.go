package bags

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/sim/bot"
)

// Help that is in time where other by the same law was late is followed by a search for cheaper help
// by runs: by the law for goals between those of the two, until its hours are within closeEnough of
// those of help that is late, mostBetween at most; and then around the best, by ratios from
// widestStep down to leastStep, until the runs took cheaperEffort.
const (
	closeEnough   = 0.02
	mostBetween   = 3
	widestStep    = 2
	leastStep     = 1.03
	cheaperEffort = 2.5e6
	fewestTold    = 120 // runs, of help that is late so often that it is in doubt
)

// Help is tried first on mostFirst of the runs in which other was late. Of what is in time mostConfirmed
// are judged again on other runs, each for confirmStep times the hours of the one before.
const (
	mostFirst     = 12
	mostConfirmed = 4
	confirmStep   = 1.05
)

// late is help that a law found for a goal and that was late, for so many hours.
type late struct {
	goal  bags.Target
	help  bags.Help
	hours float64
}

// cheaper looks for help that is in time for fewer hours than the best, which a law found for a goal.
func (j *judge) cheaper(ctx context.Context, law *bags.FinishLaw, from late, to bags.Target) error {
	first := judged{j.best, j.told}
	j.most = j.effort + cheaperEffort
	if err := j.between(ctx, law, from, to); err != nil {
		return err
	}
	if j.least > 0 {
		if err := j.around(ctx, law); err != nil {
			return err
		}
	}
	return j.confirm(ctx, first)
}

// between tries help of goals between one that was late and one that was in time.
func (j *judge) between(ctx context.Context, law *bags.FinishLaw, from late, to bags.Target) error {
	for range mostBetween {
		if j.told.Hours <= (1+closeEnough)*from.hours || j.effort >= j.most {
			return nil
		}
		goal := bags.Target{
			By:     math.Sqrt(from.goal.By * to.By),
			Chance: 1 - math.Sqrt((1-from.goal.Chance)*(1-to.Chance)),
		}
		h, found, err := law.Cheapest(ctx, goal, j.Cloud)
		switch {
		case err != nil:
			return err
		case !found || h.Hours >= j.best.Hours:
			to = goal
			continue
		case h.Help == from.help || j.tried[h.Help]:
			from.goal = goal
			continue
		}
		t, holds, err := j.tryOn(ctx, h, j.drawing())
		switch {
		case err != nil:
			return err
		case holds:
			to = goal
		default:
			from = late{goal, h.Help, t.Hours}
		}
	}
	return nil
}

// steps lead from help to other for fewer hours: to fewer workers; to as many fewer tasks left as
// workers, of whom each does as many then; to fewer tasks left; and to fewer workers from sooner on.
var steps = []struct{ left, workers float64 }{{1, -1}, {-1, -1}, {-1, 0}, {1.5, -1}, {0.5, -1}}

// around steps from the best to help that is in time for fewer hours, by ever smaller ratios.
func (j *judge) around(ctx context.Context, law *bags.FinishLaw) error {
	n := j.c.Bag.MeanSize()
	last := math.Floor(1e4*(n-1)/n) / 1e4 // in ten thousandths as the names of strategies have it
	for step := float64(widestStep); step > leastStep && j.effort < j.most; {
		better := false
		for _, s := range steps {
			start := 1 - (1-j.best.Start)*math.Pow(step, s.left)
			h := bags.Help{
				Start:   max(0, min(last, math.Floor(1e4*start+0.5)/1e4)),
				Workers: max(1, int(math.Round(float64(j.best.Workers)*math.Pow(step, s.workers)))),
			}
			if j.tried[h] {
				continue
			}
			helped := law.With(h, j.Cloud)
			if helped.Hours >= (1-closeEnough/2)*j.best.Hours {
				continue
			}
			_, holds, err := j.tryOn(ctx, helped, j.drawing())
			if err != nil {
				return err
			}
			better = better || holds
		}
		if !better {
			step = math.Sqrt(step)
		}
	}
	return nil
}

// drawing is on which runs help is judged that is to be cheaper: what these do not tell is late.
func (j *judge) drawing() bot.Drawing {
	d := judging(j.Chance)
	d.Least = min(wavesRuns, bot.LeastHeld(j.Chance))
	d.Most = min(d.Most, max(fewestTold, 2*d.Least))
	all := slices.Sorted(maps.Keys(j.lates))
	all = slices.DeleteFunc(all, func(k int) bool { return k >= d.Most }) // no more late ones than there are
	slices.SortStableFunc(all, func(a, b int) int { return j.lates[b] - j.lates[a] })
	d.First = all[:min(mostFirst, len(all))]
	return d
}

// confirm judges the best on runs that had no part in its choice, and where it is late on these one
// that is dearer, up to the first that was found, which was not chosen among others that are in time.
func (j *judge) confirm(ctx context.Context, first judged) error {
	slices.SortStableFunc(j.held, func(a, b judged) int { return cmp.Compare(a.trial.Hours, b.trial.Hours) })
	hours, tried := 0.0, 0
	for _, k := range j.held {
		switch {
		case k == first || tried == mostConfirmed:
			j.best, j.told = first.help, first.trial
			return nil
		case k.trial.Hours < confirmStep*hours:
			continue
		}
		d := j.drawing()
		d.Seed, d.First = d.Seed+1, nil
		t, holds, err := j.judge(ctx, k.help, d)
		if err != nil {
			return err
		}
		if holds {
			j.best, j.told = k.help, t
			return nil
		}
		hours, tried = k.trial.Hours, tried+1
	}
	return nil
}

// warnOfSought says of help that was sought by runs why it was, and that there may be cheaper help.
func (a *FinishAnswer) warnOfSought(law bool, tried int) {
	why := "the cheapest help that the law of the bag finds is late too often"
	if !law {
		why = "the law of the bag finds no help that is in time"
	}
	a.doubt(DoubtCost, "%s, so %d designs were tried on a few runs each and the cheapest that was in time is given; few runs pass over help that is only just in time, and a search by simulation looks for cheaper help",
		why, tried)
}
