// Package needchart tells the servers that each of many loads needs from the needs of few.
//
// Of one limit the greatest load T(k, s) that k servers carry, with services of mean s,
// is smooth in both; its inverse in the load, k(a, s), is interpolated between whole k
// by polynomials through Chebyshev nodes, and the need of a load is that rounded up. How
// far a stretch is off is measured where no sample is, and a load a hundred times as near
// to a whole number is not told, nor are those of stretches with corners.
//
// Source: J.-P. Berrut, L. N. Trefethen, Barycentric Lagrange interpolation, SIAM Rev.
// 46, 2004.
package needchart

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A Point is a load in erlangs, with the mean service time.
type Point struct{ Load, Service float64 }

// A Chart is a rectangle of loads and service times, or two that it is cut into;
// one without columns tells nothing.
type Chart struct {
	cut          Point // one of the two, the other +Inf
	below, above *Chart
	columns      []column
	low, high    Point // the rectangle
	services     []float64
	weights      []float64
	margin       float64 // in servers, around whole numbers
}

// A column has the loads that numbers of servers carry at one service time.
type column struct {
	loads, servers, weights []float64
	all                     bool // the servers are all between the ends
}

// Need returns the need of a point, NaN where it is not told.
func (c *Chart) Need(p Point) float64 {
	if c = c.over(p); c == nil {
		return math.NaN()
	}
	n := c.at(p)
	if !(math.Abs(n-math.Round(n)) > c.margin) {
		return math.NaN()
	}
	return math.Ceil(n)
}

// Real returns the real number of servers that Need rounds up, NaN where that is off by more than a hundredth of the
// margin. Between whole numbers that are all known it is not told.
func (c *Chart) Real(p Point, margin float64) float64 {
	c = c.over(p)
	if c == nil || !(c.margin <= margin) || c.columns[0].all {
		return math.NaN()
	}
	return c.at(p)
}

// over returns the rectangle over a point, nil where there is none.
func (c *Chart) over(p Point) *Chart {
	for c != nil && c.below != nil {
		if p.Load < c.cut.Load && p.Service < c.cut.Service {
			c = c.below
		} else {
			c = c.above
		}
	}
	if c == nil || len(c.columns) == 0 || p.Load < c.low.Load || p.Load > c.high.Load ||
		p.Service < c.low.Service || p.Service > c.high.Service {
		return nil
	}
	return c
}

// at returns the servers whose greatest load is that of the point.
func (c *Chart) at(p Point) float64 {
	if len(c.columns) == 1 {
		return c.columns[0].at(p.Load)
	}
	var values [chartServices]float64
	for i := range c.columns {
		if c.services[i] == p.Service {
			return c.columns[i].at(p.Load)
		}
		values[i] = c.columns[i].at(p.Load)
	}
	return numeric.Barycentric(c.services, c.weights, values[:], p.Service)
}

func (c *column) at(load float64) float64 {
	if !c.all {
		return numeric.Barycentric(c.loads, c.weights, c.servers, load)
	}
	// With all whole numbers known a line between two of them rounds up to the right one.
	i := 1
	for i < len(c.loads)-1 && c.loads[i] < load {
		i++
	}
	return c.servers[i-1] + (load-c.loads[i-1])/(c.loads[i]-c.loads[i-1])
}
