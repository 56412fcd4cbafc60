package station

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim"
)

// That no customer was lost in short runs does not mean that none ever is: of n that all
// got in, the chance of a loss may be up to 1 − 0.025^(1/n). The interval was 0 to 0, and
// Erlang's B of 1.2e-6 was said to differ from it beyond chance.
func TestWhatWasNeverSeenHasAnInterval(t *testing.T) {
	s := Station{Servers: 60, Loss: true, MaxWait: 1, Classes: []Class{poisson(31, 1)}}
	r, err := sim.Run(context.Background(), &s, sim.Options{Seed: 1, Replications: 3, Horizon: 100, WarmUp: 10})
	if err != nil {
		t.Fatal(err)
	}
	e, _ := r.Figure("blocking_probability")
	throughput, _ := r.Figure("throughput_per_s")
	customers := throughput.Mean * 3 * 90
	want := 1 - math.Pow(0.025, 1/customers)
	if e.Mean != 0 || e.Low != 0 || math.Abs(e.High-want) > 1e-3*want {
		t.Errorf("blocking %v in %v to %v, want 0 to %v for %v customers", e.Mean, e.Low, e.High, want, customers)
	}
	b, err := queueing.ErlangB(60, 31)
	if err != nil {
		t.Fatal(err)
	}
	if !e.Holds(b) {
		t.Errorf("%v to %v does not hold Erlang's B of %v", e.Low, e.High, b)
	}

	// All of them, for a level.
	s = Station{Servers: 60, MaxWait: 1, Classes: []Class{poisson(20, 1)}}
	if r, err = sim.Run(context.Background(), &s, sim.Options{Seed: 1, Replications: 3, Horizon: 100, WarmUp: 10}); err != nil {
		t.Fatal(err)
	}
	if e, _ = r.Figure("service_level"); e.Mean != 1 || e.High != 1 || !(e.Low > 0.99 && e.Low < 1) {
		t.Errorf("service level %v in %v to %v, want 1 and a bound below it", e.Mean, e.Low, e.High)
	}
}

// Where hardly anybody ever shares a server nobody waits: what rounding left of responses less services was told as a
// wait of 1e-16 s, and differed from that of the formula.
func TestSharingWithoutWaits(t *testing.T) {
	s := Station{Servers: 30, Order: Sharing, Classes: []Class{poisson(100, 0.006)}}
	r, err := Simulate(context.Background(), &s, sim.Options{Seed: 1, Replications: 3, Horizon: 20})
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := r.Figure("mean_wait_s"); !ok || e.Mean != 0 {
		t.Errorf("a mean wait of %v, want 0", e.Mean)
	}
}
