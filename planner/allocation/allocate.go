package allocation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A Question asks which job of a batch runs at which level on which
// resource, where its backup is, and what failures cost. Levels differ in demand
// and in what they pay, and the revenue less the price of the capacity used is
// made greatest. Source: QoS-GRAF.
type Question struct {
	Batch  *BatchFile   `json:"batch"`
	Method alloc.Method `json:"method,omitempty"` // empty: lp-round
	// Fallback answers where a published method does not place all jobs:
	// "lp-round", or empty for none; then that is an *ask.InfeasibleError.
	Fallback alloc.Method `json:"fallback,omitempty"`
	// Backup plans backups too; empty: none, or soft with Primary, Fail or Losses.
	Backup alloc.BackupMode `json:"backup,omitempty"`
	// Primary fixes the primaries to those of an earlier answer.
	Primary *BatchAnswer `json:"-"`
	// Budget is instead of that of the batch, in its currency; nil: that one. A
	// budget bounds what primaries cost together; backups are not paid by it.
	Budget *units.Amount `json:"budget,omitempty"`
	// Fail lets resources or risk groups fail one after another.
	Fail []string `json:"fail,omitempty"`
	// Losses asks for the loss over all single failures, and over failures of two at once: all of
	// these if there are at most Pairs, else Pairs drawn ones.
	Losses    bool            `json:"losses,omitempty"`
	Pairs     int             `json:"pairs,omitempty"`        // at most MaxPairs; 0: none
	TimeLimit *units.Duration `json:"time_limit_s,omitempty"` // of the search, above 0; nil: none
	// Effort is how long to search for primaries and backups, against 1, which nil stands for: above 0,
	// at most MaxEffort.
	Effort    *units.Number `json:"effort,omitempty"`
	Solver    *NamedSolver  `json:"-"`                    // of the method exact, which needs one
	BoundOnly bool          `json:"bound_only,omitempty"` // bounds and prices without an assignment
	Seed      uint64        `json:"seed,omitempty"`
	Explain   bool          `json:"explain,omitempty"`
}

// MaxPairs bounds the failures of two at once that are looked at.
const MaxPairs = 1_000_000

// MaxEffort bounds how much longer than usual is searched.
const MaxEffort = 1000

// hurried warns that so many of something were searched for less long than fewer would be.
const hurried = "so many %s are searched for some seconds only: an effort of 10 searches ten times as long, which " +
	"may %s"

// lastWhile is how long the best so far is waited for. It is longer than what an
// executable that was asked to stop is given, which is then ended with all that it
// has started.
const lastWhile = 800 * time.Millisecond

// Allocate answers a Question. Errors: *ask.InputError and
// *FileError for what does not fit together, *ask.InfeasibleError where no
// assignment exists; that of the context. When the context ends during the
// search the answer is the best so far, if that is ready within a second:
// of a million jobs the bounds and a first packing alone take longer, and then
// the error is that of the context. What was begun goes on alone and reads the
// batch, which must not change.
func Allocate(ctx context.Context, q *Question) (*Answer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	// The search may go on after the caller is let go, and works on a question of
	// its own. Its batch is a copy where the budget is another; the old budget is
	// taken out first, so that its currency does not count.
	own := *q
	if q.Budget != nil && q.Batch != nil {
		batch := *q.Batch
		batch.Budget = nil
		if form := batch.form(); form != nil && q.Budget.Currency != "" && q.Budget.Currency != form.Currency {
			return nil, &ask.InputError{Field: "budget",
				Reason: "is in " + q.Budget.Currency + ", and the batch in " + form.Currency, Want: units.OneCurrency}
		}
		if !(q.Budget.Number < 1<<53) {
			return nil, ask.Inputf("budget", "is %v, want an amount below 2^53", float64(q.Budget.Number))
		}
		batch.Budget, own.Batch = q.Budget, &batch
	}
	return parallel.AwaitLast(ctx, lastWhile, func() (*Answer, error) { return allocate(ctx, &own) })
}

