package planner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
)

// bindings finds which constraints cost money: each is taken away in turn and
// the mix chosen anew.
func (m *chosen) bindings(ctx context.Context) error {
	a, c, need, crossing := m.answer, m.nominalCase(), m.need, m.mixing.Crossing
	f := m.mixing.fleet()
	try := func(name string, types []machine, c *planCase, need float64, held *mixes.Crossing) error {
		without := &mixer{types: types, Choice: mixes.Choice{Crossing: held}}
		if f != nil {
			var err error
			if without.Model, err = m.figure(f.Without(name), types, c); err != nil {
				return err
			}
		}
		s, err := m.otherwise(ctx, without, c, need, name)
		if err != nil {
			return err
		}
		if saving := a.Cost - s.Cost; saving > 1e-9*a.Cost {
			a.Binding = append(a.Binding, MixBinding{name, ask.Figure(s.Cost), ask.Figure(saving)})
		}
		return nil
	}
	results := a.Objectives
	for i, o := range results {
		if len(results) == 1 {
			a.Binding = append(a.Binding, MixBinding{Constraint: o.Name})
			break
		}
		// What the others ask for is the need without this one, so that no fleet has to be
		// solved anew for it.
		rest := 0.0
		for j, other := range results {
			if i != j && other.ServersReal != nil {
				rest = math.Max(rest, *other.ServersReal)
			}
		}
		if err := try(o.Name, m.types, c, math.Min(rest, need), crossing); err != nil {
			return err
		}
	}
	relaxed := func(change func(t *machine)) []machine {
		types := append([]machine(nil), m.types...)
		for i := range types {
			change(&types[i])
		}
		return types
	}
	for i := range m.types {
		t := &m.types[i]
		if t.Limit != nil {
			types := append([]machine(nil), m.types...)
			types[i].Limit = nil
			if err := try("limit of "+t.Name, types, c, need, crossing); err != nil {
				return err
			}
		}
		if least := int64(ask.Value(t.AtLeast)); least > 0 && a.Machines[i].Count == least {
			types := append([]machine(nil), m.types...)
			types[i].AtLeast = nil
			if err := try("at_least of "+t.Name, types, c, need, crossing); err != nil {
				return err
			}
		}
	}
	for _, part := range []struct {
		name    string
		without *mixes.Crossing
	}{{"link", crossing.Unlinked()}, {"epoch", crossing.Unscheduled()}} {
		if part.without == nil {
			continue
		}
		if err := try(part.name, m.types, c, need, part.without); err != nil {
			return err
		}
	}
	if m.objectives.Availability != nil {
		types := relaxed(func(t *machine) {
			if t.Replicas == nil {
				t.replicas = 1
			}
		})
		// Fewer replicas change how much of the work stands on public machines, and with it
		// what link and epoch allow.
		held := crossing
		if held != nil {
			one := *held
			var err error
			if one.Types, err = m.crossingTypes(held, types); err != nil {
				return err
			}
			held = &one
		}
		if err := try("availability target", types, c, need, held); err != nil {
			return err
		}
	}
	// An objective that stands alone has no saving: without it nothing would be asked.
	sort.SliceStable(a.Binding, func(i, j int) bool { // what costs most first, after the one objective
		x, y := a.Binding[i].Saving, a.Binding[j].Saving
		return x == nil && y != nil || x != nil && y != nil && *x > *y
	})
	return nil
}

// otherwise returns the cheapest mix without a constraint.
func (m *chosen) otherwise(ctx context.Context, without *mixer, c *planCase, need float64,
	name string) (*cover.Solution, error) {
	items, err := without.items(c)
	if err != nil {
		return nil, err
	}
	s, err := without.Cheapest(ctx, items, need, 0, m.fewer())
	if err != nil {
		return nil, mixError(err, name)
	}
	return s, nil
}

// alternatives compares the mix with those that leave something out.
func (m *chosen) alternatives(ctx context.Context) error {
	a := m.answer
	a.Alternatives = []MixAlternative{}
	used := map[scenario.MachineKind]int{}
	for _, t := range a.Machines {
		if t.Count > 0 {
			used[t.Kind]++
		}
	}
	try := func(name string, out func(t *machine) bool) error {
		limited := slices.Clone(m.items)
		for i := range limited {
			if out(&m.types[i]) {
				limited[i].Most = limited[i].Least
			}
		}
		s, err := m.mixing.Cheapest(ctx, limited, m.need, 0, m.fewer())
		alt := MixAlternative{Name: name}
		var short *cover.InfeasibleError
		switch {
		case errors.As(err, &short) && short.Limited:
			alt.Reason = "what is left is enough, and " + m.mixing.Crossing.Names() + " forbids it"
		case errors.As(err, &short):
			alt.Reason = fmt.Sprintf("what is left does as well as %.4g servers at most, of %.4g",
				short.Reached(), short.Need)
		case err != nil:
			return err
		default:
			alt.Counts, alt.Cost, alt.Extra = s.Counts, ask.Figure(s.Cost), ask.Figure(s.Cost-a.Cost)
		}
		a.Alternatives = append(a.Alternatives, alt)
		return nil
	}
	has := func(kind scenario.MachineKind) bool {
		return slices.ContainsFunc(m.types, func(t machine) bool { return t.Kind == kind })
	}
	if used[scenario.Public] > 0 && has(scenario.Dedicated) {
		if err := try("dedicated only", func(t *machine) bool { return t.Kind == scenario.Public }); err != nil {
			return err
		}
	}
	if used[scenario.Dedicated] > 0 && has(scenario.Public) {
		if err := try("public only", func(t *machine) bool { return t.Kind == scenario.Dedicated }); err != nil {
			return err
		}
	}
	for _, one := range a.Machines {
		if one.Count > 0 && used[one.Kind] > 1 && used[scenario.Public]+used[scenario.Dedicated] <= 6 {
			if err := try("without "+one.Name, func(t *machine) bool { return t.Name == one.Name }); err != nil {
				return err
			}
		}
	}
	return nil
}

