package planner

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
)

// A needed fleet is what a load needs, in servers of speed 1 by the work that they do.
type needed struct {
	servers float64
	binding string // the objective that asks for them
	// speed is that of the servers in which the need was found. It is 1, but where the service alone
	// takes longer on a server of speed 1 than a limit on responses allows. No number of these is
	// enough then, and machines that are faster may be: the need is counted in servers as fast as the
	// fastest type, each of which does the work of as many of speed 1.
	speed float64
}

// needOf finds what a fleet of a case needs. Errors: those of [sizing.Fleet.Need].
func (p *premises) needOf(ctx context.Context, f *sizing.Fleet, c *planCase) (n needed, err error) {
	if f, n.speed, err = p.enough(ctx, f, c); err != nil {
		return n, err
	}
	n.servers, n.binding, err = f.Need(ctx)
	n.servers *= n.speed
	return n, err
}

// needsOf is [premises.needOf] by limit.
func (p *premises) needsOf(ctx context.Context, f *sizing.Fleet, c *planCase) ([]sizing.Need, error) {
	quick, speed, err := p.enough(ctx, f, c)
	if err != nil {
		return nil, err
	}
	_, _, _, needs, err := quick.Solve(ctx)
	if speed == 1 {
		return needs, err
	}
	for i := range needs {
		n := &needs[i]
		n.Limit, n.Real = f.Limits[i], n.Real*speed
		n.Servers = math.Ceil(n.Servers * speed * (1 - 1e-12))
	}
	return needs, err
}

// enough is the fleet whose servers are enough in some number, and their speed.
func (p *premises) enough(ctx context.Context, f *sizing.Fleet, c *planCase) (*sizing.Fleet, float64, error) {
	speed, err := p.countedIn(ctx, f, c)
	if err == nil && speed > 1 {
		f, err = p.fleetOf(c, faster(f.Load, speed))
	}
	return f, speed, err
}

// countedIn is the speed of the servers in which the need of a fleet is found.
func (p *premises) countedIn(ctx context.Context, f *sizing.Fleet, c *planCase) (float64, error) {
	speed, err := p.fastest(c)
	if err != nil || speed <= 1 || !f.TooSlow(ctx) {
		return 1, err
	}
	return speed, nil
}

// fastest is the speed at which jobs get on with the fastest type that can be had; 0 of a log, which
// knows no machines.
func (p *premises) fastest(c *planCase) (speed float64, err error) {
	for i := range p.types {
		t := &p.types[i]
		if p.Log != nil || t.Limit != nil && *t.Limit == 0 {
			continue
		}
		v, err := t.Fastest(c.machines[i])
		if err != nil {
			return 0, err
		}
		speed = math.Max(speed, v)
	}
	return speed, nil
}

// faster is a load on servers of another speed.
func faster(s sizing.Load, speed float64) sizing.Load {
	return sizing.LoadOf(s.Offered()/speed, s.Service/speed)
}

// drawnNeeds are those of [premises.needOf] by draw, +Inf where no machines are enough.
func (p *premises) drawnNeeds(ctx context.Context, loads []sizing.Load, figures func(i int) *planCase,
	fleet func(sizing.Load) (*sizing.Fleet, error)) ([]float64, error) {
	needs, err := sizing.RealNeeds(ctx, len(loads), func(i int) sizing.Load { return loads[i] }, fleet)
	if err != nil {
		return nil, err
	}
	var at []int
	var quick []sizing.Load
	var speeds []float64
	for i := range needs {
		if !math.IsInf(needs[i], 1) {
			continue
		}
		speed, err := p.fastest(figures(i))
		if err != nil {
			return nil, err
		}
		if speed > 1 {
			at, speeds, quick = append(at, i), append(speeds, speed), append(quick, faster(loads[i], speed))
		}
	}
	again, err := sizing.RealNeeds(ctx, len(at), func(k int) sizing.Load { return quick[k] }, fleet)
	if err != nil {
		return nil, err
	}
	for k, i := range at {
		needs[i] = again[k] * speeds[k]
	}
	return needs, nil
}

// unmetAlone tells, where the size has no answer, whether faster machines may be enough, and warns
// that what is needed is counted in these then.
func (p *premises) unmetAlone(ctx context.Context, err error) bool {
	if !errors.Is(err, ask.ErrInfeasible) || len(p.types) == 0 {
		return false
	}
	c := p.nominalCase()
	f, failed := p.fleet(ctx, c)
	if failed != nil {
		return false
	}
	n, failed := p.needOf(ctx, f, c)
	if failed != nil || n.speed == 1 {
		return false
	}
	p.warn(fmt.Sprintf("no number of servers of speed 1 meets the limits on responses, which faster machines can: "+
		"servers needed and missing are counted as servers of speed %s, each worth as many of speed 1",
		ask.Digits(n.speed)))
	return true
}
