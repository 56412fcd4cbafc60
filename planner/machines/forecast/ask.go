package forecast

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/frailty"
)

// A Question asks how likely machines of a fleet stay free through a window of a
// day to come. The window is on the next day of its kind after the records.
type Question struct {
	Fleet *Fleet `json:"-"`
	machines.DayWindow
	// the machine asked for, which the fleet need not know; empty: all, the best first
	Host string `json:"host,omitempty"`
	// Elapsed is for how long the machine has been free when the window begins; nil:
	// not known.
	Elapsed *float64 `json:"elapsed_s,omitempty"`
	Level   float64  `json:"level,omitempty"` // of the bands; 0: 0.9
	Explain bool     `json:"explain,omitempty"`
}

// An Answer says how likely machines stay free, the best first.
type Answer struct {
	Host        string  `json:"host"`                 // the machine asked for, or the best
	Reliability float64 `json:"temporal_reliability"` // its chance to stay free through the window
	// Of the band; null where the model gives none.
	Low  *float64 `json:"temporal_reliability_low"`
	High *float64 `json:"temporal_reliability_high"`
	// MTTF is null: frailties near 0 are not excluded, and the mean is infinite.
	MTTF         *float64           `json:"mttf_s"`
	InitialState string             `json:"initial_state"`       // free, which is S1 or S2
	Failure      map[string]float64 `json:"failure_probability"` // by "any" failure state: they are not told apart
	Samples      []Machine          `json:"samples"`             // what the figures of the machine rest on

	Choice string `json:"choice"`
	Model  string `json:"model"`
	// Chosen says why it is this model; absent where it was asked for.
	Chosen *machines.Choice `json:"chosen,omitempty"`
	Level  float64          `json:"level"`
	WindowAhead
	Fleet int     `json:"machines"`                // of the fleet
	Shape float64 `json:"frailty_shape,omitempty"` // of the law of frailties, where the model has one
	// Typical is the chance for an unknown machine by the model frailty, else the mean over the
	// machines.
	Typical float64 `json:"fleet_temporal_reliability"`
	// Converged is false where the hazard of the fleet still changed when the fit
	// ended.
	Converged bool      `json:"converged"`
	Machines  []Machine `json:"hosts"` // all that were asked for
	Warnings  []string  `json:"warnings,omitempty"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`

	curve   []float64 // chance of the first machine by steps
	lengths []int     // of the curve; nil: each
}

// A WindowAhead is the window that an answer is of.
type WindowAhead struct {
	Day   string `json:"day"`
	Start string `json:"start"`
	Date  string `json:"date"`
	// Elapsed is that of the question; null where it was not known.
	Elapsed *float64 `json:"elapsed_s"`
	Window  float64  `json:"window_s"`
	Step    float64  `json:"step_s"`
	Horizon int      `json:"horizon_steps"` // the window in steps of the record's period
}

// A Machine is what the fleet knows of one machine. Figures of its record are 0
// for a machine that has none.
type Machine struct {
	Rank int    `json:"rank"`
	Name string `json:"name"`
	// Group is the one whose frailty it shares; empty: none.
	Group       string  `json:"group,omitempty"`
	Known       bool    `json:"known"`                // it has a record
	Reliability float64 `json:"temporal_reliability"` // chance to stay free through the window
	// Low and High are the band; null where the model gives none.
	Low      *float64 `json:"temporal_reliability_low"`
	High     *float64 `json:"temporal_reliability_high"`
	Failures float64  `json:"failures"` // in its record
	// Of the model frailty: what a machine like the mean of the fleet would have had
	// there, and its frailty, 1 for such a machine.
	Expected float64 `json:"expected_failures,omitempty"`
	Frailty  float64 `json:"frailty,omitempty"`
	Exposure float64 `json:"free_s"` // how long it was seen free
}

