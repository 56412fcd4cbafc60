package reliability_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

// pcuLink is the example of PCU 4.6 in bits and seconds.
var pcuLink = reliability.LinkParams{Uplink: 100e6, Downlink: 100e6, Footprint: 8e6, Replicas: 2, Dedicated: 100, Epoch: 120}

func TestLinkOfPCU(t *testing.T) {
	l, err := reliability.Link(pcuLink)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "arrival rate", l.MaxArrivalRate, 6.25-100.0/120, 1e-14)
	numtest.Close(t, "downlink", l.MaxDedicatedDownlink, 1500, 1e-14)
	numtest.Close(t, "uplink", l.MaxDedicatedUplink, 750, 1e-14)
	numtest.Close(t, "epoch", l.MinEpoch, 16, 1e-14)
	if l.Binding != reliability.Uplink {
		t.Errorf("binding = %s", l.Binding)
	}
	p := pcuLink
	p.Uplink = 1e9
	c, err := reliability.MaxCluster(p)
	if err != nil || c.Servers != 1499 || c.Direction != reliability.Downlink {
		t.Errorf("cluster = %+v, %v, want 1499 by the downlink", c, err)
	}
}

// Each limit is where the link is just full, and a little beyond it fails.
func TestLinkLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) float64 { return math.Exp(rapid.Float64Range(-5, 5).Draw(t, name)) }
		p := reliability.LinkParams{draw("up"), draw("down"), draw("m"), rapid.IntRange(1, 5).Draw(t, "k"), draw("nd"), draw("delta"), draw("lambda") / 100}
		l, err := reliability.Link(p)
		var e *reliability.LinkError
		switch {
		case errors.As(err, &e):
			if e.Load < e.Bandwidth*(1-1e-12) || !errors.Is(err, reliability.ErrInfeasible) {
				t.Fatalf("certificate %+v", e)
			}
			if e.Hopeless {
				p.Dedicated = 0
				if _, err := reliability.Link(p); !errors.Is(err, reliability.ErrInfeasible) {
					t.Fatalf("hopeless, but an empty cluster works: %+v", p)
				}
				return
			}
			p.Epoch = e.Limits.MinEpoch * (1 + 1e-9)
			if _, err := reliability.Link(p); err != nil {
				t.Fatalf("the epoch offered fails: %v", err)
			}
			return
		case err != nil:
			t.Fatal(err)
		}
		for _, side := range []float64{-1e-9, 1e-9} {
			inside := side < 0
			q := p
			q.ArrivalRate = l.MaxArrivalRate * (1 + side)
			if _, err := reliability.Link(q); (err == nil) != (inside && l.DownlinkUtilization < 1) {
				t.Fatalf("arrival rate %v: %v", q.ArrivalRate, err)
			}
			q = p
			q.Dedicated = math.Min(l.MaxDedicatedUplink, l.MaxDedicatedDownlink) * (1 + side)
			if _, err := reliability.Link(q); (err == nil) != inside {
				t.Fatalf("dedicated %v: %v", q.Dedicated, err)
			} else if err != nil {
				errors.As(err, &e)
				if e.Direction != l.Binding {
					t.Fatalf("fails at the %s, binding %s", e.Direction, l.Binding)
				}
			}
			q = p
			q.Epoch = l.MinEpoch * (1 - side)
			if _, err := reliability.Link(q); (err == nil) != inside {
				t.Fatalf("epoch %v: %v", q.Epoch, err)
			}
			least, err := reliability.LeastLink(p)
			if err != nil {
				t.Fatal(err)
			}
			q = p
			q.Uplink, q.Downlink = least.Uplink*(1-side), least.Downlink*(1-side)
			if _, err := reliability.Link(q); (err == nil) != inside {
				t.Fatalf("least link %+v: %v", least, err)
			}
		}
		c, err := reliability.MaxCluster(p)
		if err != nil {
			t.Fatal(err)
		}
		p.Dedicated = float64(c.Servers)
		if _, err := reliability.Link(p); err != nil {
			t.Fatalf("greatest cluster %+v: %v", c, err)
		}
		p.Dedicated = float64(c.Servers+1) * (1 + 1e-14) // beyond the rounding of a whole limit
		if _, err := reliability.Link(p); err == nil {
			t.Fatalf("one more than the greatest cluster %+v works", c)
		}
	})
}

// A limit that is above a whole number by more than its rounding reaches it,
// one that is the whole number in decimals does not.
func TestMaxClusterWhole(t *testing.T) {
	for _, c := range []struct {
		down float64
		want int
	}{{1 + 1e-12, 1}, {1, 0}, {0.1 * 3 / 0.3, 0}, {3 - 1e-12, 2}} {
		got, err := reliability.MaxCluster(reliability.LinkParams{Uplink: 1e6, Downlink: c.down, Footprint: 1, Replicas: 1, Epoch: 1})
		if err != nil || got.Servers != c.want {
			t.Errorf("limit %v: %+v, %v, want %d", c.down, got, err, c.want)
		}
	}
}

func TestLinkDomain(t *testing.T) {
	for arg, change := range map[string]func(*reliability.LinkParams){
		"Uplink":      func(p *reliability.LinkParams) { p.Uplink = -1 },
		"Downlink":    func(p *reliability.LinkParams) { p.Downlink = 0 },
		"Footprint":   func(p *reliability.LinkParams) { p.Footprint = math.NaN() },
		"Replicas":    func(p *reliability.LinkParams) { p.Replicas = 0 },
		"Dedicated":   func(p *reliability.LinkParams) { p.Dedicated = -1 },
		"Epoch":       func(p *reliability.LinkParams) { p.Epoch = 0 },
		"ArrivalRate": func(p *reliability.LinkParams) { p.ArrivalRate = math.Inf(1) },
		"limits":      func(p *reliability.LinkParams) { p.Uplink, p.Footprint = 1e300, 1e-300 },
	} {
		p := pcuLink
		change(&p)
		_, err := reliability.Link(p)
		wantDomain(t, err, arg)
	}
	p := pcuLink
	p.Epoch, p.Dedicated = 1e-300, 1e300
	_, err := reliability.LeastLink(p)
	wantDomain(t, err, "Uplink")
}

func ExampleLink() {
	l, err := reliability.Link(reliability.LinkParams{Uplink: 100e6, Downlink: 100e6, Footprint: 8e6, Replicas: 2, Dedicated: 100, Epoch: 120})
	fmt.Printf("%.4f jobs/s, N_d < %.0f (up), %.0f (down), epoch > %.0f s, %s binds, %v\n",
		l.MaxArrivalRate, l.MaxDedicatedUplink, l.MaxDedicatedDownlink, l.MinEpoch, l.Binding, err)
	_, err = reliability.Link(reliability.LinkParams{Uplink: 100e6, Downlink: 100e6, Footprint: 8e6, Replicas: 2, Dedicated: 100, Epoch: 10})
	fmt.Println(err)
	// Output:
	// 5.4167 jobs/s, N_d < 750 (up), 1500 (down), epoch > 16 s, uplink binds, <nil>
	// reliability: Link: infeasible: the uplink must carry 160000000 and has 100000000; an epoch above 16 would do
}