// allocate is Allocate of a question without contradictions. The bounds come with
// the primaries, then the backups for them, then what failures cost with both.
func allocate(ctx context.Context, q *Question) (*Answer, error) {
	file := q.Batch
	if file == nil {
		return nil, ask.Missing("batch", "jobs and resources")
	}
	// What was read goes, if nobody else holds it, once it is laid out: of a million jobs
	// it takes as much as the search.
	q.Batch = file.bare()
	money := file.form()
	s, err := newSystem(file)
	if err != nil {
		return nil, err
	}
	if err := q.checkFail(s.Batch); err != nil {
		return nil, err
	}
	a := &Answer{
		RejectedJobs: []string{},
		Budget:       s.Batch.Budget,
		Money:        money,
		Jobs:         len(s.Batch.Jobs),
		Resources:    len(s.Batch.Resources),
		Seed:         q.Seed,
		PrimaryGiven: q.Primary != nil,
		Assignments:  []AllocatedJob{},
		Failures:     []alloc.FailureStep{},
		FallbackUsed: []string{},
		system:       s,
	}
	o := alloc.Options{Method: q.Method, Fallback: q.Fallback, Seed: q.Seed, Effort: float64(ask.Value(q.Effort))}
	o.Method = cmp.Or(o.Method, alloc.LPRound)
	if q.Solver != nil {
		o.Solver = q.Solver
	}
	clock := time.Now()
	o.TimeLimit = q.timeLeft(clock)
	var bounds *alloc.Bounds
	var chosen alloc.Choices
	// Where the method allocates it brings its bounds. Bounds alone, or primaries
	// that are given, need them by themselves.
	if q.BoundOnly || q.Primary != nil {
		if bounds, err = s.Bounds(ctx, o.Bounds); err != nil {
			return nil, allocateError(q.Batch, s.Batch, "capacity", err)
		}
		a.ProvenBound = bounds.Best()
	}
	switch {
	case q.BoundOnly:
		a.bounds(bounds)
		if a.Curves, err = revenueCurves(s, a, boundCurvePoints); err != nil {
			return nil, err
		}
		q.explain(a)
		return a, nil
	case q.Primary != nil:
		if chosen, err = givenPrimaries(s, q.Primary); err != nil {
			return nil, err
		}
	default:
		plan, err := s.Allocate(ctx, o)
		if err != nil {
			return nil, allocateError(q.Batch, s.Batch, "capacity", err)
		}
		bounds, chosen, a.Stopped = plan.Bounds, plan.Choices, plan.Stopped
		if a.ProvenBound = plan.Bound; plan.Hurried {
			ask.Warn(&a.Warnings, hurried, "jobs, levels and resources", "narrow the gap")
		}
		a.unproven("primaries", plan.Open)
		a.substituted(q, plan.Fallback)
	}
	a.Method = &o.Method
	if q.Fallback != "" {
		a.Fallback = &q.Fallback
	}
	if q.Solver != nil {
		a.Solver = &q.Solver.Label
	}
	a.bounds(bounds)
	a.assign(s, chosen)
	// Backups are planned where anything asks for what happens after a failure.
	if q.Backup != "" || q.Primary != nil || len(q.Fail) > 0 || q.Losses {
		if err := a.backup(ctx, q, s, chosen, o, clock); err != nil {
			return nil, err
		}
	}
	a.Assignments = presentChoices(s, chosen) // which backups need not
	q.explain(a)
	return a, nil
}

// timeLeft is what is left of the time limit for the next search, 0 without a limit, and at least a
// nanosecond with one.
func (q *Question) timeLeft(begun time.Time) time.Duration {
	if q.TimeLimit == nil {
		return 0
	}
	return max(timeLimit(q.TimeLimit)-time.Since(begun), 1)
}

// timeLimit returns the limit of a search, 0 without one.
func timeLimit(t *units.Duration) time.Duration {
	return time.Duration(min(float64(ask.Value(t)), 1e9) * float64(time.Second))
}

