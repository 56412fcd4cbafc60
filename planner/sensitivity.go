package planner

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// A Sensitivity is what each input does to the need and to the cost when it
// alone moves, the greatest effect first.
type Sensitivity struct {
	Needed *float64 `json:"needed_servers_real"` // with all inputs at their most likely
	Cost   *float64 `json:"cost_per_h"`          // of the mix; null without machines
	Inputs []Swing  `json:"inputs"`              // without those that the limit of work left out
}

// A Swing is one input at its two ends, the others at their most likely. A
// figure is null where that end has no answer.
type Swing struct {
	Input      string   `json:"input"` // its place in the scenario
	Label      string   `json:"label"`
	Unit       string   `json:"unit"`
	Range      bool     `json:"range"` // given as a range; false: moved by 10 % either way
	Low        float64  `json:"low"`
	Nominal    float64  `json:"nominal"`
	High       float64  `json:"high"`
	NeededLow  *float64 `json:"needed_servers_at_low"`
	NeededHigh *float64 `json:"needed_servers_at_high"`
	// of the cheapest mix found there: the search is shorter than that of the plan
	CostLow  *float64 `json:"cost_at_low_per_h"`
	CostHigh *float64 `json:"cost_at_high_per_h"`
	// Effect is the difference between the two ends: of the cost where there
	// are machines, else of the need; null where an end has no answer. Effect
	// orders the inputs: the first is the one to know better.
	Effect *float64 `json:"effect"`
}

// sensitivity moves one input at a time; nil if nothing was sized. The search at each end is short,
// and the same on both sides, so that the difference is more accurate than either cost.
func (p *premises) sensitivity(ctx context.Context, open bool, mix *chosen) (*Sensitivity, error) {
	if !open {
		return nil, nil
	}
	a := &Sensitivity{Inputs: []Swing{}}
	factors := p.factors()
	m := &moves{premises: p, ends: 1 + 2*len(factors)}
	if mix.answered() != nil {
		m.mix, m.known = mix, mix.mixing.Model
	}
	var err error
	if a.Needed, a.Cost, err = m.at(ctx, p.nominalCase(), true); err != nil {
		return nil, mixError(err, "")
	}
	// Ten per cent of nothing is nothing: such an input would stand at the end with no effect.
	factors = slices.DeleteFunc(factors, func(f factor) bool { return f.mode == 0 && f.high == 0 })
	// Where not all can be moved the last matter least.
	sort.SliceStable(factors, func(i, j int) bool { return m.spent(factors[i]) > m.spent(factors[j]) })
	for _, f := range factors {
		if p.work.Moved.Overdrawn(0) {
			p.warn(mixes.FewInputsWords(len(a.Inputs), len(factors)))
			break
		}
		w, err := m.swing(ctx, f)
		if err != nil {
			return nil, err
		}
		a.Inputs = append(a.Inputs, w)
	}
	if words := p.work.Moved.CutWords("sensitivities"); words != "" {
		p.warn(words)
	}
	// An input at whose end nothing can be had is the first to look at.
	sort.SliceStable(a.Inputs, func(i, j int) bool {
		one, other := a.Inputs[i].Effect, a.Inputs[j].Effect
		if one == nil || other == nil {
			return one == nil && other != nil // no answer is the greatest effect
		}
		return *one > *other
	})
	return a, nil
}

// moves are the cases of a sensitivity, one after the other. The ends of many inputs share what the
// first case, with all inputs at their most likely, came to.
type moves struct {
	*premises
	mix    *chosen // nil without machines
	known  *mixes.Model
	ends   int // that are to come
	middle *middleMix
	// At the middle of all inputs. A machine that moves changes neither, which are those of the load
	// and the objectives alone; see [premises.fleet].
	held *sizing.Fleet
	need float64
}

// A middleMix is the cheapest mix at the middle of all inputs.
type middleMix struct {
	model *mixes.Model // nil: by worth
	items []cover.Item
	best  *cover.Solution
}

