package station

import (
	"testing"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim"
)

// Where a server is always free for who shares, what rounding leaves of no wait is none, however short the service: of
// 187 servers, 108 of which are busy, waits of 10⁻²⁰ s on average were told, beside a true mean of 10⁻¹³ s.
func TestRoundingIsNoWait(t *testing.T) {
	s := &Station{Servers: 187, Order: Sharing, Classes: []Class{
		{Gaps: queueing.Exponential{Mean: 1 / 9.90856}, Service: queueing.Exponential{Mean: 10.9211}}}}
	got, err := Simulate(t.Context(), s, sim.Options{Seed: 313705, Horizon: 2550, WarmUp: 60, Replications: 10})
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := got.Figure("mean_wait_s"); !ok || e.Mean != 0 {
		t.Errorf("a mean wait of %g s", e.Mean)
	}
}
