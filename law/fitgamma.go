package law

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/numeric"
)

// FitGamma fits a [Gamma] to right-censored durations by maximum likelihood,
// by Newton's method in the logarithms of shape k and mean m:
//
//	ℓ = Σ k (log(t/m) - t/m + 1) + d (k log k - k - log Γ(k)) - Σ log t (observed)
//	    + Σ log Q(k, k t/m) (censored).
//
// The observed durations enter by two means formed without cancellation, so
// that a large shape keeps its digits; the censored ones by [nodes], so that
// an iteration is independent of n where n is large. Derivatives of log Q by m
// are closed forms, those by k differences of fourth order.
//
// Errors as [FitWeibull]; a shape beyond 1e9 returns ErrDegenerate.
func FitGamma(o Observations) (Fit, error) {
	const fn = "FitGamma"
	s, err := newSample(fn, o)
	if err != nil {
		return Fit{}, err
	}
	if err := s.degenerate(fn); err != nil {
		return Fit{}, err
	}
	d := float64(s.events)
	n := newNodes(s.cens, math.Min(0.5, math.Sqrt(s.varSeen)/2))
	f := func(p [2]float64) (float64, [2]float64, [2][2]float64) {
		k, delta := math.Exp(p[0]), p[1] // delta = log(m/m0)
		if k > 1e15 || k < 1e-12 || math.Abs(delta) > 1e4 {
			return math.Inf(-1), [2]float64{}, [2][2]float64{}
		}
		miss := s.gap + expGap(-delta)
		e1, e2 := logLessDigamma(k), recipLessTrigamma(k)
		v := d * (gammaNormaliser(k) - k*miss)
		back := k * d * math.Expm1(-delta)
		g := [2]float64{d*k*e1 - k*d*miss, back}
		h := [2][2]float64{
			{d*(k*e1+k*k*e2) - k*d*miss, back},
			{back, -k * d * math.Exp(-delta)},
		}
		for i, x := range n.x {
			w := n.weight[i]
			q := gammaTailSlopes(k, x-s.logArith-delta)
			v += w * q.log
			g[0] += w * q.a
			g[1] += w * q.h
			h[0][0] += w * q.aa
			h[0][1] += w * q.ha
			h[1][1] -= w * q.hz
		}
		h[1][0] = h[0][1]
		return v, g, h
	}
	p, iterations, err := climb(fn, f, s.gammaStart(f), d)
	k := math.Exp(p[0])
	if k > 1e9 { // whether the end of the climb or on its way up
		return Fit{}, fault.New("law", fn, fmt.Sprintf("shape %.3g, durations practically equal", k), ErrDegenerate)
	}
	if err != nil {
		return Fit{}, err
	}
	v, _, h := f(p)
	logScale := s.logArith + s.logRef + p[1] - p[0]
	scale := math.Exp(logScale)
	if scale == 0 || math.IsInf(scale, 0) {
		return Fit{}, fault.New("law", fn, fmt.Sprintf("scale e^%.6g is beyond floats", logScale), ErrDegenerate)
	}
	info := [2][2]float64{{-h[0][0], -h[0][1]}, {-h[1][0], -h[1][1]}}
	// log Scale = log m - log k
	cov, err := invert2(fn, info, [2][2]float64{{1, 0}, {-1, 1}})
	if err != nil {
		return Fit{}, err
	}
	loglik := v - d*(s.meanSeen+s.logRef)
	return s.fit(Gamma{k, scale}, loglik, iterations, []string{"Shape", "Scale"},
		[]float64{k, scale}, []float64{k, scale}, cov), nil
}

// gammaStart returns the better of the answer for the observed durations
// alone (Minka's approximation of the shape) and the exponential law.
func (s *sample) gammaStart(f surface) [2]float64 {
	exponential := [2]float64{0, math.Log(s.sum/float64(s.events)) - s.logArith}
	if s.gap <= 0 {
		return exponential
	}
	g := s.gap
	k := (3 - g + math.Sqrt((g-3)*(g-3)+24*g)) / (12 * g)
	alone := [2]float64{math.Log(math.Min(math.Max(k, 1e-10), 1e10)), 0}
	va, _, _ := f(alone)
	if ve, _, _ := f(exponential); ve > va {
		return exponential
	}
	return alone
}

// A tailSlope holds log Q(k, k r) and its derivatives by a = log k at fixed r,
// and the hazard h = -∂ log Q/∂ log z with its derivatives by a and by log z.
type tailSlope struct{ log, a, aa, h, ha, hz float64 }

// gammaTailSlopes differentiates along fixed r = t/mean, on which log Q varies
// with log k on a scale of 1 whatever k is.
func gammaTailSlopes(k, logR float64) tailSlope {
	const step = 5e-3
	gap, rise, r := expGap(logR), math.Expm1(logR), math.Exp(logR)
	var q, h [5]float64
	for i := range q {
		kk := k * math.Exp(step*float64(i-2))
		q[i] = logGammaTail(kk, kk*r, math.Log(kk)+logR)
		// z^k e^(-z)/(Γ(k) Q)
		h[i] = math.Exp(gammaNormaliser(kk) - kk*gap - q[i])
	}
	slope := func(y [5]float64) float64 { return (y[0] - y[4] + 8*(y[3]-y[1])) / (12 * step) }
	return tailSlope{
		log: q[2],
		a:   slope(q),
		aa:  (16*(q[3]+q[1]-2*q[2]) - (q[4] + q[0] - 2*q[2])) / (12 * step * step),
		h:   h[2],
		ha:  slope(h),
		hz:  h[2] * (h[2] - k*rise),
	}
}

// gammaNormaliser returns k log k - k - log Γ(k) without cancellation.
func gammaNormaliser(k float64) float64 {
	if k < 16 {
		lg, _ := math.Lgamma(k)
		return k*math.Log(k) - k - lg
	}
	return 0.5*math.Log(k/(2*math.Pi)) - numeric.StirlingError(k)
}

// logLessDigamma returns log k - ψ(k).
func logLessDigamma(k float64) float64 {
	if k < 16 {
		// Raised by the recurrence: gonum's digamma has 1e-10 near 7.
		sum := 0.0
		x := k
		for ; x < 16; x++ {
			sum += 1 / x
		}
		return math.Log(k/x) + sum + logLessDigamma(x)
	}
	r := 1 / (k * k)
	return 0.5/k + r*(1.0/12-r*(1.0/120-r*(1.0/252-r*(1.0/240-r/132))))
}

// recipLessTrigamma returns 1/k - ψ'(k).
func recipLessTrigamma(k float64) float64 {
	if k < 16 {
		return 1/k - mathext.Zeta(2, k)
	}
	r := 1 / (k * k)
	return -r * (0.5 + (1.0/6-r*(1.0/30-r*(1.0/42-r/30)))/k)
}
