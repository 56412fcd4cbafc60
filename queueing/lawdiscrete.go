package queueing

import (
	"math"
	"math/cmplx"

	"github.com/capplan/capplan/internal/numeric"
)

// Deterministic is a constant time.
type Deterministic struct {
	Time float64 // > 0, s
}

// Moments returns d, d² and d³.
func (l Deterministic) Moments() (first, second, third float64) {
	return l.Time, l.Time * l.Time, l.Time * l.Time * l.Time
}

// Transform returns e^(−sd).
func (l Deterministic) Transform(s complex128) complex128 {
	return cmplx.Exp(-s * complex(l.Time, 0))
}

func (l Deterministic) check(c *Domain, of string) { c.Positive("time"+of, l.Time) }

func (l Deterministic) residual(s complex128) complex128 {
	return numeric.CResidualUnit(s * complex(l.Time, 0))
}

func (l Deterministic) abscissa() float64 { return math.Inf(1) }

func (l Deterministic) above(x float64) [3]float64 {
	if l.Time > x {
		return [3]float64{1, l.Time, l.Time * l.Time}
	}
	return [3]float64{}
}

func (l Deterministic) density(float64) float64 { return 0 }

func (l Deterministic) atoms() (times, weights []float64) { return []float64{l.Time}, []float64{1} }

// Empirical is a law on finitely many times: a sample, or a table of times
// and weights.
type Empirical struct {
	Times   []float64 // > 0, s, in any order
	Weights []float64 // ≥ 0, in any unit; nil for equal weights
}

func (l Empirical) weight(i int) float64 {
	if l.Weights == nil {
		return 1
	}
	return l.Weights[i]
}

func (l Empirical) total() float64 {
	sum := 0.0
	for i := range l.Times {
		sum += l.weight(i)
	}
	return sum
}

// paired reports whether every time has its weight.
func (l Empirical) paired() bool { return l.Weights == nil || len(l.Weights) == len(l.Times) }

// Moments returns Σ wᵢtᵢᵏ/Σ wᵢ for k = 1, 2, 3; NaN where there are not as
// many weights as times.
func (l Empirical) Moments() (first, second, third float64) {
	if !l.paired() {
		return math.NaN(), math.NaN(), math.NaN()
	}
	total := l.total()
	for i, t := range l.Times {
		w := l.weight(i) / total
		first += w * t
		second += w * t * t
		third += w * t * t * t
	}
	return first, second, third
}

// Transform returns Σ wᵢe^(−s·tᵢ)/Σ wᵢ; NaN where there are not as many weights
// as times.
func (l Empirical) Transform(s complex128) complex128 {
	if !l.paired() {
		return cmplx.NaN()
	}
	sum := complex(0, 0)
	for i, t := range l.Times {
		sum += complex(l.weight(i), 0) * cmplx.Exp(-s*complex(t, 0))
	}
	return sum / complex(l.total(), 0)
}

func (l Empirical) check(c *Domain, of string) {
	if len(l.Times) == 0 {
		c.Fail("times"+of, 0, "at least one time")
	}
	if l.Weights != nil && len(l.Weights) != len(l.Times) {
		c.Fail("weights"+of, float64(len(l.Weights)), "one weight for each time, or none at all")
		return
	}
	for i, t := range l.Times {
		c.Positive("time"+of, t)
		c.AtLeastZero("weight"+of, l.weight(i))
	}
	if c.Err == nil {
		c.Positive("sum of weights"+of, l.total())
	}
}

func (l Empirical) residual(s complex128) complex128 {
	total, sum := 0.0, complex(0, 0)
	for i, t := range l.Times {
		w := l.weight(i) * t
		total += w
		sum += complex(w, 0) * numeric.CResidualUnit(s*complex(t, 0))
	}
	return sum / complex(total, 0)
}

func (l Empirical) abscissa() float64 { return math.Inf(1) }

func (l Empirical) above(x float64) [3]float64 {
	var sum [3]float64
	total := l.total()
	for i, t := range l.Times {
		if t > x {
			w := l.weight(i) / total
			sum[0] += w
			sum[1] += w * t
			sum[2] += w * t * t
		}
	}
	return sum
}

func (l Empirical) density(float64) float64 { return 0 }

func (l Empirical) atoms() (times, weights []float64) {
	total := l.total()
	weights = make([]float64, len(l.Times))
	for i := range weights {
		weights[i] = l.weight(i) / total
	}
	return l.Times, weights
}
