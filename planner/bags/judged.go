package bags

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim/bot"
)

// A Judged says how often a design was in time in runs that had no part in its choice or, of a design found by a
// [bot.Race], in the second of the two sets of runs on which it had to be in time. A chance read off the runs of a law,
// or off the first set, is too optimistic for a design chosen by these runs.
type Judged struct {
	Chance float64 `json:"chance"` // share of the runs that were in time
	// The true chance lies below Low in one of 20 such judgements, and above High in one of 20.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Runs int     `json:"replications"`
	// Tried is the number of designs judged. One means the formula's own. Of several, the design is
	// the cheapest that was in time, and few runs do not distinguish it from help that is just too
	// late.
	Tried int `json:"tried"`
}

// judging returns the runs on which designs are judged for a chance, unless they are decided
// sooner: as many as have judgedLate late runs if the share of late runs is the greatest allowed,
// which measures that share to about a sixth; but at most judgedMost, and at most what takes a
// tenth of a second on one processor (BenchmarkDraw in sim/bot), and of the first batch of long runs no more
// than take a second.
func judging(chance float64) bot.Drawing {
	return bot.Drawing{Seed: judgedSeed, Effort: 1.5e6, Hard: judgedHard,
		Most: int(min(judgedMost, math.Round(judgedLate/(1-chance))))}
}

// judgedHard is what the runs of one design may take, and soughtEffort what those of all designs that are tried
// one after the other may before no more are.
const (
	judgedHard   = 1e7
	soughtEffort = 2e7
)

const (
	judgedSeed = drawnSeed + 1
	judgedLate = 30
	judgedMost = 1000
)

// surest is the greatest chance that a law is asked for; beyond it help is asked to be sooner.
const surest = 1 - 1e-9

// soonerStep is the share of the time by which a design is asked to be sooner than the previous one
// that was late; wavesSooner is the same for a formula, which errs by waves. If nearJudged designs
// were late the law errs by more: from then on each step is twice the one before, up to soonest. At
// most mostJudged designs are tried.
const (
	soonerStep  = 0.02
	wavesSooner = 0.05
	nearJudged  = 5
	soonest     = 0.5
	mostJudged  = 12
)

// A judge tries designs on runs of their own.
type judge struct {
	c  *bot.Case
	by float64 // time by which runs must be done; that of Target is for the law
	bags.Target
	bags.Cloud
	sooner   float64      // soonerStep or wavesSooner
	least    int          // runs of the first design that suffice if all are in time; 0: none
	few      bool         // a large bag: least is all runs there are, and help in time as often as wanted is accepted
	best     *bags.Helped // of those tried: the cheapest that is in time, else the one late least often
	told     *bot.Trial   // the trial of best
	holds    bool         // best is in time
	takes    float64      // what the largest task takes at the least, where that is too long; 0: it is not
	tried    map[bags.Help]bool
	spent    float64            // effort of the runs of those
	tooLong  bool               // no cheaper help was looked for, as runs take too long
	progress func(done, of int) // for the runs of a race; may be nil
	raced    *bot.Raced         // what was found by looking for cheaper help; nil: not looked for
}

// helped is the case with the cloud that help comes from.
func (q *FinishQuestion) helped(c *bot.Case, cloud bags.Cloud) *bot.Case {
	kase := *c
	kase.Cloud.Boot = cloud.Boot
	if q.CloudSpeed != nil {
		kase.Cloud.Speed = hosts.Speed{Mean: *q.CloudSpeed}
	}
	if q.Hourly {
		kase.Billing = spequlos.ByHour
	}
	return &kase
}

func newJudge(c *bot.Case, q *FinishQuestion, t bags.Target, cloud bags.Cloud) *judge {
	return &judge{c: q.helped(c, cloud), by: *q.By, Target: t, Cloud: cloud, sooner: soonerStep,
		tried: map[bags.Help]bool{}, progress: q.Progress}
}

// try judges help and reports whether it is in time with the wanted chance.
func (j *judge) try(ctx context.Context, h *bags.Helped) (t *bot.Trial, holds bool, err error) {
	d := judging(j.Chance)
	if j.told == nil {
		d.Least = j.least
	}
	if t, holds, err = j.judge(ctx, h.Help, d); err != nil {
		return nil, false, err
	}
	j.tried[h.Help] = true
	j.spent += t.Effort()
	if j.told == nil || holds && !j.holds || holds == j.holds && t.InTime() > j.told.InTime() {
		j.best, j.told, j.holds = h, t, holds
	}
	return t, holds, nil
}

// judge simulates help on the runs of a drawing, and reports whether it is in time.
func (j *judge) judge(ctx context.Context, h bags.Help, d bot.Drawing) (*bot.Trial, bool, error) {
	t, err := bot.Judge(ctx, j.c, h, bags.Target{By: j.by, Chance: j.Chance}, d)
	if err != nil {
		return nil, false, FromModel(err)
	}
	holds := t.Holds(j.Chance) || t.Late == 0 && t.Runs == d.Least
	return t, holds || j.few && t.InTime() >= j.Chance, nil
}

// seek judges the help that a law found. If it is late too often, it judges the next help that by
// the law is late correspondingly more rarely, or sooner if that is the same help, until one is in
// time, or the runs so far took too much. Then it looks for cheaper help, because the law is not to be trusted.
// The best is the cheapest help in time or, if none is, the one late least often.
func (j *judge) seek(ctx context.Context, law *bags.FinishLaw, h *bags.Helped) (ok bool, err error) {
	goal, found, step := j.Target, true, j.sooner
	for i := range mostJudged {
		t, holds, err := j.try(ctx, h)
		if holds && err == nil {
			return true, j.cheaper(ctx, law)
		}
		if err != nil || !found || j.spent > soughtEffort {
			return false, err
		}
		if i+1 >= nearJudged {
			step = min(soonest, 2*step)
		}
		rarer := max(1.2, (1-t.InTime())/(1-j.Chance))
		for same := h.Help; found && h.Help == same; rarer = 1.5 {
			goal.Chance = min(surest, 1-(1-goal.Chance)/rarer)
			if goal.Chance > h.Chance(goal.By) || goal.Chance == surest {
				goal.By *= 1 - step
			}
			if h, found, err = law.Cheapest(ctx, goal, j.Cloud); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// of judges what a law found, and returns the best. If by the law no help is in time it judges the
// one with the greatest chance, without a margin, since the law knows none better.
func (j *judge) of(ctx context.Context, law *bags.FinishLaw, s *bags.Sought) (h *bags.Helped, ok bool, err error) {
	if s.OK {
		ok, err = j.seek(ctx, law, s.Best)
		return j.best, ok || err == nil && j.told.InTime() >= j.Chance, err
	}
	j.by = j.By
	if _, ok, err = j.try(ctx, s.Best); ok && err == nil {
		err = j.cheaper(ctx, law)
	}
	return j.best, ok, err
}

// judged returns the figures of the best.
func (j *judge) judged() *Judged {
	low, high := j.told.Bounds()
	return &Judged{Chance: j.told.InTime(), Low: low, High: high, Runs: j.told.Runs, Tried: j.howMany()}
}

// String says how often the best was in time.
func (v *Judged) String() string {
	return fmt.Sprintf("in time in %s of %d separate runs (chance %s to %s)", ask.Percent(v.Chance, 3), v.Runs,
		ask.Percent(v.Low, 3), ask.Percent(v.High, 3))
}