// contradictions holds the mix against the limits from the other side.
func (m *chosen) contradictions(ctx context.Context) error {
	a, binding := m.answer, m.binding
	if m.objectives.Budget != nil {
		budget := perHour(m.objectives.Budget)
		if a.Cost > budget*(1+1e-12) {
			reason := fmt.Sprintf("budget and %s contradict each other: the cheapest mix that meets %s costs %s, and the budget is %s",
				binding, binding, m.price(a.Cost), m.price(budget))
			reason += m.affordable(ctx, budget)
			return &ask.InfeasibleError{
				Constraint: "budget",
				Limit:      budget,
				Infimum:    a.Cost,
				Reason:     reason,
			}
		}
	}
	if m.objectives.MinUtilization != nil && a.Utilization != nil &&
		*a.Utilization < float64(*m.objectives.MinUtilization) {
		return &ask.InfeasibleError{
			Constraint: "min_utilization",
			Limit:      float64(*m.objectives.MinUtilization),
			Infimum:    *a.Utilization,

			Reason: fmt.Sprintf("min_utilization and %s contradict each other: a fleet that meets %s is busy %s of the time, and at least %s is asked for",
				binding, binding, ask.Digits(*a.Utilization), ask.Digits(float64(*m.objectives.MinUtilization))),
		}
	}
	return nil
}

// affordable says what a budget buys: the machines worth the most servers.
func (m *chosen) affordable(ctx context.Context, budget float64) string {
	// By worth, not by figures: a reason needs an amount, not a mix to be taken, and a
	// search by figures would be made sixty times.
	worth := *m.mixing
	worth.Model = nil
	low, high := 0.0, m.need
	var best *cover.Solution
	for range 60 {
		mid := (low + high) / 2
		s, err := worth.Cheapest(ctx, m.items, mid, 0, 20000)
		if err == nil && s.Cost <= budget*(1+1e-12) {
			low = math.Max(mid, math.Min(s.Worth, high))
			if best == nil || s.Worth > best.Worth {
				best = s
			}
		} else {
			high = mid
		}
	}
	if best == nil {
		return ""
	}
	reason := fmt.Sprintf("; it buys machines worth %s of the %s servers that are needed", ask.Digits(best.Worth),
		ask.Digits(m.need))
	if x := m.mixing.Model; x != nil {
		if g, err := x.At(best.Counts, 0); err == nil {
			for _, l := range x.Fleet.Limits {
				if l.Name == m.binding {
					reason += fmt.Sprintf(", with which %s is %s", m.binding, ask.Digits(l.Objective.Value(g)))
				}
			}
		}
	}
	return reason
}

// asked is the figure that an objective bounds as the objective is asked for: of
// waits and responses the share in time, not that which is late.
func asked(o queueing.Objective, g queueing.Figures) float64 {
	v := o.Value(g)
	if o.Metric == queueing.LateShare || o.Metric == queueing.ResponseShare {
		return 1 - v
	}
	return v
}

// publicAway returns what the dedicated machines of a mix do alone; nil where
// it has no public ones.
func (m *chosen) publicAway(ctx context.Context, counts []int64) (*sizing.Candidate, error) {
	f := m.held
	alone, dedicated, public := slices.Clone(counts), int64(0), int64(0)
	for i := range m.types {
		if m.types[i].Kind == scenario.Public {
			public += counts[i]
			alone[i] = 0
		} else {
			dedicated += counts[i]
		}
	}
	if public == 0 {
		return nil, nil
	}
	c := &sizing.Candidate{Servers: dedicated}
	switch g, err := m.does(ctx, alone); {
	case errors.Is(err, queueing.ErrUnstable):
		c.Unstable, c.OfferedLoad = true, m.offered()
	case err != nil:
		return nil, ask.FromQueueing("servers", err)
	default:
		c.Figures, c.Met = sizing.FiguresOf(g, f.Kind, f.Clock, f.Objectives), true
		for _, l := range f.Limits {
			c.Met = c.Met && l.Objective.Met(g)
		}
	}
	return c, nil
}
