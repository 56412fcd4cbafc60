package needchart

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/internal/parallel"
)

const (
	chartServers  = 17 // numbers of servers of a column,
	chartServices = 9  // and columns of a cell; where there is one, it has all its
	chartTests    = 6  // samples beside them, by which the error is measured
)

// chartFinest is the greatest margin, in servers, of a cell that is not cut further.
const chartFinest = 0.01

// A Sampler asks one limit of servers, and makes its charts.
type Sampler struct {
	// Need returns the servers that a load needs.
	Need func(ctx context.Context, p Point) (float64, error)
	// Slack returns by how much servers keep the limit under a load, less than 0 where
	// they do not.
	Slack func(p Point, servers float64) (float64, error)
	// Services says that the points differ in their service times too.
	Services bool
	// Least is how many points a cell is worth its samples for.
	Least int
}

// errCorner is that of a cell which is not smooth, or has loads that need no servers
// or have no answer.
var errCorner = errors.New("not smooth")

// Chart returns the chart of the points, which it reorders; nil where they are too few.
func (s *Sampler) Chart(ctx context.Context, points []Point) (*Chart, error) {
	if len(points) < s.Least {
		return nil, nil
	}
	low, high := points[0], points[0]
	for _, p := range points {
		low = Point{math.Min(low.Load, p.Load), math.Min(low.Service, p.Service)}
		high = Point{math.Max(high.Load, p.Load), math.Max(high.Service, p.Service)}
	}
	if !(low.Load > 0 && low.Service > 0 && low.Load < high.Load) {
		return nil, nil
	}
	c, err := s.leaf(ctx, low, high)
	if err == nil || ctx.Err() != nil {
		return c, ctx.Err()
	}
	// Cut across the greater ratio: what is not smooth is so near 0.
	c = &Chart{cut: Point{math.Sqrt(low.Load) * math.Sqrt(high.Load), math.Inf(1)}}
	if high.Service/low.Service > high.Load/low.Load {
		c.cut = Point{math.Inf(1), math.Sqrt(low.Service) * math.Sqrt(high.Service)}
	}
	k := 0
	for i, p := range points {
		if p.Load < c.cut.Load && p.Service < c.cut.Service {
			points[i], points[k] = points[k], p
			k++
		}
	}
	if k == 0 || k == len(points) {
		return nil, nil
	}
	halves := [2]*Chart{}
	err = parallel.All(ctx, 2, func(i int) (err error) {
		halves[i], err = s.Chart(ctx, [][]Point{points[:k], points[k:]}[i])
		return err
	})
	halves[0] = cmp.Or(halves[0], &Chart{})
	c.below, c.above = halves[0], halves[1]
	return c, err
}

// leaf samples a rectangle.
func (s *Sampler) leaf(ctx context.Context, low, high Point) (*Chart, error) {
	c := &Chart{low: low, high: high, services: []float64{low.Service}}
	if s.Services && low.Service < high.Service {
		c.services = numeric.ChebyshevNodes(low.Service, high.Service, chartServices)
		c.weights = numeric.BarycentricWeights(c.services)
	}
	c.columns = make([]column, len(c.services))
	for i, service := range c.services {
		var err error
		if c.columns[i], err = s.column(ctx, service, low.Load, high.Load, len(c.services) == 1); err != nil {
			return nil, err
		}
	}
	off, most := 0.0, 0.0
	if !(len(c.columns) == 1 && c.columns[0].all) {
		for i := range chartTests {
			// Multiples of the golden and of the silver ratio fall evenly, and on no node.
			_, x := math.Modf(0.3 + float64(i)*(math.Sqrt(5)-1)/2)
			_, y := math.Modf(0.3 + float64(i)*(math.Sqrt2-1))
			p := Point{low.Load + x*(high.Load-low.Load), low.Service + y*(high.Service-low.Service)}
			k := math.Round(c.at(p))
			load, err := s.greatest(ctx, k, p.Service, p.Load, 0.01*(high.Load-low.Load))
			if err != nil {
				return nil, err
			}
			off = math.Max(off, math.Abs(c.at(Point{load, p.Service})-k))
		}
	}
	for _, column := range c.columns {
		most = math.Max(most, column.servers[len(column.servers)-1])
	}
	if c.margin = 1e-6 + 1e-13*most + 100*off; !(c.margin <= chartFinest) {
		return nil, errCorner
	}
	return c, nil
}

// column samples the servers that loads from low to high need.
func (s *Sampler) column(ctx context.Context, service, low, high float64, alone bool) (column, error) {
	var c column
	fewest, err := s.Need(ctx, Point{low, service})
	if err != nil {
		return c, err
	}
	most, err := s.Need(ctx, Point{high, service})
	if err != nil {
		return c, err
	}
	if !(fewest >= 2 && most >= fewest) {
		return c, errCorner
	}
	fewest-- // which carry less than low
	last := math.NaN()
	c.all = alone && most-fewest < chartServers
	for i := range chartServers {
		k := fewest + float64(i)
		if !c.all {
			k = math.Round(fewest + (most-fewest)*(1-math.Cos(float64(i)*math.Pi/(chartServers-1)))/2)
		}
		if k > most || k == last {
			continue
		}
		guess := low + (k-fewest)/(most-fewest)*(high-low)
		if n := len(c.loads); n > 1 {
			slope := (c.loads[n-1] - c.loads[n-2]) / (c.servers[n-1] - c.servers[n-2])
			guess = c.loads[n-1] + slope*(k-c.servers[n-1])
		}
		load, err := s.greatest(ctx, k, service, guess, 0.01*(high-low))
		if err != nil {
			return c, err
		}
		if n := len(c.loads); n > 0 && !(load > c.loads[n-1]) {
			return c, errCorner
		}
		last = k
		c.servers, c.loads = append(c.servers, k), append(c.loads, load)
	}
	c.weights = numeric.BarycentricWeights(c.loads)
	return c, nil
}

// greatest returns the greatest load that servers carry, near a guess.
func (s *Sampler) greatest(ctx context.Context, servers, service, guess, step float64) (float64, error) {
	var failed error
	slack := func(load float64) float64 {
		failed = cmp.Or(failed, ctx.Err())
		if failed != nil {
			return 0
		}
		v, err := s.Slack(Point{load, service}, servers)
		if err != nil {
			failed = err
			return 0
		}
		if math.Abs(v) > 1e-12 {
			return v
		}
		return 0
	}
	yes, no := guess, guess
	at := slack(guess)
	fyes, fno := at, at
	for step = math.Max(step, 1e-9*guess); fyes < 0; step *= 4 {
		no, fno = yes, fyes
		if yes -= step; !(yes > 0) {
			return 0, errCorner
		}
		fyes = slack(yes)
	}
	for ; fno > 0; step *= 4 {
		yes, fyes = no, fno
		if no += step; step > guess {
			return 0, errCorner
		}
		fno = slack(no)
	}
	switch {
	case failed != nil:
		return 0, failed
	case fno == 0:
		return no, nil
	case fyes == 0:
		return yes, nil
	}
	load, _ := numeric.Bracket(slack, yes, fyes, no, fno)
	return load, failed
}
