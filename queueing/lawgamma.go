package queueing

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mathext"

	"github.com/capplan/capplan/internal/numeric"
)

// Gamma is the gamma law, given by its mean and SCV; the shape is 1/SCV.
type Gamma struct {
	Mean float64 // > 0, s
	SCV  float64 // > 0; for 0 use Deterministic
}

// Moments returns m, m²(1+c²) and m³(1+c²)(1+2c²).
func (l Gamma) Moments() (first, second, third float64) {
	m, v := l.Mean, l.SCV
	return m, m * m * (1 + v), m * m * m * (1 + v) * (1 + 2*v)
}

// Transform returns (1 + s·m·c²)^(−1/c²).
func (l Gamma) Transform(s complex128) complex128 {
	k := complex(1/l.SCV, 0)
	return cmplx.Exp(-k * numeric.CLog1p(s*complex(l.Mean, 0)/k))
}

func (l Gamma) check(c *Domain, of string) {
	c.Positive("mean"+of, l.Mean)
	c.Positive("SCV"+of, l.SCV)
}

func (l Gamma) residual(s complex128) complex128 {
	k := 1 / l.SCV
	z := s * complex(l.Mean, 0)
	if size(z) > 0.1*min(1, k) {
		return 1 + numeric.CExpm1(-complex(k, 0)*numeric.CLog1p(z/complex(k, 0)))/z
	}
	// Σ_j −(−z)ʲ Π_{i≤j}(k+i)/(k·(i+1)): the ratio of terms is below 0.2.
	sum, term := complex(0, 0), complex(-1, 0)
	for j := 1.0; j < 60; j++ {
		term *= -z * complex((k+j)/(k*(j+1)), 0)
		sum += term
		if size(term) <= 1e-18*size(sum) {
			break
		}
	}
	return sum
}

// size is |Re z| + |Im z|, which is |z| to a factor of √2 and needs no root.
func size(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }

func (l Gamma) abscissa() float64 { return 1 / (l.Mean * l.SCV) }

func (l Gamma) above(x float64) [3]float64 {
	m1, m2, _ := l.Moments()
	k, y := 1/l.SCV, x/(l.Mean*l.SCV)
	return [3]float64{
		mathext.GammaIncRegComp(k, y),
		m1 * mathext.GammaIncRegComp(k+1, y),
		m2 * mathext.GammaIncRegComp(k+2, y),
	}
}

// density is yᵏ⁻¹e^(−y)/Γ(k) by Loader's deviance and the error of Stirling's
// formula: at a shape k of 1e9 the logarithms of its factors are of the size of
// 1e10, and their differences would keep no more than five digits.
func (l Gamma) density(x float64) float64 {
	k, y := 1/l.SCV, x/(l.Mean*l.SCV)
	if y < 1e-290 {
		lgamma, _ := math.Lgamma(k)
		return math.Exp((k-1)*math.Log(y)-y-lgamma) / (l.Mean * l.SCV)
	}
	return k / y * math.Exp(-numeric.Deviance(k,
		y)-numeric.StirlingError(k)) / math.Sqrt(2*math.Pi*k) / (l.Mean * l.SCV)
}

func (l Gamma) atoms() (times, weights []float64) { return nil, nil }

// ErlangK is the Erlang law: the sum of k exponential phases, of SCV 1/k.
type ErlangK struct {
	Mean   float64 // of the whole, > 0, s
	Phases int     // k ≥ 1
}

func (l ErlangK) gamma() Gamma { return Gamma{l.Mean, 1 / float64(l.Phases)} }

// Moments returns m, m²(1+1/k) and m³(1+1/k)(1+2/k).
func (l ErlangK) Moments() (first, second, third float64) { return l.gamma().Moments() }

// Transform returns (1 + s·m/k)^(−k).
func (l ErlangK) Transform(s complex128) complex128 { return l.gamma().Transform(s) }

func (l ErlangK) check(c *Domain, of string) {
	c.Positive("mean"+of, l.Mean)
	if l.Phases < 1 {
		c.Fail("phases"+of, float64(l.Phases), "phases >= 1")
	}
}

func (l ErlangK) residual(s complex128) complex128  { return l.gamma().residual(s) }
func (l ErlangK) abscissa() float64                 { return l.gamma().abscissa() }
func (l ErlangK) above(x float64) [3]float64        { return l.gamma().above(x) }
func (l ErlangK) density(x float64) float64         { return l.gamma().density(x) }
func (l ErlangK) atoms() (times, weights []float64) { return nil, nil }
