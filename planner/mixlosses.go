package planner

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// A MixHeadroom is what one thing that keeps a mix safe costs: a loss that it
// survives, or a limit on its public machines.
type MixHeadroom struct {
	Constraint string `json:"constraint"` // spare, zones, max_public_share, or groups of a type
	// Cost of the cheapest mix found without it, the other constraints kept, and what
	// the mix costs above that.
	Without float64 `json:"cost_without_per_h"`
	Extra   float64 `json:"extra_cost_per_h"`
	Share   float64 `json:"extra_share"` // of the cost without
}

// A MixLoss is what is left of a mix after the loss that does the most harm. All
// figures are null where what is left does not carry the load.
type MixLoss struct {
	Lost []int64 `json:"machines_lost"` // by type
	// Left are the machines that stay, by type.
	Left     []int64 `json:"machines_left"`
	Unstable bool    `json:"unstable"` // what is left does not carry the load: there are no figures
	Met      bool    `json:"met"`
	sizing.Figures
}

// A mixGuard is one thing that keeps a mix safe, and the choice without it.
type mixGuard struct {
	name  string
	mixer func(m *mixer)
}

// guards lists what the scenario asks for. Each of them can be taken away alone,
// with the others kept.
func (y *yardstick) guards() []mixGuard {
	var all []mixGuard
	room := y.Headroom()
	if room != nil && room.Spare > 0 {
		all = append(all, mixGuard{"spare", func(m *mixer) {
			m.Model.Room = &sizing.Headroom{Zones: room.Zones, Survive: room.Survive}
		}})
	}
	if room != nil && room.Zones > 0 {
		all = append(all, mixGuard{"zones", func(m *mixer) { m.Model.Room = &sizing.Headroom{Spare: room.Spare} }})
	}
	if free := y.mixing.Crossing.Unshared(); free != nil {
		all = append(all, mixGuard{"max_public_share", func(m *mixer) { m.Crossing = free }})
	}
	return append(all, y.groupGuards()...)
}

// headroomCosts finds what each of the guards costs, and what is left after the
// worst loss. Guards that cost something are among the binding constraints too.
func (m *chosen) headroomCosts(ctx context.Context) error {
	a, c := m.answer, m.nominalCase()
	guards := m.guards()
	for k, g := range mixes.Afforded(&m.work.Beside, guards) {
		// Each guard is taken away in a model of its own, since a model keeps what it found out
		// about mixes.
		without := &mixer{types: m.types, Choice: mixes.Choice{Crossing: m.mixing.Crossing}}
		if m.mixing.Model != nil {
			var err error
			if without.Model, err = m.figure(ctx, m.held, m.types, c); err != nil {
				return err
			}
			without.Model.Knowing(m.mixing.Model)
		}
		g.mixer(without)
		s, err := m.otherwise(ctx, without, c, m.need, g.name, 2*(len(guards)-k))
		if err != nil {
			return err
		}
		// A search that is not proven may find less with the guard than without.
		h := MixHeadroom{Constraint: g.name, Without: math.Min(s.Cost, a.Cost)}
		if h.Extra = units.ExactCents(a.Cost - h.Without); h.Without > 0 {
			h.Share = h.Extra / h.Without
		}
		a.Headroom = append(a.Headroom, h)
		if h.Extra > 1e-9*a.Cost {
			a.Binding = append(a.Binding, MixBinding{g.name, ask.Figure(h.Without), ask.Figure(h.Extra)})
		}
	}
	a.dearestFirst()
	a.AfterLoss = m.afterLoss(m.counts)
	return nil
}

// lost holds what is left of a fleet after the worst loss to the objectives. A
// fleet that is whole and meets the objectives may still break them by a loss.
func (a *FleetAnswer) lost(y *yardstick, counts []int64) {
	if a.AfterLoss = y.afterLoss(counts); a.AfterLoss == nil || a.AfterLoss.Met {
		return
	}
	reason := fmt.Sprintf("%s of it may be lost, and the rest does not meet the objectives",
		y.Headroom().Words("machine"))
	a.Broken = append(a.Broken, BrokenLimit{Constraint: "headroom", Reason: reason})
}
