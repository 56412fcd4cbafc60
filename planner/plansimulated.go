package planner

import (
	"context"
	"slices"

	"github.com/capplan/capplan/sim/station"
)

// simulated simulates the mix beside its figures; without machines the simulation
// of the plan is that of its servers.
func (p *planning) simulated(ctx context.Context) error {
	switch {
	case p.Simulate == nil:
		return nil
	case p.Log != nil:
		p.a.Warnings = append(p.a.Warnings,
			"a log is not simulated in a plan: size with the same log and simulate replays it")
		return nil
	case p.a.Mix == nil:
		if p.a.Size != nil {
			p.a.Simulation = p.a.Size.Simulation
		}
		return nil
	}
	if slices.ContainsFunc(p.types, func(t machine) bool { return t.Groups != nil }) {
		p.a.Warnings = append(p.a.Warnings, "the simulation knows no groups of machines that go at once: it is left out")
		return nil
	}
	x := p.mixing.Model
	var groups []station.Group
	for i, n := range p.a.Mix.counts() {
		if n > 0 {
			k := x.Kinds[i]
			groups = append(groups, station.Group{Machines: float64(n), PerJob: k.PerJob, Speed: k.Speed, Up: k.Up})
		}
	}
	s, err := p.SizeQuestion().SimulatedOn(ctx, x.Fleet.Kind, groups, &p.a.Mix.Figures, p.Simulate)
	if err != nil {
		return err
	}
	p.a.Simulation = s
	p.a.Warnings = append(p.a.Warnings, s.Warnings(p.a.Mix.Method)...)
	return nil
}
