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
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

// A relaxation is the choice of a mix with one constraint taken away. Its need
// and its types are those of the mix but for what was taken away.
type relaxation struct {
	name     string
	types    []worth.Machine
	need     float64 // servers of speed 1
	crossing *mixes.Crossing
}

// bindings finds which constraints cost money: each is taken away in turn and
// the mix chosen anew. A constraint that costs nothing is left out. The cost
// without it is that of the cheapest mix found, which a short search may miss by
// a little.
func (m *chosen) bindings(ctx context.Context) error {
	a, c, f := m.answer, m.nominalCase(), m.mixing.fleet()
	// An objective that stands alone has no saving: without it nothing would be asked.
	if len(a.Objectives) == 1 {
		a.Binding = append(a.Binding, MixBinding{Constraint: a.Objectives[0].Name})
	}
	all, err := m.relaxations()
	if err != nil {
		return err
	}
	for k, r := range mixes.Afforded(&m.work.Beside, all) {
		without := &mixer{types: r.types, Choice: mixes.Choice{Crossing: r.crossing}}
		if f != nil {
			if without.Model, err = m.figure(ctx, f.Without(r.name), r.types, c); err != nil {
				return err
			}
			without.Model = without.Model.Like(m.mixing.Model)
		}
		// A half of the steps is left to the searches that come after.
		s, err := m.otherwise(ctx, without, c, r.need, r.name, 2*(len(all)-k))
		if err != nil {
			return err
		}
		// Differences of the size of rounding are none.
		if saving := units.ExactCents(a.Cost - s.Cost); saving > 1e-9*a.Cost {
			a.Binding = append(a.Binding, MixBinding{r.name, ask.Figure(s.Cost), ask.Figure(saving)})
		}
	}
	a.dearestFirst()
	return nil
}

