package law

import (
	"math"
	"slices"
)

// Nodes are weighted points that stand for the censored durations in a sum
// Σ f(x_i), x = log t: the points themselves where they are few, else the
// Chebyshev points of short intervals, each weighted by the sum of its
// Lagrange polynomial over the x_i in its interval. The sum is then exact for
// every f that is a polynomial of degree 15 on each interval; one pass over
// the durations serves all iterations of a fit. Weights may be negative.
type nodes struct {
	x, weight []float64
}

const (
	nodesPerPanel = 16
	fewPoints     = 2000 // not worth compressing
)

// newNodes returns the nodes for xs on intervals of at most the given width.
func newNodes(xs []float64, width float64) nodes {
	if len(xs) <= fewPoints || !(width > 0) {
		return pointNodes(xs)
	}
	lo, hi := xs[0], xs[0]
	for _, x := range xs {
		lo, hi = math.Min(lo, x), math.Max(hi, x)
	}
	count := math.Ceil((hi - lo) / width)
	if count < 1 {
		count = 1
	}
	if count*nodesPerPanel >= float64(len(xs)) {
		return pointNodes(xs)
	}
	panels := int(count)
	width = (hi - lo) / count
	if width == 0 {
		return nodes{[]float64{lo}, []float64{float64(len(xs))}}
	}
	var at, bary [nodesPerPanel]float64 // on [-1, 1]
	for j := range at {
		angle := (2*float64(j) + 1) * math.Pi / (2 * nodesPerPanel)
		at[j], bary[j] = math.Cos(angle), math.Sin(angle)
		if j%2 == 1 {
			bary[j] = -bary[j]
		}
	}
	sums := make([][nodesPerPanel]float64, panels)
	used := make([]bool, panels)
	for _, x := range xs {
		p := min(panels-1, max(0, int((x-lo)/width)))
		used[p] = true
		u := 2*(x-lo-float64(p)*width)/width - 1
		var l [nodesPerPanel]float64
		total, exact := 0.0, -1
		for j := range at {
			d := u - at[j]
			if d == 0 {
				exact = j
				break
			}
			l[j] = bary[j] / d
			total += l[j]
		}
		if exact >= 0 {
			sums[p][exact]++
			continue
		}
		total = 1 / total
		for j := range l {
			sums[p][j] += l[j] * total
		}
	}
	var n nodes
	for p := range sums {
		if !used[p] {
			continue
		}
		for j, w := range sums[p] {
			n.x = append(n.x, lo+(float64(p)+(at[j]+1)/2)*width)
			n.weight = append(n.weight, w)
		}
	}
	return n
}

func pointNodes(xs []float64) nodes {
	w := slices.Repeat([]float64{1}, len(xs))
	return nodes{xs, w}
}
