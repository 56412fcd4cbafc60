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

// lateAtMost is how many times as often as it may be help that was judged may be late after all,
// with [RefineConfidence]; help that is lateSurely times as often late is left with as small a chance.
const (
	lateAtMost = 1.5
	lateSurely = 0.5
)

// hoursTold is to within which share of them the hours of help that is in time are told, with 95 %.
const hoursTold = 0.05

// Judge simulates help on runs that are to have had no part in choosing it, of another seed than
// that of the choice: until it is decided whether it is in time with the chance of the target, and
// then until its hours are told to a twentieth, or as many as a drawing allows; see [Trial.Holds].
// Where all of the least runs of a drawing are in time these are enough. Errors: those of Check, and
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
		if err := r.runOf(j, batch, d.replication); err != nil {
			return nil, err
		}
		isLate, inTime := false, settled
		if !settled {
			l := j.lookAt(t.Chance, d)
			j.looks = append(j.looks, l)
			isLate, inTime = l.over()
		}
		settled = inTime
		enough = isLate || inTime && (j.Runs == d.Least || j.HoursHalf() <= hoursTold*j.Hours)
	}
	return j, nil
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

// Quantile returns the time in seconds by which a share of the runs was done, +Inf where it was not,
// and NaN for a share outside 0 to 1 or a trial without runs.
func (t *Trial) Quantile(share float64) float64 {
	if len(t.ends) == 0 || !(share >= 0 && share <= 1) {
		return math.NaN()
	}
	return slices.Sorted(slices.Values(t.ends))[max(0, int(math.Ceil(share*float64(len(t.ends))))-1)]
}

// LateRuns returns which of the runs were late, as they were made.
func (t *Trial) LateRuns() []int { return t.lates }

// Effort returns what the runs took, as a Drawing counts it.
func (t *Trial) Effort() float64 { return t.effort }

// Holds says whether the share of the runs in time is the chance given, and they are so many
// that help is late at most half as often again as that allows, with [RefineConfidence].
func (t *Trial) Holds(chance float64) bool {
	low, _ := exactBounds(t.Late, t.Runs)
	return t.InTime() >= chance && low >= 1-lateAtMost*(1-chance)
}

// LeastHeld is on how many runs, all of them in time, a trial holds a chance, 0 < chance < 1.
func LeastHeld(chance float64) int {
	return LeastRuns(max(1-RefineConfidence, 1-lateAtMost*(1-chance)))
}

// MayBeLate is how many of so many runs may be late of help that holds a chance as [Trial.Holds]
// has it: none of few runs.
func MayBeLate(runs int, chance float64) int {
	return sort.Search(runs, func(late int) bool { return !(&Trial{Runs: runs, Late: late + 1}).Holds(chance) })
}
