package routing

import (
	"fmt"
	"math"
)

// An Objective is what a split minimises: [MeanResponse], [Cost],
// [WeightedTypes], [PreemptionRate], [Preemptions] or [PerCluster]. All are sums
// over clusters of convex functions of one rate.
type Objective interface {
	fmt.Stringer
	check(fn string) error
	// station is the cluster as the objective sees it.
	station(fn string, c *Cluster, j int) (station, error)
	// closed is the marginal where it is a hyperbola.
	closed(c *Cluster, s *station) (hyperbola, bool)
	curve(c *Cluster, s *station) curve
	// value is the cluster's part of Split.Value.
	value(c *Cluster, s *station, r *Route, slack float64) float64
	warnings(*Split) []string
}

// linear is what objectives share that weigh service, wait and price.
type linear struct{}

func (linear) station(fn string, c *Cluster, j int) (station, error) { return c.station(fn, j) }
func (linear) warnings(*Split) []string                              { return nil }
func (linear) check(string) error                                    { return nil }

func closedBy(w weights, s *station) (hyperbola, bool) {
	if s.c != 1 {
		return hyperbola{}, false
	}
	return s.hyperbola(w), true
}

// MeanResponse is the mean response time of external requests, Σ xⱼTⱼ/Λ, in s
// (InterGrid eq. 3).
type MeanResponse struct{ linear }

func (MeanResponse) String() string { return "mean response" }

func (MeanResponse) closed(_ *Cluster, s *station) (hyperbola, bool) { return closedBy(unweighted, s) }
func (MeanResponse) curve(_ *Cluster, s *station) curve              { return s.curve(unweighted) }
func (MeanResponse) value(_ *Cluster, _ *station, r *Route, _ float64) float64 {
	return r.Probability * r.Response
}

// Cost is the mean cost of an external request, price and delay together:
//
//	Σ xⱼ (priceⱼ + v·Tⱼ) / Λ
//
// where price is [Cluster.Price] and v the price of a second of response. The
// price adds a constant to the marginal, so the closed form stays. To charge
// for preemptions, add their price times λθ, the preemptions per request at one
// server ([Cluster.PreemptionRate]), to Price; to charge for work, price·θ.
//
// A fixed price for using a cluster at all is not convex and not offered.
type Cost struct {
	linear
	Delay float64 // v > 0, currency per s of response
}

func (o Cost) String() string { return fmt.Sprintf("cost (delay at %g per s)", o.Delay) }

func (o Cost) check(fn string) error {
	c := check{fn: fn}
	c.positive("delay price", o.Delay)
	return c.err
}

func (o Cost) weights(c *Cluster) weights { return weights{o.Delay, o.Delay, c.Price} }

func (o Cost) closed(c *Cluster, s *station) (hyperbola, bool) { return closedBy(o.weights(c), s) }
func (o Cost) curve(c *Cluster, s *station) curve              { return s.curve(o.weights(c)) }
func (o Cost) value(c *Cluster, _ *station, r *Route, _ float64) float64 {
	return r.Probability * (c.Price + o.Delay*r.Response)
}

// Preemptions is the number of preemptions as InterGrid reads it off a linear
// regression on the response time, summed over the clusters (eq. 1 and 2):
//
//	Σ ηⱼ,   ηⱼ = (Tⱼ − Intercept)/Slope
//
// The paper's fit is Intercept 3.09, Slope 0.012 ([InterGridPreemptions]), in
// the units of its figure 4. Each ηⱼ is convex in xⱼ, with F′ =
// (ω + θλμ/(1−ρ))/(2·Slope·(1−ρ−xθ)²) for one server. A cluster without
// external requests counts with η(Tⱼ(0)), a constant: setting it to 0 would be
// a jump, and not convex. The sum is over clusters and not per request, so it
// may load a slow cluster more than [MeanResponse] does; the regression applied
// to the mean response has the same optimum as MeanResponse, for it is
// increasing.
//
// Below the intercept the regression gives negative counts. They are returned
// as they are, with a warning.
type Preemptions struct {
	Intercept float64 // response without preemptions, s
	Slope     float64 // > 0, s per preemption
}

// InterGridPreemptions is the regression of InterGrid eq. 2.
var InterGridPreemptions = Preemptions{Intercept: 3.09, Slope: 0.012}

func (o Preemptions) String() string {
	return fmt.Sprintf("preemptions (response = %g + %g per preemption)", o.Intercept, o.Slope)
}

