package planner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// maxDrawn bounds the memory of the draws, in numbers kept. Fifty million float64
// are 400 MB.
const maxDrawn = 50_000_000

// PlanUncertainty says how need and cost vary over draws of all ranges at
// once, each independent of the others, the same draws for every mix.
type PlanUncertainty struct {
	Samples int      `json:"samples"`
	Seed    uint64   `json:"seed"`
	Inputs  []string `json:"inputs"` // places of the ranges in the scenario
	// The need, in servers of speed 1. A quantile is null where that share of
	// the draws has no answer.
	NeededP5  *float64 `json:"needed_servers_p5"`
	NeededP50 *float64 `json:"needed_servers_p50"`
	NeededP95 *float64 `json:"needed_servers_p95"`
	// Judged is how many of the draws mixes are chosen for and held against, the
	// first ones: their own figures take their time. What follows is of those.
	Judged int `json:"judged_draws"`
	// ChanceError is the greatest standard error of a chance among them, that of
	// 50 %: √(¼/Judged).
	ChanceError float64 `json:"chance_standard_error"`
	// The cost of a mix that would have been right for each draw: it meets the
	// objectives, and IdealGap is by how much, on average over the draws, it may
	// cost more than the least, as a share.
	CostP5     *float64 `json:"cost_p5_per_h"`
	CostP50    *float64 `json:"cost_p50_per_h"`
	CostP95    *float64 `json:"cost_p95_per_h"`
	IdealGap   *float64 `json:"ideal_gap"`        // null where it is chosen by worth, and exact
	Infeasible float64  `json:"infeasible_share"` // of the draws: no mix meets the objectives
	// Shortfall is the price of a missing server, null where none is given.
	Shortfall  *float64       `json:"shortfall_cost_per_h"`
	Candidates []MixCandidate `json:"candidates"`
	// LeastRegret is the mix of least expected regret among those that were
	// judged; null without a shortfall price.
	LeastRegret *MixCandidate `json:"least_regret"`

	needs []float64 // sorted, +Inf without an answer
	costs []float64
}

// A MixCandidate is one mix held against all draws. Counts are by type, in the
// order of the scenario.
type MixCandidate struct {
	Name   string  `json:"name"` // empty: of the frontier
	Counts []int64 `json:"counts"`
	Cost   float64 `json:"cost_per_h"` // at the most likely prices
	// Chance is the share of the draws in which the mix meets the objectives, null where
	// nothing was drawn as no figure is a range.
	Chance *float64 `json:"probability_met"`
	// Short are the servers of speed 1 that would have to stand beside the mix, null as that.
	Short *float64 `json:"expected_shortfall_servers"`
	// Regret is the cost, shortfall included, above that of the mix that would
	// have been right for the draw, over the draws that have an answer; null
	// without a shortfall price.
	Regret      *float64 `json:"expected_regret_per_h"`
	MaxRegret   *float64 `json:"max_regret_per_h"`
	PublicShare float64  `json:"public_share"` // of what it is worth at the most likely figures
}

// A judging holds mixes against the draws of a plan's ranges.
type judging struct {
	*chosen     // nil without a mix
	uncertainty *PlanUncertainty
	draws       *draws    // nil: no mix is held against them
	ideal       []float64 // cost of what would have been right, by draw
	holding     float64   // steps that holding a mix against the judged draws takes
	// short are the servers that a mix is short of, by the key of its counts and by
	// judged draw.
	short map[string][]float64
}

// answered returns the answer, nil where no input is a range.
func (j *judging) answered() *PlanUncertainty {
	if j == nil {
		return nil
	}
	return j.uncertainty
}

// drawn returns the factors that are ranges.
func (p *premises) drawn() []factor {
	return slices.DeleteFunc(p.factors(), func(f factor) bool { return !f.ranged })
}

// checkDraws refuses more draws than are kept, before anything is answered. A draw keeps six numbers, two for each
// type and two for each range.
func (p *premises) checkDraws() error {
	ranges := len(p.drawn())
	n, most := p.DrawCount(), min(sizing.MaxSamples, maxDrawn/(6+2*len(p.types)+2*ranges))
	if p.sizable() && ranges > 0 && (n < 1 || n > most) {
		return ask.Inputf("samples", "%d draws, want 1 to %d", n, most)
	}
	return nil
}

