package forecast

import (
	"context"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/smp/frailty"
)

// A ModelQuestion asks how likely machines stay free, by any model.
type ModelQuestion struct {
	Hosts []machines.Trace `json:"-"`
	machines.Labelling
	machines.DayWindow
	Model string `json:"model"`          // of [backtest.ModelNames] but auto
	Host  string `json:"host,omitempty"` // empty: all, the best first
	// Elapsed is for how long the machine has been free when the window begins;
	// nil: not known.
	Elapsed *float64                    `json:"elapsed_s,omitempty"`
	Level   float64                     `json:"level,omitempty"`
	Group   func(machine string) string `json:"-"`
	Explain bool                        `json:"explain,omitempty"`
	// Consume takes samples and spells out of Hosts as machines are labelled, which frees their memory.
	Consume bool `json:"-"`
}

// formulas say what the models do with a record.
var formulas = map[string][2]string{
	backtest.KMModel: {"R(a+n)/R(a), R(a) = Π_{b≤a} (1 − d_b/n_b)",
		"over the ages of all machines; Kaplan and Meier 1958"},
	backtest.ExponentialModel: {"exp(−(d + 1/2) n/E)", "d failures in E steps at risk; band: Gamma(d + 1/2, E)"},
	backtest.ShareOfDaysModel: {"k/n", "k of n days that began free; band: Beta(k + 1/2, n − k + 1/2)"},
	backtest.AlwaysModel:      {"1", "nothing is foreseen"},
	backtest.SMPModel: {"Σ_i s_i R_i(n), i = S1, S2",
		"s_i the share of days that began in i; all stays after a failure weigh as one"},
	backtest.CensoredModel: {"Σ_i s_i R_i(n), i = S1, S2", "s_i the share of days that began in i"},
	backtest.CountsModel:   {"Σ_i s_i R_i(n), i = S1, S2", "s_i the share of days that began in i; iShare 6.2"},
}

// AskModel answers a ModelQuestion. Machines of whose record the model can say
// nothing are left out, with a warning. Errors: *ask.InputError. What a model
// foresees by itself goes into the same answer as the frailties', so that models
// can be compared.
func AskModel(ctx context.Context, q *ModelQuestion) (*Answer, error) {
	ctx = given.Context(ctx)
	switch {
	case q == nil:
		return nil, ask.NoQuestion()
	case len(q.Hosts) == 0:
		return nil, ask.Missing("trace", "traces of machines")
	case !slices.Contains(backtest.ModelNames, q.Model) || q.Model == backtest.AutoModel:
		return nil, ask.Inputf("model", "there is no model %s", spell.Quote(q.Model))
	}
	m, err := q.learn(ctx)
	if err != nil {
		return nil, err
	}
	one := &Question{
		Fleet:     m.fleet,
		DayWindow: q.DayWindow,
		Host:      q.Host,
		Elapsed:   q.Elapsed,
		Level:     q.Level,
		Explain:   q.Explain,
	}
	if q.Model == backtest.FrailtyModel {
		return Ask(ctx, one)
	}
	w, a, err := one.window()
	if err != nil {
		return nil, err
	}
	// Shape and convergence are those of the frailties, which this model does not
	// have.
	a.Model, a.Shape, a.Converged = q.Model, 0, true
	m.at, m.level = w, a.Level
	m.shares, m.seen = m.fleet.seenAges(w, q.Elapsed != nil)
	return a, m.answer(ctx, a)
}

// A byModel is the work of one ModelQuestion.
type byModel struct {
	q     *ModelQuestion
	fleet *Fleet
	limit backtest.FleetLimit
	known map[string]*machines.Labelled
	at    frailty.Window
	level float64

	// shares are the ages that machines had in that hour, and seen is their sum;
	// both are 0 where the age is given.
	shares map[int]float64
	seen   float64
}

// learn labels all machines, and learns what any model may ask for: the fleet,
// its limit and each machine's own states.
func (q *ModelQuestion) learn(ctx context.Context) (*byModel, error) {
	l, err := NewLearning(q.Labelling, q.Group, nil)
	if err != nil {
		return nil, err
	}
	m := &byModel{q: q, known: map[string]*machines.Labelled{}}
	labelled := make([]*machines.Labelled, len(q.Hosts))
	own := !slices.Contains([]string{backtest.FrailtyModel, backtest.KMModel, backtest.ExponentialModel,
		backtest.AlwaysModel}, q.Model)
	known := &machines.Labelled{} // of models that ask no machine's own states, which would fill the memory
	var mu sync.Mutex
	err = parallel.All(ctx, len(q.Hosts), func(i int) error {
		x, err := q.Label(&q.Hosts[i])
		if q.Consume {
			q.Hosts[i].Samples, q.Hosts[i].Spells = nil, nil
		}
		if err == nil && len(x.History.Runs) > 0 {
			if labelled[i] = known; own {
				labelled[i] = x
				x.History.Runs = slices.Clone(x.History.Runs) // without what growing left over
			}
			if q.Model == backtest.KMModel { // whose counts are the same in any order
				mu.Lock()
				bad := m.limit.Add(x)
				mu.Unlock()
				if bad != nil {
					return bad
				}
			}
		}
		return l.add(q.Hosts[i].Name, x, err)
	})
	if err != nil {
		return nil, machines.InputError(err)
	}
	for i, x := range labelled {
		name := q.Hosts[i].Name
		if m.known[name] != nil {
			return nil, ask.Inputf("trace", "two machines are named %q", name)
		}
		if x != nil {
			m.known[name] = x
		}
	}
	m.limit.Survival(0, 1) // so that it stands when several ask
	m.fleet, err = l.Fleet(ctx)
	return m, err
}

