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

// binding finds which constraints cost money: each is taken away in turn and
// the mix chosen anew.
func (p *planning) binding(ctx context.Context, c *planCase, need float64) error {
	a := p.a.Mix
	f := p.mixing.fleet()
	try := func(name string, types []machine, c *planCase, need float64, held *mixes.Crossing) error {
		m := &mixer{types: types, Choice: mixes.Choice{Crossing: held}}
		if f != nil {
			var err error
			if m.Model, err = p.figure(f.Without(name), types, c); err != nil {
				return err
			}
		}
		s, err := p.otherwise(ctx, m, c, need, name)
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
		if err := try(o.Name, p.types, c, math.Min(rest, need), p.crossing); err != nil {
			return err
		}
	}
	relaxed := func(change func(t *machine)) []machine {
		types := append([]machine(nil), p.types...)
		for i := range types {
			change(&types[i])
		}
		return types
	}
	for i := range p.types {
		t := &p.types[i]
		if t.Limit != nil {
			types := append([]machine(nil), p.types...)
			types[i].Limit = nil
			if err := try("limit of "+t.Name, types, c, need, p.crossing); err != nil {
				return err
			}
		}
		if least := int64(ask.Value(t.AtLeast)); least > 0 && a.Machines[i].Count == least {
			types := append([]machine(nil), p.types...)
			types[i].AtLeast = nil
			if err := try("at_least of "+t.Name, types, c, need, p.crossing); err != nil {
				return err
			}
		}
	}
	for _, part := range []struct {
		name    string
		without *mixes.Crossing
	}{{"link", p.crossing.Unlinked()}, {"epoch", p.crossing.Unscheduled()}} {
		if part.without == nil {
			continue
		}
		if err := try(part.name, p.types, c, need, part.without); err != nil {
			return err
		}
	}
	if p.objectives.Availability != nil {
		types := relaxed(func(t *machine) {
			if t.Replicas == nil {
				t.replicas = 1
			}
		})
		// Fewer replicas change how much of the work stands on public machines, and with it
		// what link and epoch allow.
		held := p.crossing
		if held != nil {
			one := *held
			var err error
			if one.Types, err = p.crossingTypes(held, types); err != nil {
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
func (p *planning) otherwise(ctx context.Context, m *mixer, c *planCase, need float64,
	name string) (*cover.Solution, error) {
	items, err := m.items(c)
	if err != nil {
		return nil, err
	}
	s, err := m.Cheapest(ctx, items, need, 0, p.fewer())
	if err != nil {
		return nil, p.mixError(err, name)
	}
	return s, nil
}

// alternatives compares the mix with those that leave something out.
func (p *planning) alternatives(ctx context.Context, items []cover.Item, need float64) error {
	a := p.a.Mix
	a.Alternatives = []MixAlternative{}
	used := map[scenario.MachineKind]int{}
	for _, m := range a.Machines {
		if m.Count > 0 {
			used[m.Kind]++
		}
	}
	try := func(name string, out func(t *machine) bool) error {
		m := *p.mixing
		limited := append([]cover.Item(nil), items...)
		for i := range limited {
			if out(&m.types[i]) {
				limited[i].Most = limited[i].Least
			}
		}
		s, err := m.Cheapest(ctx, limited, need, 0, p.fewer())
		alt := MixAlternative{Name: name}
		var short *cover.InfeasibleError
		switch {
		case errors.As(err, &short) && short.Limited:
			alt.Reason = "what is left is enough, and " + p.crossing.Names() + " forbids it"
		case errors.As(err, &short):
			alt.Reason = fmt.Sprintf("what is left does as well as %.4g servers at most, of %.4g",
				short.Reach, short.Need)
		case err != nil:
			return err
		default:
			alt.Counts, alt.Cost, alt.Extra = s.Counts, ask.Figure(s.Cost), ask.Figure(s.Cost-a.Cost)
		}
		a.Alternatives = append(a.Alternatives, alt)
		return nil
	}
	has := func(kind scenario.MachineKind) bool {
		return slices.ContainsFunc(p.types, func(t machine) bool { return t.Kind == kind })
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
	for _, m := range a.Machines {
		if m.Count > 0 && used[m.Kind] > 1 && used[scenario.Public]+used[scenario.Dedicated] <= 6 {
			if err := try("without "+m.Name, func(t *machine) bool { return t.Name == m.Name }); err != nil {
				return err
			}
		}
	}
	return nil
}

// contradictions holds the mix against the limits from the other side.
func (p *planning) contradictions(ctx context.Context, items []cover.Item, binding string) error {
	a := p.a.Mix
	if p.objectives.Budget != nil {
		budget := perHour(p.objectives.Budget)
		if a.Cost > budget*(1+1e-12) {
			reason := fmt.Sprintf("budget and %s contradict each other: the cheapest mix that meets %s costs %s, and the budget is %s",
				binding, binding, p.price(a.Cost), p.price(budget))
			reason += p.affordable(ctx, items, budget, binding)
			return &ask.InfeasibleError{
				Constraint: "budget",
				Limit:      budget,
				Infimum:    a.Cost,
				Reason:     reason,
			}
		}
	}
	if p.objectives.MinUtilization != nil && a.Utilization != nil &&
		*a.Utilization < float64(*p.objectives.MinUtilization) {
		return &ask.InfeasibleError{
			Constraint: "min_utilization",
			Limit:      float64(*p.objectives.MinUtilization),
			Infimum:    *a.Utilization,

			Reason: fmt.Sprintf("min_utilization and %s contradict each other: a fleet that meets %s is busy %s of the time, and at least %s is asked for",
				binding, binding, ask.Digits(*a.Utilization), ask.Digits(float64(*p.objectives.MinUtilization))),
		}
	}
	return nil
}

// affordable says what a budget buys: the machines worth the most servers.
func (p *planning) affordable(ctx context.Context, items []cover.Item, budget float64, binding string) string {
	// By worth, not by figures: a reason needs an amount, not a mix to be taken, and a
	// search by figures would be made sixty times.
	worth := *p.mixing
	worth.Model = nil
	low, high := 0.0, p.a.Mix.Needed
	var best *cover.Solution
	for range 60 {
		mid := (low + high) / 2
		s, err := worth.Cheapest(ctx, items, mid, 0, 20000)
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
		ask.Digits(p.a.Mix.Needed))
	if x := p.mixing.Model; x != nil {
		if g, err := x.At(best.Counts, 0); err == nil {
			for _, l := range x.Fleet.Limits {
				if l.Name == binding {
					reason += fmt.Sprintf(", with which %s is %s", binding, ask.Digits(l.Objective.Value(g)))
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
func (p *planning) publicAway(ctx context.Context, f *sizing.Fleet, counts []int64) (*sizing.Candidate, error) {
	alone, dedicated, public := slices.Clone(counts), int64(0), int64(0)
	for i := range p.types {
		if p.types[i].Kind == scenario.Public {
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
	switch g, err := p.does(ctx, f, alone); {
	case errors.Is(err, queueing.ErrUnstable):
		c.Unstable, c.OfferedLoad = true, p.a.Mix.OfferedLoad
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
