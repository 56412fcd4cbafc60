package machines

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// A PredictQuestion asks how likely a machine stays free through a window of
// a day, from its record. Only days of the same kind are looked at, weekdays or
// weekends, which the window names.
type PredictQuestion struct {
	Host *Trace `json:"-"`
	Labelling
	DayWindow
	State string `json:"state,omitempty"` // at the window's beginning; empty: the up state in which most days begin
	// Elapsed is the time spent in it by then. Where it is known, ages count
	// from the entry of a state; nil: from the window's beginning.
	Elapsed   *float64 `json:"elapsed_s,omitempty"`
	Counts    bool     `json:"counts,omitempty"`   // estimate by counts, dropping cut sojourns
	Censored  bool     `json:"censored,omitempty"` // give stays after a failure the weight of those before
	Level     float64  `json:"level,omitempty"`    // of the band; 0: 0.9
	Resamples int      `json:"resamples,omitempty"`
	Seed      uint64   `json:"seed,omitempty"`
	Explain   bool     `json:"explain,omitempty"`
}

// A PredictAnswer holds the prediction and what it rests on.
type PredictAnswer struct {
	Figures
	Low   *float64 `json:"temporal_reliability_low"` // of the band; null with fewer than two days
	High  *float64 `json:"temporal_reliability_high"`
	Level float64  `json:"level"`
	// Resamples of the days, by which the band was found.
	Resamples int    `json:"resamples"`
	Seed      uint64 `json:"seed"`
	// MTTFParametric is the mean time to failure by sojourn laws of least AIC,
	// which goes on beyond the window.
	MTTFParametric *float64 `json:"mttf_parametric_s"`
	// share of whole days that begin in the initial state and do not fail
	Observed *float64 `json:"observed_reliability"`
	// ObservedDays are whole days that begin in that state.
	ObservedDays int `json:"observed_days"`
	// AtStart is the share of the days on which the window begins free. Free is
	// the probability to be free throughout where it is not known yet how the
	// window begins: the temporal reliabilities from S1 and S2, each times the
	// share of days that begin there; null with a given state.
	AtStart float64  `json:"free_at_start"`
	Free    *float64 `json:"free_throughout"`
	Host    string   `json:"host"`
	Day     string   `json:"day"`
	Start   string   `json:"start"`
	Days    int      `json:"days"`
	// Dates are the days that were learned from.
	Dates []string `json:"dates"`
	// StartStates counts the days by the state in which the window begins.
	StartStates map[string]int `json:"start_states"`
	Estimator   string         `json:"estimator"` // to-failure, censored or counts
	// Repair is of the same window, but by all stays, those after a failure too;
	// null where no failure is seen to end.
	Repair      *Repair          `json:"repair"`
	Chosen      *Choice          `json:"chosen,omitempty"` // why the model is this one; absent where it was asked for
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`

	// Down are the failure states.
	Down    []string `json:"failure_states"`
	band    *smp.Band
	unknown bool // there is nothing to predict from
}

// Predict answers a PredictQuestion. Errors: *ask.InputError where the record
// holds no such days, or the machine is never seen free then.
func Predict(ctx context.Context, q *PredictQuestion) (*PredictAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	l, err := q.Label(q.Host)
	if err != nil {
		return nil, err
	}
	w, err := q.learn(l, &lesson{state: q.State, elapsed: q.Elapsed, aged: q.Elapsed != nil, counts: q.Counts,
		censored: q.Censored})
	if err != nil {
		return nil, err
	}
	a := &PredictAnswer{
		Host:        q.Host.Name,
		Day:         q.Day,
		Start:       ask.Clock(q.Start),
		Days:        len(w.days),
		Level:       q.Level,
		Seed:        q.Seed,
		Estimator:   "to-failure",
		Warnings:    w.warnings,
		StartStates: w.begins,
		Down:        names(w.space, w.space.Down()),
	}
	for _, d := range w.days {
		a.Dates = append(a.Dates, d.Date.String())
	}
	switch {
	case q.Counts:
		a.Estimator = "counts"
	case q.Censored:
		a.Estimator = "censored"
	}
	f, r, err := w.figures(ctx)
	if err != nil {
		return nil, err
	}
	a.Figures = *f
	a.Samples = stateSamples(w.space, w.fit)
	if err := a.known(ctx, q.State == "" && q.Elapsed == nil, w.start, r); err != nil {
		return nil, err
	}
	a.Warnings = append(a.Warnings, infinite(w.fit.Kernel, w.start)...)
	// The laws need enough stays of each state, and without them the field stays null.
	if p, err := smp.EstimateParametric(w.space, smp.Sequences(w.days)); err == nil {
		if m, err := p.MTTF(w.start); err == nil {
			a.MTTFParametric = ask.Figure(m * w.step)
		}
	}
	all := w.fit
	if a.Estimator == "to-failure" { // which is not for what comes after a repair
		if all, err = EstimateDays(w.space, w.days, false, true); err != nil {
			return nil, err
		}
	}
	if a.Repair, err = repair(ctx, all.Kernel, w.start, w.steps, w.step, nil); err != nil {
		return nil, err
	}
	a.observe(w)
	if err := a.limits(ctx, q, w); err != nil {
		return nil, err
	}
	if q.Explain {
		a.Explanation = a.explain(f)
		explainRepair(a.Explanation, a.Repair)
	}
	return a, nil
}

// known fills in how often the window begins free. Where it never does, or the machine is never
// seen in the state that was asked for, nothing tells how long it stays free. With open the
// question names no state, and the chance to be free throughout is over both.
func (a *PredictAnswer) known(ctx context.Context, open bool, start smp.Start, r *smp.Reliability) error {
	up := a.StartStates["S1"] + a.StartStates["S2"]
	a.AtStart = float64(up) / float64(a.Days)
	if open && up == 0 {
		return ask.Inputf("start",
			"the machine is free at that moment on 0 of %s: nothing says how long it would stay free, want another "+
				"start or window",
			fault.Count(a.Days, "day"))
	}
	if open {
		free := 0.0
		for _, s := range []int{smp.S1, smp.S2} {
			c, err := r.From(ctx, smp.Start{State: s})
			if err != nil {
				return InputError(err)
			}
			free += float64(a.StartStates[smp.FiveStates().Names[s]]) / float64(a.Days) * c.Reliability[r.N]
		}
		a.Free = ask.Figure(free)
	}
	if s := a.Samples[start.State]; s.Visits == 0 {
		return ask.Inputf("state",
			"the machine is in %s in 0 of %s: nothing says how long it would stay free, want another state, "+
				"start or window",
			s.State, fault.Count(a.Days, "window"))
	}
	return nil
}

// observe counts the days that begin in the state and end without failure. It
// stands beside the prediction as a check that needs no model. Days with gaps,
// and those that begin otherwise, do not count.
func (a *PredictAnswer) observe(w *fittedWindow) {
	kept := 0
	for _, d := range w.days {
		if !d.Whole || len(d.Parts) != 1 || d.Parts[0][0].State != w.start.State {
			continue
		}
		a.ObservedDays++
		if _, failed := d.Parts[0].Failed(w.space); !failed {
			kept++
		}
	}
	if a.ObservedDays > 0 {
		a.Observed = ask.Figure(float64(kept) / float64(a.ObservedDays))
	}
}

// limits adds the confidence band.
func (a *PredictAnswer) limits(ctx context.Context, q *PredictQuestion, w *fittedWindow) error {
	a.Level = cmp.Or(a.Level, 0.9)
	if len(w.days) < 2 {
		a.Warnings = append(a.Warnings, "one day gives no confidence band")
		return nil
	}
	// Forty lengths are enough for a curve, and each is a quantile over all
	// resamples.
	const points = 40
	var horizons []int
	for m := range points + 1 {
		k := int(math.Round(float64(w.steps) * float64(m) / points))
		if len(horizons) == 0 || k > horizons[len(horizons)-1] {
			horizons = append(horizons, k)
		}
	}
	b, err := smp.ReliabilityBand(ctx, w.space, w.days, w.start, horizons,
		&smp.BandOptions{Level: a.Level, Samples: q.Resamples, Seed: q.Seed, Counts: q.Counts, Censored: q.Censored})
	if err != nil {
		return InputError(err)
	}
	a.band, a.Resamples = b, b.Resamples
	a.Low, a.High = ask.Figure(b.Low[len(horizons)-1]), ask.Figure(b.High[len(horizons)-1])
	a.Warnings = warned(a.Warnings, b.Warnings)
	return nil
}

// A ReliabilityBand is the band of a prediction at some lengths of the window.
type ReliabilityBand struct{ Window, Low, Estimate, High []float64 }

// Band returns the band for a drawing; nil where there is none.
func (a *PredictAnswer) Band() *ReliabilityBand {
	if a.band == nil {
		return nil
	}
	b := &ReliabilityBand{Low: a.band.Low, Estimate: a.band.Estimate, High: a.band.High}
	for _, k := range a.band.Horizons {
		b.Window = append(b.Window, float64(k)*a.Step)
	}
	return b
}

// Plots returns the reliability against the length of the window with its band,
// above the failures by state.
func (a *PredictAnswer) Plots(context.Context) ([]ask.Plot, error) {
	return a.plots(a.Down, a.Band(), a.Level)
}

// explain says by which estimator the kernel was found, with the counts of the
// state in which the window begins.
func (a *PredictAnswer) explain(f *Figures) *ask.Explanation {
	e := explainReliability(f)
	i := slices.IndexFunc(a.Samples, func(s StateSample) bool { return s.State == a.InitialState })
	s := a.Samples[i]
	numbers := fmt.Sprintf("%s; %s: %s, %d seen to their end, %d cut, %d entered before",
		fault.Count(a.Days, "day"), s.State, fault.Count(s.Visits, "sojourn"), s.Exits, s.Cut, s.Truncated)
	step := ask.Step{
		Name:    "kernel",
		Formula: "q_ij(l) = S_i(l−1)·d_ij(l)/n_i(l), S_i(l) = Π_{m≤l} (1 − d_i(m)/n_i(m))",
		Numbers: numbers,
		Source:  "Kalbfleisch & Prentice 2002, 8.2; iShare 6.2 without dropping cut sojourns",
	}
	switch a.Estimator {
	case "counts":
		step.Formula, step.Source = "q_ij(l) = N_ij(l)/N_i", "iShare 6.2"
	case "to-failure":
		step.Numbers += "; stays after a failure weigh as one"
	}
	e.Steps = append([]ask.Step{step}, e.Steps...)
	e.Assume("days of one kind are alike and independent of each other; the band resamples days")
	return e
}
