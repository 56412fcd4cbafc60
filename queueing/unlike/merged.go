package unlike

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// mostStates bounds the numbers up that [Varying] averages over, and mostProduct those
// that the next kind makes of them: without bounds they grow with the power of the
// kinds, to any memory. mostBusy is for busy servers, which are asked of few mixes.
const (
	mostStates  = 10_000
	mostProduct = 100_000
	mostBusy    = 100_000
)

// mergeSteps are in how many steps numbers up are merged by their rate, and by how
// unlike the machines are that bring it.
const (
	rateSteps = 700
	kindSteps = 12
)

// merged puts numbers up that do nearly the same in the place of which they are the
// mean, and adds their chances. A queue sees of machines the integrals of
//
//	Π (1 + t·sⱼ/a)^nⱼ,   ln = (t/a) Σ nⱼsⱼ − ½(t/a)² Σ nⱼsⱼ² + …
//
// with nⱼ servers of speed sⱼ: states are near where Σ ns is, their rate x, and Σ ns²,
// of which y is what x does not tell. A mean keeps what is linear in the numbers up;
// what is lost is the curvature within a step (TestMergedStates).
func merged(all []state, coming []Coming) []state {
	x, y := make([]float64, len(all)), make([]float64, len(all))
	likeliest := top(all)
	for i, s := range all {
		for j, u := range s.up {
			servers := u / coming[j].PerJob * coming[j].Speed
			x[i] += servers
			y[i] += servers * coming[j].Speed
		}
	}
	weights := make([]float64, len(all))
	for i, s := range all {
		weights[i] = math.Exp(s.chance - likeliest)
	}
	from, slope := stat.LinearRegression(x, y, weights, false)
	for i := range y {
		y[i] -= from + slope*x[i]
	}
	column, row := steps(x, rateSteps), steps(y, kindSteps)
	// Chances are added beside the greatest of their place, since rare ones count where
	// all others lose nothing.
	places := make([]state, rateSteps*kindSteps)
	tops := make([]float64, len(places))
	for i := range tops {
		tops[i] = math.Inf(-1)
	}
	at := make([]int, len(all))
	for i, s := range all {
		at[i] = column(x[i])*kindSteps + row(y[i])
		tops[at[i]] = math.Max(tops[at[i]], s.chance)
	}
	for i, s := range all {
		p, weight := &places[at[i]], math.Exp(s.chance-tops[at[i]])
		if p.up == nil {
			p.up = make([]float64, len(s.up))
		}
		p.chance += weight
		for j, u := range s.up {
			p.up[j] += weight * u
		}
	}
	out := all[:0]
	for i, p := range places {
		if p.up == nil {
			continue
		}
		for j := range p.up {
			p.up[j] /= p.chance
		}
		out = append(out, state{p.up, tops[i] + math.Log(p.chance)})
	}
	return out
}

// steps divides the range of values into n of equal width and tells which one a value
// is in.
func steps(values []float64, n int) func(float64) int {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	return func(v float64) int {
		if !(high > low) {
			return 0
		}
		return min(int((v-low)/(high-low)*float64(n)), n-1)
	}
}
