package frailty

import (
	"math"
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
	return bestShapeBy(start, func(k float64, _ bool) float64 { return f(k) })
}

// bestShapeBy is bestShape of a function that is cheaper where it may be rough.
func bestShapeBy(start float64, f func(k float64, rough bool) float64) float64 {
	low, high := math.Log(leastShape), math.Log(greatestShape)
	at := func(x float64) float64 { return f(math.Exp(x), true) }
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
	return math.Exp(highest(a, b, func(x float64, rough bool) float64 { return f(math.Exp(x), rough) }))
}

// highest returns where a function with one top between a and b has it, by golden
// section to shapeTolerance: by rough values while those of x and y are apart.
func highest(a, b float64, f func(x float64, rough bool) float64) float64 {
	const golden, apart = 0.6180339887498949, 2e-3
	x, y := b-golden*(b-a), a+golden*(b-a)
	rough := true
	at := func(x float64) float64 { return f(x, rough) }
	fx, fy := at(x), at(y)
	for b-a > shapeTolerance {
		if rough && b-a < apart {
			rough = false
			fx, fy = at(x), at(y)
		}
		if fx >= fy {
			b, y, fy = y, x, fx
			x = b - golden*(b-a)
			fx = at(x)
		} else {
			a, x, fx = x, y, fy
			y = a + golden*(b-a)
			fy = at(y)
		}
	}
	return (a + b) / 2
}
