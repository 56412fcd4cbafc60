package queueing

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
)

// gauss16 is the Gauss-Legendre rule of 16 points on [−1, 1].
var gauss16 = sync.OnceValues(func() (nodes, weights []float64) {
	nodes, weights = make([]float64, 16), make([]float64, 16)
	quad.Legendre{}.FixedLocations(nodes, weights, -1, 1)
	return nodes, weights
})

// integrate returns the integral over [0, to] of a function that is not negative
// and smooth between the marks, to about 1e-13 of itself: panels between marks
// are halved until their halves agree with the whole.
func integrate(f func(float64) float64, marks []float64, to float64) float64 {
	marks = slices.DeleteFunc(marks, func(x float64) bool { return !(x >= 0 && x <= to) })
	slices.Sort(marks)
	marks = slices.Compact(marks)
	nodes, weights := gauss16()
	panel := func(low, high float64) float64 {
		half, sum := (high-low)/2, 0.0
		for i, x := range nodes {
			sum += weights[i] * f(low+half*(x+1))
		}
		return half * sum
	}
	type piece struct {
		low, high, value float64
		depth            int
	}
	var open []piece
	total := 0.0
	for i := 1; i < len(marks); i++ {
		p := piece{low: marks[i-1], high: marks[i]}
		p.value = panel(p.low, p.high)
		total += p.value
		open = append(open, p)
	}
	sum := 0.0
	for len(open) > 0 {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		middle := p.low + (p.high-p.low)/2
		left, right := panel(p.low, middle), panel(middle, p.high)
		total += left + right - p.value
		// Said so that a NaN is not halved for ever.
		if !(math.Abs(left+right-p.value) > 1e-14*total) || p.depth == 40 || middle <= p.low || middle >= p.high {
			sum += left + right
			continue
		}
		open = append(open, piece{p.low, middle, left, p.depth + 1}, piece{middle, p.high, right, p.depth + 1})
	}
	return sum
}