// uncertain draws all ranges at once and finds the need and the cost of what
// would have been right; nil where nothing was sized or no input is a range. What was
// found before an error is returned beside it.
func (p *premises) uncertain(ctx context.Context, open bool, mix *chosen) (*judging, error) {
	if !open {
		return nil, nil
	}
	ranges := p.drawn()
	if len(ranges) == 0 {
		return nil, nil
	}
	p.work.Settle()
	n := p.DrawCount()
	d, err := p.draw(ctx, ranges, n)
	if err != nil {
		return nil, err
	}
	u := &PlanUncertainty{Samples: n, Seed: p.seed, needs: slices.Clone(d.need), Candidates: []MixCandidate{}}
	for _, f := range ranges {
		u.Inputs = append(u.Inputs, f.input)
	}
	slices.Sort(u.needs)
	u.NeededP5, u.NeededP50, u.NeededP95 =
		realQuantile(u.needs, 0.05), realQuantile(u.needs, 0.5), realQuantile(u.needs, 0.95)
	u.Infeasible = 1 - float64(countFinite(u.needs))/float64(n)
	if mix.answered() == nil {
		return &judging{uncertainty: u}, nil
	}
	// A price of 0 for a missing server would make the empty mix right for every
	// draw.
	price := 0.0
	if p.Shortfall() != nil {
		price = perHour(p.Shortfall())
		if price == 0 {
			return nil, ask.Inputf("costs.shortfall", "is 0: nothing would ever be bought, want a price such as 5/h")
		}
		u.Shortfall = &price
	}
	j := &judging{chosen: mix, uncertainty: u, draws: d}
	// Worths are quick and all draws are used; figures take their time and only
	// the first draws are.
	costs := j.worthCosts
	if mix.mixing.Model != nil {
		costs = j.judgedCosts
	}
	if err := costs(ctx, price); err != nil {
		return j, err
	}
	u.Judged = len(u.costs)
	u.ChanceError = 0.5 / math.Sqrt(float64(u.Judged))
	slices.Sort(u.costs)
	u.CostP5, u.CostP50, u.CostP95 =
		realQuantile(u.costs, 0.05), realQuantile(u.costs, 0.5), realQuantile(u.costs, 0.95)
	// Of these the share is of the judged draws, in which a mix may fail for
	// other reasons than its worth, such as the link.
	u.Infeasible = 1 - float64(countFinite(u.costs))/float64(len(u.costs))
	return j, nil
}

// worthCosts finds the cost of what would have been right for each draw where
// machines count by their worth. Without a mix that meets a draw its cost is
// +Inf. With a price for what is missing the ideal may be a mix that does not
// meet it.
func (j *judging) worthCosts(ctx context.Context, price float64) error {
	u, d := j.uncertainty, j.draws
	u.costs, j.ideal = make([]float64, d.n), make([]float64, d.n)
	return parallel.All(ctx, d.n, func(i int) error {
		u.costs[i], j.ideal[i] = math.Inf(1), math.Inf(1)
		if math.IsInf(d.need[i], 1) {
			return nil
		}
		items, m := d.items(i, j.items), j.mixing.ForCase(d.rate[i], d.load[i])
		var short *cover.InfeasibleError
		switch s, err := m.Cheapest(ctx, items, d.need[i], 0, 2000); {
		case err == nil:
			u.costs[i] = units.ExactCents(s.Cost)
		case !errors.As(err, &short):
			return mixError(err, "")
		}
		if price > 0 {
			s, err := m.Cheapest(ctx, items, d.need[i], price, 2000)
			if err != nil {
				return mixError(err, "")
			}
			j.ideal[i] = s.Cost
		}
		return nil
	})
}

// countFinite counts those of sorted values that are not infinite.
func countFinite(sorted []float64) int { return sort.SearchFloat64s(sorted, math.Inf(1)) }

// realQuantile returns the least of the sorted values that covers a share. It is
// a value of the sample and none between two, which would be infinite beside a
// draw without an answer.
func realQuantile(values []float64, share float64) *float64 {
	i := int(math.Ceil(share*float64(len(values)))) - 1
	return ask.Figure(values[max(i, 0)])
}

// Plots returns the share of the draws that need at most n servers, against n, with at most some
// 200 points.
func (u *PlanUncertainty) Plots(context.Context) ([]ask.Plot, error) {
	c := ask.Curve{Name: "share of the draws that need no more"}
	n := len(u.needs)
	last := countFinite(u.needs) - 1
	stride := max(1, n/200)
	for i := 0; i <= last; i += stride {
		if i+stride > last {
			i = last
		}
		// Draws of one need are one point, at the share of the last of them.
		if k := len(c.X); k > 0 && u.needs[i] <= c.X[k-1] {
			c.Y[k-1] = float64(i+1) / float64(n)
		} else {
			c.Add(u.needs[i], float64(i+1)/float64(n))
		}
		if i == last {
			break
		}
	}
	if len(c.X) < 2 {
		return nil, ask.NothingDrawn("all draws need the same number, so there is no curve to draw")
	}
	p := ask.Plot{
		Title: "Chance that so many servers are enough",
		Subtitle: fmt.Sprintf("over %s draws of the ranges, seed %d",
			units.FormatNumber(float64(u.Samples), 6), u.Seed),
		X:      ask.Axis{Name: "servers of speed 1"},
		Y:      ask.Axis{Name: "share of the draws", Unit: "fraction", Min: new(float64), Max: ask.Figure(1)},
		Curves: []ask.Curve{c},
	}
	if u.NeededP95 != nil {
		p.Upright = []ask.Rule{{Value: *u.NeededP95, Name: "95%:"}}
	}
	return []ask.Plot{p}, nil
}
