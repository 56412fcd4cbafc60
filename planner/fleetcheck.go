package planner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// A FleetQuestion asks whether a fleet of a scenario's machines meets its
// objectives.
type FleetQuestion struct {
	// The scenario is that of a plan, and is asked all that a plan asks before it
	// chooses a mix.
	Scenario *scenario.Question
	Machines map[string]int64 // by name; a type that is not named has none
	// Chance is the probability with which the fleet has to meet the objectives over
	// the ranges; 0: it has to meet them for the most likely figures only.
	Chance float64
}

// A FleetAnswer says whether a fleet fits a scenario. Met is true if the fleet meets the objectives
// for the most likely figures, and with the chance that was asked for, and keeps all limits: those
// of machines, budget, link and epoch as well as the objectives of the load.
type FleetAnswer struct {
	Met bool `json:"met"`
	// Shortfall are the servers of speed 1 that would have to stand beside the
	// fleet for the most likely figures, rounded up.
	Shortfall     int64   `json:"shortfall_servers"`
	ShortfallReal float64 `json:"shortfall_servers_real"`
	// Cost is by the most likely prices.
	Cost float64 `json:"cost_per_h"`
	// Needed is what the objectives ask for, and Equivalent what the fleet is
	// worth, both in servers of speed 1. The fleet is held to the objectives by
	// the figures of its own machines, so that it may meet them though it is
	// worth less, or miss them though it is worth more.
	Needed     float64 `json:"needed_servers_real"`
	Equivalent float64 `json:"equivalent_servers"`
	Binding    string  `json:"binding"`  // the objective that asks for the most, empty where nothing is needed
	Unstable   bool    `json:"unstable"` // the queue grows without end: there are no figures
	sizing.Figures
	Objectives []sizing.ObjectiveResult `json:"objectives"`
	Machines   []FleetMachine           `json:"machines"`
	Broken     []BrokenLimit            `json:"broken_limits"` // other than the objectives of the load
	// Chance to meet the objectives of the load over the draws, whatever is broken;
	// null where no input is a range.
	Chance *float64 `json:"probability_met"`
	// Required is the chance that the scenario asks for; null where it asks for
	// none.
	Required *float64 `json:"required_probability"`
	// Judged is how many of the draws the fleet was held against, the first ones.
	Judged int    `json:"judged_draws"`
	Seed   uint64 `json:"seed"`
	// PublicAway is what the dedicated machines do alone.
	PublicAway *sizing.Candidate `json:"public_away"`
	// AfterLoss is what is left after the worst loss that has to be survived.
	AfterLoss *MixLoss `json:"after_loss,omitempty"`
	// Money is how the scenario writes its prices; left out where they have no
	// currency and are per hour.
	Money    *units.PriceForm `json:"money,omitempty"`
	Warnings []string         `json:"warnings,omitempty"`
}

// A FleetMachine is one type in a fleet. Missing says what to add if machines of this
// type alone may be added: how many more make the fleet enough for the most likely
// figures, 0 if it is enough, null if not even all that can be had do.
type FleetMachine struct {
	Name  string               `json:"name"`
	Kind  scenario.MachineKind `json:"kind"`
	Count int64                `json:"count"`
	Cost  float64              `json:"cost_per_h"`
	// Worth is in servers of speed 1.
	Worth   float64 `json:"worth_of_one"`
	Missing *int64  `json:"missing"`
	Untold  bool    `json:"missing_untold,omitempty"` // Missing would have taken too much work
}

// A BrokenLimit is a limit that a fleet does not keep. Value is what the fleet
// comes to. Both are 0 where they cannot be said in a number, and Reason says it
// in words.
type BrokenLimit struct {
	Constraint string  `json:"constraint"`
	Limit      float64 `json:"limit"`
	Value      float64 `json:"value"`
	Reason     string  `json:"reason"`
}

// CheckFleet answers a FleetQuestion. Errors: *ask.InputError, *ask.InfeasibleError
// where no fleet meets the objectives, and that of the context.
func CheckFleet(ctx context.Context, q *FleetQuestion) (*FleetAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil || q.Scenario == nil {
		return nil, ask.NoQuestion()
	}
	if err := q.Scenario.Check(); err != nil {
		return nil, q.Scenario.Placed(err)
	}
	if err := q.Scenario.CheckRead(); err != nil {
		return nil, q.Scenario.Placed(err)
	}
	counts, err := q.counts()
	if err != nil {
		return nil, err
	}
	check := func() (*FleetAnswer, error) { return newPremises(q.Scenario).checkFleet(ctx, counts, q.Chance) }
	a, err := parallel.Await(ctx, check) // what 64 types lack takes 9 s without a look at ctx
	return a, q.Scenario.Placed(err)
}

