package survival

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// MostCheckpointReplicas bounds the replicas that checkpointing is compared
// with.
const MostCheckpointReplicas = 100

// A CheckpointQuestion asks when a long job should save its state. Failures are a
// Poisson process that strikes during checkpoints and restarts too. The complete
// model is that of Daly 2006.
type CheckpointQuestion struct {
	// MTBF, Cost and Work have to be given, above 0.
	MTBF    *float64 `json:"mtbf_s"`              // mean time between failures of one machine
	Cost    *float64 `json:"cost_s"`              // time to write a checkpoint
	Restart *float64 `json:"restart_s,omitempty"` // nil: 0
	Work    *float64 `json:"work_s"`              // time of the job without failures
	// MTTR is the mean time to replace a failed replica from a live one; nil
	// takes the restart time.
	MTTR *float64 `json:"mttr_s,omitempty"`
	// Replicas is the greatest number of replicas to compare with; 0: 4.
	Replicas int64 `json:"replicas,omitempty"`
	// Curve, in place of MTBF, is what is predicted of the machine; nil: none.
	Curve   *PredictedCurve `json:"-"`
	Explain bool            `json:"explain,omitempty"`
}

// A CheckpointRun is an interval and what it costs. A run time that no number
// holds is null, its logarithm is not.
type CheckpointRun struct {
	Rule        string   `json:"rule"`
	Interval    float64  `json:"interval_s"` // work between two checkpoints
	ExpectedRun *float64 `json:"expected_run_s"`
	Slowdown    *float64 `json:"slowdown"` // run time over work
	// Log10Slowdown is given if the run time itself is beyond all numbers.
	Log10Slowdown float64 `json:"log10_slowdown"`
}

// A RunOption is a way to run the job. Machine time is what the run takes on all
// its machines together.
type RunOption struct {
	Name     string   `json:"name"`
	Replicas int64    `json:"replicas"`   // machines at a time
	Interval *float64 `json:"interval_s"` // null: no checkpoint
	// ExpectedRun and the machine time are null beyond the greatest number.
	ExpectedRun *float64 `json:"expected_run_s"`
	MachineTime *float64 `json:"machine_time_s"`
	Setback     float64  `json:"setback_probability"` // that a failure costs work at least once
	Loss        float64  `json:"loss_probability"`    // that the job starts over, all work lost, at least once
}

// A CheckpointAnswer is the best interval beside the rules of thumb.
type CheckpointAnswer struct {
	Interval      float64  `json:"interval_s"`     // exact optimum
	ExpectedRun   *float64 `json:"expected_run_s"` // with it
	Slowdown      *float64 `json:"slowdown"`
	Log10Slowdown float64  `json:"log10_slowdown"`
	// The rules of thumb stand beside the exact optimum: Young 1974, Daly 2006 of
	// first and of higher order.
	Young      float64 `json:"young_interval_s"`
	DalyFirst  float64 `json:"daly_first_interval_s"`
	DalyHigher float64 `json:"daly_higher_interval_s"`
	// A job saves a whole number of times, and Whole is the best interval that
	// divides it evenly.
	Segments      float64  `json:"segments"`           // best whole number of equal segments
	Whole         float64  `json:"segment_s"`          // work in each
	WholeRun      *float64 `json:"segment_run_s"`      // expected run time with them
	WithoutSaving *float64 `json:"without_saving_s"`   // expected run time without a checkpoint
	Fastest       string   `json:"fastest,omitempty"`  // of the options
	Cheapest      string   `json:"cheapest,omitempty"` // by machine time
	// young, daly first order, daly higher order, exact, whole segments, without
	Rules []CheckpointRun `json:"rules"`
	// checkpointing, and replicas without it; null without a time to replace
	Options []RunOption `json:"options"`
	MTTR    *float64    `json:"mttr_s"` // of the comparison
	// Predicted is the interval by a predicted curve, where one was given.
	Predicted   *PredictedInterval `json:"predicted,omitempty"`
	Question    CheckpointInputs   `json:"question"` // as put
	Warnings    []string           `json:"warnings,omitempty"`
	Explanation *ask.Explanation   `json:"explanation,omitempty"`
}

