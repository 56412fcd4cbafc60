package needchart

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/internal/parallel"
)

// Nodes of a grid in the load and in the service time.
const (
	gridLoads    = 25
	gridServices = 13
)

// A Grid tells the real needs of the points of a rectangle by the polynomial through those at Chebyshev nodes. It
// knows nothing of how far it is off.
type Grid struct {
	low, high       Point
	loads, services []float64
	ofLoads         []float64 // weights
	ofServices      []float64
	needs           [][]float64 // by service and load
}

// NewGrid returns the grid of a rectangle, of one service time where its ends have the same. Errors: that of a need,
// or of ctx.
func NewGrid(ctx context.Context, low, high Point, need func(ctx context.Context, p Point) (float64, error)) (
	*Grid, error) {
	g := &Grid{low: low, high: high, loads: numeric.ChebyshevNodes(low.Load, high.Load, gridLoads),
		services: []float64{low.Service}}
	if low.Service < high.Service {
		g.services = numeric.ChebyshevNodes(low.Service, high.Service, gridServices)
	}
	g.ofLoads, g.ofServices = numeric.BarycentricWeights(g.loads), numeric.BarycentricWeights(g.services)
	g.needs = make([][]float64, len(g.services))
	for i := range g.needs {
		g.needs[i] = make([]float64, len(g.loads))
	}
	return g, parallel.All(ctx, len(g.services)*len(g.loads), func(k int) (err error) {
		i, j := k/len(g.loads), k%len(g.loads)
		g.needs[i][j], err = need(ctx, Point{g.loads[j], g.services[i]})
		return err
	})
}

// At returns the need of a point, NaN outside of the rectangle.
func (g *Grid) At(p Point) float64 {
	if !(p.Load >= g.low.Load && p.Load <= g.high.Load && p.Service >= g.low.Service && p.Service <= g.high.Service) {
		return math.NaN()
	}
	var values [gridServices]float64
	for i, needs := range g.needs {
		values[i] = numeric.Barycentric(g.loads, g.ofLoads, needs, p.Load)
	}
	if len(g.services) == 1 {
		return values[0]
	}
	return numeric.Barycentric(g.services, g.ofServices, values[:], p.Service)
}
