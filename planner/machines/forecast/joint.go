package forecast

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp/frailty"
)

// A JointQuestion asks how likely machines of a fleet stay free together.
type JointQuestion struct {
	Fleet *Fleet `json:"-"`
	machines.DayWindow
	Hosts []string `json:"hosts,omitempty"` // nil: all of the fleet
	Least int      `json:"least"`           // how many of them are needed; 0: all
	// Elapsed is for how long each has been free when the window begins; nil: not
	// known.
	Elapsed *float64 `json:"elapsed_s,omitempty"`
	Explain bool     `json:"explain,omitempty"`
}

// A JointAnswer says how many machines stay free.
type JointAnswer struct {
	Chance float64 `json:"chance"` // that at least so many stay free
	// Least of Of machines have to stay free.
	Least int `json:"least"`
	Of    int `json:"of"`
	// Mean is the expected number that does.
	Mean   float64   `json:"mean_free"`
	Apart  float64   `json:"chance_independent"` // the same if machines of a group did not share a frailty
	Law    []float64 `json:"law"`                // chance that exactly 0, 1, … stay free
	Groups int       `json:"groups"`             // with more than one of the machines
	Model  string    `json:"model"`
	WindowAhead
	Machines []Machine `json:"hosts"`
	Warnings []string  `json:"warnings,omitempty"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// mostJoint bounds the machines of a JointQuestion, whose work grows with their
// square.
const mostJoint = 5000

// Joint answers a JointQuestion. Errors: *ask.InputError.
func Joint(ctx context.Context, q *JointQuestion) (*JointAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	some, err := (&Question{Fleet: q.Fleet, DayWindow: q.DayWindow, Elapsed: q.Elapsed}).several(ctx, q.Hosts)
	if err != nil {
		return nil, err
	}
	model, of := &q.Fleet.Hazard, len(some.machines)
	least := cmp.Or(q.Least, of)
	if least < 1 || least > of {
		return nil, ask.Inputf("least", "want 1 to %d, the number of machines", of)
	}
	a := &JointAnswer{
		Least:       least,
		Of:          of,
		Model:       q.Fleet.Model,
		WindowAhead: some.window,
		Machines:    some.shown,
		Groups:      some.groups,
		Warnings:    some.warnings,
	}
	// Apart is what the same chances come to if nothing is shared; the difference
	// is what groups cost.
	apart := []float64{1}
	for i, m := range some.shown {
		a.Mean += m.Reliability
		apart = add(apart, m.Reliability)
		a.Machines[i].Rank = 1
		for _, o := range some.shown {
			if o.Reliability > m.Reliability {
				a.Machines[i].Rank++
			}
		}
	}
	if a.Law, err = model.Joint(some.machines, some.expected); err != nil {
		return nil, machines.InputError(err)
	}
	for k := least; k <= of; k++ {
		a.Chance += a.Law[k]
		a.Apart += apart[k]
	}
	a.Chance, a.Apart = min(a.Chance, 1), min(a.Apart, 1) // rounding
	if q.Explain {
		e := &ask.Explanation{Model: "machines of a group share a frailty; given the frailties of all groups they " +
			"fail independently"}
		e.Step("law of the number free",
			"P(n) = ⊛_g ∫ ⊛_{m in g} Bernoulli(p_m(φ)) dF_g(φ), p_m(φ) = ((k + φL)/(k + φL + φΔL))^(k + d)",
			ask.Sprintf("k = %v: at least %d of %d with %v; %v if groups shared nothing", model.Shape, least, a.Of,
				a.Chance, a.Apart), "Clayton 1978")
		e.Assume("all are free when the window begins", "a shock that hits the whole fleet counts in the mean only")
		a.Explanation = e
	}
	return a, nil
}

// someMachines are machines of a fleet that are asked for together.
type someMachines struct {
	window   WindowAhead
	machines []frailty.Machine
	expected []float64 // failures of each at frailty 1
	shown    []Machine
	groups   int // with more than one of them
	warnings []string
}

// several finds the machines that a question about more than one names, those of all if
// names are nil, and what is expected of them. Errors: *ask.InputError.
func (q *Question) several(ctx context.Context, names []string) (*someMachines, error) {
	w, at, err := q.window()
	if err != nil {
		return nil, err
	}
	f, model := q.Fleet, &q.Fleet.Hazard
	if names == nil {
		names = f.names()
	}
	switch {
	case len(names) == 0:
		return nil, ask.Missing("hosts", "machines of the fleet")
	case len(names) > mostJoint:
		return nil, ask.Inputf("hosts", "%d machines, want at most %d: name some of them", len(names), mostJoint)
	}
	ages, err := f.ages(w, q.Elapsed != nil)
	if err != nil {
		return nil, err
	}
	some := &someMachines{window: at.WindowAhead,
		warnings: slices.Concat(f.few(), f.unseen(w, q.Elapsed != nil), f.Warnings)}
	groups := map[string]int{}
	seen := map[string]bool{}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, m := f.machine(name)
		switch {
		case seen[name]:
			return nil, ask.Inputf("hosts", "machine %s is given twice", spell.Quote(name))
		case !m.Known:
			return nil, ask.Inputf("hosts", "the fleet has no machine %s%s",
				spell.Quote(name), spell.Among(name, f.names()))
		}
		seen[name] = true
		if x.Group != "" {
			if groups[x.Group]++; groups[x.Group] == 2 {
				some.groups++
			}
		}
		m.Reliability = survival(model, x, ages, at.Horizon)
		some.machines = append(some.machines, x)
		some.expected = append(some.expected, expected(model, x, m.Reliability, 1))
		some.shown = append(some.shown, m)
	}
	return some, nil
}

// add puts one more machine, free with chance p, into the law of a number. It is
// the convolution of the law with one Bernoulli.
func add(law []float64, p float64) []float64 {
	out := make([]float64, len(law)+1)
	for n, v := range law {
		out[n] += v * (1 - p)
		out[n+1] += v * p
	}
	return out
}

// Plots returns the law of the number of machines that stay free.
func (a *JointAnswer) Plots(context.Context) ([]ask.Plot, error) {
	c := ask.Curve{Name: "at least so many", X: make([]float64, len(a.Law)), Y: make([]float64, len(a.Law))}
	tail := 0.0
	for n, chance := range slices.Backward(a.Law) {
		tail = min(1, tail+chance)
		c.X[n], c.Y[n] = float64(n), tail
	}
	return []ask.Plot{{
		Title:    "Chance that at least so many machines stay free",
		Subtitle: fmt.Sprintf("of %d, %s from %s", a.Of, a.Day, a.Start),
		X:        ask.Axis{Name: "machines"},
		Y:        ask.Axis{Name: "chance", Unit: "fraction", Min: new(float64), Max: ask.Figure(1)},
		Curves:   []ask.Curve{c},
		Marks:    []ask.Mark{{X: float64(a.Least), Y: a.Chance}},
	}}, nil
}
