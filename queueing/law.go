package queueing

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
)

// A Law is the law of a positive time X: of service, or of the gap between
// arrivals. The laws are [Deterministic], [Exponential], [ErlangK], [Gamma],
// [Hyperexponential], [Lognormal] and [Empirical]; each checks its parameters
// where it is used.
type Law interface {
	// Moments returns E[X], E[X²] and E[X³] in s, s² and s³.
	Moments() (first, second, third float64)
	// Transform returns E[e^(−sX)] for Re s ≥ 0, s in 1/s.
	Transform(s complex128) complex128
	// Draw returns a time of the law, NaN without a source.
	Draw(r *rand.Rand) float64

	check(c *Domain, of string)
	// residual returns 1 − (1 − E e^(−sX))/(s·E[X]), one minus the transform
	// of the equilibrium law, to rounding also where s is small. It is
	// analytic for Re s > −abscissa.
	residual(s complex128) complex128
	// abscissa is 0 for a law whose tail is heavier than exponential and
	// +Inf for one that is bounded.
	abscissa() float64
	// above returns P(X > x), E[X; X > x] and E[X²; X > x].
	above(x float64) [3]float64
	// density returns the density at x > 0; 0 for laws with atoms.
	density(x float64) float64
	// atoms returns the values and weights of a discrete law, or nil.
	atoms() (times, weights []float64)
}

// Exponential is the exponential law, of SCV 1.
type Exponential struct {
	Mean float64 // > 0, s
}

// Moments returns m, 2m² and 6m³.
func (l Exponential) Moments() (first, second, third float64) {
	m := l.Mean
	return m, 2 * m * m, 6 * m * m * m
}

// Transform returns 1/(1 + sm).
func (l Exponential) Transform(s complex128) complex128 { return 1 / (1 + s*complex(l.Mean, 0)) }

func (l Exponential) check(c *Domain, of string) { c.Positive("mean"+of, l.Mean) }

func (l Exponential) residual(s complex128) complex128 {
	z := s * complex(l.Mean, 0)
	return z / (1 + z)
}

func (l Exponential) abscissa() float64 { return 1 / l.Mean }

func (l Exponential) above(x float64) [3]float64 {
	m := l.Mean
	p := math.Exp(-x / m)
	return [3]float64{p, p * (x + m), p * (x*x + 2*m*x + 2*m*m)}
}

func (l Exponential) density(x float64) float64 { return math.Exp(-x/l.Mean) / l.Mean }

func (l Exponential) atoms() (times, weights []float64) { return nil, nil }

// Hyperexponential is a mixture of exponential laws, of SCV ≥ 1.
type Hyperexponential struct {
	Shares []float64 // ≥ 0, sum 1
	Means  []float64 // > 0, s; one for each share
}

// BalancedHyperexponential returns the mixture of two exponential laws with
// the given mean and SCV ≥ 1 and balanced means, p₁m₁ = p₂m₂:
//
//	p₁ = (1 + √((c²−1)/(c²+1)))/2,  m₁ = m/(2p₁)
//
// Source: Whitt, Approximating a point process by a renewal process, Oper.
// Res. 30, 1982.
func BalancedHyperexponential(mean, scv float64) (Hyperexponential, error) {
	c := Domain{Func: "BalancedHyperexponential"}
	c.Positive("mean", mean)
	if !(scv >= 1) || math.IsInf(scv, 1) {
		c.Fail("SCV", scv, "finite SCV >= 1; below 1 use ErlangK or Gamma")
	}
	if c.Err != nil {
		return Hyperexponential{}, c.Err
	}
	p := 0.5 * (1 + math.Sqrt((scv-1)/(scv+1)))
	q := 1 / ((scv + 1) * 2 * p) // p·q = 1/(2(c²+1)), without cancellation
	return Hyperexponential{[]float64{p, q}, []float64{mean / (2 * p), mean / (2 * q)}}, nil
}

// Moments returns Σ pᵢ k! mᵢᵏ for k = 1, 2, 3; NaN where there are not as many
// means as shares.
func (l Hyperexponential) Moments() (first, second, third float64) {
	if len(l.Shares) != len(l.Means) {
		return math.NaN(), math.NaN(), math.NaN()
	}
	for i, p := range l.Shares {
		m := l.Means[i]
		first += p * m
		second += 2 * p * m * m
		third += 6 * p * m * m * m
	}
	return first, second, third
}

// Transform returns Σ pᵢ/(1 + s·mᵢ); NaN where there are not as many means as
// shares.
func (l Hyperexponential) Transform(s complex128) complex128 {
	if len(l.Shares) != len(l.Means) {
		return cmplx.NaN()
	}
	sum := complex(0, 0)
	for i, p := range l.Shares {
		sum += complex(p, 0) / (1 + s*complex(l.Means[i], 0))
	}
	return sum
}

func (l Hyperexponential) check(c *Domain, of string) {
	if len(l.Shares) == 0 || len(l.Shares) != len(l.Means) {
		c.Fail("phases"+of, float64(len(l.Means)), "as many means as shares, at least one")
		return
	}
	sum := 0.0
	for i, p := range l.Shares {
		c.Fraction("share"+of, p)
		c.Positive("mean of a phase"+of, l.Means[i])
		sum += p
	}
	if c.Err == nil && math.Abs(sum-1) > 1e-12 {
		c.Fail("sum of shares"+of, sum, "1")
	}
}

func (l Hyperexponential) residual(s complex128) complex128 {
	total, sum := 0.0, complex(0, 0)
	for i, p := range l.Shares {
		z := s * complex(l.Means[i], 0)
		total += p * l.Means[i]
		sum += complex(p*l.Means[i], 0) * (z / (1 + z))
	}
	return sum / complex(total, 0)
}

func (l Hyperexponential) abscissa() float64 {
	longest := 0.0
	for i, m := range l.Means {
		if l.Shares[i] > 0 {
			longest = math.Max(longest, m)
		}
	}
	return 1 / longest
}

func (l Hyperexponential) above(x float64) [3]float64 {
	var sum [3]float64
	for i, p := range l.Shares {
		for k, v := range (Exponential{l.Means[i]}).above(x) {
			sum[k] += p * v
		}
	}
	return sum
}

func (l Hyperexponential) density(x float64) float64 {
	sum := 0.0
	for i, p := range l.Shares {
		sum += p * Exponential{l.Means[i]}.density(x)
	}
	return sum
}

func (l Hyperexponential) atoms() (times, weights []float64) { return nil, nil }
