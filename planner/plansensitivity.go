package planner

import (
	"context"
	"errors"
	"math"
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
	Inputs []Swing  `json:"inputs"`
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

// A sensed mix is what is known at the middle of all inputs, which the ends of many of
// them share.
type sensed struct {
	model *mixes.Model // nil: by worth
	items []cover.Item
	best  *cover.Solution
}

// sensitivity moves one input at a time; nil where nothing was sized. The search
// at each end is short, and the same on both sides, so that the difference tells
// more than either cost.
func (p *premises) sensitivity(ctx context.Context, size *sizing.SizeAnswer, mix *chosen) (*Sensitivity, error) {
	if size == nil {
		return nil, nil
	}
	mixed := mix.answered() != nil
	s := &Sensitivity{Inputs: []Swing{}}
	var middle *sensed // with all inputs at their most likely
	var known *mixes.Model
	ends := 1 + 2*len(p.factors()) // that are to come
	if mixed {
		known = mix.mixing.Model
	}
	at := func(c *planCase) (need, cost *float64, err error) {
		defer func() { ends-- }()
		f, err := p.fleet(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		n, _, err := f.Need(ctx)
		if err != nil {
			return nil, nil, err
		}
		if !mixed {
			return ask.Figure(n), nil, nil
		}
		// A job has the replicas that the figures of the case ask for.
		types, err := p.replicatedAt(c)
		if err != nil {
			return nil, nil, err
		}
		// At another load link and epoch allow another share.
		m := &mixer{types, *mix.mixing.ForCase(p.arrivals(c))}
		if m.Crossing != nil {
			if m.Crossing.Types, err = p.crossingTypes(m.Crossing, types, c); err != nil {
				return nil, nil, err
			}
		}
		items, err := m.items(c)
		if err != nil {
			return nil, nil, err
		}
		if m.Model, err = p.figure(f, types, c); err != nil {
			return nil, nil, err
		}
		if m.Model != nil {
			m.Model = m.Model.Like(known)
			if middle != nil && m.Crossing == nil && m.Floor == 0 &&
				m.Model.KeepsCheapest(items, middle.model, middle.items, middle.best.Counts) {
				return ask.Figure(n), ask.Figure(units.ExactCents(middle.best.Cost)), nil
			}
			m.Model.Begin = mix.counts
		}
		defer p.work.Moved.Of(m.Model, ends)()
		best, err := m.Cheapest(ctx, items, n, 0, m.FewNodes())
		if err != nil {
			return ask.Figure(n), nil, err
		}
		if middle == nil {
			middle, known = &sensed{m.Model, items, best}, m.Model
		}
		return ask.Figure(n), ask.Figure(units.ExactCents(best.Cost)), nil
	}
	var err error
	if s.Needed, s.Cost, err = at(p.nominalCase()); err != nil {
		return nil, mixError(err, "")
	}
	for _, f := range p.factors() {
		// Ten per cent of nothing is nothing: such an input would stand at the end with no effect.
		if f.mode == 0 && f.high == 0 {
			continue
		}
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
			c := p.nominalCase()
			f.set(c, end.v)
			*end.need, *end.cost, err = at(c)
			// How far the machines of an end reach that has no answer, nobody is told.
			if err != nil && !errors.Is(err, ask.ErrInfeasible) && !errors.As(err, new(*cover.InfeasibleError)) {
				return nil, err
			}
		}
		if f.unit == "per_s" && f.input != "load.rate" { // prices are by the hour
			w.Unit, w.Low = "per_h", units.ExactCents(w.Low*hour)
			w.Nominal, w.High = units.ExactCents(w.Nominal*hour), units.ExactCents(w.High*hour)
		}
		low, high := w.CostLow, w.CostHigh
		if !mixed {
			low, high = w.NeededLow, w.NeededHigh
		}
		if low != nil && high != nil {
			w.Effect = ask.Figure(math.Abs(*high - *low))
		}
		s.Inputs = append(s.Inputs, w)
	}
	if words := p.work.Moved.CutWords("sensitivities"); words != "" {
		p.warn(words)
	}
	// An input at whose end nothing can be had is the first to look at.
	sort.SliceStable(s.Inputs, func(i, j int) bool {
		a, b := s.Inputs[i].Effect, s.Inputs[j].Effect
		if a == nil || b == nil {
			return a == nil && b != nil // no answer is the greatest effect
		}
		return *a > *b
	})
	return s, nil
}
