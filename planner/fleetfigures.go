package planner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
)

// figures says what the fleet does for the most likely figures, and what is
// missing.
func (a *FleetAnswer) figures(ctx context.Context, p *planning, f *sizing.Fleet, counts []int64) error {
	_, _, _, needs, err := f.Solve(ctx)
	if err != nil {
		return err
	}
	a.ShortfallReal = p.missingServers(counts, a.Needed)
	a.Shortfall = int64(math.Ceil(a.ShortfallReal - 1e-6))
	g, err := p.does(ctx, f, counts)
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
		a.OfferedLoad = f.Load.Offered()
	case err != nil:
		return ask.FromQueueing("machines", err)
	default:
		a.Figures, a.Objectives, a.Met = sizing.FiguresOf(g, f.Kind, f.Clock, f.Objectives), f.Results(needs, g), true
		for _, l := range f.Limits {
			a.Met = a.Met && l.Objective.Met(g)
		}
		a.lost(p, f, counts)
	}
	a.PublicAway, err = p.publicAway(ctx, f, counts)
	return err
}

// missingServers are the servers of speed 1 that have to stand beside a fleet.
func (p *planning) missingServers(counts []int64, need float64) float64 {
	if x := p.mixing.Model; x != nil {
		if x.Meets(counts) {
			return 0
		}
		return x.Missing(counts, need)
	}
	has := 0.0
	for i, n := range counts {
		has += p.a.Mix.Machines[i].Worth * float64(n)
	}
	return math.Max(need*(1-1e-12)-has, 0)
}

// missingOf finds the fewest more machines of a type with which a fleet meets
// the objectives, by doubling and halving; nil where its limit comes before.
func (p *planning) missingOf(ctx context.Context, i int, counts []int64, need float64) (*int64, error) {
	with := slices.Clone(counts)
	met := func(more int64) bool {
		with[i] = counts[i] + more
		return p.missingServers(with, need) == 0
	}
	if met(0) {
		return new(int64), nil
	}
	most := int64(1e12) - counts[i]
	if limit := ask.Whole(p.types[i].Limit); limit != nil {
		most = *limit - counts[i]
	}
	if w := p.a.Mix.Machines[i].Worth; w > 0 { // far beyond what is needed no more help
		most = min(most, int64(math.Min(10*need/w+100, 1e12)))
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
func (a *FleetAnswer) overall(p *planning, items []cover.Item, counts []int64) {
	if p.objectives.Budget != nil {
		if budget := perHour(p.objectives.Budget); a.Cost > budget*(1+1e-12) {
			a.Broken = append(a.Broken, BrokenLimit{"budget",
				budget, a.Cost, fmt.Sprintf("it costs %s, and the budget is %s", p.price(a.Cost), p.price(budget))})
		}
	}
	if least := p.objectives.MinUtilization; least != nil && a.Utilization != nil && *a.Utilization < float64(*least) {
		a.Broken = append(a.Broken, BrokenLimit{"min_utilization", float64(*least), *a.Utilization,
			fmt.Sprintf("it is busy %s of the time, and at least %s is asked for",
				percent(*a.Utilization), percent(float64(*least)))})
	}
	if p.crossing == nil {
		return
	}
	if !p.shared(items, counts) {
		_, public := mixes.PublicWorth(items, counts)
		most := *p.crossing.Public
		a.Broken = append(a.Broken, BrokenLimit{"max_public_share", most, public,
			fmt.Sprintf("%s of its worth is public, and at most %s may be", percent(public), percent(most))})
	}
	// The share was told apart above: here only link and epoch are asked.
	held := p.crossing.Unshared()
	if held == nil {
		held = p.crossing
	}
	if x := p.mixing.Model; x != nil {
		held = held.By(x)
	}
	if !held.Admits(items, counts) {
		a.Broken = append(a.Broken, BrokenLimit{Constraint: "link or epoch",
			Reason: "the link or a stable epoch does not allow as many jobs on public machines"})
	}
}

// drawn holds a fleet against the draws by which a plan judges its mixes.
func (a *FleetAnswer) drawn(ctx context.Context, p *planning, base []cover.Item, counts []int64,
	required float64) error {
	if required > 0 {
		a.Required = &required
	}
	var ranges []factor
	for _, f := range p.factors() {
		if f.ranged {
			ranges = append(ranges, f)
		}
	}
	if len(ranges) == 0 {
		return nil
	}
	d, err := p.draw(ctx, ranges, p.DrawCount())
	if err != nil {
		return err
	}
	met := make([]bool, d.n)
	if x := p.mixing.Model; x != nil {
		met = met[:x.JudgedDraws(d.n)]
	}
	nominal := p.nominalCase()
	err = parallel.All(ctx, len(met), func(i int) error {
		if math.IsInf(d.need[i], 1) {
			return nil
		}
		if p.mixing.Model == nil {
			has := 0.0
			for j, n := range counts {
				has += d.worth[i*d.types+j] * float64(n)
			}
			met[i] = has >= d.need[i]*(1-1e-12)
			return nil
		}
		c := d.figures(nominal, i)
		f, err := p.fleet(ctx, c)
		if err != nil {
			return err
		}
		x, err := p.figure(f, p.types, c)
		if err != nil {
			return err
		}
		x.Prepare(d.items(i, base), d.need[i])
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
