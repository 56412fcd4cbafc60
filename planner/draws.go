package planner

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// draws holds the cases of a plan: row i is one set of figures. Numbers by draw and type are in one
// slice each, in which row i begins at i times the number of types: millions of small slices would
// cost more than the numbers.
type draws struct {
	n     int
	types int
	need  []float64 // +Inf without an answer
	worth []float64 // by draw and type
	price []float64
	rate  []float64 // jobs per s, NaN where none is known, and load in erl, by draw
	load  []float64

	ranges  []factor
	chances []float64    // by draw and range
	judged  []judgedDraw // the first draws, by which mixes are judged
}

// figures returns the figures of a draw. A draw keeps the quantiles at which its
// ranges stand, and not the figures, which are computed again when they are asked
// for.
func (d *draws) figures(base *planCase, i int) *planCase {
	c := base.clone()
	for k, f := range d.ranges {
		f.set(c, f.quantile(d.chances[i*len(d.ranges)+k]))
	}
	return c
}

// items states the machines at the worths and prices of a draw.
func (d *draws) items(i int, base []cover.Item) []cover.Item {
	items := slices.Clone(base)
	for j := range items {
		items[j].Worth, items[j].Price = d.worth[i*d.types+j], d.price[i*d.types+j]
	}
	return items
}

// draw makes the cases. The draws come from one stream in order, so that
// neither the number of cores nor their pace matters. Errors: those of a fleet
// but for infeasible draws, whose need is +Inf.
func (p *premises) draw(ctx context.Context, ranges []factor, n int) (_ *draws, err error) {
	rng := rand.New(rand.NewPCG(p.seed, 0))
	chances := make([]float64, n*len(ranges))
	for i := range chances {
		if i%65536 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		chances[i] = rng.Float64()
	}
	base := p.nominalCase()
	types := len(p.types)
	d := &draws{
		n: n, types: types, need: make([]float64, n), worth: make([]float64, n*types), price: make([]float64, n*types),
		rate: make([]float64, n), load: make([]float64, n), ranges: ranges, chances: chances,
	}
	loaded := false
	for _, f := range ranges {
		loaded = loaded || f.input == "load.erlangs" || f.input == "load.rate" || f.input == "service.time"
	}
	// Finding a need takes a search. Where prices alone are drawn the need is the same for all draws.
	if !loaded {
		f, err := p.fleet(ctx, base)
		if err != nil {
			return nil, err
		}
		need, err := p.needOf(ctx, f, base)
		if err != nil {
			return nil, err
		}
		for i := range d.need {
			d.need[i] = need.servers
		}
	}
	gains := make([]float64, types) // integrals, which are the same for all draws
	for j := range gains {
		if gains[j], err = p.types[j].Fastest(worth.Case{Speed: 1}); err != nil {
			return nil, err
		}
	}
	loads := make([]sizing.Load, n)
	err = parallel.All(ctx, n, func(i int) error {
		c := d.figures(base, i)
		d.rate[i], d.load[i] = p.arrivals(c)
		if loads[i] = p.scenario(c); loaded && p.Curve != nil {
			f, err := p.fleet(ctx, c)
			if err != nil {
				return err
			}
			loads[i] = f.Load
		}
		for j := range p.types {
			one := c.machines[j]
			d.worth[i*d.types+j] = p.types[j].WorthAt(one.Speed*gains[j], one)
			d.price[i*d.types+j] = units.ExactCents(one.PerHour())
		}
		return nil
	})
	if err == nil && loaded {
		d.need, err = p.drawnNeeds(ctx, loads, func(i int) *planCase { return d.figures(base, i) },
			func(s sizing.Load) (*sizing.Fleet, error) { return p.fleetOf(base, s) })
	}
	return d, err
}
