package queueing

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/capplan/capplan/law"
)

// The laws draw times for a simulation. A law whose parameters lie outside their
// domain draws anything, NaN too; without a source all draw NaN.

// Draw returns a time of the law.
func (l Deterministic) Draw(*rand.Rand) float64 { return l.Time }

// Draw returns a time of the law.
func (l Exponential) Draw(r *rand.Rand) float64 {
	if r == nil {
		return math.NaN()
	}
	return l.Mean * r.ExpFloat64()
}

// Draw returns a time of the law: a few phases one by one, many as a gamma law.
func (l ErlangK) Draw(r *rand.Rand) float64 {
	if r == nil || l.Phases > 8 {
		return l.gamma().Draw(r)
	}
	sum := 0.0
	for range l.Phases {
		sum += r.ExpFloat64()
	}
	return l.Mean * sum / float64(l.Phases)
}

// Draw returns a time of the law.
func (l Gamma) Draw(r *rand.Rand) float64 {
	if r == nil || !(l.SCV > 0) {
		return math.NaN()
	}
	return law.Gamma{Shape: 1 / l.SCV, Scale: l.Mean * l.SCV}.Draw(r)
}

// Draw returns a time of the law.
func (l Hyperexponential) Draw(r *rand.Rand) float64 {
	if r == nil || len(l.Means) == 0 || len(l.Shares) != len(l.Means) {
		return math.NaN()
	}
	u, i := r.Float64(), 0
	for ; i < len(l.Shares)-1 && u >= l.Shares[i]; i++ {
		u -= l.Shares[i]
	}
	return l.Means[i] * r.ExpFloat64()
}

// Draw returns a time of the law.
func (l Lognormal) Draw(r *rand.Rand) float64 {
	if r == nil {
		return math.NaN()
	}
	s2 := math.Log1p(l.SCV)
	return l.Mean * math.Exp(math.Sqrt(s2)*r.NormFloat64()-s2/2)
}

// Draw returns one of the times. With weights it takes as long as there are times.
func (l Empirical) Draw(r *rand.Rand) float64 {
	if r == nil || len(l.Times) == 0 || l.Weights != nil && len(l.Weights) != len(l.Times) {
		return math.NaN()
	}
	if l.Weights == nil {
		return l.Times[r.IntN(len(l.Times))]
	}
	total := 0.0
	for _, w := range l.Weights {
		total += w
	}
	u, last := total*r.Float64(), 0
	for i, w := range l.Weights {
		if w > 0 {
			last = i
			if u < w {
				break
			}
		}
		u -= w
	}
	return l.Times[last]
}

// LengthBiased returns a function that draws times of the law of density x·f(x)/E[X]: that of the service, or the gap,
// in which a random moment falls. What is left of it then is an even share. It is nil for a law that is none of those
// of this package, and for an empty one.
func LengthBiased(l Law) func(r *rand.Rand) float64 {
	switch l := l.(type) {
	case Deterministic:
		return l.Draw
	case Exponential:
		return ErlangK{2 * l.Mean, 2}.Draw
	case ErlangK:
		return ErlangK{l.Mean + l.Mean/float64(l.Phases), l.Phases + 1}.Draw
	case Gamma: // one more of its shape
		return Gamma{l.Mean * (1 + l.SCV), l.SCV / (1 + l.SCV)}.Draw
	case Lognormal: // μ + σ²
		return Lognormal{l.Mean * (1 + l.SCV), l.SCV}.Draw
	case Hyperexponential:
		if len(l.Shares) != len(l.Means) {
			return nil
		}
		return oneOf(l.Means, l.Shares, func(mean float64, r *rand.Rand) float64 { return ErlangK{2 * mean, 2}.Draw(r) })
	case Empirical:
		if l.Weights != nil && len(l.Weights) != len(l.Times) {
			return nil
		}
		return oneOf(l.Times, l.Weights, func(time float64, _ *rand.Rand) float64 { return time })
	}
	return nil
}

// oneOf returns a function that draws of one of some times, chosen in proportion to times and weights, nil weights
// standing for equal ones; nil where that cannot be done.
func oneOf(times, weights []float64, draw func(time float64, r *rand.Rand) float64) func(r *rand.Rand) float64 {
	sums, sum := make([]float64, len(times)), 0.0
	for i, t := range times {
		if weights != nil {
			t *= weights[i]
		}
		sum += t
		sums[i] = sum
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return nil
	}
	return func(r *rand.Rand) float64 {
		if r == nil {
			return math.NaN()
		}
		at := r.Float64() * sum
		return draw(times[sort.Search(len(sums)-1, func(i int) bool { return sums[i] > at })], r)
	}
}