// answer foresees the machines that are asked for.
func (m *byModel) answer(ctx context.Context, a *Answer) error {
	names := m.fleet.names()
	if m.q.Host != "" {
		names = []string{m.q.Host}
	}
	all := make([]*Machine, len(names))
	reasons := make([]string, len(names))
	err := parallel.All(ctx, len(names), func(i int) (err error) {
		all[i], reasons[i], err = m.machine(ctx, names[i], a.Horizon)
		return err
	})
	if err != nil {
		return machines.InputError(err)
	}
	// The first machine that is left out is named with its reason, and the others
	// are counted.
	none := 0
	for i, x := range all {
		switch {
		case x != nil:
			a.Machines = append(a.Machines, *x)
			a.Typical += x.Reliability
		case none == 0:
			none++
			a.Warnings = append(a.Warnings, names[i]+": "+reasons[i])
		default:
			none++
		}
	}
	if len(a.Machines) == 0 {
		return ask.Inputf("model", "%s gives no chance for %s: %s", m.q.Model, names[0], reasons[0])
	}
	if none > 0 {
		ask.Warn(&a.Warnings, "%d of %d machines are left out because %s gives no chance for them",
			none, len(names), m.q.Model)
	}
	a.Typical /= float64(len(a.Machines))
	first := a.order()
	a.Warnings = append(a.Warnings, m.fleet.Warnings...)
	// A hundred lengths are enough for a curve. The model is asked once for each, as it predicts
	// one length at a time.
	for k := range 101 {
		n := a.Horizon * k / 100
		x, _, err := m.machine(ctx, first.Name, max(n, 1))
		if err != nil {
			return machines.InputError(err)
		}
		p := 1.0
		if n > 0 && x != nil {
			p = x.Reliability
		}
		if len(a.curve) == 0 || n > a.lengths[len(a.lengths)-1] {
			a.curve, a.lengths = append(a.curve, p), append(a.lengths, n)
		}
	}
	if m.q.Explain {
		f := formulas[m.q.Model]
		a.Explanation = &ask.Explanation{Model: "the model " + m.q.Model}
		a.Explanation.Step("temporal reliability", f[0], first.Name+": "+ask.Digits(first.Reliability), f[1])
		a.Explanation.Assume("the machine is free when the window begins")
	}
	return nil
}

// machine foresees one machine for n steps, or says why not.
func (m *byModel) machine(ctx context.Context, name string, n int) (out *Machine, reason string, err error) {
	x := &Machine{Name: name}
	l := m.known[name]
	var failures, exposure float64
	if i, ok := m.fleet.find(name); ok {
		r := &m.fleet.Records[i]
		x.Known, x.Group = true, r.Group
		failures, exposure = float64(r.Failures.Total()), float64(r.Exposure.Total())/2
		x.Failures, x.Exposure = failures, exposure*m.fleet.Hazard.Period
	}
	unknown := "the fleet has no record of it, and the model uses nothing else"
	band := func(low, high float64) { x.Low, x.High = ask.Figure(low), ask.Figure(high) }
	tail := (1 - m.level) / 2
	switch m.q.Model {
	case backtest.AlwaysModel:
		x.Reliability = 1
	case backtest.KMModel:
		if m.seen == 0 {
			x.Reliability = m.limit.Survival(m.at.Age.Steps, int64(n))
		}
		for bin := range frailty.Ages { // in order, so that sums are alike
			if share := m.shares[bin]; share > 0 {
				x.Reliability += share / m.seen * m.limit.Survival(frailty.AgeOf(bin).Steps, int64(n))
			}
		}
		x.Reliability = min(x.Reliability, 1)
	case backtest.ExponentialModel:
		if l == nil || exposure == 0 {
			return nil, unknown, nil
		}
		x.Reliability = math.Exp(-(failures + 0.5) / exposure * float64(n))
		rate := distuv.Gamma{Alpha: failures + 0.5, Beta: exposure}
		band(math.Exp(-rate.Quantile(1-tail)*float64(n)), math.Exp(-rate.Quantile(tail)*float64(n)))
	default:
		if l == nil {
			return nil, unknown, nil
		}
		w := m.q.DayWindow
		w.Window = float64(n) * m.fleet.Hazard.Period
		p, _, days, err := backtest.Own(ctx, m.q.Model, l, &w)
		if err != nil || math.IsNaN(p) {
			return nil, "it is free at the start on none of its days", ignoreInput(err)
		}
		if x.Reliability = p; m.q.Model == backtest.ShareOfDaysModel {
			k := p * float64(days)
			law := distuv.Beta{Alpha: k + 0.5, Beta: float64(days) - k + 0.5}
			band(min(law.Quantile(tail), p), max(law.Quantile(1-tail), p))
		}
	}
	return x, "", nil
}

// ignoreInput keeps errors that are not of the record.
func ignoreInput(err error) error {
	if _, ok := err.(*ask.InputError); ok {
		return nil
	}
	return err
}
