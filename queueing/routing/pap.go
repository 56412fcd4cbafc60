package routing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// PAP returns the split of rate external requests per second that minimises
// their mean response time Σ xⱼTⱼ/Λ, T by [Cluster.Response]. With one server
// per cluster it is the preemption-aware allocation policy of InterGrid, eq. 7:
//
//	xⱼ(z) = ((1−ρ) − √((1−ρ)(ω(1−ρ) + θλμ)/(2θ(1−ρ)z + ω − 2θ²)))/θ,  z > ψⱼ
//
// and 0 for z ≤ ψⱼ ([Cluster.LeastMarginal]), with z the root of Σ xⱼ(z) = Λ.
// (The paper prints the root's numerator with a parenthesis misplaced, and its
// search for the active set always stops at one cluster.) Time is linear in the
// number of clusters, for about ten evaluations of the sum.
//
// rate is finite and > 0. Errors: *DomainError; *SaturatedError for a cluster
// that its local stream saturates; *InfeasibleError for a rate at or beyond the
// sum of capacities.
func PAP(clusters []Cluster, rate float64) (Split, error) {
	return minimize("PAP", clusters, rate, MeanResponse{})
}

// Minimize returns the split of rate external requests per second that
// minimises the objective, which is convex. Errors as for [PAP], and
// *NotConvexError for a function given by the caller.
func Minimize(clusters []Cluster, rate float64, o Objective) (Split, error) {
	return minimize("Minimize", clusters, rate, o)
}

func minimize(fn string, clusters []Cluster, rate float64, o Objective) (Split, error) {
	if err := checkStream(fn, clusters, rate); err != nil {
		return Split{}, err
	}
	if o == nil {
		o = MeanResponse{}
	}
	if err := o.check(fn); err != nil {
		return Split{}, err
	}
	if p, ok := o.(PreemptionRate); ok {
		return p.minimize(fn, clusters, rate)
	}
	f := fill{closed: make([]hyperbola, len(clusters))}
	stations := make([]station, len(clusters))
	for j := range clusters {
		s := &stations[j]
		var err error
		if *s, err = o.station(fn, &clusters[j], j); err != nil {
			return Split{}, err
		}
		if h, ok := o.closed(&clusters[j], s); ok {
			f.closed[j] = h
			continue
		}
		c := o.curve(&clusters[j], s)
		if f.curves == nil {
			f.curves = make([]curve, len(clusters))
		}
		f.curves[j] = c
		f.closed[j] = likeness(c)
		if err := checkConvex(fn, &clusters[j], j, c); err != nil {
			return Split{}, err
		}
	}
	f.prepare()
	if !(f.size-rate > unsure(stations)) {
		return Split{}, &InfeasibleError{fn, rate, f.size, math.Max(rate-f.size, 0)}
	}
	s := f.solve(rate)
	split := Split{
		Objective:  o.String(),
		Rate:       rate,
		Multiplier: f.base + s,
		Routes:     make([]Route, len(clusters)),
	}
	var total, value numeric.Sum
	f.each(s, rate, func(j int, p point) {
		st := &stations[j]
		var m float64
		if f.curves != nil && f.curves[j] != nil {
			m = f.curves[j].marginal(p.x, p.slack)
		} else {
			m = f.closed[j].marginal(p.x, p.slack)
		}
		r := &split.Routes[j]
		*r = route(&clusters[j], st, p, rate)
		r.Marginal = m
		total.Add(r.Probability * r.Response)
		value.Add(o.value(&clusters[j], st, r, p.slack))
	})
	split.MeanResponse, split.Value = total.Value(), value.Value()
	split.Warnings = append(regime(clusters), o.warnings(&split)...)
	return split, nil
}

// unsure returns the external requests per second that the sum of the limits
// may be off by: those of the [rounded] time of every cluster.
func unsure(stations []station) float64 {
	var all numeric.Sum
	for j := range stations {
		all.Add(rounded / stations[j].theta)
	}
	return all.Value()
}

func route(c *Cluster, s *station, p point, rate float64) Route {
	return Route{
		Name:        c.Name,
		Rate:        p.x,
		Probability: min(1, p.x/rate),
		Utilization: s.rho + p.x*s.theta,
		Response:    s.response(p.x, p.slack),
	}
}

func checkStream(fn string, clusters []Cluster, rate float64) error {
	c := check{fn: fn}
	if len(clusters) == 0 {
		c.fail("clusters", 0, "at least one cluster")
	}
	c.positive("rate", rate)
	return c.err
}

// checkConvex looks for a falling marginal on a grid towards either end.
func checkConvex(fn string, cl *Cluster, j int, c curve) error {
	if _, ok := c.(*perCluster); !ok {
		return nil
	}
	l := c.limit()
	lastX, last := 0.0, c.marginal(0, l)
	for i := 1; i < 64; i++ {
		// Half the points halve the distance to 0, half that to the limit.
		x, slack := l/float64(int64(1)<<(32-min(i, 31))), 0.0
		if slack = l - x; i >= 32 {
			slack = l / float64(int64(1)<<(i-31))
			x = l - slack
		}
		m := c.marginal(x, slack)
		if !(m >= last*(1-1e-9)) {
			return &NotConvexError{fn, label(cl, j), lastX, x}
		}
		lastX, last = x, m
	}
	return nil
}
