package queueing

import (
	"math"
	"math/rand/v2"

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
	i := l.phase(r)
	if i < 0 {
		return math.NaN()
	}
	return l.Means[i] * r.ExpFloat64()
}

// phase draws which exponential law it is, less than 0 where that cannot be told.
func (l Hyperexponential) phase(r *rand.Rand) int {
	if r == nil || len(l.Means) == 0 || len(l.Shares) != len(l.Means) {
		return -1
	}
	u, i := r.Float64(), 0
	for ; i < len(l.Shares)-1 && u >= l.Shares[i]; i++ {
		u -= l.Shares[i]
	}
	return i
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

// DrawLengthBiased returns a time of the law of density x·f(x)/E[X]: that of the service, or the gap, in which a
// random moment falls. What is left of it then is an even share. It is NaN for no law, and one of another package.
func DrawLengthBiased(l Law, r *rand.Rand) float64 {
	if r == nil {
		return math.NaN()
	}
	switch l := l.(type) {
	case Deterministic:
		return l.Time
	case Exponential:
		return ErlangK{2 * l.Mean, 2}.Draw(r)
	case ErlangK:
		return ErlangK{l.Mean + l.Mean/float64(l.Phases), l.Phases + 1}.Draw(r)
	case Gamma: // one more of its shape
		return Gamma{l.Mean * (1 + l.SCV), l.SCV / (1 + l.SCV)}.Draw(r)
	case Lognormal: // μ + σ²
		return Lognormal{l.Mean * (1 + l.SCV), l.SCV}.Draw(r)
	case Hyperexponential:
		shares, total := make([]float64, len(l.Shares)), 0.0
		for i := range shares {
			if i < len(l.Means) {
				shares[i] = l.Shares[i] * l.Means[i]
				total += shares[i]
			}
		}
		for i := range shares {
			shares[i] /= total
		}
		one := Hyperexponential{shares, l.Means}
		i := one.phase(r)
		if i < 0 {
			return math.NaN()
		}
		return ErlangK{2 * l.Means[i], 2}.Draw(r)
	case Empirical:
		weights := make([]float64, len(l.Times))
		for i, t := range l.Times {
			weights[i] = t
			if i < len(l.Weights) {
				weights[i] *= l.Weights[i]
			}
		}
		return Empirical{l.Times, weights}.Draw(r)
	}
	return math.NaN()
}
