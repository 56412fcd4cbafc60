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

// Such a design is judged first on so few runs that it is in time if all of them are, and then on
// up to wavesRuns, of which each takes more than eachEffort for a task and for a machine.
const (
	wavesRuns   = 100
	wavesEffort = 1.5e6
	eachEffort  = 3
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

// confirm judges a design of the formula, which is mostly in time, on few runs. Where these leave
// open whether it is it does so on more, and seeks another where it was late more often than may
// be; where they take long the answer warns of it.
func (a *FinishAnswer) confirm(ctx context.Context, j *judge, h *bags.Helped, waves float64) (ok bool, err error) {
	if j.best = h; eachEffort*(a.Tasks+float64(a.Machines))*wavesRuns > wavesEffort {
		a.doubt(DoubtTimes,
			"the deadline is %.2g times what a task takes: workers and machines end their few tasks at about the same times, and of drawn designs like this one 3 in 100 were late, by as long as a task takes",
			waves)
		return true, nil
	}
	first := min(wavesRuns, bot.LeastHeld(j.Chance))
	for _, runs := range []int{first, wavesRuns} {
		t, err := bot.Judge(ctx, j.c, h.Help, bags.Target{By: j.by, Chance: j.Chance},
			bot.Drawing{Seed: drawnSeed + 1, Effort: wavesEffort, Most: runs})
		if err != nil {
			return false, FromModel(err)
		}
		if t.Holds(j.Chance) || t.Runs == wavesRuns && t.Late == 0 {
			j.told = t
			return true, nil
		}
	}
	j.sooner = wavesSooner
	ok, err = j.seek(ctx, a.law, h)
	return ok || err == nil && j.told.InTime() >= j.Chance, err
}
