package planner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
)

// figures says what the fleet does for the most likely figures, and what is
// missing.
func (a *FleetAnswer) figures(ctx context.Context, m *chosen) error {
	f := m.held
	_, _, _, needs, err := f.Solve(ctx)
	if err != nil {
		return err
	}
	a.ShortfallReal = m.missingServers(m.counts)
	a.Shortfall = int64(math.Ceil(a.ShortfallReal - 1e-6))
	g, err := m.does(ctx, m.counts)
	switch {
	case errors.Is(err, queueing.ErrUnstable):
		a.Unstable = true
		for _, n := range needs {
			a.Objectives = append(a.Objectives, sizing.ObjectiveResult{
				Name:        n.Name,
				Limit:       n.Objective.Limit,
				Servers:     int64(n.Servers),
				ServersReal: ask.Figure(n.Real),
			})
		}
		a.OfferedLoad = m.offered()
	case err != nil:
		return ask.FromQueueing("machines", err)
	default:
		a.Figures, a.Objectives, a.Met = sizing.FiguresOf(g, f.Kind, f.Clock, f.Objectives), f.Results(needs, g), true
		for _, l := range f.Limits {
			a.Met = a.Met && l.Objective.Met(g)
		}
		a.lost(m)
	}
	a.PublicAway, err = m.publicAway(ctx, m.counts)
	return err
}

// missingServers are the servers of speed 1 that have to stand beside a fleet.
func (m *chosen) missingServers(counts []int64) float64 {
	if x := m.mixing.Model; x != nil {
		if x.Meets(counts) {
			return 0
		}
		return x.Missing(counts, m.need)
	}
	return math.Max(m.need*(1-1e-12)-m.worthOf(counts), 0)
}

// missingOf finds the fewest more machines of a type with which a fleet meets
// the objectives, by doubling and halving; nil where its limit comes before.
func (m *chosen) missingOf(ctx context.Context, i int) (*int64, error) {
	counts, with := m.counts, slices.Clone(m.counts)
	met := func(more int64) bool {
		with[i] = counts[i] + more
		return m.missingServers(with) == 0
	}
	if met(0) {
		return new(int64), nil
	}
	most := int64(1e12) - counts[i]
	if limit := ask.Whole(m.types[i].Limit); limit != nil {
		most = *limit - counts[i]
	}
	if w := m.items[i].Worth; w > 0 { // far beyond what is needed no more help
		most = min(most, int64(math.Min(10*m.need/w+100, 1e12)))
	}
	low, high := int64(0), int64(1)
	for ; ; high = min(2*high, most) {
		if most < 1 || ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if high = min(high, most); met(high) {
			break
		}
		if low = high; high == most {
			return nil, nil
		}
	}
	for high-low > 1 && ctx.Err() == nil {
		if middle := low + (high-low)/2; met(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return &high, ctx.Err()
}

// overall holds a fleet to budget, utilization, link and epoch.
func (a *FleetAnswer) overall(m *chosen) {
	if m.objectives.Budget != nil {
		if budget := perHour(m.objectives.Budget); a.Cost > budget*(1+1e-12) {
			a.Broken = append(a.Broken, BrokenLimit{"budget",
				budget, a.Cost, fmt.Sprintf("it costs %s, and the budget is %s", m.price(a.Cost), m.price(budget))})
		}
	}
	if least := m.objectives.MinUtilization; least != nil && a.Utilization != nil && *a.Utilization < float64(*least) {
		a.Broken = append(a.Broken, BrokenLimit{"min_utilization", float64(*least), *a.Utilization,
			fmt.Sprintf("it is busy %s of the time, and at least %s is asked for",
				percent(*a.Utilization), percent(float64(*least)))})
	}
	crossing := m.mixing.Crossing
	if crossing == nil {
		return
	}
	if !m.shared(m.counts) {
		_, public := mixes.PublicWorth(m.items, m.counts)
		most := *crossing.Public
		a.Broken = append(a.Broken, BrokenLimit{"max_public_share", most, public,
			fmt.Sprintf("%s of its worth is public, and at most %s may be", percent(public), percent(most))})
	}
	// The share was told apart above: here only link and epoch are asked.
	held := crossing.Unshared()
	if held == nil {
		held = crossing
	}
	if x := m.mixing.Model; x != nil {
		held = held.By(x)
	}
	if !held.Admits(m.items, m.counts) {
		a.Broken = append(a.Broken, BrokenLimit{Constraint: "link or epoch",
			Reason: "the link or a stable epoch does not allow as many jobs on public machines"})
	}
}

// drawn holds a fleet against the draws by which a plan judges its mixes.
func (a *FleetAnswer) drawn(ctx context.Context, m *chosen, required float64) error {
	if required > 0 {
		a.Required = &required
	}
	ranges, counts := m.drawn(), m.counts
	if len(ranges) == 0 {
		return nil
	}
	d, err := m.draw(ctx, ranges, m.DrawCount())
	if err != nil {
		return err
	}
	met := make([]bool, d.n)
	if x := m.mixing.Model; x != nil {
		met = met[:x.JudgedDraws(d.n)]
	}
	nominal := m.nominalCase()
	err = parallel.All(ctx, len(met), func(i int) error {
		if math.IsInf(d.need[i], 1) {
			return nil
		}
		if m.mixing.Model == nil {
			has := 0.0
			for j, n := range counts {
				has += d.worth[i*d.types+j] * float64(n)
			}
			met[i] = has >= d.need[i]*(1-1e-12)
			return nil
		}
		c := d.figures(nominal, i)
		f, err := m.fleet(ctx, c)
		if err != nil {
			return err
		}
		x, err := m.figure(f, m.types, c)
		if err != nil {
			return err
		}
		x.Prepare(d.items(i, m.items), d.need[i])
		met[i] = x.Meets(counts)
		return nil
	})
	if err != nil {
		return err
	}
	all := 0
	for _, m := range met {
		if m {
			all++
		}
	}
	a.Judged, a.Chance = len(met), ask.Figure(float64(all)/float64(len(met)))
	if required > 0 && *a.Chance < required {
		a.Broken = append(a.Broken, BrokenLimit{"chance", required, *a.Chance,
			fmt.Sprintf("it meets the objectives with %s chance over the ranges, and %s is asked for",
				percent(*a.Chance), percent(required))})
	}
	return nil
}
