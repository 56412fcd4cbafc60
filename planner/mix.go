package planner

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// MostMachineTypes bounds the types among which a mix is chosen.
const MostMachineTypes = 60

// fleetWords are the machines of a mix, such as 91 rack and 199 spot.
func (p *premises) fleetWords(counts []int64) string {
	var words []string
	for i, n := range counts {
		if n > 0 {
			words = append(words, units.FormatNumber(float64(n), 15)+" "+p.types[i].Name)
		}
	}
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
	return strings.Join(words, "")
}

// A chosen mix is a choice of machines, and the yardstick that it was chosen by.
type chosen struct {
	*yardstick
	counts []int64    // by type; nil where none is enough
	answer *MixAnswer // nil without counts
}

// answered returns the answer, nil where no mix was chosen.
func (m *chosen) answered() *MixAnswer {
	if m == nil {
		return nil
	}
	return m.answer
}

// mix answers which machines to take; nil where nothing asks for them. A mix that
// breaks a limit which is not among its objectives is returned beside the error.
// A chosen without counts says by which yardstick none was enough.
func (p *premises) mix(ctx context.Context, open bool, crossing *mixes.Crossing) (*chosen, error) {
	switch {
	case len(p.types) == 0:
		if p.objectives.Budget != nil && p.sizable() {
			return nil, ask.Inputf("objectives.budget", "a budget needs prices: give machines")
		}
		return nil, nil
	case !open: // nothing to size, or not to be met: said already
		return nil, nil
	case len(p.types) > MostMachineTypes:
		return nil, ask.Inputf("machines", "%d types, want at most %d", len(p.types), MostMachineTypes)
	}
	y, err := p.measure(ctx, crossing)
	if err != nil {
		return nil, err
	}
	m := &chosen{yardstick: y}
	done := p.work.Mix.Of(m.mixing.Model, 1)
	// Zero nodes stand for the default of the search.
	s, err := m.mixing.Cheapest(ctx, m.items, m.need, 0, 0)
	done()
	// Limited: the machines would be enough, and link, epoch or public share
	// forbid them.
	if short := (*cover.InfeasibleError)(nil); errors.As(err, &short) && short.Limited {
		return m, m.crossingError(ctx)
	}
	if err != nil {
		return m, mixError(err, m.binding)
	}
	m.counts, m.answer = s.Counts, m.present(s)
	if p.work.Mix.Cut > 0 {
		m.answer.Warnings = append(m.answer.Warnings, mixes.EndedWords(s.Cost, s.Bound))
	}
	// The parts of the answer are filled in the order in which they need each
	// other: bindings need the figures and alternatives the mix.
	for _, fill := range []func(context.Context) error{
		m.figures, m.bindings, m.headroomCosts, m.alternatives, m.contradictions,
	} {
		if err := fill(ctx); err != nil {
			return m, err
		}
	}
	if words := p.work.Beside.CutWords("alternatives and what constraints cost"); words != "" {
		m.answer.Warnings = append(m.answer.Warnings, words)
	}
	m.answer.Warnings = append(m.answer.Warnings, m.mixing.Model.Warnings()...)
	return m, nil
}

// present states what the search for the cheapest mix found.
func (m *chosen) present(s *cover.Solution) *MixAnswer {
	a := &MixAnswer{
		Fleet:      m.fleetWords(s.Counts),
		Cost:       s.Cost,
		LowerBound: s.Bound,
		Optimal:    s.Proven,
		Needed:     m.need,
		Equivalent: s.Worth,
	}
	if m.mixing.Model != nil {
		a.Dispatch = "an idle server chosen at random"
		if !a.Optimal {
			a.Warnings = append(a.Warnings,
				"it is not proven that no mix costs less: the search covered only mixes above a plane below which "+
					"no random fleet met the objectives")
		}
	}
	if m.Curve != nil {
		a.Warnings = append(a.Warnings, "this mix serves the peak during the whole curve: shifts cover the curve "+
			"with fewer hours")
	}
	for i := range m.types {
		t, item := &m.types[i], m.items[i]
		a.Machines = append(a.Machines, MixMachine{
			Name:       t.Name,
			Kind:       t.Kind,
			Count:      s.Counts[i],
			Cost:       units.ExactCents(item.Price * float64(s.Counts[i])),
			Equivalent: item.Worth * float64(s.Counts[i]),
			Price:      item.Price,
			Worth:      item.Worth,
			Replicas:   m.worths[i].Replicas,
			Limit:      ask.Whole(t.Limit),
		})
		if t.Price == nil && s.Counts[i] > 0 {
			a.Warnings = append(a.Warnings, t.Name+" has no price and counts as free")
		}
		if t.Kind == scenario.Public && s.Worth > 0 {
			a.PublicShare += a.Machines[i].Equivalent / s.Worth
		}
	}
	return a
}

// mixError says which limits keep the machines from being enough. What the
// machines reach is said in servers of speed 1, as the need is.
func mixError(err error, binding string) error {
	var short *cover.InfeasibleError
	if !errors.As(err, &short) {
		return err
	}
	reach := short.Reached()
	return ask.Infeasiblef("machines", short.Need, reach,
		"the limits of the machines and %s contradict each other: all available machines do as much as %s servers "+
			"of speed 1, and %s needs %s",
		binding, ask.Digits(reach), binding, ask.Digits(short.Need))
}

// figures fills in what the mix does, what it does without its public
// machines, and what one more machine buys.
func (m *chosen) figures(ctx context.Context) error {
	a, f := m.answer, m.held
	needs, err := m.needsOf(ctx, f, m.nominalCase())
	if err != nil {
		return err
	}
	g, err := m.does(ctx, m.counts)
	if err != nil {
		return ask.FromQueueing("servers", err)
	}
	a.Figures, a.Objectives = sizing.FiguresOf(g, f.Kind, f.Clock, f.Objectives), f.Results(needs, g)
	if w := g.Warning(); w != nil {
		a.Warnings = append(a.Warnings, w.String())
	}
	if a.PublicAway, err = m.publicAway(ctx, m.counts); err != nil {
		return err
	}
	// One more machine is described by the objective that binds, since the others have slack.
	for _, n := range needs {
		if n.Name == m.binding {
			return m.oneMore(ctx, n.Objective, mixes.Asked(n.Objective, n.Objective.Value(g)))
		}
	}
	return nil
}

// oneMore fills in what one more machine of each type does to the objective that asks
// for the most. A machine that cannot be had has no worth: its field stays null.
func (m *chosen) oneMore(ctx context.Context, o queueing.Objective, now float64) error {
	for i := range m.answer.Machines {
		one := &m.answer.Machines[i]
		if one.Limit != nil && one.Count >= *one.Limit {
			continue
		}
		with := slices.Clone(m.counts)
		with[i]++
		v, err := m.value(ctx, o, with)
		if err != nil {
			return ask.FromQueueing("servers", err)
		}
		v = mixes.Asked(o, v)
		one.OneMore = &OneMore{
			Price:     one.Price,
			Objective: m.binding,
			Value:     ask.Figure(v),
			Change:    ask.Figure(v - now),
		}
	}
	return nil
}
