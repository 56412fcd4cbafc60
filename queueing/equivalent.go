package queueing

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// A Pool is a set of public machines (spot instances, desktops) that work
// beside dedicated servers.
type Pool struct {
	Machines     float64 // Np ≥ 0
	Speed        float64 // Tp/Td > 0, mean throughput relative to a dedicated server
	Availability float64 // Pav within 0..1, steady state
	Replicas     float64 // r ≥ 1 copies of each job
}

// EquivalentServers returns the number of dedicated servers that the whole is
// worth, in general not an integer:
//
//	N = Nd + Tp/(r·Td) · Pav · Np
//
// Migration is taken to cost nothing. A replica that runs ahead of the others
// is not credited; see [FastestSpeed] for the speed of the forerunner. Source:
// PCU section 4.6.
func EquivalentServers(dedicated float64, pool Pool) (float64, error) {
	c := Domain{Func: "EquivalentServers"}
	c.AtLeastZero("dedicated servers", dedicated)
	c.AtLeastZero("public machines", pool.Machines)
	c.Positive("public speed", pool.Speed)
	c.Fraction("public availability", pool.Availability)
	if !(pool.Replicas >= 1) || math.IsInf(pool.Replicas, 1) {
		c.Fail("replicas", pool.Replicas, "finite replicas >= 1")
	}
	n := dedicated + pool.Speed/pool.Replicas*pool.Availability*pool.Machines
	if c.Err == nil {
		c.AtLeastZero("equivalent servers", n)
		c.Magnitude("equivalent servers", n)
	}
	if c.Err != nil {
		return 0, c.Err
	}
	return n, nil
}

// FastestSpeed returns the mean speed of the fastest of r replicas whose
// speeds are independent and lognormal with the given mean > 0 and coefficient
// of variation cv ≥ 0:
//
//	E[max] = ∫ exp(μ + σz) r Φ(z)^(r−1) φ(z) dz,  σ² = ln(1 + cv²)
//
// where e^(μ+σ²/2) is the mean. It is the speed at which the forerunner of
// replicated jobs gets on, at least the mean. r ≥ 1, real.
func FastestSpeed(mean, cv, replicas float64) (float64, error) {
	c := Domain{Func: "FastestSpeed"}
	c.Positive("mean speed", mean)
	c.AtLeastZero("coefficient of variation", cv)
	if !(replicas >= 1) || replicas > MaxServers {
		c.Fail("replicas", replicas, "1 <= replicas <= 1e12")
	}
	if c.Err == nil && cv > 100 {
		c.Fail("coefficient of variation", cv, "at most 100")
	}
	if c.Err != nil {
		return 0, c.Err
	}
	if cv == 0 || replicas == 1 { // exact, where the sum below is off by rounding
		return mean, nil
	}
	sigma := math.Sqrt(math.Log1p(cv * cv))
	// exp(σz)φ(z) = exp(σ²/2)φ(z−σ): the mean comes out in front.
	integrand := func(z float64) float64 {
		below := 0.5 * math.Erfc(-z/math.Sqrt2)
		return replicas * math.Pow(below, replicas-1) * math.Exp(-(z-sigma)*(z-sigma)/2) / math.Sqrt(2*math.Pi)
	}
	total := 0.0
	for from := -9.0; from < 9+sigma; from++ {
		total += quad.Fixed(integrand, from, from+1, 24, quad.Legendre{}, 0)
	}
	return mean * total, nil
}
