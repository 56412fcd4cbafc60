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
func (p *planning) fleetWords(counts []int64) string {
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

// counts lists the machines by type.
func (a *MixAnswer) counts() []int64 {
	counts := make([]int64, len(a.Machines))
	for i, m := range a.Machines {
		counts[i] = m.Count
	}
	return counts
}

// leading counts the machines of the mix that leads: the recommended one, or
// without one the cheapest for the most likely figures.
func (p *planning) leading() []int64 {
	if p.a.Recommended != nil {
		return p.a.Recommended.Counts
	}
	return p.a.Mix.counts()
}

// leadingDedicated counts the dedicated machines of that.
func (p *planning) leadingDedicated() (n int64) {
	for i, count := range p.leading() {
		if p.types[i].Kind == scenario.Dedicated {
			n += count
		}
	}
	return n
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

// mix answers which machines to take.
func (p *planning) mix(ctx context.Context) error {
	switch {
	case len(p.types) == 0:
		if p.objectives.Budget != nil && p.sizable() {
			return ask.Inputf("objectives.budget", "a budget needs prices: give machines")
		}
		return nil
	case !p.sizable():
		return nil
	case p.a.Size == nil: // not to be met: said already
		return nil
	case len(p.types) > MostMachineTypes:
		return ask.Inputf("machines", "%d types, want at most %d", len(p.types), MostMachineTypes)
	}
	if err := p.limits.CheckUnlike(p.service.Model, &p.Traffic); err != nil {
		return sized(err)
	}
	c := p.nominalCase()
	f, err := p.fleet(ctx, c)
	if err != nil {
		return err
	}
	if err := p.checkWhole(f); err != nil {
		return err
	}
	need, binding, err := f.Need(ctx)
	if err != nil {
		return err
	}
	p.mixing = &mixer{types: p.types, Choice: mixes.Choice{Crossing: p.crossing}}
	if p.mixing.Model, err = p.figure(f, p.types, c); err != nil {
		return err
	}
	items, err := p.mixing.items(c)
	if err != nil {
		return err
	}
	s, err := p.mixing.Cheapest(ctx, items, need, 0, 0)
	if short := (*cover.InfeasibleError)(nil); errors.As(err, &short) && short.Limited {
		return p.crossingError(ctx, c, need)
	}
	if err != nil {
		return p.mixError(err, binding)
	}
	a := &MixAnswer{Fleet: p.fleetWords(s.Counts), Cost: s.Cost, LowerBound: s.Bound, Optimal: s.Proven, Needed: need, Equivalent: s.Worth}
	if p.mixing.Model != nil {
		a.Dispatch = "an idle server chosen at random"
		if !a.Optimal {
			a.Warnings = append(a.Warnings,
				"that no mix costs less is not proven: the search looked above a plane below which no mix of random fleets met the objectives")
		}
	}
	if p.Curve != nil {
		a.Warnings = append(a.Warnings, "the mix is that of the peak, held over the whole curve")
	}
	for i := range p.types {
		t := &p.types[i]
		w := p.a.Machines[i]
		a.Machines = append(a.Machines,
			MixMachine{Name: t.Name, Kind: t.Kind, Count: s.Counts[i], Cost: items[i].Price * float64(s.Counts[i]),
				Equivalent: items[i].Worth * float64(s.Counts[i]), Price: items[i].Price, Worth: items[i].Worth,
				Replicas: w.Replicas, Limit: ask.Whole(t.Limit)})
		if t.Kind == scenario.Public && s.Worth > 0 {
			a.PublicShare += a.Machines[i].Equivalent / s.Worth
		}
	}
	p.a.Mix = a
	if err := p.figures(ctx, f, binding); err != nil {
		return err
	}
	if err := p.binding(ctx, c, need); err != nil {
		return err
	}
	if err := p.headroomCosts(ctx, f, c, need); err != nil {
		return err
	}
	if err := p.alternatives(ctx, items, need); err != nil {
		return err
	}
	return p.contradictions(ctx, items, binding)
}

// mixError says which limits keep the machines from being enough.
func (p *planning) mixError(err error, binding string) error {
	var short *cover.InfeasibleError
	if !errors.As(err, &short) {
		return err
	}
	return &ask.InfeasibleError{
		Constraint: "machines",
		Limit:      short.Need,
		Infimum:    short.Reach,

		Reason: fmt.Sprintf("the limits of the machines and %s contradict each other: all that can be had does as well as %s servers of speed 1, and %s needs %s",
			binding, ask.Digits(short.Reach), binding, ask.Digits(short.Need)),
	}
}

// figures fills in what the mix does, what it does without its public
// machines, and what one more machine buys.
func (p *planning) figures(ctx context.Context, f *sizing.Fleet, binding string) error {
	a := p.a.Mix
	_, _, _, needs, err := f.Solve(ctx)
	if err != nil {
		return err
	}
	counts := a.counts()
	g, err := p.does(ctx, f, counts)
	if err != nil {
		return ask.FromQueueing("servers", err)
	}
	a.Figures, a.Objectives = sizing.FiguresOf(g, f.Kind, f.Clock, f.Objectives), f.Results(needs, g)
	if a.PublicAway, err = p.publicAway(ctx, f, counts); err != nil {
		return err
	}
	for _, n := range needs {
		if n.Name != binding {
			continue
		}
		now := asked(n.Objective, g)
		for i := range a.Machines {
			m := &a.Machines[i]
			// What cannot be had has no worth: the field stays null.
			if m.Limit != nil && m.Count >= *m.Limit {
				continue
			}
			with := slices.Clone(counts)
			with[i]++
			more, err := p.does(ctx, f, with)
			if err != nil {
				return ask.FromQueueing("servers", err)
			}
			v := asked(n.Objective, more)
			m.OneMore = &OneMore{Price: m.Price, Objective: binding, Value: ask.Figure(v), Change: ask.Figure(v - now)}
		}
	}
	return nil
}

// does returns the figures of a mix at the most likely figures.
func (p *planning) does(ctx context.Context, f *sizing.Fleet, counts []int64) (queueing.Figures, error) {
	a := p.a.Mix
	if figure := p.mixing.Model; figure != nil {
		return figure.At(counts, 0)
	}
	servers := 0.0
	for i, n := range counts {
		servers += a.Machines[i].Worth * float64(n)
	}
	// The mix chosen is worth the need but for rounding, and must not miss by that the
	// objective that it was chosen to meet.
	if slices.Equal(counts, a.counts()) {
		servers = math.Max(servers, a.Needed)
	}
	// A log of wide jobs is replayed on whole servers: what a fraction of one would add is
	// not there.
	if f.WholeOnly() {
		servers = math.Floor(servers * (1 + 1e-12))
	}
	return f.At(ctx, math.Min(servers, 1e12))
}

// checkWhole refuses public machines beside a log of wide jobs.
func (p *planning) checkWhole(f *sizing.Fleet) error {
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
