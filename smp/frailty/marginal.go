package frailty

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// LogMarginal returns the logarithm of the chance of d failures of machines
// whose expected failures at frailty 1 are l, their frailties being
// Gamma(k, k), but for what does not depend on k:
//
//	Σ_m [ln Γ(d_m + k) − ln Γ(k) + k ln k − (d_m + k) ln(L_m + k)]
//
// where d_m ≥ 0 are counts, L_m ≥ 0, k > 0. It tends to Σ −L_m as k → ∞: no
// frailty. Slices of unlike length give NaN. Source: Lawless 2003, 2.2.3.
func LogMarginal(d, l []float64, k float64) float64 {
	if len(d) != len(l) || !(k > 0) {
		return math.NaN()
	}
	total := 0.0
	for m := range d {
		total += logNegativeBinomial(d[m], l[m], k)
	}
	return total
}

// logNegativeBinomial is one term of LogMarginal. Written as it stands it would
// lose all digits where k is large.
//
//	ln Γ(d + k) − ln Γ(k) − d ln k  −  (d + k) ln(1 + L/k)
func logNegativeBinomial(d, l, k float64) float64 {
	return rising(d, k) - (d+k)*math.Log1p(l/k)
}

// rising returns ln Γ(d + k) − ln Γ(k) − d ln k = Σ_{i<d} ln(1 + i/k) for whole
// d.
func rising(d, k float64) float64 {
	if d <= 32 || k > 1e6*d {
		s := 0.0
		if k > 1e6*d && d > 32 {
			return d * (d - 1) / (2 * k)
		}
		for i := 1.0; i < d; i++ {
			s += math.Log1p(i / k)
		}
		return s
	}
	a, _ := math.Lgamma(d + k)
	b, _ := math.Lgamma(k)
	return a - b - d*math.Log(k)
}

// Shapes lie between these: below, nearly all machines never fail; above,
// frailties differ by less than 0.1 %.
const (
	leastShape    = 1e-2
	greatestShape = 1e6
)

// shapeTolerance is that of the logarithm of a shape, far below its standard
// error in any fleet.
const shapeTolerance = 1e-5

// bestShape maximises over a shape: on a grid of its logarithm where start is
// 0, else uphill from start; then by golden section about the best point.
func bestShape(start float64, f func(k float64) float64) float64 {
	return highestShape(start, f, false)
}

// bestSmooth is bestShape of a function that costs much and is analytic in the logarithm of
// the shape, as far as π from the real line: the golden section is on the polynomial through it.
func bestSmooth(start float64, f func(k float64) float64) float64 {
	return highestShape(start, f, true)
}

// smoothPoints are those of that polynomial. On a length of 1.5 the error falls by 8.5 a point.
const smoothPoints = 11

func highestShape(start float64, f func(k float64) float64, smooth bool) float64 {
	low, high := math.Log(leastShape), math.Log(greatestShape)
	seen := map[float64]float64{}
	at := func(x float64) float64 {
		v, ok := seen[x]
		if !ok {
			v = f(math.Exp(x))
			seen[x] = v
		}
		return v
	}
	const step = 0.75
	best, top := low, math.Inf(-1)
	if start > 0 {
		best = math.Log(math.Min(math.Max(start, leastShape), greatestShape))
		top = at(best)
		for _, d := range []float64{step, -step} {
			for x := best + d; x > low-step && x < high+step; x += d {
				x = math.Min(math.Max(x, low), high)
				v := at(x)
				if v <= top {
					break
				}
				best, top = x, v
			}
		}
	} else {
		for x := low; x <= high; x += step {
			if v := at(x); v > top {
				best, top = x, v
			}
		}
	}
	a, b := math.Max(low, best-step), math.Min(high, best+step)
	if !smooth {
		return math.Exp(highest(a, b, at))
	}
	nodes := numeric.ChebyshevNodes(a, b, smoothPoints)
	values := make([]float64, len(nodes))
	nodes[len(nodes)-1] = b
	if b-best == best-a {
		nodes[len(nodes)/2] = best
	}
	for i, x := range nodes {
		values[i] = at(x) - top
	}
	weights := numeric.BarycentricWeights(nodes)
	return math.Exp(highest(a, b, func(x float64) float64 { return numeric.Barycentric(nodes, weights, values, x) }))
}

// highest returns where a function with one top between a and b has it, by golden
// section to shapeTolerance.
func highest(a, b float64, f func(x float64) float64) float64 {
	const golden = 0.6180339887498949
	x, y := b-golden*(b-a), a+golden*(b-a)
	fx, fy := f(x), f(y)
	for b-a > shapeTolerance {
		if fx >= fy {
			b, y, fy = y, x, fx
			x = b - golden*(b-a)
			fx = f(x)
		} else {
			a, x, fx = x, y, fy
			y = a + golden*(b-a)
			fy = f(y)
		}
	}
	return (a + b) / 2
}