func (o Preemptions) check(fn string) error {
	c := check{fn: fn}
	c.positive("slope", o.Slope)
	if math.IsNaN(o.Intercept) || math.IsInf(o.Intercept, 0) {
		c.fail("intercept", o.Intercept, "finite intercept")
	}
	return c.err
}

func (Preemptions) station(fn string, c *Cluster, j int) (station, error) { return c.station(fn, j) }

func (o Preemptions) closed(_ *Cluster, s *station) (hyperbola, bool) {
	if s.c != 1 {
		return hyperbola{}, false
	}
	start := s.square() / (2 * o.Slope * s.idle * s.idle)
	return hyperbola{start: start, k: 1 / start, limit: s.limit()}, true
}

func (o Preemptions) curve(_ *Cluster, s *station) curve {
	return &perCluster{*s, func(float64) float64 { return 1 / o.Slope }}
}

func (o Preemptions) value(_ *Cluster, _ *station, r *Route, _ float64) float64 {
	return (r.Response - o.Intercept) / o.Slope
}

func (o Preemptions) warnings(s *Split) []string {
	n, first := 0, ""
	for j := range s.Routes {
		if r := &s.Routes[j]; r.Response < o.Intercept {
			if n++; n == 1 {
				first = label(&Cluster{Name: r.Name}, j)
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf(
		"the regression gives a negative number of preemptions where the response is below its intercept of %g s (%s and %d more): fit one to your own range",
		o.Intercept, first, n-1,
	)}
}

// PerCluster is Σ Of(Tⱼ), a function of the response time of each cluster given
// by the caller, for example a regression of preemptions of their own. Of must
// be convex and increasing: then so is Of(Tⱼ(xⱼ)). Minimize checks the marginal
// on a grid of 64 rates per cluster and returns a *NotConvexError where it
// falls; it cannot see what happens between them.
type PerCluster struct {
	Name  string
	Of    func(response float64) float64 // response in s
	Slope func(response float64) float64 // dOf/dresponse > 0
}

func (o PerCluster) String() string {
	if o.Name == "" {
		return "per-cluster function"
	}
	return o.Name
}

func (o PerCluster) check(fn string) error {
	c := check{fn: fn}
	if o.Of == nil || o.Slope == nil {
		c.fail("objective", 0, "PerCluster with both Of and Slope")
	}
	return c.err
}

func (PerCluster) station(fn string, c *Cluster, j int) (station, error) { return c.station(fn, j) }
func (PerCluster) closed(*Cluster, *station) (hyperbola, bool)           { return hyperbola{}, false }
func (o PerCluster) curve(_ *Cluster, s *station) curve                  { return &perCluster{*s, o.Slope} }
func (o PerCluster) value(_ *Cluster, _ *station, r *Route, _ float64) float64 {
	return o.Of(r.Response)
}
func (PerCluster) warnings(*Split) []string { return nil }

// perCluster is Of(T(x)): F′ = Of′(T)·T′.
type perCluster struct {
	station
	slope func(float64) float64
}

func (p *perCluster) limit() float64 { return p.station.limit() }

func (p *perCluster) marginal(x, slack float64) float64 {
	if slack <= 0 {
		return math.Inf(1)
	}
	return p.slope(p.response(x, slack)) * p.responseSlope(x, slack)
}

// responseSlope is T′(x), of the terms in [station.response].
func (s *station) responseSlope(x, slack float64) float64 {
	free := slack * s.theta
	dWork := s.square() / (2 * free * free) // of work/(1−ρ)
	if s.c == 1 {
		return dWork
	}
	u, _ := s.use(x, slack)
	g, slope := erlangShare(s.c, u, free)
	work := (x*s.omega + s.local) / (2 * free)
	return slope*s.theta*(s.theta*s.rho+work)/s.idle + g*dWork + s.balance()*s.riseSlope(x, u, free)
}

// riseSlope is the derivative of [station.rise].
func (s *station) riseSlope(x, u, free float64) float64 {
	if s.rho == 0 {
		return 0
	}
	h := x * s.theta
	if h > 1e-3*s.rho*s.idle {
		_, slope := erlangShare(s.c, u, free)
		return (slope*s.theta - s.rise(x, u, free)) / x
	}
	// ∫₀¹ t g″(ρ + ht) dt by Simpson's rule.
	mid := erlangCurvature(s.c, s.rho+h/2, s.idle-h/2)
	end := erlangCurvature(s.c, s.rho+h, s.idle-h)
	return s.theta * s.theta * (2*mid + end) / 6
}