// Ask answers a Question. Errors: *ask.InputError. A machine that is not in the fleet is predicted
// as an unknown one.
func Ask(ctx context.Context, q *Question) (*Answer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	w, a, err := q.window()
	if err != nil {
		return nil, err
	}
	model := &q.Fleet.Hazard
	ages, err := q.Fleet.ages(w, q.Elapsed != nil)
	if err != nil {
		return nil, err
	}
	spread, mean := 0.0, 0.0
	for _, x := range ages {
		spread += x.weight * x.spread
		mean += x.weight * x.ahead[a.Horizon].Expected
	}
	a.Typical = survival(model, frailty.Machine{}, ages, a.Horizon)
	names := q.Fleet.names()
	if q.Host != "" {
		names = []string{q.Host}
	}
	a.Machines = make([]Machine, len(names))
	err = parallel.All(ctx, len(names), func(i int) error {
		x, m := q.Fleet.machine(names[i])
		m.Reliability = survival(model, x, ages, a.Horizon)
		band, err := model.Band(x, expected(model, x, known(model, x, ages, a.Horizon), mean), spread, a.Level)
		// The chance is a mean over what is not known of the hazard, and the band
		// is around the hazard known: at its ends the two may cross.
		m.Low = ask.Figure(math.Min(band.Low, m.Reliability))
		m.High = ask.Figure(math.Max(band.High, m.Reliability))
		a.Machines[i] = m
		return err
	})
	if err != nil {
		return nil, machines.InputError(err)
	}
	first := a.order()
	best, _ := model.Machine(first.Name)
	for k := range a.Horizon + 1 {
		a.curve = append(a.curve, survival(model, best, ages, k))
	}
	a.say(q, w, best, expected(model, best, a.Reliability, mean))
	return a, nil
}

// machine returns what the hazard and the record say of a machine.
func (f *Fleet) machine(name string) (frailty.Machine, Machine) {
	x, known := f.Hazard.Machine(name)
	m := Machine{
		Name:     name,
		Known:    known,
		Group:    x.Group,
		Failures: x.Failures,
		Expected: x.Expected,
		Frailty:  x.Frailty,
	}
	// Exposures count half steps, two for each step that the machine was free.
	if k, ok := f.find(name); ok {
		m.Exposure = float64(f.Records[k].Exposure.Total()) / 2 * f.Hazard.Period
	}
	return x, m
}

// order puts the machines in order and returns the first.
func (a *Answer) order() Machine {
	// Of equal chances the machine that is known better comes first. Numbers are sorted, and not
	// the machines, which are large.
	at := make([]int, len(a.Machines))
	for i := range at {
		at[i] = i
	}
	sort.Slice(at, func(i, j int) bool {
		x, y := &a.Machines[at[i]], &a.Machines[at[j]]
		return cmp.Or(cmp.Compare(y.Reliability, x.Reliability), cmp.Compare(y.Expected, x.Expected),
			cmp.Compare(y.Exposure, x.Exposure), at[i]-at[j]) < 0
	})
	ordered := make([]Machine, len(at))
	for i, m := range at {
		ordered[i] = a.Machines[m]
		ordered[i].Rank = i + 1
	}
	a.Machines = ordered
	first := a.Machines[0]
	a.Host, a.Choice, a.Reliability, a.Low, a.High = first.Name, first.Name, first.Reliability, first.Low, first.High
	a.InitialState, a.Failure, a.Samples = "free", map[string]float64{"any": 1 - first.Reliability}, []Machine{first}
	return first
}

// window checks the question and returns the window that it asks of.
func (q *Question) window() (w frailty.Window, a *Answer, err error) {
	f := q.Fleet
	if err := f.usable(); err != nil {
		return w, nil, err
	}
	a = &Answer{
		Model:       f.Model,
		Level:       cmp.Or(q.Level, 0.9),
		WindowAhead: WindowAhead{Day: q.Day, Start: ask.Clock(q.Start), Elapsed: q.Elapsed, Step: f.Hazard.Period},
		Fleet:       len(f.Records),
		Shape:       f.Hazard.Shape,
		Converged:   f.Hazard.Converged,
	}
	if !(a.Level > 0 && a.Level < 1) {
		return w, nil, ask.Inputf("level", "want a confidence level between 0 and 1 such as 90%%")
	}
	first, steps, err := f.at(&q.DayWindow)
	if err != nil {
		return w, nil, err
	}
	w = frailty.Window{First: first, Steps: int64(steps)}
	if q.Elapsed != nil {
		if !(*q.Elapsed >= 0) || *q.Elapsed > 1e12 {
			return w, nil, ask.Inputf("elapsed", "want a time such as 10min")
		}
		w.Age = frailty.Age{Steps: int64(math.Floor(*q.Elapsed/f.Hazard.Period + 1e-9))}
	}
	a.Window, a.Horizon = float64(steps)*f.Hazard.Period, steps
	a.Date = (&machines.Labelled{History: &smp.History{Period: f.Hazard.Period},
		Calendar: f.calendar()}).Moment(first).Format("2006-01-02")
	return w, a, nil
}

