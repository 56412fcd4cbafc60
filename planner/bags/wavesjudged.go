package bags

import (
	"context"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/sim/bot"
)

// A design by the formula is in doubt if more than sureWorkers begin at once and the deadline is
// less than wavesInDoubt times what a task takes. Such workers end their tasks together, as
// machines do, and whether a task is left when they do decides on one more wave; the formula only
// knows the mean number of tasks left. All designs that were late in scans of 2000 drawn ones were
// of this kind.
const (
	wavesInDoubt = 12
	sureWorkers  = 8
)

// Such a design is accepted if it is in time in all of a few runs: as many as show that it holds,
// at most wavesRuns, or for large bags as many as take wavesEffort; a run takes more than
// eachEffort for each task and each machine. If that allows fewer than fewestJudged runs, the
// answer warns instead.
const (
	wavesRuns    = 100
	wavesEffort  = 1.5e6
	eachEffort   = 3
	fewestJudged = 16
)

// changesEffort is how often machines may come or leave in these runs altogether, a second or two of a processor:
// where machines stay for minutes, a run of a bag of months has a hundred million changes.
const changesEffort = judgedHard

// affordable returns the number of runs that a judgement may take for that many tasks.
func (j *judge) affordable(tasks float64) int {
	h := j.c.Hosts
	changes, machines := 0.0, float64(h.Machines())
	for _, r := range h.Records {
		changes += float64(len(r.Changes)) * j.by / r.Span
	}
	if h.Up != nil && h.Down != nil && h.Departure == 0 {
		changes = 2 * machines * j.by / (h.Up.Mean() + h.Down.Mean())
	}
	return int(min(wavesEffort/(eachEffort*(tasks+machines)), changesEffort/max(changes, 1)))
}

// wavesLeft returns the deadline divided by what a task takes, if a design by the formula is in
// doubt for that reason; else 0.
func (q *FinishQuestion) wavesLeft(c *bot.Case, h *bags.Helped) float64 {
	waves := *q.By * c.Hosts.Speed.Mean * c.Bag.MeanSize() / c.Bag.TotalWork()
	if q.Search || h.Workers <= sureWorkers || c.Bag.Arrival != nil || waves >= wavesInDoubt {
		return 0
	}
	return waves
}

// confirm judges a design by the formula, which mostly is in time, on few runs. If one of these is
// late it takes more runs, and looks for another design if more are late than allowed. If the runs
// would take too long, the answer warns instead.
func (a *FinishAnswer) confirm(ctx context.Context, j *judge, h *bags.Helped, waves float64) (ok bool, err error) {
	j.best, j.sooner, j.least = h, wavesSooner, min(wavesRuns, bot.LeastHeld(j.Chance))
	if runs := j.affordable(a.Tasks); runs < j.least {
		j.least, j.few = runs, true
	}
	if j.least < fewestJudged {
		a.doubt(DoubtTimes,
			"the deadline is only %.2g times what a task takes, so workers and machines end their few tasks at "+
				"about the same times: %s random designs like this one were late, by as long as a task takes",
			waves, lateUnjudged)
		return true, nil
	}
	ok, err = j.seek(ctx, a.law, h)
	return ok || err == nil && j.told.InTime() >= j.Chance, err
}

// lateUnjudged is how many designs in doubt were late: of 100 for bags of 2,000 to 20,000 tasks on
// machines that stay for one to eleven hours.
const lateUnjudged = "13 in 100"
