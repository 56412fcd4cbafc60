package law

import "math"

// FitLogNormal fits a [LogNormal] to right-censored durations by maximum
// likelihood. In α = Mu/Sigma and η = 1/Sigma, with r = η log t - α,
//
//	ℓ = Σ (log η - r²/2) (observed) + Σ log Φ(-r) (censored)
//
// is concave (Burridge 1981) and has a maximum whenever the durations are not
// degenerate, so that Newton's method finds it from anywhere. The observed
// durations enter by their moments and the censored ones by [nodes]: time O(n)
// once, an iteration is independent of n where n is large.
//
// Errors as [FitWeibull].
func FitLogNormal(o Observations) (Fit, error) {
	const fn = "FitLogNormal"
	s, err := newSample(fn, o)
	if err != nil {
		return Fit{}, err
	}
	if err := s.degenerate(fn); err != nil {
		return Fit{}, err
	}
	d := float64(s.events)
	spread := math.Sqrt(s.varSeen)
	n := newNodes(s.cens, math.Min(1, spread/2))
	// η is scaled by the spread and log t centred, so that one size of step
	// fits all data; the logarithm of η keeps it positive at the cost of
	// concavity, hence η itself with a guard.
	unit := spread
	if unit == 0 {
		unit = s.maxAll - s.meanSeen
	}
	mean2 := s.varSeen / (unit * unit)
	f := func(p [2]float64) (float64, [2]float64, [2][2]float64) {
		a, e := p[0], p[1]
		if !(e > 0) {
			return math.Inf(-1), [2]float64{}, [2][2]float64{}
		}
		// Observed: centred, so Σ x = 0 and Σ x² = d mean2.
		v := d*math.Log(e) - d*(e*e*mean2+a*a)/2
		g := [2]float64{-d * a, d/e - d*e*mean2}
		h := [2][2]float64{{-d, 0}, {0, -d/(e*e) - d*mean2}}
		for i, xi := range n.x {
			x, w := (xi-s.meanSeen)/unit, n.weight[i]
			r := e*x - a
			haz := normalHazard(r)
			slope := w * hazardSlope(r, haz)
			v += w * logNormalTail(r)
			g[0] += w * haz
			g[1] -= w * haz * x
			h[0][0] -= slope
			h[0][1] += slope * x
			h[1][1] -= slope * x * x
		}
		h[1][0] = h[0][1]
		return v, g, h
	}
	p, iterations, err := climb(fn, f, [2]float64{0, 1}, d)
	if err != nil {
		return Fit{}, err
	}
	v, _, h := f(p)
	sigma := unit / p[1]
	mu := s.meanSeen + s.logRef + p[0]*sigma
	info := [2][2]float64{{-h[0][0], -h[0][1]}, {-h[1][0], -h[1][1]}}
	// Mu = centre + unit α/η, Sigma = unit/η.
	cov, err := invert2(fn, info, [2][2]float64{
		{1, -p[0] / p[1]},
		{0, -1 / p[1]},
	})
	if err != nil {
		return Fit{}, err
	}
	loglik := v - d*math.Log(unit) - d/2*math.Log(2*math.Pi) - d*(s.meanSeen+s.logRef)
	return s.fit(LogNormal{mu, sigma}, loglik, iterations, []string{"Mu", "Sigma"},
		[]float64{mu, sigma}, []float64{sigma, sigma}, cov), nil
}

// hazardSlope returns h (h - r) for h = normalHazard(r), in (0, 1).
func hazardSlope(r, h float64) float64 {
	if r > 100 { // h - r = 1/r - 2/r³ + 10/r⁵ - ...
		q := 1 / (r * r)
		return h / r * (1 - q*(2-q*(10-74*q)))
	}
	return h * (h - r)
}
