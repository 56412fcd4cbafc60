package bot

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/given"
)

// lateAtMost is how many times as often as it may be help that was judged may be late after all,
// with [RefineConfidence].
const lateAtMost = 1.5

// Judge simulates help on runs that are to have had no part in choosing it: as many as a
// drawing allows, of another seed than that of the choice, or fewer as soon as more of them are
// late than may be for the chance of the target, see [Trial.Holds]. Errors: those of Check, and
// that of ctx; a *DomainError without a case.
func Judge(ctx context.Context, c *Case, h bags.Help, t bags.Target, d Drawing) (*Trial, error) {
	if c == nil {
		return nil, &DomainError{"Judge", "Case", math.NaN(), "one"}
	}
	r := &refining{ctx: given.Context(ctx), q: &Refinement{Target: t, Seed: d.Seed}, kase: *c}
	r.kase.Strategy, r.kase.Credits = nil, refineCredits
	if err := r.kase.Check(); err != nil {
		return nil, err
	}
	j := &Trial{Help: h, How: spequlos.Reschedule}
	for most := (1 - t.Chance) * float64(d.Most); j.Runs < d.Most && r.effort < d.Effort && float64(j.Late) <= most; {
		if err := r.run(j, 0, min(refineBatch, d.Most-j.Runs)); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// InTime returns the share of the runs that were in time.
func (t *Trial) InTime() float64 { return 1 - float64(t.Late)/float64(t.Runs) }

// Holds says whether the share of the runs in time is the chance given, and they are so many
// that help is late at most half as often again as that allows, with [RefineConfidence].
func (t *Trial) Holds(chance float64) bool {
	low, _ := t.Bounds()
	return t.InTime() >= chance && low >= 1-lateAtMost*(1-chance)
}

// LeastHeld is on how many runs, all of them in time, a trial holds a chance, 0 < chance < 1.
func LeastHeld(chance float64) int {
	return LeastRuns(max(1-RefineConfidence, 1-lateAtMost*(1-chance)))
}

// Bounds returns the exact binomial interval of the chance to be in time, which lies below it
// with a chance of 1 − [RefineConfidence] at most, and above it with as much.
//
//	P(X <= late) = 0.05 at 1 − low,    P(X >= late) = 0.05 at 1 − high,    X binomial
//
// From 0 to 1 of no runs. Source: Clopper, Pearson, Biometrika 26, 1934.
func (t *Trial) Bounds() (low, high float64) {
	// at is the chance to be in time with which at most so many runs are late with chance p.
	at := func(late int, p float64) float64 {
		from, to := 0.0, 1.0
		for range 50 {
			mid := (from + to) / 2
			if (distuv.Binomial{N: float64(t.Runs), P: 1 - mid}).CDF(float64(late)) < p {
				from = mid
			} else {
				to = mid
			}
		}
		return from
	}
	low, high = 0, 1
	if t.Late < 0 || t.Late > t.Runs {
		return low, high
	}
	if t.Late < t.Runs {
		low = at(t.Late, 1-RefineConfidence)
	}
	if t.Late > 0 {
		high = at(t.Late-1, RefineConfidence)
	}
	return low, math.Max(low, high)
}
