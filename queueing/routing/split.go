package routing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A Split is how a stream of external requests is divided over clusters.
type Split struct {
	Objective string  // what was minimised, or the baseline's name
	Rate      float64 // Λ, external requests/s
	// MeanResponse is Σ xⱼTⱼ/Λ, s, the mean over external requests.
	MeanResponse float64
	// Value is the objective: for MeanResponse the same, for Cost and
	// WeightedTypes the mean per external request, for Preemptions and
	// PerCluster the sum over clusters.
	Value float64
	// Multiplier is z, the marginal Fⱼ′ of all clusters in use, where
	// Σ Fⱼ is Λ·Value for objectives that are means per request and Value for
	// sums over clusters. 0 for baselines, which have none.
	Multiplier float64
	Routes     []Route // by cluster, in the order given; Marginal is Fⱼ′(xⱼ)
	// Warnings name approximations used outside their regime.
	Warnings []string
}

// Probabilities returns xⱼ/Λ by cluster.
func (s Split) Probabilities() []float64 {
	p := make([]float64, len(s.Routes))
	for j := range s.Routes {
		p[j] = s.Routes[j].Probability
	}
	return p
}

// KKT measures how far a split is from the conditions of an optimum, relative
// to the multiplier: active is the greatest |Fⱼ′ − z|/z over clusters in use,
// idle the greatest (z − Fⱼ′(0))/z over the others, negative where all of them
// cost more (−Inf where there are none). An optimum has active about 1e-14,
// more next to saturation, and idle ≤ 0 up to rounding.
//
// For a baseline z is taken as the mean marginal of the clusters in use,
// weighted by rate.
func (s Split) KKT() (active, idle float64) {
	z := s.Multiplier
	if z == 0 {
		var mean numeric.Sum
		for j := range s.Routes {
			mean.Add(s.Routes[j].Probability * s.Routes[j].Marginal)
		}
		z = mean.Value()
	}
	idle = math.Inf(-1)
	for j := range s.Routes {
		r := &s.Routes[j]
		if d := (r.Marginal - z) / z; r.Rate > 0 {
			active = max(active, math.Abs(d))
		} else {
			idle = max(idle, -d)
		}
	}
	return active, idle
}
