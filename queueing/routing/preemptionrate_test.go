package routing

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// The clusters of the routing table: λθ = 0.3, 0.25 and 0.1, room at utilization u
// of (u − ρ)/θ with ρ = 0.24, 0.45 and 0.2.
func TestPreemptionRateByHand(t *testing.T) {
	for _, c := range []struct {
		rate, bound float64
		want        [3]float64
		z           float64
	}{
		{2, 0.9, [3]float64{0, 0, 2}, 0.1},
		{3, 0.9, [3]float64{0, 0.2, 2.8}, 0.25},
		{4, 0, [3]float64{0, 1, 3}, 0.25}, // 0.95
		{4.5, 0.95, [3]float64{0.5, 1, 3}, 0.3},
	} {
		s, err := Minimize(threeClusters(), c.rate, PreemptionRate{MaxUtilization: c.bound})
		if err != nil {
			t.Fatal(err)
		}
		value := 0.0
		for j, want := range c.want {
			if got := s.Routes[j].Rate; math.Abs(got-want) > 1e-12 {
				t.Errorf("rate %v: %v to cluster %d, want %v", c.rate, got, j, want)
			}
			value += []float64{0.3, 0.25, 0.1}[j] * want
		}
		numtest.Close(t, "preemptions per s", s.Value, value, 1e-12)
		numtest.Close(t, "multiplier", s.Multiplier, c.z, 1e-12)
	}
	var over *InfeasibleError
	if _, err := Minimize(threeClusters(), 5, PreemptionRate{}); !errors.As(err, &over) {
		t.Errorf("%v, want the greatest rate", err)
	} else {
		numtest.Close(t, "greatest rate", over.Greatest, 0.71+1+3, 1e-12)
	}
	several := threeClusters()
	several[1].Servers = 2
	var domain *DomainError
	if _, err := Minimize(several, 1, PreemptionRate{}); !errors.As(err, &domain) || domain.Arg != "servers" {
		t.Errorf("several servers: %v", err)
	}
	for _, bad := range []float64{-1, 1, math.NaN()} {
		if _, err := Minimize(threeClusters(), 1, PreemptionRate{MaxUtilization: bad}); !errors.As(err, &domain) {
			t.Errorf("a bound of %v: %v", bad, err)
		}
	}
}

// No split within the bound has fewer: moving a little from any cluster to any
// other with room does not gain, and the baselines have no fewer where they keep
// the bound.
func TestPreemptionRateIsLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for i := range 200 {
		cs := make([]Cluster, 2+rng.IntN(6))
		for j := range cs {
			cs[j] = Cluster{LocalRate: float64(rng.IntN(4)) / 4, LocalServiceTime: 0.2 + 0.9*rng.Float64(), ServiceTime: 0.25 * float64(1+rng.IntN(3))}
			cs[j].LocalSecondMoment, cs[j].SecondMoment = 2*cs[j].LocalServiceTime*cs[j].LocalServiceTime, 1.5*cs[j].ServiceTime*cs[j].ServiceTime
		}
		most := 0.0
		for _, c := range cs {
			most += max(0, (0.9-c.LocalRate*c.LocalServiceTime)/c.ServiceTime)
		}
		rate := most * rng.Float64()
		s, err := Minimize(cs, rate, PreemptionRate{MaxUtilization: 0.9})
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for a, r := range s.Routes {
			total += r.Rate
			if r.Utilization > 0.9+1e-9 && r.Rate > 0 || r.Rate < 0 {
				t.Fatalf("instance %d: %+v", i, r)
			}
			for b, other := range s.Routes {
				room := other.Utilization < 0.9-1e-9
				if r.Rate > 0 && room && cs[b].LocalRate*cs[b].ServiceTime < cs[a].LocalRate*cs[a].ServiceTime {
					t.Errorf("instance %d: cluster %d has requests that cluster %d would preempt less often", i, a, b)
				}
				// Of equal clusters in use the response has one marginal.
				same := cs[b].LocalRate*cs[b].ServiceTime == cs[a].LocalRate*cs[a].ServiceTime
				if r.Rate > 0 && same && room && r.Utilization < 0.9-1e-9 {
					x, err := cs[a].Marginal(r.Rate)
					if err != nil {
						t.Fatal(err)
					}
					if y, err := cs[b].Marginal(other.Rate); err != nil || y < x*(1-1e-7) {
						t.Errorf("instance %d: marginals %v and %v of equal clusters, %v", i, x, y, err)
					}
				}
			}
		}
		numtest.Close(t, "sum", total, rate, 1e-10)
		for _, p := range []Policy{PolicyRR, PolicyLRF, PolicyBCF} {
			o, err := p.ApplyFor(cs, rate, PreemptionRate{MaxUtilization: 0.9})
			kept := err == nil
			for _, r := range o.Routes {
				kept = kept && r.Utilization <= 0.9
			}
			if kept && o.Value < s.Value-1e-12 {
				t.Errorf("instance %d: %v has %v preemptions per s, the least is %v", i, p, o.Value, s.Value)
			}
		}
	}
}
