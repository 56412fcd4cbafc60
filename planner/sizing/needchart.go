package sizing

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/needchart"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
)

// chartLeast is how many loads a chart of as many figures, the load alone or
// with the service time, is worth its samples for: an eighth to a fourth of the
// work that sizing each load would be.
var chartLeast = [...]int{1: 768, 2: 2400}

// chartAudited is how many of the loads are also sized one by one.
const chartAudited = 256

// A needChart predicts the need of many loads from that of few, by a chart of each limit. A load
// that it does not cover must be sized by itself. The predictions are exact to the last server:
// before the chart is used it is compared with a sample of the loads.
type needChart struct {
	limits []*needchart.Chart // one each
	names  []string
}

// chartSampled bounds the loads by which a chart is laid out.
const chartSampled = 1 << 16

// chartOf returns the chart of n loads, nil where it is not worth its while. The
// fleets that are made differ in their load only.
func chartOf(ctx context.Context, n int, load func(k int) Load,
	fleet func(Load) (*Fleet, error)) (*needChart, error) {
	if n < chartLeast[1] {
		return nil, nil
	}
	points := make([]needchart.Point, min(n, chartSampled))
	figures := 1
	for i := range points {
		s := load(spread(i, len(points), n))
		if points[i] = (needchart.Point{Load: s.Offered(), Service: s.Service}); s.Service != points[0].Service {
			figures = 2
		}
	}
	if n < chartLeast[figures] {
		return nil, nil
	}
	first := load(0)
	f, err := fleet(first)
	if err != nil || f.log != nil || f.Model == nil || f.widest > 0 {
		return nil, ctx.Err() // whoever sizes the load says what is wrong
	}
	c := &needChart{}
	for i, l := range f.Limits {
		s := limitSampler(i, first.Clock, fleet)
		s.Services = figures == 2
		s.Least = max(8, int(float64(chartLeast[figures])*float64(len(points))/float64(n)))
		cell, err := s.Chart(ctx, points)
		if err != nil {
			return nil, err
		}
		c.limits, c.names = append(c.limits, cell), append(c.names, l.Name)
	}
	return c, c.audit(ctx, n, load, fleet)
}

// limitAt returns fleets with the i-th limit alone.
func limitAt(i int, clock bool, fleet func(Load) (*Fleet, error)) func(p needchart.Point) (*Fleet, error) {
	return func(p needchart.Point) (*Fleet, error) {
		a := LoadOf(p.Load, p.Service)
		if a.Clock = clock; !clock {
			a = Load{Rate: p.Load, Service: p.Service}
		}
		f, err := fleet(a)
		if err == nil {
			f.Limits = f.Limits[i : i+1]
		}
		return f, err
	}
}

// limitSampler asks the i-th limit of fleets.
func limitSampler(i int, clock bool, fleet func(Load) (*Fleet, error)) *needchart.Sampler {
	at := limitAt(i, clock, fleet)
	return &needchart.Sampler{
		Need: func(ctx context.Context, p needchart.Point) (float64, error) {
			f, err := at(p)
			if err != nil {
				return 0, err
			}
			n, _, err := f.near(ctx, math.NaN())
			return n, err
		},
		Slack: func(p needchart.Point, servers float64) (float64, error) {
			f, err := at(p)
			if err != nil {
				return 0, err
			}
			g, err := f.Model.At(f.others + servers)
			if err != nil { // no steady state, or outside of what the model takes
				return math.Inf(-1), nil
			}
			return f.Limits[0].Objective.Slack(g), nil
		},
	}
}

// spread returns the i-th of few places spread evenly over n, the ends among them.
func spread(i, few, n int) int { return int(float64(i) * float64(n-1) / float64(few-1)) }

// audit sizes a sample of the loads, and has the chart tell nothing where one of them
// is not what it says.
func (c *needChart) audit(ctx context.Context, n int, load func(k int) Load,
	fleet func(Load) (*Fleet, error)) error {
	wrong := make([]bool, chartAudited)
	err := parallel.All(ctx, chartAudited, func(i int) error {
		s := load(spread(i, chartAudited, n))
		told, _, _ := c.need(s)
		if math.IsNaN(told) {
			return nil
		}
		found, err := needNear(ctx, s, told, fleet)
		wrong[i] = found != told || err != nil
		return nil
	})
	if slices.Contains(wrong, true) {
		c.limits = nil
	}
	return err
}

// need returns what a load needs, NaN where the chart does not tell it, and the
// limit that binds; tied where another asks for as many.
func (c *needChart) need(s Load) (servers float64, binding string, tied bool) {
	if c == nil || len(c.limits) == 0 {
		return math.NaN(), "", false
	}
	for i, cell := range c.limits {
		n := cell.Need(needchart.Point{Load: s.Offered(), Service: s.Service})
		switch {
		case math.IsNaN(n):
			return n, "", false
		case n > servers:
			servers, binding, tied = n, c.names[i], false
		case n == servers:
			tied = true
		}
	}
	return servers, binding, tied
}

// each returns what a load needs by limit, NaN where the chart does not tell it; nil without
// a chart.
func (c *needChart) each(s Load) []float64 {
	if c == nil || len(c.limits) == 0 {
		return nil
	}
	needs := make([]float64, len(c.limits))
	for i, cell := range c.limits {
		needs[i] = cell.Need(needchart.Point{Load: s.Offered(), Service: s.Service})
	}
	return needs
}

