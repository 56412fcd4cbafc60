package routing

import (
	"cmp"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A Type is a class of external requests.
type Type struct {
	Name   string
	Share  float64 // of external requests; the shares add up to 1
	Weight float64 // > 0, of a second of its response in the objective
	// Its service moments over ServiceTime and SecondMoment of a cluster; 0
	// means 1, the same as the cluster's.
	ServiceRatio      float64
	SecondMomentRatio float64
}

func (t *Type) ratios() (service, second float64) {
	service, second = t.ServiceRatio, t.SecondMomentRatio
	service = cmp.Or(service, 1)
	second = cmp.Or(second, 1)
	return service, second
}

// WeightedTypes is the mean response of external requests weighted by type,
//
//	Σⱼ (xⱼ/Λ) Σᵢ shareᵢ·weightᵢ·Tⱼⁱ
//
// when every cluster receives the same mix of types, as the paper's dispatch
// does. Tⱼⁱ has the type's own service time, and the waiting of the mix. It
// stays separable and convex. Types that differ by weight only leave the split
// of [MeanResponse] as it is. To route each type its own way use [SplitByType],
// which is not convex.
type WeightedTypes struct {
	Types []Type
}

func (o WeightedTypes) String() string {
	return fmt.Sprintf("weighted response of %d types", len(o.Types))
}

func (o WeightedTypes) check(fn string) error { return checkTypes(fn, o.Types) }

func checkTypes(fn string, types []Type) error {
	c := check{fn: fn}
	if len(types) == 0 {
		c.fail("types", 0, "at least one type")
	}
	var all numeric.Sum
	for i := range types {
		t := &types[i]
		c.cluster = fmt.Sprintf("type %d", i+1)
		if t.Name != "" {
			c.cluster = fmt.Sprintf("type %q", t.Name)
		}
		c.atLeastZero("share", t.Share)
		c.positive("weight", t.Weight)
		c.atLeastZero("service ratio", t.ServiceRatio)
		c.atLeastZero("second moment ratio", t.SecondMomentRatio)
		all.Add(t.Share)
	}
	c.cluster = ""
	if v := all.Value(); !(math.Abs(v-1) <= rounding) {
		c.fail("shares", v, "shares that add up to 1")
	}
	return c.err
}

// mix returns the moments of the mix over those of the cluster, and the weights
// of service and wait.
func (o WeightedTypes) mix() (service, second float64, w weights) {
	var f, g, sf, sw numeric.Sum
	for i := range o.Types {
		t := &o.Types[i]
		a, b := t.ratios()
		f.Add(t.Share * a)
		g.Add(t.Share * b)
		sf.Add(t.Share * t.Weight * a)
		sw.Add(t.Share * t.Weight)
	}
	service, second = f.Value(), g.Value()
	return service, second, weights{service: sf.Value() / service, wait: sw.Value()}
}

// mixed is the cluster with the moments of the mix.
func (o WeightedTypes) mixed(c *Cluster) Cluster {
	f, g, _ := o.mix()
	m := *c
	m.ServiceTime *= f
	m.SecondMoment *= g
	return m
}

func (o WeightedTypes) station(fn string, c *Cluster, j int) (station, error) {
	// The cluster's own moments are checked as those of a type of ratio 1.
	if _, err := c.station(fn, j); err != nil {
		return station{}, err
	}
	m := o.mixed(c)
	return m.station(fn, j)
}

func (o WeightedTypes) closed(_ *Cluster, s *station) (hyperbola, bool) {
	_, _, w := o.mix()
	return closedBy(w, s)
}

func (o WeightedTypes) curve(_ *Cluster, s *station) curve {
	_, _, w := o.mix()
	return s.curve(w)
}

func (o WeightedTypes) value(_ *Cluster, s *station, r *Route, slack float64) float64 {
	_, _, w := o.mix()
	inService := s.inService(r.Rate, slack)
	return r.Probability * (w.service*inService + w.wait*(r.Response-inService))
}

func (WeightedTypes) warnings(*Split) []string { return nil }

// inService is θ and the stretch by preemptions, the part of T that is in
// proportion to a request's own service time.
func (s *station) inService(x, slack float64) float64 {
	if s.c == 1 {
		return s.theta / s.idle
	}
	u, free := s.use(x, slack)
	g, _ := erlangShare(s.c, u, free)
	return s.c*s.theta + g*s.theta*s.rho/s.idle
}
