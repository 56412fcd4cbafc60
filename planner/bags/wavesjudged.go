package bags

import (
	"context"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/sim/bot"
)

// A design of the formula is in doubt that has more than sureWorkers begin at once and is to be in
// time by fewer than wavesInDoubt times what a task takes. Such workers end their tasks together, as
// machines do, and whether a task is left when they do so decides on one more of these, of which the
// formula knows the mean. All designs that were late in scans of 2000 drawn ones were such.
const (
	wavesInDoubt = 12
	sureWorkers  = 8
)

// Such a design is taken where it is in time in all of so few runs that it holds then, wavesRuns at
// most; or, of large bags, in all of those that take wavesEffort, of which each takes more than
// eachEffort for a task and for a machine. Of so large ones that these are fewer than fewestJudged the
// answer warns.
const (
	wavesRuns    = 100
	wavesEffort  = 1.5e6
	eachEffort   = 3
	fewestJudged = 16
)

// wavesLeft is how many times what a task takes there are up to the deadline, where a design of the
// formula is in doubt for that; else 0.
func (q *FinishQuestion) wavesLeft(c *bot.Case, h *bags.Helped) float64 {
	waves := *q.By * c.Hosts.Speed.Mean * c.Bag.MeanSize() / c.Bag.TotalWork()
	if q.Search || h.Workers <= sureWorkers || c.Bag.Arrival != nil || waves >= wavesInDoubt {
		return 0
	}
	return waves
}

// confirm judges a design of the formula, which is mostly in time, on few runs. Where one of these
// is late it does so on more, and seeks another where it was late more often than may be; where
// they take long the answer warns of it.
func (a *FinishAnswer) confirm(ctx context.Context, j *judge, h *bags.Helped, waves float64) (ok bool, err error) {
	j.best, j.sooner, j.least = h, wavesSooner, min(wavesRuns, bot.LeastHeld(j.Chance))
	if runs := int(wavesEffort / (eachEffort * (a.Tasks + float64(a.Machines)))); runs < j.least {
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

// lateUnjudged is how many designs of the formula were late that are in doubt: of 100 of 2,000 to
// 20,000 tasks on machines that stay for one to eleven hours.
const lateUnjudged = "13 in 100"