// spent is what the mix spends on the machines of an input; of one that is of no machine, any amount.
func (m *moves) spent(f factor) float64 {
	if f.machine == 0 || m.mix == nil {
		return math.Inf(1)
	}
	return float64(m.mix.counts[f.machine-1]) * m.nominalCase().machines[f.machine-1].Price
}

// swing is one input at its two ends.
func (m *moves) swing(ctx context.Context, f factor) (Swing, error) {
	w := Swing{
		Input:   f.input,
		Label:   f.label,
		Unit:    f.unit,
		Range:   f.ranged,
		Low:     f.low,
		Nominal: f.mode,
		High:    f.high,
	}
	for _, end := range []struct {
		v          float64
		need, cost **float64
	}{{f.low, &w.NeededLow, &w.CostLow}, {f.high, &w.NeededHigh, &w.CostHigh}} {
		// From a fresh case each time: one input moves alone.
		c := m.nominalCase()
		f.set(c, end.v)
		var err error
		*end.need, *end.cost, err = m.at(ctx, c, f.machine == 0)
		// If an end has no answer, nobody needs to know how far its machines would reach.
		if err != nil && !errors.Is(err, ask.ErrInfeasible) && !errors.As(err, new(*cover.InfeasibleError)) {
			return w, err
		}
	}
	if f.unit == "per_s" && f.input != "load.rate" { // prices are by the hour
		w.Unit, w.Low = "per_h", units.ExactCents(w.Low*hour)
		w.Nominal, w.High = units.ExactCents(w.Nominal*hour), units.ExactCents(w.High*hour)
	}
	low, high := w.CostLow, w.CostHigh
	if m.mix == nil {
		low, high = w.NeededLow, w.NeededHigh
	}
	if low != nil && high != nil {
		w.Effect = ask.Figure(math.Abs(*high - *low))
	}
	return w, nil
}

// at is the need of a case, and the cost of the cheapest mix that is found for it. Without a mix that
// meets it the need is returned beside the error. loaded says whether the load or an objective may
// not be that of the first case.
func (m *moves) at(ctx context.Context, c *planCase, loaded bool) (need, cost *float64, err error) {
	defer func() { m.ends-- }()
	f, n := m.held, m.need
	if loaded {
		if f, err = m.fleet(ctx, c); err != nil {
			return nil, nil, err
		}
		found, err := m.needOf(ctx, f, c)
		if err != nil {
			return nil, nil, err
		}
		n = found.servers
	}
	if m.held == nil {
		m.held, m.need = f, n
	}
	if m.mix == nil {
		return ask.Figure(n), nil, nil
	}
	// A job has the replicas that the figures of the case ask for.
	types, err := m.replicatedAt(c)
	if err != nil {
		return nil, nil, err
	}
	// At another load link and epoch allow another share.
	by := &mixer{types, *m.mix.mixing.ForCase(m.arrivals(c))}
	if by.Crossing != nil {
		if by.Crossing.Types, err = m.crossingTypes(by.Crossing, types, c); err != nil {
			return nil, nil, err
		}
	}
	items, err := by.items(c)
	if err != nil {
		return nil, nil, err
	}
	if by.Model, err = m.figure(ctx, f, types, c); err != nil {
		return nil, nil, err
	}
	if by.Model != nil {
		by.Model = by.Model.Like(m.known)
		if at := m.middle; at != nil && by.Crossing == nil && by.Floor == 0 &&
			by.Model.KeepsCheapest(items, at.model, at.items, at.best.Counts) {
			return ask.Figure(n), ask.Figure(units.ExactCents(at.best.Cost)), nil
		}
		by.Model.Begin = m.mix.counts
	}
	defer m.work.Moved.Of(by.Model, m.ends)()
	best, err := by.Cheapest(ctx, items, n, 0, by.FewNodes())
	if err != nil {
		return ask.Figure(n), nil, err
	}
	if m.middle == nil {
		m.middle, m.known = &middleMix{by.Model, items, best}, by.Model
	}
	return ask.Figure(n), ask.Figure(units.ExactCents(best.Cost)), nil
}
