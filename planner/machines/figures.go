package machines

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/units"
)

// A Figures says how likely a machine stays free through a
// window.
type Figures struct {
	TemporalReliability float64  `json:"temporal_reliability"` // no failure state is entered within the window
	Unreliability       float64  `json:"unreliability"`        // 1 − that, added up from its own terms
	MTTF                *float64 `json:"mttf_s"`               // null where failure is not certain
	MeanUp              float64  `json:"mean_up_in_window_s"`  // until the first failure or the window's end
	// InitialState is the state at the window's beginning.
	InitialState string  `json:"initial_state"`
	Elapsed      float64 `json:"elapsed_s"` // already spent in it, whole steps
	Window       float64 `json:"window_s"`
	Step         float64 `json:"step_s"`
	Horizon      int     `json:"horizon_steps"`
	// FailureProbability is the chance by failure state that it is the first
	// to be entered, within the window.
	FailureProbability map[string]float64 `json:"failure_probability"`
	Samples            []StateSample      `json:"samples"` // null where the kernel does not say what it rests on

	curve *smp.Curve
}

// A StateSample says how much is known about one state. The more exits a state
// has, the surer is its row of the kernel; cut stays tell only how long they
// lasted at least.
type StateSample struct {
	State     string `json:"state"`
	Visits    int    `json:"visits"`    // sojourns seen, cut and undated ones included
	Exits     int    `json:"exits"`     // that ended in a transition
	Cut       int    `json:"cut"`       // right-censored by the end of a window
	Truncated int    `json:"truncated"` // entered before the window
	Undated   int    `json:"undated"`   // entered at an unknown time, not used
	// Longest is the longest stay that was seen.
	Longest int `json:"longest_steps"`
}

// plots returns the reliability against the length of the window, with its band
// where there is one, above the failures by state; each at no more than some 300
// lengths. With a band the reliability is drawn at the lengths of the band alone.
func (f *Figures) plots(down []string, band *ReliabilityBand, level float64) ([]ask.Plot, error) {
	if f.curve == nil {
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its curve")
	}
	window := ask.Axis{Name: "window", Unit: "s"}
	top := ask.Plot{
		Title:    "Temporal reliability against the length of the window",
		Subtitle: fmt.Sprintf("from %s, %s old", f.InitialState, units.FormatDuration(f.Elapsed, 4)),
		X:        window,
		Y:        ask.Axis{Name: "reliability", Unit: "fraction", Min: new(float64), Max: ask.Figure(1)},
		Marks:    []ask.Mark{{X: f.Window, Y: f.TemporalReliability}},
	}
	bottom := ask.Plot{X: window, Y: ask.Axis{Name: "failed by then", Unit: "fraction", Min: new(float64)}}
	n := len(f.curve.Reliability) - 1
	through := func(name string, y []float64) ask.Curve {
		c := ask.Curve{Name: name}
		c.AddEvery(n, func(k int) (float64, float64) { return float64(k) * f.Step, y[k] })
		return c
	}
	if band != nil {
		top.Subtitle += "; " + units.FormatFraction(level, 4) + " band over days"
		top.Curves = []ask.Curve{{
			Name:  "reliability",
			X:     band.Window,
			Y:     band.Estimate,
			Low:   band.Low,
			High:  band.High,
			Style: ask.Filled,
		}}
	} else {
		top.Curves = []ask.Curve{through("reliability", f.curve.Reliability)}
	}
	for d, name := range down {
		// A state that is never the first to fail has a line at 0, which is left out.
		if f.FailureProbability[name] > 0 || len(down) == 1 {
			bottom.Curves = append(bottom.Curves, through("by "+name, f.curve.ByState[d]))
		}
	}
	if len(bottom.Curves) == 0 || len(bottom.Curves) > 8 { // nothing fails, or too many lines to tell apart
		return []ask.Plot{top}, nil
	}
	return []ask.Plot{top, bottom}, nil
}

// steps turns a time into whole steps, rounded down: nothing happens between steps. A little is
// added first, so that a time of whole steps in decimals does not come out one step short.
func steps(field string, t, step float64) (int, error) {
	n := math.Floor(t/step*(1+1e-12) + 1e-9)
	if n > 1<<30 {
		return 0, ask.Inputf(field, "is %s steps of %s, want at most 2^30", ask.Digits(n), ask.Time(step))
	}
	return int(n), nil
}

// Horizon returns the whole steps of a window, at least one. Errors:
// *ask.InputError.
func Horizon(window, step float64) (int, error) {
	if err := ask.Positive("window", window, "a length above 0 such as 2h"); err != nil {
		return 0, err
	}
	n, err := steps("window", window, step)
	if err == nil && n == 0 {
		err = ask.Inputf("window", "%s is shorter than one step of %s", ask.Time(window), ask.Time(step))
	}
	return n, err
}