// relaxations lists the constraints that may be taken away: the objectives, where there
// are several, the limits of the machines, link and epoch, and the availability of jobs.
func (m *chosen) relaxations() ([]relaxation, error) {
	var all []relaxation
	crossing := m.mixing.Crossing
	results := m.answer.Objectives
	for i := range results {
		if len(results) == 1 {
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
		all = append(all, relaxation{results[i].Name, m.types, math.Min(rest, m.need), crossing})
	}
	// changed adds a relaxation in which one type differs.
	changed := func(name string, i int, change func(t *worth.Machine)) {
		types := slices.Clone(m.types)
		change(&types[i])
		all = append(all, relaxation{name, types, m.need, crossing})
	}
	for i := range m.types {
		t := &m.types[i]
		if t.Limit != nil {
			changed("limit of "+t.Name, i, func(t *worth.Machine) { t.Limit = nil })
		}
		// An at_least that is exceeded cannot cost anything.
		if least := int64(ask.Value(t.AtLeast)); least > 0 && m.answer.Machines[i].Count == least {
			changed("at_least of "+t.Name, i, func(t *worth.Machine) { t.AtLeast = nil })
		}
	}
	// Crossing is nil where neither is asked, and its methods then return nil.
	if free := crossing.Unlinked(); free != nil {
		all = append(all, relaxation{"link", m.types, m.need, free})
	}
	if free := crossing.Unscheduled(); free != nil {
		all = append(all, relaxation{"epoch", m.types, m.need, free})
	}
	// Without the target a job has one replica, and a public machine holds more
	// jobs.
	if m.objectives.Availability != nil {
		r := relaxation{"availability target", slices.Clone(m.types), m.need, crossing}
		for i := range r.types {
			if r.types[i].Replicas == nil {
				r.types[i].Copies = 1
			}
		}
		// Fewer replicas change how much of the work stands on public machines, and with it
		// what link and epoch allow.
		if crossing != nil {
			one := *crossing
			var err error
			if one.Types, err = m.crossingTypes(crossing, r.types, m.nominalCase()); err != nil {
				return nil, err
			}
			r.crossing = &one
		}
		all = append(all, r)
	}
	return all, nil
}

// dearestFirst orders the binding constraints by what they cost, after the one
// objective, which has no saving.
func (a *MixAnswer) dearestFirst() {
	sort.SliceStable(a.Binding, func(i, j int) bool {
		x, y := a.Binding[i].Saving, a.Binding[j].Saving
		return x == nil && y != nil || x != nil && y != nil && *x > *y
	})
}

// otherwise returns the cheapest mix without a constraint. It has fewer nodes to
// search than the mix, since there are many of these searches.
func (m *chosen) otherwise(ctx context.Context, without *mixer, c *planCase, need float64,
	name string, searches int) (*cover.Solution, error) {
	items, err := without.items(c)
	if err != nil {
		return nil, err
	}
	if without.Model != nil { // what keeps to more keeps to less
		without.Model.Known = m.counts
	}
	defer m.work.Beside.Of(without.Model, searches)()
	s, err := without.Cheapest(ctx, items, need, 0, m.mixing.FewNodes())
	if err != nil {
		return nil, mixError(err, name)
	}
	return s, nil
}

// alternatives compares the mix with mixes that leave out one kind of machine, or one type of a
// kind that has others.
func (m *chosen) alternatives(ctx context.Context) error {
	a := m.answer
	a.Alternatives = []MixAlternative{}
	used := map[scenario.MachineKind]int{}
	for _, t := range a.Machines {
		if t.Count > 0 {
			used[t.Kind]++
		}
	}
	// A type that is left out keeps the least number that the scenario insists
	// on.
	try := func(name string, out func(t *worth.Machine) bool) error {
		limited := slices.Clone(m.items)
		for i := range limited {
			if out(&m.types[i]) {
				limited[i].Most = limited[i].Least
			}
		}
		done := m.work.Beside.Of(m.mixing.Model, 4)
		s, err := m.mixing.Cheapest(ctx, limited, m.need, 0, m.mixing.FewNodes())
		done()
		alt := MixAlternative{Name: name}
		var short *cover.InfeasibleError
		switch {
		case errors.As(err, &short) && short.Limited:
			alt.Reason = "what is left is enough, and " + m.mixing.Crossing.Names() + " forbids it"
		case errors.As(err, &short):
			alt.Reason = fmt.Sprintf("what is left does as much as %.4g servers, below the needed %.4g",
				short.Reached(), short.Need)
		case err != nil:
			return err
		default:
			alt.Counts, alt.Cost, alt.Extra = s.Counts, ask.Figure(s.Cost), ask.Figure(units.ExactCents(s.Cost-a.Cost))
		}
		a.Alternatives = append(a.Alternatives, alt)
		return nil
	}
	has := func(kind scenario.MachineKind) bool {
		return slices.ContainsFunc(m.types, func(t worth.Machine) bool { return t.Kind == kind })
	}
	if used[scenario.Public] > 0 && has(scenario.Dedicated) {
		if err := try("dedicated only", func(t *worth.Machine) bool { return t.Kind == scenario.Public }); err != nil {
			return err
		}
	}
	if used[scenario.Dedicated] > 0 && has(scenario.Public) {
		if err := try("public only", func(t *worth.Machine) bool { return t.Kind == scenario.Dedicated }); err != nil {
			return err
		}
	}
	for _, one := range a.Machines {
		// Beyond six types in use the alternatives would be a list that nobody
		// reads.
		if one.Count > 0 && used[one.Kind] > 1 && used[scenario.Public]+used[scenario.Dedicated] <= 6 {
			if err := try("without "+one.Name, func(t *worth.Machine) bool { return t.Name == one.Name }); err != nil {
				return err
			}
		}
	}
	return nil
}

// contradictions holds the mix to the limits that it was not chosen by, the budget and
// the least utilization. The error of one that is broken says by how much it contradicts
// the objective that binds; the mix is an answer all the same.
func (m *chosen) contradictions(ctx context.Context) error {
	a, binding := m.answer, m.binding
	if m.objectives.Budget != nil {
		budget := perHour(m.objectives.Budget)
		if a.Cost > budget*(1+1e-12) {
			reason := fmt.Sprintf("budget and %s contradict each other: the cheapest mix that meets %s costs %s, "+
				"above the budget of %s",
				binding, binding, m.price(a.Cost), m.price(budget))
			reason += m.affordable(ctx, budget)
			return ask.Infeasiblef("budget", budget, a.Cost, "%s", reason)
		}
	}
	if m.objectives.MinUtilization != nil && a.Utilization != nil &&
		*a.Utilization < float64(*m.objectives.MinUtilization) {
		return ask.Infeasiblef("min_utilization", float64(*m.objectives.MinUtilization), *a.Utilization,
			"min_utilization and %s contradict each other: a fleet that meets %s is busy %s of the time, below the "+
				"required %s",
			binding, binding, ask.Digits(*a.Utilization), ask.Digits(float64(*m.objectives.MinUtilization)))
	}
	return nil
}

// affordable says what a budget buys: the machines worth the most servers. It
// adds to the reason of a broken budget how far the money goes.
func (m *chosen) affordable(ctx context.Context, budget float64) string {
	// Mixes are searched by worth and not by figures: a reason needs an amount and no mix that is
	// taken, and sixty searches by figures would take long.
	worth := *m.mixing
	worth.Model = nil
	low, high := 0.0, m.need
	var best *cover.Solution
	// Halving sixty times brings the need to the last digit.
	for range 60 {
		mid := (low + high) / 2
		s, err := worth.Cheapest(ctx, m.items, mid, 0, 20000)
		if err == nil && s.Cost <= budget*(1+1e-12) {
			// The mix found is mostly worth more than was asked for, which moves
			// the lower end further.
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
	reason := ask.Sprintf("; it buys machines worth %v of the %v servers needed", best.Worth,
		m.need)
	if x := m.mixing.Model; x != nil {
		if g, err := x.At(best.Counts, 0); err == nil {
			for _, l := range x.Fleet.Limits {
				if l.Name == m.binding {
					reason += ask.Sprintf(", with which %s is %v", m.binding, l.Objective.Value(g))
				}
			}
		}
	}
	return reason
}
