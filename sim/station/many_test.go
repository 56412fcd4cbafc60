package station

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/sim"
)

// So many customers are averaged over that what an empty start lacks shows at the end of the longest warm-up that there
// is time for: runs which began empty told 115,000 customers and a response of .90.
func TestManyServersBeginBusy(t *testing.T) {
	s := &Station{Servers: 120_000, Classes: []Class{{Gaps: exponential(1. / 118_800), Service: exponential(1)}}}
	for seed := range longtest.Of(1, 20) {
		o, err := s.Options(sim.Options{Seed: uint64(seed), Replications: 2, HorizonEvents: 2e6, Events: 2e6})
		if err != nil {
			t.Fatal(err)
		}
		got, err := sim.Run(context.Background(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := got.Figure("mean_customers")
		r, _ := got.Figure("mean_response_s")
		t.Logf("horizon %.3g, warm-up %.3g: %.0f customers (%.0f to %.0f), response %.5f (%.5f to %.5f)",
			o.Horizon, got.WarmUp, n.Mean, n.Low, n.High, r.Mean, r.Low, r.High)
		if math.Abs(n.Mean/118_800-1) > 0.005 || math.Abs(r.Mean-1) > 0.005 {
			t.Errorf("seed %d: %.0f customers, response %.5f, want 118,800 and 1", seed, n.Mean, r.Mean)
		}
	}
}