// figures solves a kernel from a start over n steps. The mean time up in the
// window is the sum of the reliabilities of its steps, from which the last is
// taken off: it stands for the step behind the window.
func figures(ctx context.Context, k *smp.Kernel, start smp.Start, n int, step float64,
	progress func(done, of int)) (*Figures, *smp.Reliability, error) {
	r, err := k.Reliability(ctx, n, &smp.Options{ByState: true, Progress: progress})
	if err != nil {
		return nil, nil, InputError(err)
	}
	c, err := r.From(ctx, start)
	if err != nil {
		return nil, nil, InputError(err)
	}
	space := k.Space()
	f := &Figures{
		TemporalReliability: c.Reliability[n], Unreliability: c.Failure[n],
		InitialState: space.Names[start.State], Elapsed: float64(start.Elapsed) * step,
		Window: float64(n) * step, Step: step, Horizon: n,
		MeanUp:             (c.MeanSteps - c.Reliability[n]) * step,
		FailureProbability: map[string]float64{},
		curve:              c,
	}
	for d, j := range c.Down {
		f.FailureProbability[space.Names[j]] = c.ByState[d][n]
	}
	m, err := k.MTTF(start)
	switch {
	case err == nil:
		f.MTTF = ask.Figure(m * step)
	case !errors.Is(err, smp.ErrInfinite):
		return nil, nil, InputError(err)
	}
	return f, r, nil
}

// infinite warns that there is no mean time to failure, and of what keeps it from being one.
func infinite(k *smp.Kernel, start smp.Start) []string {
	var e *smp.InfiniteError
	if _, err := k.MTTF(start); errors.As(err, &e) {
		return []string{fmt.Sprintf("no mean time to failure: %s %s", e.State, e.Reason)}
	}
	return nil
}

// smpFields names the arguments of package smp as the flags are named.
var smpFields = map[string]string{
	"Period": "period", "Light": "light", "Heavy": "heavy", "Grace": "grace", "WorkingSet": "working_set", "Gap": "gap",
	"Level": "level", "Samples": "resamples", "Train": "train", "Window.Steps": "window", "Window.Clock": "start",
	"start.Elapsed": "elapsed", "Job.Length": "task", "Job.Rate": "rate",
}

// InputError turns an error of package smp into one of a question; other errors come back as they
// are. An error about the record keeps its words, and one about an argument gets ours.
func InputError(err error) error {
	if err == nil {
		return nil
	}
	var domain *smp.DomainError
	var kernel *smp.KernelError
	var size *smp.SizeError
	text := fault.Problem(err)
	// That the context has ended is no fault of the question.
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &kernel):
		return ask.Inputf("kernel", "row %s: %s", kernel.From, kernel.Reason)
	case errors.As(err, &size):
		return ask.Inputf("window", "the answer would need %.3g MB: take a shorter window or a longer step",
			size.Need/1e6)
	case errors.Is(err, smp.ErrImpossible):
		return &ask.InputError{Field: "elapsed", Reason: text}
	case errors.As(err, &domain):
		field, ok := smpFields[domain.Arg]
		if !ok {
			field = domain.Arg
		}
		return ask.Inputf(field, "is %s, want %s", ask.Digits(domain.Value), domain.Want)
	case errors.Is(err, smp.ErrMixedPeriods):
		return &ask.InputError{Field: "period", Reason: text + ": mixed sampling periods: give the period"}
	case errors.Is(err, smp.ErrNoData), errors.Is(err, smp.ErrSample):
		return &ask.InputError{Field: "", Reason: text}
	}
	return err
}

// warned appends what package smp warns of, once each.
func warned(to []string, from []smp.Warning) []string {
	for _, w := range from {
		if !slices.Contains(to, w.Reason) {
			to = append(to, w.Reason)
		}
	}
	return to
}

// stateSamples names the samples of a fit.
func stateSamples(space smp.Space, f *smp.Fit) []StateSample {
	out := make([]StateSample, len(f.States))
	for i, s := range f.States {
		out[i] = StateSample{space.Names[i], s.Visits, s.Exits, s.Cut, s.Truncated, s.Undated, s.Longest}
	}
	return out
}

// names are those of some states.
func names(space smp.Space, states []int) []string {
	out := make([]string, len(states))
	for i, s := range states {
		out[i] = space.Names[s]
	}
	return out
}

// explainReliability shows the recursion with its result.
func explainReliability(f *Figures) *ask.Explanation {
	e := &ask.Explanation{Model: "discrete-time semi-Markov process, failure states absorbing"}
	e.Step("temporal reliability", "R_i(k) = S_i(k) + Σ_j Σ_{l≤k} q_ij(l) R_j(k−l), j not a failure state",
		ask.Sprintf("k = %d steps of %v s from %s, %v s old: R = %v", f.Horizon, f.Step, f.InitialState, f.Elapsed,
			f.TemporalReliability), "iShare eq. 3 and 4, limits of the sums put right")
	e.Step("failure by state", "f_ij(k) = q_ij(k) + Σ_h Σ_{l≤k} q_ih(l) f_hj(k−l)",
		ask.Sprintf("1 − R = %v, from its own terms", f.Unreliability), "first passage of a Markov renewal process")
	mttf := "infinite"
	if f.MTTF != nil {
		mttf = ask.Digits(*f.MTTF) + " s"
	}
	e.Step("mean time to failure", "MTTF = Σ_{k≥0} R(k)·d", "MTTF = "+mttf, "iShare eq. 5")
	e.Assume(
		"the next state and the length of a stay depend on the present state only; the probability that a row lacks " +
			"to 1 is that of never leaving the state")
	return e
}
