package bot

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/given"
)

// Help that was accepted is late at most lateAtMost times as often as allowed, with
// [RefineConfidence]. Help that is late at most lateSurely times as often as allowed is rejected
// with the same small probability.
const (
	lateAtMost = 1.5
	lateSurely = 0.5
)

// hoursTold is the relative half width of the 95 % interval of the hours at which a trial may end.
const hoursTold = 0.05

// Judge simulates help on runs that should have had no part in choosing it, so with another seed.
// It goes on until it is decided whether the help is in time with the chance of the target, and
// then until its hours are known to a twentieth, as far as the drawing allows; see [Trial.Holds]. Of runs
// that take very long it makes three.
// If all of the least runs of a drawing are in time these are enough. Errors: those of Check, and
// that of ctx; a *DomainError without a case.
func Judge(ctx context.Context, c *Case, h bags.Help, t bags.Target, d Drawing) (*Trial, error) {
	if c == nil {
		return nil, &DomainError{"Judge", "Case", math.NaN(), "one"}
	}
	r := &refining{ctx: given.Context(ctx), q: &Refinement{Target: t, Seed: d.Seed}, kase: *c}
	r.kase.Strategy, r.kase.Credits = nil, refineCredits
	if err := r.check(); err != nil {
		return nil, err
	}
	j := &Trial{Help: h, How: spequlos.Reschedule}
	for enough, settled := false, false; !enough && j.Runs < d.Most && j.effort < d.Effort; {
		batch := min(refineBatch, d.Most-j.Runs)
		if j.Runs < d.Least {
			batch = min(batch, d.Least-j.Runs)
		}
		if d.Hard > 0 && j.Runs == 0 { // the first runs tell what one takes
			if err := r.runOf(j, min(triedRuns, batch), d.replication); err != nil {
				return nil, err
			}
			batch -= j.Runs
		}
		whole := batch
		if batch = d.bearable(j, batch); batch > 0 {
			if err := r.runOf(j, batch, d.replication); err != nil {
				return nil, err
			}
		}
		isLate, inTime := false, settled
		if !settled {
			l := j.lookAt(t.Chance, d)
			j.looks = append(j.looks, l)
			isLate, inTime = l.over()
		}
		settled = inTime
		enough = batch < whole || isLate || inTime && (j.Runs == d.Least || j.HoursHalf() <= hoursTold*j.Hours)
	}
	return j, nil
}

// bearable returns how many runs of a batch a trial can make within the hard limit.
func (d *Drawing) bearable(t *Trial, batch int) int {
	if d.Hard == 0 || t.Runs == 0 || batch == 0 {
		return batch
	}
	return min(batch, max(0, int((d.Hard-t.effort)/(t.effort/float64(t.Runs)))))
}

// InTime returns the share of the runs that were in time.
func (t *Trial) InTime() float64 { return 1 - float64(t.Late)/float64(t.Runs) }

// DoneBy returns the share of the runs that were done by a time in seconds.
func (t *Trial) DoneBy(by float64) float64 {
	done := 0
	for _, end := range t.ends {
		if end <= by {
			done++
		}
	}
	return float64(done) / float64(t.Runs)
}

// Quantile returns the time in seconds by which a share of the runs was done; +Inf if it never was,
// and NaN for a share outside 0..1 or a trial without runs.
func (t *Trial) Quantile(share float64) float64 {
	if len(t.ends) == 0 || !(share >= 0 && share <= 1) {
		return math.NaN()
	}
	return slices.Sorted(slices.Values(t.ends))[max(0, int(math.Ceil(share*float64(len(t.ends))))-1)]
}

// LateRuns returns which runs were late, in the order in which they were made.
func (t *Trial) LateRuns() []int { return t.lates }

// Effort returns what the runs took, as a Drawing counts it.
func (t *Trial) Effort() float64 { return t.effort }

// Holds reports whether the share of runs in time is at least the chance, and there are enough runs
// to say, with [RefineConfidence], that help is late at most one and a half times as often as that
// allows.
func (t *Trial) Holds(chance float64) bool {
	low, _ := exactBounds(t.Late, t.Runs)
	return t.InTime() >= chance && low >= 1-lateAtMost*(1-chance)
}

// LeastHeld returns the number of runs that, all in time, make a trial hold a chance, 0 < chance <
// 1.
func LeastHeld(chance float64) int {
	return LeastRuns(max(1-RefineConfidence, 1-lateAtMost*(1-chance)))
}

// MayBeLate returns how many of the runs may be late for a trial to hold a chance, see
// [Trial.Holds]; 0 for few runs.
func MayBeLate(runs int, chance float64) int {
	return sort.Search(runs, func(late int) bool { return !(&Trial{Runs: runs, Late: late + 1}).Holds(chance) })
}
