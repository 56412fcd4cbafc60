package bags

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim/bot"
)

// A Judged is how often a design was in time in runs that had no part in its choice. A chance
// that is read off the runs of a law is too good for the design that was chosen by it.
type Judged struct {
	Chance float64 `json:"chance"` // share of the runs that were in time
	// Low and High are each passed by the chance itself in one of 20 such judgements.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Runs int     `json:"replications"`
	// Tried is how many designs were: one is the formula's own, of more it is the cheapest that was
	// found, which few runs do not tell from help that is hardly in time.
	Tried int `json:"tried"`
}

// judging is on which runs designs are judged for a chance where it is not decided sooner: so many
// that judgedLate are late where as many are as may be, whose share is then told to within about a
// sixth, of up to judgedMost, or as many as take a tenth of a second on one processor (BenchmarkDraw
// in sim/bot).
func judging(chance float64) bot.Drawing {
	return bot.Drawing{Seed: judgedSeed, Effort: 1.5e6, Most: int(min(judgedMost, math.Round(judgedLate/(1-chance))))}
}

const (
	judgedSeed = drawnSeed + 1
	judgedLate = 30
	judgedMost = 1000
)

// surest is the greatest chance that is asked of a law: from there on help is to be sooner.
const surest = 1 - 1e-9

// soonerStep is by what share a design is to be in time sooner than the one before that was late;
// of a formula, which errs by waves, wavesSooner. Where so many as nearJudged are late the law errs
// by more: each share is twice the one before from there on, up to soonest, and mostJudged are tried
// in all.
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
	by float64 // by when runs are to be done, the target is that of the law
	bags.Target
	bags.Cloud
	sooner   float64      // soonerStep or wavesSooner
	least    int          // runs of the first design that are enough if all are in time; 0: none
	few      bool         // so many are all there are, of a large bag: what is in time as often as wanted is taken
	best     *bags.Helped // of those tried: the cheapest that is in time, else the one that is late least often
	told     *bot.Trial   // how it went
	holds    bool         // it is in time
	tried    map[bags.Help]bool
	progress func(done, of int) // of the runs of a race; may be nil
	raced    *bot.Raced         // what was found that is cheaper, nil where that was not looked for
}

func newJudge(c *bot.Case, q *FinishQuestion, t bags.Target, cloud bags.Cloud) *judge {
	kase := *c
	kase.Cloud.Boot = cloud.Boot
	if q.CloudSpeed != nil {
		kase.Cloud.Speed = hosts.Speed{Mean: *q.CloudSpeed}
	}
	return &judge{c: &kase, by: *q.By, Target: t, Cloud: cloud, sooner: soonerStep, tried: map[bags.Help]bool{},
		progress: q.Progress}
}

// try judges help, and says whether it is in time with the chance wanted.
func (j *judge) try(ctx context.Context, h *bags.Helped) (t *bot.Trial, holds bool, err error) {
	d := judging(j.Chance)
	if j.told == nil {
		d.Least = j.least
	}
	if t, holds, err = j.judge(ctx, h.Help, d); err != nil {
		return nil, false, err
	}
	j.tried[h.Help] = true
	if j.told == nil || holds && !j.holds || holds == j.holds && t.InTime() > j.told.InTime() {
		j.best, j.told, j.holds = h, t, holds
	}
	return t, holds, nil
}

// judge simulates help on the runs of a drawing, and says whether it is in time.
func (j *judge) judge(ctx context.Context, h bags.Help, d bot.Drawing) (*bot.Trial, bool, error) {
	t, err := bot.Judge(ctx, j.c, h, bags.Target{By: j.by, Chance: j.Chance}, d)
	if err != nil {
		return nil, false, FromModel(err)
	}
	holds := t.Holds(j.Chance) || t.Late == 0 && t.Runs == d.Least
	return t, holds || j.few && t.InTime() >= j.Chance, nil
}

// seek judges the help that a law found, and if it is late too often the next that by the law is
// late as much more rarely, or sooner where that is the same, until one is in time, and then looks
// for cheaper help, as the law is not to be trusted: the best is the cheapest that is in time, or was
// late the least often of all.
func (j *judge) seek(ctx context.Context, law *bags.FinishLaw, h *bags.Helped) (ok bool, err error) {
	goal, found, step := j.Target, true, j.sooner
	for i := range mostJudged {
		t, holds, err := j.try(ctx, h)
		if holds && err == nil {
			return true, j.cheaper(ctx, law)
		}
		if err != nil || !found {
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

// of judges what was sought by a law, and returns the best: where by the law none is in time that
// with the greatest chance, of which the law may know no better, with its margin.
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

// judged are the figures of the best.
func (j *judge) judged() *Judged {
	low, high := j.told.Bounds()
	return &Judged{Chance: j.told.InTime(), Low: low, High: high, Runs: j.told.Runs, Tried: j.howMany()}
}

// String says how often the best was in time.
func (v *Judged) String() string {
	return fmt.Sprintf("in time in %s of %d separate runs (chance %s to %s)", ask.Percent(v.Chance, 3), v.Runs,
		ask.Percent(v.Low, 3), ask.Percent(v.High, 3))
}
