package planner

import (
	"context"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// figure returns how mixes of the types do in a case; nil for a log of wide
// jobs, whose model knows no machines.
func (p *premises) figure(ctx context.Context, f *sizing.Fleet, types []worth.Machine, c *planCase) (
	*mixes.Model, error) {
	if f.WideJobs() {
		return nil, nil
	}
	kinds := make([]unlike.Coming, len(types))
	for i := range types {
		t := &types[i]
		k, err := t.Coming(c.machines[i])
		if err != nil {
			return nil, err
		}
		// Outages much shorter than a service are not seen by it: a job finds the machine a
		// little slower, not away.
		if k.Up < 1 && t.Count(p.objectives.PublicCount, c.machines[i], f.Load) == sizing.CountMean {
			k = mixes.AtMean(k)
		}
		kinds[i] = k
	}
	queue, same := p.Traffic.UnlikeModelOf(f.Kind, f.Load), f
	if speed := mixes.SameSpeed(f, queue, kinds); speed > 0 && speed != 1 {
		var err error
		if same, err = p.fleetOf(c, faster(f.Load, speed)); err != nil {
			return nil, err
		}
	}
	x := mixes.NewModel(f, same, queue, kinds, p.Headroom())
	if x.Alike() {
		return x, nil
	}
	speed, err := p.countedIn(ctx, f, c)
	x.MissAs(speed)
	return x, err
}

// A mixer chooses mixes of types of machines.
type mixer struct {
	types []worth.Machine
	mixes.Choice
}

// items returns the types at the figures of a case, as the choice takes them.
func (m *mixer) items(c *planCase) ([]cover.Item, error) {
	items := make([]cover.Item, len(m.types))
	for i := range m.types {
		var err error
		if items[i], err = m.types[i].Item(c.machines[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// fleet returns the fleet whose objectives mixes are held to; nil where they
// are held to their worth.
func (m *mixer) fleet() *sizing.Fleet {
	if m.Model == nil {
		return nil
	}
	return m.Model.Fleet
}

// Cheapest is that of the choice, with the rounding of a sum of prices taken out.
// Sums of prices that are kept per second would show as 12.000000001 an hour.
func (m *mixer) Cheapest(ctx context.Context, items []cover.Item, need, shortfall float64, nodes int) (
	*cover.Solution, error) {
	s, err := m.Choice.Cheapest(ctx, items, need, shortfall, nodes)
	if err != nil {
		return nil, err
	}
	out := *s
	out.Cost, out.Bound = units.ExactCents(s.Cost), units.ExactCents(s.Bound)
	return &out, nil
}
