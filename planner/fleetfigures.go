package planner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
)

// figures says what the fleet does for the most likely figures, and what is
// missing. Figures of an unstable fleet do not exist. What the objectives ask for
// is known all the same, and is said without values.
func (a *FleetAnswer) figures(ctx context.Context, y *yardstick, counts []int64) error {
	f := y.held
	needs, err := y.needsOf(ctx, f, y.nominalCase())
	if err != nil {
		return err
	}
	// The tolerance of a millionth of a server keeps a rounding of the search
	// from asking for a whole server.
	a.ShortfallReal = y.missingServers(counts)
	a.Shortfall = int64(math.Ceil(a.ShortfallReal - 1e-6))
	g, err := y.does(ctx, counts)
	switch {
	case errors.Is(err, queueing.ErrUnstable):
		a.Unstable, a.Objectives, a.OfferedLoad = true, f.Wanted(needs), y.offered()
	case err != nil:
		return ask.FromQueueing("machines", err)
	default:
		a.Figures = sizing.FiguresOf(g, f.Kind, f.Clock, f.Objectives)
		a.Objectives, a.Met = f.Results(needs, g), f.MetBy(g)
		if w := g.Warning(); w != nil && !slices.Contains(a.Warnings, w.String()) {
			a.Warnings = append(a.Warnings, w.String())
		}
		a.lost(y, counts)
	}
	a.PublicAway, err = y.publicAway(ctx, counts)
	return err
}

// overall holds a fleet to budget, utilization, link and epoch. Each that is
// broken is listed: a planner wants to know all of them at once.
func (a *FleetAnswer) overall(y *yardstick, counts []int64) {
	// The budget is kept where the cost is above it by rounding alone.
	if y.objectives.Budget != nil {
		if budget := perHour(y.objectives.Budget); a.Cost > budget*(1+1e-12) {
			a.Broken = append(a.Broken, BrokenLimit{"budget",
				budget, a.Cost, fmt.Sprintf("it costs %s, above the budget of %s", y.price(a.Cost), y.price(budget))})
		}
	}
	if least := y.objectives.MinUtilization; least != nil && a.Utilization != nil && *a.Utilization < float64(*least) {
		a.Broken = append(a.Broken, BrokenLimit{"min_utilization", float64(*least), *a.Utilization,
			fmt.Sprintf("it is busy %s of the time, below the required %s",
				percent(*a.Utilization), percent(float64(*least)))})
	}
	// Nil: neither link nor epoch nor a public share is asked for.
	crossing := y.mixing.Crossing
	if crossing == nil {
		return
	}
	if !y.shared(counts) {
		_, public := mixes.PublicWorth(y.items, counts)
		most := *crossing.Public
		a.Broken = append(a.Broken, BrokenLimit{"max_public_share", most, public,
			fmt.Sprintf("%s of its worth is public, above the allowed %s", percent(public), percent(most))})
	}
	// The share has its own line above: what follows asks link and epoch alone.
	held := crossing.Unshared()
	if held == nil {
		// The share of the work on public machines is that of the queue of this
		// very fleet, where there is one.
		held = crossing
	}
	if x := y.mixing.Model; x != nil {
		held = held.By(x)
	}
	if !held.Admits(y.items, counts) {
		a.Broken = append(a.Broken, BrokenLimit{Constraint: "link or epoch",
			Reason: "neither the link nor a stable epoch allows as many jobs on public machines"})
	}
}

// drawn judges a fleet on the draws by which a plan judges its mixes. It states the chance even if
// the fleet breaks limits. If each machine has figures of its own only the first draws are judged,
// because each takes a model.
func (a *FleetAnswer) drawn(ctx context.Context, y *yardstick, counts []int64, required float64) error {
	if required > 0 {
		a.Required = &required
	}
	ranges := y.drawn()
	if len(ranges) == 0 {
		return nil
	}
	d, err := y.draw(ctx, ranges, y.DrawCount())
	if err != nil {
		return err
	}
	met, steps := make([]bool, d.n), make([]float64, d.n)
	x := y.mixing.Model
	if x != nil {
		met = met[:x.JudgedDraws(d.n)]
		y.work.Figures(x)
	}
	nominal := y.nominalCase()
	hold := func(i int) error {
		// A draw that no fleet of servers of speed 1 can meet is missed.
		if math.IsInf(d.need[i], 1) {
			return nil
		}
		if x == nil {
			has := 0.0
			for j, n := range counts {
				has += d.worth[i*d.types+j] * float64(n)
			}
			met[i] = has >= d.need[i]*(1-1e-12)
			return nil
		}
		c := d.figures(nominal, i)
		f, err := y.drawnFleet(ctx, c)
		if err != nil {
			return err
		}
		own, err := y.figure(ctx, f, y.types, c)
		if err != nil {
			return err
		}
		own.Tabulate(d.need[i])
		met[i] = own.MeetsLike(x, counts)
		steps[i] = own.Steps()
		return nil
	}
	y.work.Settle() // the first draws tell how many can be afforded
	all, given := 0, len(met)
	for begin, stage := 0, 0; begin < len(met); stage++ {
		end := mixes.DrawsBy(stage, len(met))
		if err := parallel.All(ctx, end-begin, func(i int) error { return hold(begin + i) }); err != nil {
			return err
		}
		most := y.work.Fleet.Given / floats.Sum(steps[:end]) * float64(end)
		if begin = end; x != nil && most < float64(len(met)) && (stage > 0 || most < mixes.FewDraws) {
			met = met[:max(int(most), end)]
		}
	}
	if len(met) < given {
		a.Warnings = append(a.Warnings, mixes.FewDrawsWords("the fleet is judged on", len(met)))
	}
	for _, m := range met {
		if m {
			all++
		}
	}
	a.Judged, a.Chance = len(met), ask.Figure(float64(all)/float64(len(met)))
	if required > 0 && *a.Chance < required {
		a.Broken = append(a.Broken, BrokenLimit{"chance", required, *a.Chance,
			fmt.Sprintf("it meets the objectives with %s chance over the ranges, below the required %s",
				percent(*a.Chance), percent(required))})
	}
	return nil
}
