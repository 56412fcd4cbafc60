package planner

import (
	"context"
	"errors"
	"fmt"
	"math"
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

// A MixAnswer is the cheapest choice of machines that meets the objectives.
type MixAnswer struct {
	Fleet      string  `json:"fleet"` // the machines in words, such as 91 rack and 199 spot
	Cost       float64 `json:"cost_per_h"`
	LowerBound float64 `json:"cost_lower_bound_per_h"` // no mix costs less
	Optimal    bool    `json:"optimal"`                // proven
	// Needed is the number of servers of speed 1 that the objectives ask for, and
	// Equivalent the capacity of the mix in such servers. A mix is chosen by the
	// figures of its own machines, so that either may be the greater.
	Needed      float64 `json:"needed_servers_real"`
	Equivalent  float64 `json:"equivalent_servers"`
	PublicShare float64 `json:"public_share"` // of what the mix is worth
	// Dispatch says which of several idle servers an arrival takes; empty for a
	// log, which is planned by worth alone.
	Dispatch string `json:"dispatch,omitempty"`
	sizing.Figures
	Objectives []sizing.ObjectiveResult `json:"objectives"`
	Machines   []MixMachine             `json:"machines"`
	Binding    []MixBinding             `json:"binding"`
	// Headroom is what each loss that the mix has to survive, and each limit on
	// its public machines, costs; left out where none is asked for.
	Headroom []MixHeadroom `json:"headroom,omitempty"`
	// AfterLoss is what the machines do that the worst loss leaves; left out where
	// no loss has to be survived.
	AfterLoss    *MixLoss         `json:"after_loss,omitempty"`
	Alternatives []MixAlternative `json:"alternatives"`
	// PublicAway are the figures with the dedicated machines alone; null
	// where the mix has no public ones.
	PublicAway *sizing.Candidate `json:"public_away"`
	Warnings   []string          `json:"warnings,omitempty"`
}

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

// A MixMachine is one type in the mix.
type MixMachine struct {
	Name       string               `json:"name"`
	Kind       scenario.MachineKind `json:"kind"`
	Count      int64                `json:"count"`
	Cost       float64              `json:"cost_per_h"`
	Equivalent float64              `json:"equivalent_servers"` // of all of them
	Price      float64              `json:"price_per_h"`        // of one
	Worth      float64              `json:"worth_of_one"`
	Replicas   *int64               `json:"replicas"`
	Limit      *int64               `json:"limit"`
	OneMore    *OneMore             `json:"one_more"` // null where no more can be had
}

// OneMore is what one more machine buys.
type OneMore struct {
	Price     float64  `json:"price_per_h"`
	Objective string   `json:"objective"` // the one that asks for the most
	Value     *float64 `json:"value"`     // of its figure, with the machine
	Change    *float64 `json:"change"`
}

// A MixBinding is a constraint without which the mix would cost less, by the
// cheapest mix found without it.
type MixBinding struct {
	Constraint string   `json:"constraint"`
	Cost       *float64 `json:"cost_without_per_h"` // null where without it nothing is asked
	Saving     *float64 `json:"saving_per_h"`
}

// A MixAlternative is the cheapest mix found under one more condition.
type MixAlternative struct {
	Name   string   `json:"name"`
	Counts []int64  `json:"counts"` // by machine type; null where there is none
	Cost   *float64 `json:"cost_per_h"`
	Extra  *float64 `json:"extra_cost_per_h"`
	Reason string   `json:"reason,omitempty"` // why there is none
}

// A mixer chooses mixes of types of machines.
type mixer struct {
	types []machine
	mixes.Choice
}

// items states a case for the choice.
func (m *mixer) items(c *planCase) ([]cover.Item, error) {
	items := make([]cover.Item, len(m.types))
	for i := range m.types {
		var err error
		if items[i], err = m.types[i].item(c.machines[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// A chosen mix is a choice of machines, and what it was chosen by: the fleet of
// servers of speed 1 whose objectives it is held to, at the most likely figures.
type chosen struct {
	*premises
	mixing  *mixer
	held    *sizing.Fleet
	items   []cover.Item
	need    float64 // servers of speed 1
	binding string  // the objective that needs them
	counts  []int64 // by type; nil where none is enough

	answer *MixAnswer // nil without counts, and of a fleet that is given
}

// answered is the answer; nil where no mix was chosen.
func (m *chosen) answered() *MixAnswer {
	if m == nil {
		return nil
	}
	return m.answer
}

// choosing states the choice of a mix without making it: what a mix is held to, and
// what each machine counts for.
func (p *premises) choosing(ctx context.Context, crossing *mixes.Crossing) (*chosen, error) {
	if err := p.limits.CheckUnlike(p.service.Model, &p.Traffic); err != nil {
		return nil, sized(err)
	}
	c := p.nominalCase()
	f, err := p.fleet(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := p.checkWhole(f); err != nil {
		return nil, err
	}
	m := &chosen{
		premises: p,
		mixing:   &mixer{types: p.types, Choice: mixes.Choice{Crossing: crossing}},
		held:     f,
	}
	if m.need, m.binding, err = f.Need(ctx); err != nil {
		return nil, err
	}
	if m.mixing.Model, err = p.figure(f, p.types, c); err != nil {
		return nil, err
	}
	m.items, err = m.mixing.items(c)
	return m, err
}

// mix answers which machines to take; nil where nothing asks for them. A mix that
// breaks a limit which is not among its objectives is returned beside the error.
func (p *premises) mix(ctx context.Context, size *sizing.SizeAnswer, crossing *mixes.Crossing) (*chosen, error) {
	switch {
	case len(p.types) == 0:
		if p.objectives.Budget != nil && p.sizable() {
			return nil, ask.Inputf("objectives.budget", "a budget needs prices: give machines")
		}
		return nil, nil
	case !p.sizable():
		return nil, nil
	case size == nil: // not to be met: said already
		return nil, nil
	case len(p.types) > MostMachineTypes:
		return nil, ask.Inputf("machines", "%d types, want at most %d", len(p.types), MostMachineTypes)
	}
	m, err := p.choosing(ctx, crossing)
	if err != nil {
		return nil, err
	}
	s, err := m.mixing.Cheapest(ctx, m.items, m.need, 0, 0)
	if short := (*cover.InfeasibleError)(nil); errors.As(err, &short) && short.Limited {
		return m, m.crossingError(ctx)
	}
	if err != nil {
		return m, mixError(err, m.binding)
	}
	m.counts, m.answer = s.Counts, m.present(s)
	for _, fill := range []func(context.Context) error{
		m.figures, m.bindings, m.headroomCosts, m.alternatives, m.contradictions,
	} {
		if err := fill(ctx); err != nil {
			return m, err
		}
	}
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
				"that no mix costs less is not proven: the search looked above a plane below which no mix of random fleets met the objectives")
		}
	}
	if m.Curve != nil {
		a.Warnings = append(a.Warnings, "the mix is that of the peak, held over the whole curve")
	}
	for i := range m.types {
		t, item := &m.types[i], m.items[i]
		a.Machines = append(a.Machines, MixMachine{
			Name:       t.Name,
			Kind:       t.Kind,
			Count:      s.Counts[i],
			Cost:       item.Price * float64(s.Counts[i]),
			Equivalent: item.Worth * float64(s.Counts[i]),
			Price:      item.Price,
			Worth:      item.Worth,
			Replicas:   m.worths[i].Replicas,
			Limit:      ask.Whole(t.Limit),
		})
		if t.Kind == scenario.Public && s.Worth > 0 {
			a.PublicShare += a.Machines[i].Equivalent / s.Worth
		}
	}
	return a
}

// mixError says which limits keep the machines from being enough.
func mixError(err error, binding string) error {
	var short *cover.InfeasibleError
	if !errors.As(err, &short) {
		return err
	}
	reach := short.Reached()
	return &ask.InfeasibleError{
		Constraint: "machines",
		Limit:      short.Need,
		Infimum:    reach,

		Reason: fmt.Sprintf("the limits of the machines and %s contradict each other: all that can be had does as well as %s servers of speed 1, and %s needs %s",
			binding, ask.Digits(reach), binding, ask.Digits(short.Need)),
	}
}

// figures fills in what the mix does, what it does without its public
// machines, and what one more machine buys.
func (m *chosen) figures(ctx context.Context) error {
	a, f := m.answer, m.held
	_, _, _, needs, err := f.Solve(ctx)
	if err != nil {
		return err
	}
	g, err := m.does(ctx, m.counts)
	if err != nil {
		return ask.FromQueueing("servers", err)
	}
	a.Figures, a.Objectives = sizing.FiguresOf(g, f.Kind, f.Clock, f.Objectives), f.Results(needs, g)
	if a.PublicAway, err = m.publicAway(ctx, m.counts); err != nil {
		return err
	}
	for _, n := range needs {
		if n.Name != m.binding {
			continue
		}
		now := asked(n.Objective, g)
		for i := range a.Machines {
			one := &a.Machines[i]
			// What cannot be had has no worth: the field stays null.
			if one.Limit != nil && one.Count >= *one.Limit {
				continue
			}
			with := slices.Clone(m.counts)
			with[i]++
			more, err := m.does(ctx, with)
			if err != nil {
				return ask.FromQueueing("servers", err)
			}
			v := asked(n.Objective, more)
			one.OneMore = &OneMore{
				Price:     one.Price,
				Objective: m.binding,
				Value:     ask.Figure(v),
				Change:    ask.Figure(v - now),
			}
		}
	}
	return nil
}

// does returns the figures of a mix at the most likely figures.
func (m *chosen) does(ctx context.Context, counts []int64) (queueing.Figures, error) {
	if figure := m.mixing.Model; figure != nil {
		return figure.At(counts, 0)
	}
	servers := m.worthOf(counts)
	// The mix chosen is worth the need but for rounding, and must not miss by that the
	// objective that it was chosen to meet.
	if servers >= m.need*(1-1e-9) {
		servers = math.Max(servers, m.need)
	}
	// A log of wide jobs is replayed on whole servers: what a fraction of one would add is
	// not there.
	if m.held.WholeOnly() {
		servers = math.Floor(servers * (1 + 1e-12))
	}
	return m.held.At(ctx, math.Min(servers, 1e12))
}

// offered is the load, of a log that of its jobs.
func (m *chosen) offered() float64 {
	if m.Log != nil {
		return m.Log.OfferedLoad
	}
	return m.held.Load.Offered()
}

// worthOf is how many servers of speed 1 machines are worth.
func (m *chosen) worthOf(counts []int64) float64 {
	servers := 0.0
	for i, n := range counts {
		servers += m.items[i].Worth * float64(n)
	}
	return servers
}

// checkWhole refuses public machines beside a log of wide jobs.
func (p *premises) checkWhole(f *sizing.Fleet) error {
	if f.WideJobs() && p.Headroom() != nil {
		return ask.Inputf("objectives.spare",
			"a log of wide jobs knows no machines that are lost: want no spare, zones and survive beside it")
	}
	if f.WholeOnly() {
		for i := range p.types {
			if p.types[i].Kind == scenario.Public {
				return ask.Inputf(fmt.Sprintf("machines[%d].kind", i),
					"a public machine beside a log of wide jobs needs the model wait (service.model): part of a server runs no wide job")
			}
		}
	}
	return nil
}