// backup fills in the backups of the chosen primaries, and what failures cost with both.
func (a *Answer) backup(ctx context.Context, q *Question, s *alloc.System, chosen alloc.Choices, o alloc.Options,
	begun time.Time) error {
	b := alloc.BackupOptions{Options: o, Mode: q.Backup}
	b.TimeLimit = q.timeLeft(begun)
	plan, err := s.Backup(ctx, chosen, b)
	if err != nil {
		return allocateError(q.Batch, s.Batch, "backup capacity", err)
	}
	a.Backup = presentBackup(s, plan)
	a.unproven("backups", plan.Open)
	if plan.Hurried {
		ask.Warn(&a.Warnings, hurried, "failures and backups", "lose less")
	}
	a.Backup.FallbackUsed = a.substituted(q, plan.Fallback)
	if len(q.Fail) > 0 {
		b.TimeLimit = q.timeLeft(begun)
		if a.Failures, err = s.FailInSuccession(ctx, chosen, plan.Choices, q.Fail, b); err != nil {
			return q.failError(s.Batch, err)
		}
		if !plan.Hurried && slices.ContainsFunc(a.Failures, func(f alloc.FailureStep) bool { return f.Hurried }) {
			ask.Warn(&a.Warnings, hurried, "failures and backups", "lose less")
		}
	}
	if q.Losses {
		a.Losses = &FailureLosses{}
		a.Losses.Single, a.Losses.Pairs, err = s.Losses(chosen, plan.Choices,
			alloc.LossOptions{Pairs: q.Pairs, Seed: q.Seed})
	}
	a.Backup.Assignments = presentChoices(s, plan.Choices) // which failures and losses need not
	return err
}

// check finds what contradicts itself. A question of which one part would be
// ignored is refused.
func (q *Question) check() error {
	switch {
	case q.BoundOnly && (q.Backup != "" || q.Primary != nil || len(q.Fail) > 0 || q.Method != "" || q.Losses):
		return ask.Inputf("bound_only", "asks for bounds only: leave out {method}, {backup}, {primary}, {fail} and "+
			"{losses}")
	case q.BoundOnly && q.Fallback != "":
		return ask.Inputf("fallback", "only used with an assignment: leave {bound_only} out")
	case q.Fallback != "" && (q.Method == "" || q.Method == alloc.LPRound || q.Method == alloc.Exact):
		return ask.Inputf("fallback", "only used with a published method, such as unit-big")
	case q.Pairs != 0 && !q.Losses:
		return ask.Inputf("pairs", "only used with losses, which are not asked for")
	case q.Pairs < 0 || q.Pairs > MaxPairs:
		return ask.Inputf("pairs", "is %d, want 0 to %d", q.Pairs, MaxPairs)
	case q.TimeLimit != nil && *q.TimeLimit == 0:
		return ask.Inputf("time_limit", "is 0, want a time such as 30s")
	case q.Effort != nil && !(*q.Effort > 0 && *q.Effort <= MaxEffort):
		return ask.Inputf("effort", "is %v, want more than 0 and at most %d", float64(*q.Effort), MaxEffort)
	case q.BoundOnly && q.Effort != nil:
		return ask.Inputf("effort", "only used with an assignment: leave {bound_only} out")
	case q.Method == alloc.Exact && q.Solver == nil:
		return ask.Inputf("solver", "not given, and the method exact needs a solver")
	case q.Method != alloc.Exact && q.Solver != nil:
		return ask.Inputf("solver", "only used with the method exact")
	}
	return nil
}

// mostFailing bounds the failures in turn, times the jobs and resources that are looked at after each: some seconds.
const mostFailing = 2_000_000

// checkFail refuses failures that would take too long.
func (q *Question) checkFail(b *alloc.Batch) error {
	size := len(b.Resources) + len(b.Jobs)*len(b.Dependencies)
	if most := max(1, mostFailing/size); len(q.Fail) > most {
		return ask.Inputf("fail", "names %d failures, want at most %d of this batch: failures times resources and jobs "+
			"come to 2 million at most, a job counted for each dependency", len(q.Fail), most)
	}
	return nil
}

// unproven warns of what the solver of the method exact left open. The first
// three are shown.
func (a *Answer) unproven(what string, open []string) {
	const shown = 3
	for i, text := range open {
		if i == shown {
			text = fmt.Sprintf("and %d more", len(open)-shown)
		}
		a.Warnings = append(a.Warnings, what+" not proven to be the best: "+text)
		if i == shown {
			break
		}
	}
}

// substituted names what the fallback answered in place of the method. The parts
// are dependencies, or with backups dependencies and failures.
func (a *Answer) substituted(q *Question, parts []string) []string {
	if len(parts) > 0 {
		ask.Warn(&a.Warnings, "%s does not place all jobs in %s: the answer there comes from %s", q.Method,
			strings.Join(parts, "; "), q.Fallback)
	}
	if a.Backup == nil {
		a.FallbackUsed = append(a.FallbackUsed, parts...)
	}
	return append([]string{}, parts...)
}
