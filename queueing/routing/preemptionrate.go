package routing

import (
	"fmt"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
)

// PreemptionRate is how often local requests preempt external ones, summed over
// the clusters, per s, as long as no cluster is busier than a bound:
//
//	Σ λⱼxⱼθⱼ,   ρⱼ + xⱼθⱼ ≤ MaxUtilization
//
// It is exact for clusters of one server and Poisson local requests, whatever the
// laws of the service times ([Cluster.PreemptionRate]), and never below 0; unlike
// the regression of [Preemptions] it needs no fit. Clusters of several servers are
// a *DomainError.
//
// The sum is linear: clusters are filled in the order of λθ, each up to the bound.
// Without a bound the least sum would be that of saturated clusters. Among clusters
// of the same λθ the rate that is left is split for the least mean response.
// Multiplier is the λθ of the clusters filled last; those filled before have less.
type PreemptionRate struct {
	linear
	// MaxUtilization, 0 < max < 1; 0 means [DefaultMaxUtilization].
	MaxUtilization float64
}

// DefaultMaxUtilization is the bound of [PreemptionRate].
const DefaultMaxUtilization = 0.95

// Bound returns the greatest utilization.
func (o PreemptionRate) Bound() float64 {
	if o.MaxUtilization == 0 {
		return DefaultMaxUtilization
	}
	return o.MaxUtilization
}

func (o PreemptionRate) String() string {
	return fmt.Sprintf("preemptions per s (utilization at most %g)", o.Bound())
}

func (o PreemptionRate) check(fn string) error {
	c := check{fn: fn}
	if v := o.MaxUtilization; v != 0 && !(v > 0 && v < 1) {
		c.fail("max utilization", v, "0 < max utilization < 1 (0 means 0.95)")
	}
	return c.err
}

func (PreemptionRate) station(fn string, c *Cluster, j int) (station, error) {
	s, err := c.station(fn, j)
	if err == nil && s.c != 1 {
		err = &DomainError{fn, label(c, j), "servers", s.c, "1 server for an exact rate of preemptions"}
	}
	return s, err
}

func (PreemptionRate) closed(*Cluster, *station) (hyperbola, bool) { return hyperbola{}, false }

func (PreemptionRate) curve(c *Cluster, s *station) curve {
	return constant{c.LocalRate * c.ServiceTime, s.limit()}
}

func (PreemptionRate) value(c *Cluster, _ *station, r *Route, _ float64) float64 {
	return c.LocalRate * r.Rate * c.ServiceTime
}

// constant is the marginal of a linear cost. It may be 0.
type constant struct{ price, most float64 }

func (c constant) limit() float64                { return c.most }
func (c constant) marginal(_, _ float64) float64 { return c.price }

// minimize fills the clusters.
func (o PreemptionRate) minimize(fn string, clusters []Cluster, rate float64) (Split, error) {
	stations, room := make([]station, len(clusters)), make([]float64, len(clusters))
	order := make([]int, len(clusters))
	var all numeric.Sum
	for j := range clusters {
		var err error
		if stations[j], err = o.station(fn, &clusters[j], j); err != nil {
			return Split{}, err
		}
		s := &stations[j]
		room[j] = max(0, (o.Bound()-s.rho)/s.theta)
		order[j] = j
		all.Add(room[j])
	}
	if most := all.Value(); rate > most {
		return Split{}, &InfeasibleError{fn, rate, most, rate - most}
	}
	price := func(j int) float64 { return clusters[j].LocalRate * clusters[j].ServiceTime }
	slices.SortStableFunc(order, func(a, b int) int {
		switch pa, pb := price(a), price(b); {
		case pa < pb:
			return -1
		case pa > pb:
			return 1
		}
		return 0
	})
	x := make([]float64, len(clusters))
	split := Split{Objective: o.String(), Rate: rate}
	for left := rate; left > 0 && len(order) > 0; {
		n := 1
		for n < len(order) && price(order[n]) == price(order[0]) {
			n++
		}
		group := order[:n]
		order = order[n:]
		held := numeric.Sum{}
		for _, j := range group {
			held.Add(room[j])
		}
		if held.Value() > 0 {
			split.Multiplier = price(group[0])
		}
		// A rate that fills the group to the last digit opens no other.
		if total := held.Value(); total < left*(1-1e-12) && len(order) > 0 {
			for _, j := range group {
				x[j] = room[j]
			}
			left -= total
			continue
		}
		if err := spread(fn, clusters, group, room, left, x); err != nil {
			return Split{}, err
		}
		left = 0
	}
	o.present(&split, clusters, stations, x)
	return split, nil
}

// spread splits a rate over clusters for the least mean response, none beyond its
// room: those that would be are filled, and the rest is split again.
func spread(fn string, clusters []Cluster, group []int, room []float64, rate float64, x []float64) error {
	open := slices.DeleteFunc(slices.Clone(group), func(j int) bool { return room[j] == 0 })
	for rate > 0 && len(open) > 0 {
		some := make([]Cluster, len(open))
		for i, j := range open {
			some[i] = clusters[j]
		}
		part, err := minimize(fn, some, rate, MeanResponse{})
		if err != nil {
			return err
		}
		var next []int
		left := rate
		for i, j := range open {
			if part.Routes[i].Rate < room[j] {
				next = append(next, j)
				x[j] = part.Routes[i].Rate
				continue
			}
			x[j] = room[j]
			left -= room[j]
		}
		if len(next) == len(open) {
			return nil
		}
		open, rate = next, max(0, left)
	}
	return nil
}

// present fills the figures of the split in.
func (o PreemptionRate) present(split *Split, clusters []Cluster, stations []station, x []float64) {
	split.Routes = make([]Route, len(clusters))
	var total, value numeric.Sum
	for j := range clusters {
		s, r := &stations[j], &split.Routes[j]
		*r = route(&clusters[j], s, point{x[j], s.slack(x[j])}, split.Rate)
		r.Marginal = clusters[j].LocalRate * clusters[j].ServiceTime
		total.Add(r.Probability * r.Response)
		value.Add(o.value(&clusters[j], s, r, 0))
	}
	split.MeanResponse, split.Value = total.Value(), value.Value()
	split.Warnings = regime(clusters)
}