// say adds the warnings and the explanation.
func (a *Answer) say(q *Question, w frailty.Window, x frailty.Machine, ahead float64) {
	a.Warnings = append(a.Warnings, q.Fleet.Warnings...)
	if q.Host != "" && !a.Machines[0].Known {
		ask.Warn(&a.Warnings, "the fleet has no record of %s%s: it is predicted as an unknown machine of the fleet",
			spell.Quote(q.Host), spell.Suggest(q.Host, q.Fleet.names()))
	}
	a.Warnings = slices.Concat(a.Warnings, q.Fleet.few(), q.Fleet.unseen(w, q.Elapsed != nil))
	if !q.Explain {
		return
	}
	m := &q.Fleet.Hazard
	e := &ask.Explanation{Model: "one hazard of age and hour for the fleet, a gamma frailty for each machine"}
	e.Step("expected failures", "ΔL = Σ α(age)·β(hour) over the steps of the window", "ΔL = "+ask.Digits(ahead),
		"proportional fitting, Deming and Stephan 1940")
	e.Step("temporal reliability", "p = ((k + L)/(k + L + ΔL))^(k + d)",
		ask.Sprintf("%s: k = %v, L = %v, d = %v: p = %v", a.Host, m.Shape, x.Expected, x.Failures, a.Reliability),
		"Lawless 2003, 2.2.3")
	if x.Group != "" {
		e.Assume("averaged over the law of the frailty that the machines of group " + x.Group + " share")
	}
	e.Assume("the machine is free when the window begins",
		"frailties do not change; given the frailties, machines fail independently of each other",
		"the hazard of an age is known only as well as it was observed: p is the mean over its possible values, and "+
			"ΔL is the value that gives this p")
	if q.Elapsed == nil {
		e.Assume(
			"the time that the machine has already been free is not known: p is the mean over the ages that " +
				"machines of the fleet had in that hour of the week, and ΔL is the value that gives this p")
	}
	a.Explanation = e
}

// Plots returns the chance to stay free by the length of the window, for the first
// machine. A curve of every step has at most some 300 points; of other models the
// lengths were chosen with the curve.
func (a *Answer) Plots(context.Context) ([]ask.Plot, error) {
	if a.curve == nil {
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its curve")
	}
	c := ask.Curve{Name: a.Host}
	for i, k := range a.lengths {
		c.Add(float64(k)*a.Step, a.curve[i])
	}
	if a.lengths == nil {
		c.AddEvery(len(a.curve)-1, func(k int) (float64, float64) { return float64(k) * a.Step, a.curve[k] })
	}
	return []ask.Plot{{
		Title:    "Chance to stay free against the length of the window",
		Subtitle: fmt.Sprintf("%s, %s from %s, by %s", a.Host, a.Day, a.Start, a.Model),
		X:        ask.Axis{Name: "window", Unit: "s"},
		Y:        ask.Axis{Name: "chance", Unit: "fraction", Min: new(float64), Max: ask.Figure(1)},
		Curves:   []ask.Curve{c},
		Marks:    []ask.Mark{{X: a.Window, Y: a.Reliability}},
	}}, nil
}

// Curve returns the chance of the first machine to stay free after each step of the
// window; nil for an answer that was read, or of a model other than frailty.
func (a *Answer) Curve() []float64 {
	if a == nil || a.lengths != nil {
		return nil
	}
	return slices.Clone(a.curve)
}
