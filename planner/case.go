package planner

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// A planCase is one certain set of all that a plan takes as uncertain. Figures
// that the load does not hold are 0.
type planCase struct {
	load, rate, service float64 // erl, per s, s; those that the load has
	// Scale multiplies the rates of a curve, which has no single figure to draw.
	scale      float64 // of a load curve
	objectives sizing.Objectives
	machines   []worth.Case
}

// nominalCase returns the most likely figures.
func (p *premises) nominalCase() *planCase {
	c := &planCase{load: ask.Likely(p.OfferedLoad, 0), rate: ask.Likely(p.Rate, 0), service: ask.Likely(p.ServiceTime, 0),
		scale: 1, objectives: p.limits}
	for i := range p.types {
		c.machines = append(c.machines, p.types[i].Nominal())
	}
	return c
}

// clone copies the machines too, so that a draw can change them.
func (c *planCase) clone() *planCase {
	out := *c
	out.machines = slices.Clone(c.machines)
	return &out
}

// scenario returns the load of the case. Where the plan has a log there is no
// load to draw, and its Load says only that times have a unit.
func (p *premises) scenario(c *planCase) sizing.Load {
	if p.Log != nil {
		return sizing.Load{Clock: true}
	}
	return p.Traffic.LoadAt(c.load, c.rate, c.service)
}

// fleet returns the fleet of a case; of a curve that of the interval which
// needs the most. Objectives are those of the case, since sensitivities move
// them.
func (p *premises) fleet(ctx context.Context, c *planCase) (*sizing.Fleet, error) {
	s := sizing.Load{}
	// Which interval needs the most depends on the staffing method, which only sizing knows.
	if p.Curve != nil {
		q := p.SizeQuestion()
		q.Objectives, q.Explain = c.objectives, false
		scaled := traffic.Curve{Start: p.Curve.Start, End: p.Curve.End, Rate: make([]float64, len(p.Curve.Rate))}
		for i, r := range p.Curve.Rate {
			scaled.Rate[i] = r * c.scale
		}
		q.Curve, q.ServiceTime = &scaled, new(units.Point(units.Duration(c.service)))
		load, err := p.peak(ctx, q, c)
		if err != nil {
			return nil, sized(err)
		}
		s = sizing.LoadOf(load, c.service)
	} else {
		s = p.scenario(c)
	}
	return p.fleetOf(c, s)
}

// peak is the load of the interval of a curve that needs the most, on servers of speed 1 or, where no
// number of these is enough, on servers as fast as the fastest type.
func (p *premises) peak(ctx context.Context, q *sizing.SizeQuestion, c *planCase) (float64, error) {
	a, err := sizing.Size(ctx, q)
	if !errors.Is(err, ask.ErrInfeasible) {
		return ask.Value(a).OfferedLoad, err
	}
	speed, failed := p.fastest(c)
	if failed != nil || speed <= 1 {
		return 0, cmp.Or(failed, err)
	}
	q.ServiceTime = new(units.Point(units.Duration(c.service / speed)))
	a, err = sizing.Size(ctx, q)
	return ask.Value(a).OfferedLoad * speed, err
}

// fleetOf is the fleet of a case under a load.
func (p *premises) fleetOf(c *planCase, s sizing.Load) (*sizing.Fleet, error) {
	f, err := sizing.NewFleet(&p.Traffic, &c.objectives, p.service.Model, nil, s)
	return f, sized(err)
}