// CheckpointInputs repeats the question. An answer that was read is drawn by it.
type CheckpointInputs struct {
	MTBF    float64 `json:"mtbf_s"`
	Cost    float64 `json:"cost_s"`
	Restart float64 `json:"restart_s"`
	Work    float64 `json:"work_s"`
}

// params checks that all times are given but that of a restart, which takes none unless it is
// given.
func (q *CheckpointQuestion) params() (p reliability.CheckpointParams, err error) {
	for _, f := range []struct {
		name  string
		v     *float64
		put   *float64
		known string
	}{
		{"mtbf", q.MTBF, &p.MTBF, "the mean time between failures such as 1d"},
		{"cost", q.Cost, &p.Cost, "the time to write a checkpoint such as 5min"},
		{"work", q.Work, &p.Work, "the time of the job without failures such as 7d"},
	} {
		if f.v == nil {
			return p, ask.Missing(f.name, f.known)
		}
		if err := ask.Positive(f.name, *f.v, "a duration above 0: "+f.known); err != nil {
			return p, err
		}
		*f.put = *f.v
	}
	p.Restart = ask.Value(q.Restart)
	return p, nil
}

// Checkpoint answers a CheckpointQuestion. Errors: *ask.InputError, and that of
// ctx.
func Checkpoint(ctx context.Context, q *CheckpointQuestion) (*CheckpointAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	// A curve gives a mean rate. The rules and the comparison are asked for as if that rate were
	// constant, and what the curve itself says is added at the end.
	rate := 0.0
	if q.Curve != nil {
		if q.MTBF != nil {
			return nil, ask.Inputf("mtbf", "is given together with a predicted curve: leave one of them out")
		}
		var err error
		if rate, err = q.Curve.check(); err != nil {
			return nil, err
		}
		by := *q
		by.MTBF = ask.Figure(1 / rate)
		q = &by
	}
	p, err := q.params()
	if err != nil {
		return nil, err
	}
	c, err := reliability.Checkpoint(p)
	if err != nil {
		return nil, ask.FromReliability(err)
	}
	a := &CheckpointAnswer{
		Interval:      c.Optimal.Interval,
		ExpectedRun:   ask.Figure(c.Optimal.ExpectedRun),
		Slowdown:      ask.Figure(c.Optimal.Slowdown),
		Log10Slowdown: c.Optimal.LogSlowdown / math.Ln10,
		Young:         c.Young.Interval, DalyFirst: c.DalyFirst.Interval, DalyHigher: c.DalyHigher.Interval,
		Segments:      c.Segments,
		Whole:         c.Whole.Interval,
		WholeRun:      ask.Figure(c.Whole.ExpectedRun),
		WithoutSaving: ask.Figure(c.WithoutSaving.ExpectedRun),
		Question:      CheckpointInputs(p),
	}
	for _, r := range []struct {
		name string
		plan reliability.CheckpointPlan
	}{{"young", c.Young}, {"daly first order", c.DalyFirst}, {"daly higher order", c.DalyHigher}, {"exact", c.Optimal},
		{"whole segments", c.Whole}, {"without checkpoints", c.WithoutSaving}} {
		a.Rules = append(a.Rules, CheckpointRun{r.name, r.plan.Interval, ask.Figure(r.plan.ExpectedRun),
			ask.Figure(r.plan.Slowdown), r.plan.LogSlowdown / math.Ln10})
	}
	if math.IsInf(c.WithoutSaving.ExpectedRun, 1) {
		ask.Warn(&a.Warnings,
			"no run time without checkpoints: it is 10^%s times the work, beyond the greatest number",
			ask.Digits(c.WithoutSaving.LogSlowdown/math.Ln10))
	}
	if a.ExpectedRun == nil {
		a.Warnings = append(a.Warnings,
			"no expected run time: even with checkpoints it is beyond the greatest number; the logarithm of the "+
				"slowdown is given instead")
	}
	switch {
	case c.Optimal.Interval >= p.Work:
		a.Warnings = append(a.Warnings, "the best interval is longer than the job: it needs no checkpoint")
	case a.SavesNothing():
		a.Warnings = append(a.Warnings,
			"the job is so short that a checkpoint costs more than it saves: without_saving_s is less than "+
				"segment_run_s")
	}
	if err := q.compare(ctx, p, a); err != nil {
		return nil, err
	}
	if q.Explain {
		a.explain()
	}
	if q.Curve != nil {
		if err := a.predicted(ctx, q.Curve, p.Cost, rate); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// SavesNothing reports whether the job is done sooner without a checkpoint than with the best whole
// number of segments. That is so for jobs of up to some two intervals: the rules spread the cost of
// a checkpoint over work without an end.
func (a *CheckpointAnswer) SavesNothing() bool {
	return a.WithoutSaving != nil && a.WholeRun != nil && *a.WithoutSaving <= *a.WholeRun
}

// compare sets checkpointing against replicas. Replicas save nothing and begin
// anew only when all are down at once, so that they need a time in which one is
// replaced.
func (q *CheckpointQuestion) compare(ctx context.Context, p reliability.CheckpointParams, a *CheckpointAnswer) error {
	// Without a time to replace a replica that of a restart stands for it.
	mttr := p.Restart
	if q.MTTR != nil {
		mttr = *q.MTTR
		if err := ask.Positive("mttr", mttr, "a duration above 0"); err != nil {
			return err
		}
	}
	most := cmp.Or(q.Replicas, 4)
	switch {
	case most < 1 || most > MostCheckpointReplicas:
		return ask.Inputf("replicas", "is %d, want 1 to %d replicas to compare with", most, MostCheckpointReplicas)
	case mttr == 0:
		a.Warnings = append(a.Warnings,
			"no comparison with replicas: it needs a time to replace a failed replica, mttr or restart above 0")
		return nil
	}
	a.MTTR = ask.Figure(mttr)
	r, err := reliability.CompareRuns(ctx, reliability.RunParams{
		Component: reliability.Component{MTTF: p.MTBF, MTTR: mttr},
		Work:      p.Work,
		Restart:   p.Restart,
		Cost:      p.Cost},
		int(most))
	if err != nil {
		return ask.FromReliability(err)
	}
	options := append([]reliability.RunOption{r.Checkpoint}, r.Replicated...)
	for i, o := range options {
		name := fault.Count(o.Replicas, "replica")
		switch {
		case i == 0 && o.Interval > 0:
			name = "checkpoints"
		case i == 0:
			name = "one machine, no checkpoint needed"
		case o.Replicas == 1:
			name = "1 replica"
		}
		out := RunOption{
			Name:        name,
			Replicas:    int64(o.Replicas),
			ExpectedRun: ask.Figure(o.ExpectedRun),
			MachineTime: ask.Figure(o.MachineTime),
			Setback:     o.Setback,
			Loss:        o.Loss,
		}
		if o.Interval > 0 {
			out.Interval = ask.Figure(o.Interval)
		}
		if out.ExpectedRun == nil {
			a.Warnings = append(a.Warnings, "no expected run time of "+name+": it is beyond the greatest number")
		}
		a.Options = append(a.Options, out)
	}
	// The comparison counts the option with checkpoints as −1.
	a.Fastest, a.Cheapest = a.Options[r.Fastest+1].Name, a.Options[r.Cheapest+1].Name
	return nil
}

// Plots returns the expected run time against the interval, about the best one
// by equal ratios, with the rules of thumb and the fastest set of replicas.
// Intervals whose run time no number holds are left out.
func (a *CheckpointAnswer) Plots(context.Context) ([]ask.Plot, error) {
	if a.ExpectedRun == nil {
		return nil, ask.NothingDrawn("the run time is beyond what can be drawn")
	}
	params := reliability.CheckpointParams(a.Question)
	// Run times of more than four times the least would press the rest into a
	// corner.
	most := 4 * *a.ExpectedRun
	curve := ask.Curve{Name: "checkpoints"}
	// The curve covers a tenth of the least interval to ten times the greatest,
	// evenly in its logarithm.
	low := min(a.Interval, a.Young, a.DalyFirst, a.DalyHigher) / 10
	high := max(a.Interval, a.Young, a.DalyFirst, a.DalyHigher) * 10
	for i := range 201 {
		at := low * math.Pow(high/low, float64(i)/200)
		plan, err := reliability.CheckpointRun(params, at)
		if err != nil {
			return nil, ask.FromReliability(err)
		}
		if plan.ExpectedRun <= most && plan.Slowdown < 1e12 {
			curve.Add(at, plan.ExpectedRun)
		}
	}
	if len(curve.X) < 2 {
		return nil, ask.NothingDrawn("the run time is beyond what can be drawn")
	}
	rules := ask.Curve{Name: "Young, Daly", Style: ask.Apart}
	// The first three rules are those of thumb.
	for _, r := range a.Rules[:min(3, len(a.Rules))] {
		if r.ExpectedRun != nil && *r.ExpectedRun <= most {
			rules.Add(r.Interval, *r.ExpectedRun)
		}
	}
	p := ask.Plot{
		Title: "Expected run time against the checkpoint interval",
		Subtitle: fmt.Sprintf("%s of work, MTBF %s, checkpoint %s", units.FormatDuration(a.Question.Work, 4),
			units.FormatDuration(a.Question.MTBF, 4), units.FormatDuration(a.Question.Cost, 4)),
		X:      ask.Axis{Name: "work between checkpoints", Unit: "s", Scale: ask.Log},
		Y:      ask.Axis{Name: "expected run time", Unit: "s"},
		Curves: []ask.Curve{curve},
		// A dot would hide the rules of thumb, which mostly lie within its width.
		Upright: []ask.Rule{{Value: a.Interval, Name: "least:"}},
	}
	if len(rules.X) > 0 {
		p.Curves = append(p.Curves, rules)
	}
	// The shape is what is drawn: the axis begins below the least.
	least := 0.96 * *a.ExpectedRun
	for _, o := range a.Options {
		if o.Name == a.Fastest && o.Interval == nil && o.ExpectedRun != nil && *o.ExpectedRun <= most {
			p.Across = append(p.Across, ask.Rule{Value: *o.ExpectedRun, Name: o.Name + ", no checkpoint:"})
			least = min(least, 0.96**o.ExpectedRun)
		}
	}
	p.Y.Min = &least
	p.Subtitle += "; the time axis begins at " + units.FormatDuration(least, 3)
	return []ask.Plot{p}, nil
}

// explain shows the formulas.
func (a *CheckpointAnswer) explain() {
	q := a.Question
	m, c, r := ask.Digits(q.MTBF), ask.Digits(q.Cost), ask.Digits(q.Restart)
	e := &ask.Explanation{Model: "a job that saves its state, failures a Poisson process"}
	e.Step("Young", "τ = √(2CM)", ask.Sprintf("√(2·%s·%s) = %v s", c, m, a.Young), "Young 1974")
	e.Step("Daly, first order", "τ = √(2C(M + R)) − C",
		ask.Sprintf("√(2·%s(%s + %s)) − %s: %v s", c, m, r, c, a.DalyFirst), "Daly 2006; M where this is not above 0")
	e.Step("Daly, higher order", "τ = √(2CM)(1 + √(C/2M)/3 + (C/2M)/9) − C, or M if C ≥ 2M",
		ask.Digits(a.DalyHigher)+" s", "Daly 2006, eq. 37")
	e.Step("exact", "τ = M(1 + W₀(−e^(−1−C/M)))", ask.Sprintf("M = %s s, C = %s s: τ = %v s", m, c, a.Interval),
		"minimum of the expected run time")
	run := "beyond the greatest number"
	if a.ExpectedRun != nil {
		run = ask.Digits(*a.ExpectedRun) + " s"
	}
	e.Step("expected run time", "E[T] = M e^(R/M)(e^((τ+C)/M) − 1)T_s/τ",
		ask.Sprintf("R = %s s, T_s = %v s: %s", r, q.Work, run), "Daly 2006, complete model")
	if len(a.Options) > 0 && a.Options[0].Interval != nil {
		e.Step("set back, begun anew", "1 − e^(−(T_s + nC)/M), 1 − e^(−(τ + C)/M), n = T_s/τ",
			ask.Sprintf("τ = %v s: %v, %v", *a.Options[0].Interval, a.Options[0].Setback, a.Options[0].Loss),
			"no failure until the end; no failure until the first checkpoint is written")
	}
	e.Assumptions = []string{
		"times between failures are exponential; failures also strike during checkpoints and restarts; after a " +
			"failure the segment is repeated from its start",
		"replicas run in step and are replaced by copying a live one after an exponential time of mean MTTR; when " +
			"all are down the work starts over",
	}
	a.Explanation = e
}
