package sim

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/queueing"
)

// Of many intervals at 95 % as many hold the truth as binomial chance allows: the
// limits leave out 0.1 % on either side. Every kind of interval is tried: means of
// replications, with a given warm-up and with one that is found; cycles of one long
// replication; quantiles within and over replications.
func TestIntervalsHoldTheTruth(t *testing.T) {
	mm5 := queueing.MMC{ArrivalRate: 4, ServiceTime: 1}
	five, err := mm5.At(5)
	if err != nil {
		t.Fatal(err)
	}
	ten, err := queueing.ErlangA{ArrivalRate: 10, ServiceTime: 1, Patience: 2}.At(10)
	if err != nil {
		t.Fatal(err)
	}
	runs := Options{Horizon: 1000, WarmUp: 50, Replications: 20}
	found := Options{Horizon: 1000, FindWarmUp: true, Replications: 20}
	// Cycles are skew: of intervals from 10,000 of them 93 % hold the truth, from
	// 40,000 94 %.
	long := Options{Horizon: 80000, Replications: 1}
	for _, c := range []struct {
		name    string
		queue   queue
		options Options
		want    map[string]float64
	}{
		{"M/M/1", queue{arrival: 0.5, service: 1, servers: 1, waits: true}, runs,
			map[string]float64{"mean_wait": 1, "jobs": 1, "wait_p90": 2 * math.Log(5)}},
		{"M/M/1, warm-up found", queue{arrival: 0.5, service: 1, servers: 1}, found,
			map[string]float64{"mean_wait": 1, "jobs": 1}},
		{"M/M/1, cycles", queue{arrival: 0.5, service: 1, servers: 1, cycles: true}, long,
			map[string]float64{"mean_wait": 1, "jobs": 1}},
		{"M/M/5", queue{arrival: 4, service: 1, servers: 5}, Options{Horizon: 400, WarmUp: 50, Replications: 20},
			map[string]float64{"mean_wait": five.MeanWait, "jobs": 4 + five.MeanQueueLength}},
		// Two stages of rate 4: E[W] = λ E[S²]/(2 (1−ρ)) = 0.375.
		{"M/G/1", queue{arrival: 1, service: 4, stages: 2, servers: 1}, runs,
			map[string]float64{"mean_wait": 0.375, "jobs": 0.875}},
		{"Erlang A", queue{arrival: 10, service: 1, patience: 0.5, servers: 10}, Options{Horizon: 100, WarmUp: 20, Replications: 20},
			map[string]float64{"mean_wait": ten.MeanWait, "abandon_probability": ten.Abandonment}},
	} {
		t.Run(c.name, func(t *testing.T) { covers(t, c.queue, c.options, c.want) })
	}
	median := fake{[]Figure{{Name: "x", Kind: RunQuantile, P: 0.8}},
		func(r *Replication) error { r.Observe(0, r.Stream().ExpFloat64()); return nil }, 0}
	t.Run("quantile over runs", func(t *testing.T) {
		// Order statistics are discrete: their chance to hold the truth is 0.95 or more.
		covers(t, median, Options{Replications: 200}, map[string]float64{"x": math.Log(5)})
	})
}

// covers runs a model with many seeds and counts the intervals that hold what is
// wanted.
func covers(t *testing.T, m Model, o Options, want map[string]float64) {
	seeds := longtest.Of(25, 400)
	held := map[string]int{}
	for seed := range seeds {
		o.Seed = uint64(seed)
		got, err := Run(context.Background(), m, o)
		if err != nil {
			t.Fatal(err)
		}
		for name, x := range want {
			e, ok := got.Figure(name)
			if !ok {
				t.Fatalf("no figure %s", name)
			}
			if e.Holds(x) {
				held[name]++
			}
		}
	}
	b := distuv.Binomial{N: float64(seeds), P: confidence}
	for name := range want {
		n := float64(held[name])
		t.Logf("%s: %d of %d intervals hold %v", name, held[name], seeds, want[name])
		if b.CDF(n) < 0.001 || 1-b.CDF(n-1) < 0.001 {
			t.Errorf("%s: %d of %d intervals hold %v, beyond the limits of chance about 95 %%", name, held[name], seeds, want[name])
		}
	}
}
