package sim

import (
	"context"
	"errors"
	"math"
	"testing"
)

// MSER5 against its formula, batch by batch, on series that begin high.
func TestMSER5(t *testing.T) {
	for seed := range uint64(20) {
		r := Stream(seed, 0)
		series := make([]float64, 500+r.IntN(500))
		rise := float64(r.IntN(200))
		for i := range series {
			series[i] = r.NormFloat64() + 20*math.Exp(-float64(i)/(rise/4+1))
		}
		n := len(series) / 5
		least, at := math.Inf(1), 0
		for d := range n/2 + 1 {
			mean, sum := 0.0, 0.0
			batch := func(i int) float64 {
				return (series[5*i] + series[5*i+1] + series[5*i+2] + series[5*i+3] + series[5*i+4]) / 5
			}
			for i := d; i < n; i++ {
				mean += batch(i) / float64(n-d)
			}
			for i := d; i < n; i++ {
				sum += (batch(i) - mean) * (batch(i) - mean)
			}
			if m := sum / float64(n-d) / float64(n-d); m < least {
				least, at = m, d
			}
		}
		if got, settled := MSER5(series); got != 5*at || settled != (at < n/2) {
			t.Errorf("seed %d: %d %v, want %d %v", seed, got, settled, 5*at, at < n/2)
		}
	}
	falling := make([]float64, 100)
	for i := range falling {
		falling[i] = -float64(i)
	}
	if d, settled := MSER5(falling); d != 50 || settled {
		t.Errorf("a series that never settles: %d, %v", d, settled)
	}
	for _, few := range [][]float64{nil, {1}, {1, 2, 3, 4, 5, 6}} {
		if d, settled := MSER5(few); d != 0 || settled {
			t.Errorf("%d values: %d, %v", len(few), d, settled)
		}
	}
}

// A slow queue that starts empty: what is found is longer than nothing and no more
// than half, and the mean has then no bias to be seen.
func TestWarmUpIsFound(t *testing.T) {
	slow := queue{arrival: 0.9, service: 1, servers: 1}
	o := Options{Seed: 4, Horizon: 4000, FindWarmUp: true, Replications: 200}
	got, err := Run(context.Background(), slow, o)
	if err != nil {
		t.Fatal(err)
	}
	if got.WarmUp < 40 || got.WarmUp > 2000 || !got.Settled {
		t.Errorf("warm-up %v, settled %v", got.WarmUp, got.Settled)
	}
	if e := got.Figures[present]; !e.Holds(9) {
		t.Errorf("jobs %v..%v, want 9 in it", e.Low, e.High)
	}
	o.FindWarmUp, o.Horizon = false, 200
	biased, err := Run(context.Background(), slow, o)
	if e := biased.Figures[present]; err != nil || e.High > 9 {
		t.Errorf("without one the start should show: %v..%v, %v", e.Low, e.High, err)
	}
	overloaded := queue{arrival: 2, service: 1, servers: 1}
	if got, err = Run(context.Background(), overloaded, Options{Horizon: 500, FindWarmUp: true}); err != nil || got.Settled {
		t.Errorf("a queue that grows: settled %v at %v, %v", got.Settled, got.WarmUp, err)
	}
	blind := fake{[]Figure{{Name: "x"}}, func(*Replication) error { return nil }, 0}
	_, err = Run(context.Background(), blind, Options{Horizon: 1, FindWarmUp: true})
	if !errors.Is(err, ErrNothingWatched) {
		t.Errorf("a model that watches nothing: %v", err)
	}
}

// A level is spread over the bins that it lasted in.
func TestWatchLevel(t *testing.T) {
	r := Replication{Horizon: 10, watched: &watch{width: 1, bins: make([]sums, 10)}}
	r.WatchLevel(0.5, 2.25, 4)
	r.WatchLevel(9.5, 99, 6)
	r.WatchLevel(3, 3, 1)
	r.WatchLevel(math.NaN(), 5, 1)
	r.WatchLevel(4, 5, math.Inf(1))
	want := []sums{{2, 0.5}, {4, 1}, {1, 0.25}, {}, {}, {}, {}, {}, {}, {3, 0.5}}
	for i, s := range r.watched.bins {
		if s != want[i] {
			t.Errorf("bin %d: %v, want %v", i, s, want[i])
		}
	}
	r.Watch(7.5, 2)
	r.Watch(11, 2)
	r.Watch(math.NaN(), 2)
	if r.watched.bins[7] != (sums{2, 1}) || r.watched.bins[9] != want[9] {
		t.Errorf("%v", r.watched.bins)
	}
}
