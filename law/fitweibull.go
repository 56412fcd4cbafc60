package law

import (
	"fmt"
	"math"
)

// FitWeibull fits a [Weibull] to right-censored durations by maximum
// likelihood. With the scale eliminated the shape k is the root of
//
//	g(k) = 1/k + mean log t (observed) - Σ t^k log t / Σ t^k (all),
//
// which falls from +Inf to a negative limit, so that it has one root whenever
// the durations are not degenerate; Newton's method within a bracket finds
// it. The scale is (Σ t^k/d)^(1/k). Time O(n) an iteration, about six.
//
// No observed duration returns ErrNoEvents; all of them equal with none
// censored later ErrDegenerate; an observed duration of 0 a *DomainError.
// Source: Lawless 2003, 5.2.
func FitWeibull(o Observations) (Fit, error) {
	const fn = "FitWeibull"
	s, err := newSample(fn, o)
	if err != nil {
		return Fit{}, err
	}
	if err := s.degenerate(fn); err != nil {
		return Fit{}, err
	}
	k, iterations, err := s.weibullShape(fn)
	if err != nil {
		return Fit{}, err
	}
	d := float64(s.events)
	s0, _, _ := s.weibullSums(k)
	b := s.maxAll + math.Log(s0/d)/k // log(scale/ref)
	// Observed information in (log k, log scale), y = k (x - b), Σ e^y = d.
	var ye, y2e, sumY float64
	for _, x := range s.seen {
		sumY += k * (x - b)
	}
	for _, xs := range [][]float64{s.seen, s.cens} {
		for _, x := range xs {
			y := k * (x - b)
			e := math.Exp(y) * y
			ye += e
			y2e += e * y
		}
	}
	info := [2][2]float64{{ye + y2e - sumY, -k * ye}, {-k * ye, k * k * d}}
	scale := math.Exp(b + s.logRef)
	loglik := d*math.Log(k) + sumY - d - d*(s.meanSeen+s.logRef)
	cov, err := invert2(fn, info, [2][2]float64{{1, 0}, {0, 1}})
	if err != nil {
		return Fit{}, err
	}
	return s.fit(Weibull{k, scale}, loglik, iterations, []string{"Shape", "Scale"},
		[]float64{k, scale}, []float64{k, scale}, cov), nil
}

// weibullSums returns Σ w, Σ w u and Σ w u² over all durations, with
// u = x - maxAll <= 0 and w = e^(k u) in (0, 1].
func (s *sample) weibullSums(k float64) (s0, s1, s2 float64) {
	for _, xs := range [][]float64{s.seen, s.cens} {
		for _, x := range xs {
			u := x - s.maxAll
			w := math.Exp(k * u)
			s0 += w
			w *= u
			s1 += w
			s2 += w * u
		}
	}
	return s0, s1, s2
}

func (s *sample) weibullShape(fn string) (float64, int, error) {
	mean := s.meanSeen - s.maxAll
	k := 1.0
	if s.varSeen > 0 {
		k = math.Pi / math.Sqrt(6*s.varSeen) // exact for a Weibull law, uncensored
	}
	lo, hi := 0.0, math.Inf(1)
	for i := 1; i <= 200; i++ {
		s0, s1, s2 := s.weibullSums(k)
		r := s1 / s0
		g := 1/k + mean - r
		if g > 0 {
			lo = k
		} else {
			hi = k
		}
		slope := -1/(k*k) - math.Max(0, s2/s0-r*r)
		// In 1/k the function is nearly straight: Newton's step there.
		next := k / (1 + g/(slope*k))
		if g == 0 || math.Abs(next-k) <= 1e-9*k { // the step after would be of order 1e-18
			return next, i, nil
		}
		if !(next > lo && next < hi) {
			switch {
			case math.IsInf(hi, 1):
				next = 2 * k
			case lo == 0:
				next = k / 2
			default:
				next = math.Sqrt(lo) * math.Sqrt(hi)
			}
			if next == lo || next == hi {
				return next, i, nil
			}
		}
		if next > 1e15 || next < 1e-300 {
			break
		}
		k = next
	}
	return 0, 0, fmt.Errorf("law: %s: shape beyond 1e15, or no root: %w", fn, ErrNotConverged)
}

// invert2 returns D info⁻¹ Dᵀ, the covariance of parameters whose derivatives
// by those of info are D.
func invert2(fn string, info, d [2][2]float64) ([][]float64, error) {
	det := info[0][0]*info[1][1] - info[0][1]*info[1][0]
	if !(det > 0 && info[0][0] > 0) {
		return nil, fmt.Errorf("law: %s: observed information is not positive definite: %w", fn, ErrNotConverged)
	}
	inv := [2][2]float64{{info[1][1] / det, -info[0][1] / det}, {-info[1][0] / det, info[0][0] / det}}
	cov := [][]float64{{0, 0}, {0, 0}}
	for i := range 2 {
		for j := range 2 {
			for a := range 2 {
				for b := range 2 {
					cov[i][j] += d[i][a] * inv[a][b] * d[j][b]
				}
			}
		}
	}
	return cov, nil
}
