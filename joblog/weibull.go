package joblog

import (
	"math"

	"github.com/capplan/capplan/internal/source"
	"gonum.org/v1/gonum/stat/distuv"
)

// Weibull is the law P(X > x) = exp(−(x/α)^β), x ≥ 0 in seconds. InterGrid
// writes α for the scale and β for the shape.
type Weibull struct {
	Scale float64 `json:"scale_s"` // α > 0
	Shape float64 `json:"shape"`   // β > 0; 1 is exponential, below 1 bursty
}

// Mean returns α Γ(1 + 1/β), in seconds.
func (w Weibull) Mean() float64 { return w.Scale * math.Gamma(1+1/w.Shape) }

// SCV returns Γ(1 + 2/β)/Γ(1 + 1/β)² − 1.
func (w Weibull) SCV() float64 {
	a, _ := math.Lgamma(1 + 2/w.Shape)
	b, _ := math.Lgamma(1 + 1/w.Shape)
	return math.Expm1(a - 2*b)
}

func (w Weibull) check(fn, arg string) error {
	if !finite(w.Scale, w.Shape, w.Mean()) || w.Scale <= 0 || w.Shape <= 0 {
		return &source.DomainError{
			Func:  fn,
			Arg:   arg,
			Value: w,
			Want:  "scale > 0 s, shape > 0 and a finite mean",
		}
	}
	return nil
}

// A WeibullFit is a fitted Weibull law.
type WeibullFit struct {
	Weibull
	ScaleSE float64 `json:"scale_se_s"` // standard errors from the observed information
	ShapeSE float64 `json:"shape_se"`
	LawMean float64 `json:"mean_s"`
	LawSCV  float64 `json:"scv"`
	Goodness
}

// FitWeibull returns the maximum likelihood fit of a Weibull law. The shape is
// the only root of the profile equation, the scale follows:
//
//	g(β) = Σ xᵢ^β ln xᵢ / Σ xᵢ^β − 1/β − Σ ln xᵢ / n = 0,    α^β = Σ xᵢ^β / n
//	log L = n ln β − n β ln α + (β−1) Σ ln xᵢ − n
//
// where xᵢ > 0 are at least two finite values in seconds (else ErrTooFew or a
// *DomainError), not all equal (ErrDegenerate: β would be infinite). g rises
// from −∞, so that a bracketed Newton iteration cannot fail. Standard errors
// come from the inverse of minus the Hessian of log L at the estimate. Zeros
// are not taken; see [FitLaws]. O(n) per iteration, about seven of them.
// Source: Johnson, chapter 21.
func FitWeibull(x []float64) (*WeibullFit, error) {
	const fn = "FitWeibull"
	if err := positiveSample(fn, x); err != nil {
		return nil, err
	}
	n := float64(len(x))
	// y = ln x − mean ln x: with the geometric mean as unit the powers keep
	// within range and the equation reads Σ e^{βy} y / Σ e^{βy} = 1/β.
	y := make([]float64, len(x))
	var logs moments
	for i, v := range x {
		y[i] = math.Log(v)
		logs.add(y[i])
	}
	if math.Sqrt(logs.m2/n) < minLogSpread {
		return nil, degenerate(fn, "all values are equal")
	}
	top := math.Inf(-1)
	for i := range y {
		y[i] -= logs.mean
		top = max(top, y[i])
	}
	shape := weibullShape(y, top, math.Pi/math.Sqrt(6*logs.m2/n))
	s0, _, _ := tilted(y, top, shape)
	logScale := top + math.Log(s0/n)/shape // ln α − mean ln x
	f := &WeibullFit{Weibull: Weibull{Scale: math.Exp(logScale + logs.mean), Shape: shape}}

	// Observed information, with z = (x/α)^β, u = ln(x/α), Σz = n:
	// −∂²/∂α² = nβ²/α², −∂²/∂α∂β = −(β/α) Σzu, −∂²/∂β² = n/β² + Σzu².
	var zu, zuu float64
	for _, v := range y {
		u := v - logScale
		z := math.Exp(shape * u)
		zu += z * u
		zuu += z * u * u
	}
	iaa, iab, ibb := n*shape*shape, -shape*zu, n/(shape*shape)+zuu // α-rows times α
	det := iaa*ibb - iab*iab
	f.ScaleSE, f.ShapeSE = f.Scale*math.Sqrt(ibb/det), math.Sqrt(iaa/det)
	f.LawMean, f.LawSCV = f.Mean(), f.SCV()
	logL := n*math.Log(shape) - n*shape*(logScale+logs.mean) + (shape-1)*n*logs.mean - n
	if !finite(f.Scale, f.LawMean, f.LawSCV, f.ScaleSE, f.ShapeSE, logL) || f.Scale <= 0 {
		return nil, degenerate(fn, "values spread so widely that the law's moments overflow")
	}
	law := distuv.Weibull{K: shape, Lambda: f.Scale}
	f.Goodness = goodness(len(x), 2, logL, ksDistance(sortedCopy(x), law.CDF))
	return f, nil
}

// tilted returns Σ w, Σ w y / Σ w and the variance of y under the weights
// w = e^{β(y − top)} ≤ 1.
func tilted(y []float64, top, shape float64) (sum, mean, variance float64) {
	var s1, s2 float64
	for _, v := range y {
		w := math.Exp(shape * (v - top))
		d := v - top
		sum += w
		s1 += w * d
		s2 += w * d * d
	}
	m := s1 / sum
	return sum, top + m, max(0, s2/sum-m*m)
}

// weibullShape solves tilted mean = 1/β by Newton steps kept inside a bracket,
// halved when a step leaves it. start > 0 is the moment estimate.
func weibullShape(y []float64, top, start float64) float64 {
	lo, hi := 0.0, math.Inf(1)
	beta := start
	for range 200 {
		_, mean, variance := tilted(y, top, beta)
		g := mean - 1/beta
		if g == 0 {
			return beta
		}
		if g < 0 {
			lo = beta
		} else {
			hi = beta
		}
		next := beta - g/(variance+1/(beta*beta))
		if !(next > lo && next < hi) {
			if math.IsInf(hi, 1) {
				next = 2 * beta
			} else {
				next = lo + (hi-lo)/2
			}
		}
		if math.Abs(next-beta) <= 4e-15*beta {
			return next
		}
		beta = next
	}
	return beta
}
