package planner

import (
	"context"
	"slices"

	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/sim/station"
)

// simulated simulates the mix beside its figures; without machines the simulation
// of the plan is that of its servers. The machines are those of the mix with
// their availability drawn anew for each run.
func (p *premises) simulated(ctx context.Context, size *sizing.SizeAnswer, m *chosen) (*simulate.Simulation, error) {
	a := m.answered()
	switch {
	case p.Simulate == nil:
		return nil, nil
	case p.Log != nil:
		p.warn("a plan does not simulate a log: the question size replays the same log with simulate")
		return nil, nil
	case a == nil && size == nil:
		return nil, nil
	case a == nil:
		return size.Simulation, nil
	case slices.ContainsFunc(p.types, func(t worth.Machine) bool { return t.Groups != nil }):
		p.warn("the simulation has no groups of machines that fail together: it is left out")
		return nil, nil
	}
	x := m.mixing.Model
	var groups []station.Group
	for i, n := range m.counts {
		if n > 0 {
			k := x.Kinds[i]
			groups = append(groups, station.Group{Machines: float64(n), PerJob: k.PerJob, Speed: k.Speed, Up: k.Up})
		}
	}
	s, err := p.SizeQuestion().SimulatedOn(ctx, x.Fleet.Kind, groups, &a.Figures, p.Simulate)
	if err != nil {
		return nil, err
	}
	p.warn(s.Warnings(a.Method)...)
	return s, nil
}