// manyReal is the number of loads from which on their real needs are read off those of few, where these are off by
// no more than realOff servers: each by itself takes a tenth of a millisecond or more.
const (
	manyReal = 20_000
	realOff  = 1e-5
)

// real returns the real need of a load, NaN where the chart does not tell it so exactly.
func (c *needChart) real(s Load) float64 {
	if c == nil || len(c.limits) == 0 {
		return math.NaN()
	}
	most := math.Inf(-1)
	for _, cell := range c.limits {
		n := cell.Real(needchart.Point{Load: s.Offered(), Service: s.Service}, 100*realOff)
		if math.IsNaN(n) {
			return n
		}
		most = math.Max(most, n)
	}
	return most
}

// realBy returns what tells the real needs of so many loads: their chart or, where that tells few, as of needs of a
// few servers, a grid; nil where the loads are few, or each has to be sized by itself.
func (c *needChart) realBy(ctx context.Context, n int, load func(k int) Load,
	fleet func(Load) (*Fleet, error)) func(Load) float64 {
	if n < manyReal {
		return nil
	}
	tells := func(real func(Load) float64) bool { return toldReal(ctx, n, load, fleet, real) }
	if tells(c.real) {
		return c.real
	}
	low := needchart.Point{Load: math.Inf(1), Service: math.Inf(1)}
	high := needchart.Point{}
	for k := range n {
		s := load(k)
		low = needchart.Point{Load: math.Min(low.Load, s.Offered()), Service: math.Min(low.Service, s.Service)}
		high = needchart.Point{Load: math.Max(high.Load, s.Offered()), Service: math.Max(high.Service, s.Service)}
	}
	first := load(0)
	f, err := fleet(first)
	if err != nil || f.log != nil || f.Model == nil || f.widest > 0 || !(low.Load > 0 && low.Load < high.Load) {
		return nil
	}
	var grids []*needchart.Grid
	for i := range f.Limits {
		g, err := needchart.NewGrid(ctx, low, high, func(ctx context.Context, p needchart.Point) (float64, error) {
			f, err := limitAt(i, first.Clock, fleet)(p)
			if err != nil {
				return 0, err
			}
			need, _, err := f.need(ctx, nil)
			return need, err
		})
		if err != nil {
			return nil
		}
		grids = append(grids, g)
	}
	real := func(s Load) float64 {
		most := math.Inf(-1)
		for _, g := range grids {
			if need := g.At(needchart.Point{Load: s.Offered(), Service: s.Service}); !(need <= most) {
				most = need // NaN too, of which nothing is more
			}
		}
		return most
	}
	if tells(real) {
		return real
	}
	return nil
}

// toldReal reports whether most of the real needs of so many loads are told: of a sample each is compared with the
// need by itself. A model that is not smooth between whole numbers has others.
func toldReal(ctx context.Context, n int, load func(k int) Load, fleet func(Load) (*Fleet, error),
	real func(Load) float64) bool {
	told, wrong := make([]bool, chartAudited), make([]bool, chartAudited)
	err := parallel.All(ctx, chartAudited, func(i int) error {
		s := load(spread(i, chartAudited, n))
		r := real(s)
		if told[i] = !math.IsNaN(r); !told[i] {
			return nil
		}
		f, err := fleet(s)
		if err != nil {
			return err
		}
		found, _, err := f.need(ctx, nil)
		wrong[i] = !(math.Abs(r-found) <= realOff)
		return err
	})
	count := 0
	for _, t := range told {
		if t {
			count++
		}
	}
	return err == nil && !slices.Contains(wrong, true) && count > chartAudited*3/4
}

// RealNeeds returns [Fleet.Need] of n loads, +Inf where no fleet is enough; of very many to 1e-5 of a server.
// The fleets that are made differ in their load only.
func RealNeeds(ctx context.Context, n int, load func(k int) Load,
	fleetOf func(Load) (*Fleet, error)) ([]float64, error) {
	if n < 0 || n > MaxSamples || load == nil || fleetOf == nil {
		return nil, ask.Inputf("samples", "%d loads, want 0 to %d, and what makes loads and fleets", n, MaxSamples)
	}
	fleet := func(s Load) (*Fleet, error) {
		f, err := fleetOf(s)
		if err == nil && f == nil {
			err = ask.Missing("fleet", "a fleet that a question has made")
		}
		return f, err
	}
	ctx = given.Context(ctx)
	chart, err := chartOf(ctx, n, load, fleet)
	if err != nil {
		return nil, err
	}
	needs, real := make([]float64, n), chart.realBy(ctx, n, load, fleet)
	return needs, parallel.All(ctx, n, func(k int) error {
		s := load(k)
		if real != nil {
			if needs[k] = real(s); !math.IsNaN(needs[k]) {
				return nil
			}
		}
		f, err := fleet(s)
		if err != nil {
			return err
		}
		needs[k], _, err = f.need(ctx, chart.each(s))
		if errors.As(err, new(*ask.InfeasibleError)) {
			needs[k], err = math.Inf(1), nil
		}
		return err
	})
}