// counts are the machines by type. The order is that of the scenario, as
// everywhere in this package.
func (q *FleetQuestion) counts() ([]int64, error) {
	var names []string
	for i := range q.Scenario.Machines {
		names = append(names, q.Scenario.Machines[i].Name)
	}
	if len(names) == 0 {
		// A fleet without machines is a number of servers, which sizing.Check is
		// held against.
		return nil, ask.Inputf("machines",
			"the scenario has no machines to build a fleet from: give %s instead", ask.FieldName("servers"))
	}
	counts := make([]int64, len(names))
	for name, n := range q.Machines {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, ask.Inputf("machines", "%q is not a machine of the scenario%s, want %s", name,
				spell.Aside(name, names), strings.Join(names, ", "))
		}
		if n < 0 || n > 1e12 {
			return nil, ask.Inputf("machines", "%s = %d, want 0 to 1e12 machines", name, n)
		}
		counts[i] = n
	}
	return counts, nil
}

// checkFleet asks what a plan asks before it chooses a mix, and holds the fleet
// to it. The steps before the fleet is looked at are those of [Plan], so that
// both refuse the same scenarios and warn of the same.
func (p *premises) checkFleet(ctx context.Context, counts []int64, required float64) (*FleetAnswer, error) {
	if !p.sizable() {
		return nil, ask.Inputf("objectives",
			"a fleet is checked against objectives: the scenario needs a load with a service time, and limits such "+
				"as max_blocking: 1%%")
	}
	seen, err := p.available(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.resolve(seen); err != nil {
		return nil, err
	}
	if err := p.checkUnlike(); err != nil {
		return nil, err
	}
	if err := p.checkDraws(); err != nil {
		return nil, err
	}
	// The size itself is not used. It is asked because that checks its question and
	// gives the warnings that a plan gives.
	if _, err := p.size(ctx); err != nil {
		return nil, err
	}
	a := &FleetAnswer{
		Seed:     p.seed,
		Money:    p.money,
		Warnings: p.warnings,
		Machines: []FleetMachine{},
		Broken:   []BrokenLimit{},
	}
	// An epoch that no fleet can have is a broken limit of this one, not a failure to answer.
	var none *ask.InfeasibleError
	pace, err := p.schedule()
	switch {
	case errors.As(err, &none):
		a.Broken = append(a.Broken,
			BrokenLimit{none.Constraint, finiteOr0(none.Limit), finiteOr0(none.Infimum), none.Reason})
	case err != nil:
		return nil, err
	}
	y, err := p.measure(ctx, pace.crossing)
	if err != nil {
		return nil, err
	}
	if x := y.mixing.Model; x != nil {
		x.Prepare(y.items, y.need)
	}
	a.Needed, a.Binding = y.need, y.binding
	a.machines(y, counts)
	if err := a.figures(ctx, y, counts); err != nil {
		return nil, err
	}
	more := y.missing(ctx, counts, a.ShortfallReal)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for i := range a.Machines {
		if one := &a.Machines[i]; i >= len(more) {
			one.Untold = true
		} else if !math.IsNaN(more[i]) {
			one.Missing = new(int64(more[i]))
		}
	}
	a.Warnings = append(a.Warnings, y.mixing.Model.Warnings()...)
	if len(more) < len(counts) {
		a.Warnings = append(a.Warnings, mixes.FewTypesWords(len(more), len(counts)))
	}
	a.overall(y, counts)
	if err := a.drawn(ctx, y, counts, required); err != nil {
		return nil, err
	}
	a.Met = a.Met && len(a.Broken) == 0
	return a, nil
}

// machines states the fleet, and holds the number of each type to what can be
// had. Each cost is rounded as a price is, and so is the sum, which would else
// show the rounding of its parts.
func (a *FleetAnswer) machines(y *yardstick, counts []int64) {
	for i := range y.types {
		t, item, n := &y.types[i], y.items[i], counts[i]
		one := FleetMachine{
			Name:  t.Name,
			Kind:  t.Kind,
			Count: n,
			Cost:  units.ExactCents(item.Price * float64(n)),
			Worth: item.Worth,
		}
		a.Cost += one.Cost
		a.Equivalent += one.Worth * float64(n)
		a.Machines = append(a.Machines, one)
		a.limits(t, n)
	}
	a.Cost = units.ExactCents(a.Cost)
}

// limits holds the number of machines of a type to what can be had.
func (a *FleetAnswer) limits(t *worth.Machine, n int64) {
	if most := ask.Whole(t.Limit); most != nil && n > *most {
		a.Broken = append(a.Broken, BrokenLimit{"limit of " + t.Name, float64(*most), float64(n),
			fmt.Sprintf("%d %s, but only %d can be had", n, t.Name, *most)})
	}
	if least := ask.Whole(t.AtLeast); least != nil && n < *least {
		a.Broken = append(a.Broken, BrokenLimit{"at_least of " + t.Name, float64(*least), float64(n),
			fmt.Sprintf("%d %s, but the scenario wants at least %d", n, t.Name, *least)})
	}
}
