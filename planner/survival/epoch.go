package survival

import (
	"context"
	"errors"
	"fmt"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// EpochModel says how recoveries and migrations that overlap are counted. PCU
// prints two M/M/1 queues, in which jobs wait for one another's recovery. With
// many machines recoveries go on side by side, and rate times duration is nearer.
type EpochModel string

// The models. The empty one is mm1.
const (
	EpochMM1      EpochModel = "mm1"      // two M/M/1 queues, as PCU prints it
	EpochParallel EpochModel = "parallel" // in parallel: rate times duration
)

// Model returns the model as package reliability knows it; empty: as PCU
// prints it.
func (m EpochModel) Model() reliability.EpochModel {
	if m == EpochParallel {
		return reliability.ParallelRepair
	}
	return reliability.MM1
}

// An EpochQuestion asks how often to reschedule. Rescheduling costs migrations,
// and not rescheduling leaves failures undetected until the end of the epoch; the
// best epoch has the fewest jobs down.
type EpochQuestion struct {
	Migrations    *float64 `json:"migrations,omitempty"`       // begun in an epoch
	MigrationTime *float64 `json:"migration_time_s,omitempty"` // of a migration or a respawn
	// FailureRate is how often a job on public resources loses all its replicas,
	// of all such jobs together; nil with Chain, from which it follows.
	FailureRate *float64   `json:"failure_rate_per_s,omitempty"`
	Model       EpochModel `json:"model,omitempty"`
	// Chain, if set, finds the failure rate from replicas and carries the
	// epoch on to the link.
	Chain   *EpochChain `json:"chain,omitempty"`
	Explain bool        `json:"explain,omitempty"`
}

// An EpochAnswer is the best epoch and the stable ones.
type EpochAnswer struct {
	Epoch     float64  `json:"epoch_s"`
	StableMin float64  `json:"stable_min_s"` // epochs must be longer
	StableMax *float64 `json:"stable_max_s"` // and shorter; null: no bound
	// Jobs down on average: those waiting for recovery, those in migration, and
	// both.
	JobsDownFailure   float64    `json:"jobs_down_failure"`
	JobsDownMigration float64    `json:"jobs_down_migration"`
	JobsDown          float64    `json:"jobs_down"`
	Model             EpochModel `json:"model"`
	// FailureRate is that of the question, or of the chain.
	FailureRate float64 `json:"failure_rate_per_s"`
	// Migrations and their time are those of the question.
	Migrations    float64      `json:"migrations"`
	MigrationTime float64      `json:"migration_time_s"`
	ParallelEpoch float64      `json:"parallel_epoch_s"` // what the model parallel answers
	Chain         *ChainAnswer `json:"chain,omitempty"`
	// Of the mix of a plan: the share of its served jobs that public machines take, and
	// the jobs on them at a time.
	PublicShare *float64         `json:"public_share,omitempty"`
	PublicJobs  *float64         `json:"public_jobs,omitempty"`
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// Epoch answers an EpochQuestion. Errors: *ask.InputError; *ask.InfeasibleError where
// mm1 has no stable epoch, with both bounds and the answer of parallel, and
// where the link of a chain cannot carry its load.
func Epoch(ctx context.Context, q *EpochQuestion) (*EpochAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if err := q.Check(); err != nil {
		return nil, err
	}
	if q.Chain != nil {
		return parallel.Await(ctx, func() (*EpochAnswer, error) { return q.chain(ctx) })
	}
	if q.FailureRate == nil {
		return nil, ask.Missing("failure_rate",
			"the rate at which jobs lose all replicas such as 1/200s, or the replicas from which it follows")
	}
	best, err := reliability.BestEpoch(q.params(*q.FailureRate))
	if err != nil {
		return nil, epochError(q, *q.FailureRate, err)
	}
	return q.answer(best, *q.FailureRate)
}

// Check finds what is wrong with the question.
func (q *EpochQuestion) Check() error {
	switch {
	case q.Model != "" && q.Model != EpochMM1 && q.Model != EpochParallel:
		return ask.Inputf("model", "%q is not a model, want mm1 or parallel", string(q.Model))
	case q.Migrations == nil:
		return ask.Missing("migrations", "the number of migrations begun in an epoch such as 1")
	case q.MigrationTime == nil:
		return ask.Missing("migration_time", "the duration of a migration such as 100s")
	}
	for _, f := range []struct {
		name string
		v    *float64
		want string
	}{
		{"migrations", q.Migrations, "a number above 0"},
		{"migration_time", q.MigrationTime, "a duration above 0"},
		{"failure_rate", q.FailureRate, "a rate above 0: without failures the longest epoch is the best"},
	} {
		if f.v == nil {
			continue
		}
		if err := ask.Positive(f.name, *f.v, f.want); err != nil {
			return err
		}
	}
	// Each is above 0, and yet their product may underflow to 0, where no epoch would be bounded
	// from below.
	if q.Migrations != nil && q.MigrationTime != nil && *q.Migrations**q.MigrationTime == 0 {
		return ask.Inputf("migrations", "%s of %s s each take less than 5e-324 s together, the least positive number",
			ask.Digits(*q.Migrations), ask.Digits(*q.MigrationTime))
	}
	return nil
}

// params is the question as the model takes it, for a failure rate.
func (q *EpochQuestion) params(rate float64) reliability.EpochParams {
	return reliability.EpochParams{
		Migrations:    *q.Migrations,
		MigrationTime: *q.MigrationTime,
		FailureRate:   rate,
		Model:         q.Model.Model(),
	}
}

// answer turns the model's answer into ours. The answer of the model parallel is given beside that
// of either model: where the two differ much the choice of the model matters.
func (q *EpochQuestion) answer(best reliability.EpochAnswer, rate float64) (*EpochAnswer, error) {
	p := q.params(rate)
	p.Model = reliability.ParallelRepair
	parallel, err := reliability.BestEpoch(p)
	if err != nil {
		return nil, ask.FromReliability(err)
	}
	a := &EpochAnswer{
		Epoch: best.Epoch, StableMin: best.StableMin, StableMax: ask.Figure(best.StableMax),
		JobsDownFailure: best.JobsDownFailure, JobsDownMigration: best.JobsDownMigration, JobsDown: best.JobsDown(),
		Model:         EpochModel(best.Model.String()),
		FailureRate:   rate,
		Migrations:    *q.Migrations,
		MigrationTime: *q.MigrationTime,
		ParallelEpoch: parallel.Epoch,
	}
	if a.StableMax == nil {
		a.Warnings = append(a.Warnings, "no longest stable epoch: in the model parallel every epoch is stable")
	}
	if q.Explain {
		a.explain()
	}
	return a, nil
}

// epochError adds to an infeasible epoch both bounds and the parallel answer.
func epochError(q *EpochQuestion, rate float64, err error) error {
	var e *reliability.EpochError
	if !errors.As(err, &e) {
		return ask.FromReliability(err)
	}
	reason := ask.Sprintf(
		"no epoch is stable: the migrations need one above %s (x T), the detection of failures one below %s "+
			"(2/y − 2T)",
		units.FormatDuration(e.Lower, 4), units.FormatDuration(e.Upper, 4),
	)
	if e.Upper <= 0 {
		reason = ask.Sprintf("no epoch is stable: failures come faster than they are recovered (y T = %v), "+
			"so detection would need an epoch below %s (2/y − 2T), and the migrations need one above %s (x T)",
			rate**q.MigrationTime, units.FormatDuration(e.Upper, 4), units.FormatDuration(e.Lower, 4))
	}
	reason += ask.Sprintf(
		"; with recoveries and migrations in parallel (model parallel) the best epoch is %s, with %v jobs down",
		units.FormatDuration(e.Parallel.Epoch, 4), e.Parallel.JobsDown(),
	)
	return ask.Infeasiblef("stable_max", e.Upper, e.Lower, "%s", reason)
}

// Plots returns the jobs down against the epoch about the best one, as PCU
// figure 12 draws them.
func (a *EpochAnswer) Plots(context.Context) ([]ask.Plot, error) {
	params := reliability.EpochParams{
		Migrations:    a.Migrations,
		MigrationTime: a.MigrationTime,
		FailureRate:   a.FailureRate,
		Model:         a.Model.Model(),
	}
	points, err := reliability.EpochCurve(params, 401)
	if err != nil {
		return nil, ask.FromReliability(err)
	}
	p := ask.Plot{
		Title:    "Jobs down against the scheduling epoch",
		Subtitle: fmt.Sprintf("model %s, failures %s", a.Model, units.FormatRate(a.FailureRate, 4)),
		X:        ask.Axis{Name: "scheduling epoch", Unit: "s"},
		Y:        ask.Axis{Name: "jobs down"},
		Curves:   []ask.Curve{{Name: "all"}, {Name: "for failures"}, {Name: "for migrations"}},
		Marks:    []ask.Mark{{X: a.Epoch, Y: a.JobsDown, ByX: true}},
	}
	for _, x := range points {
		// The queues grow without end towards the bounds, so that only epochs near the best are
		// drawn.
		if x.JobsDown() <= 8*a.JobsDown {
			p.Curves[0].Add(x.Epoch, x.JobsDown())
			p.Curves[1].Add(x.Epoch, x.JobsDownFailure)
			p.Curves[2].Add(x.Epoch, x.JobsDownMigration)
		}
	}
	// The bounds of the stable epochs are drawn where the curve reaches them.
	switch {
	case a.StableMax == nil:
		p.X.Scale = ask.Log
	case points[len(points)-1].Epoch < *a.StableMax/2: // which is far beyond
		if p.X.Scale = ask.Log; a.StableMin > points[0].Epoch/2 {
			p.Upright = []ask.Rule{{Value: a.StableMin, Name: "stable from"}}
		}
	default:
		p.Upright = []ask.Rule{{Value: a.StableMin, Name: "stable from"}, {Value: *a.StableMax, Name: "to"}}
	}
	return []ask.Plot{p}, nil
}

// explain shows the formulas.
func (a *EpochAnswer) explain() {
	e := &ask.Explanation{}
	x, t, y, d := ask.Digits(a.Migrations), ask.Digits(a.MigrationTime), ask.Digits(a.FailureRate), ask.Digits(a.Epoch)
	if a.Model == EpochParallel {
		e.Model = "recoveries and migrations in parallel (Little's law)"
		e.Step("epoch", "δ* = √(2xT/y)",
			fmt.Sprintf("√(2·%s·%s s/%s per s) = %s s", x, t, y, d), "errata to PCU section 4.6")
		e.Step("jobs down", "f = y(T + δ/2) + xT/δ",
			ask.Sprintf("%v + %v = %v", a.JobsDownFailure, a.JobsDownMigration, a.JobsDown), "rate times duration")
		e.Assumptions = []string{"recoveries and migrations do not wait for one another"}
	} else {
		e.Model = "recoveries and migrations as two M/M/1 queues"
		e.Step("stable epochs", "xT < δ < 2/y − 2T", ask.Sprintf("%v s < δ < %v s", a.StableMin, *a.StableMax),
			"both queues below full use")
		e.Step("epoch", "δ* = (s(1 − yT) + xTq)/(q + sy/2), s = √(xT), q = √(y/2)",
			fmt.Sprintf("x = %s, T = %s s, y = %s per s: δ* = %s s", x, t, y, d),
			"minimum of f; PCU section 4.6 minimises numerically")
		e.Step("jobs down", "n_f = u/(1 − u), u = y(T + δ/2); n_m = xT/(δ − xT)",
			ask.Sprintf("%v + %v = %v", a.JobsDownFailure, a.JobsDownMigration, a.JobsDown), "PCU section 4.6")
		e.Assumptions = []string{"failures and migrations queue behind one another: with many machines the model " +
			"parallel is closer"}
	}
	e.Assume("a failure is noticed at the end of its epoch, on average δ/2 later")
	a.Explanation = e
}
