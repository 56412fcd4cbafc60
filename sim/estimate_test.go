package sim

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// paced takes some seconds a replication.
type paced struct {
	fake
	seconds float64
}

func (p paced) Seconds(horizon float64) float64 { return p.seconds * horizon }

// A run tells once, before it begins, how long it takes: that of its
// replications, here one after the other.
func TestWithEstimate(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want float64
	}{
		{Options{Horizon: 10, Replications: 7}, 7 * 30},
		{Options{Horizon: 10, Precision: 0.5}, 10 * 30},
		{Options{Replications: 7}, 0}, // the model ends by itself
	} {
		begun, told := false, 0.0
		m := paced{fake{[]Figure{{Name: "x"}}, func(r *Replication) error {
			begun = true
			r.Observe(0, 1)
			return nil
		}, 0}, 3}
		c.o.Limit = 20
		ctx := WithEstimate(context.Background(), func(s float64) {
			if begun || told != 0 {
				t.Error("told twice, or too late")
			}
			told = s
		})
		c.o.Workers = 1
		if _, err := Run(ctx, m, c.o); err != nil {
			t.Fatal(err)
		}
		if told != c.want {
			t.Errorf("%+v: told %g s, want %g", c.o, told, c.want)
		}
	}
}

// A run of which nobody knew how long it takes says so once it shows, by what is
// done, also of the replications that a precision adds; and nothing after it ended.
func TestWithEstimateMeasures(t *testing.T) {
	for name, c := range map[string]struct {
		o     Options
		model Model
		one   time.Duration // that a replication takes
	}{
		// A run of .9 s ends between two looks, so that it is counted or not for sure.
		"slow":      {Options{Replications: 40, Workers: 2}, nil, 900 * time.Millisecond},
		"one":       {Options{Replications: 1}, nil, time.Minute},
		"precision": {Options{Precision: 0.01, Limit: 50, Workers: 1}, nil, 900 * time.Millisecond},
		"paced":     {Options{Horizon: 1, Replications: 40, Workers: 2}, paced{seconds: 1e-3}, 900 * time.Millisecond},
		"warm-up":   {Options{Horizon: 100, FindWarmUp: true, Replications: 40, Workers: 1}, nil, 900 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			run := fake{[]Figure{{Name: "x"}}, func(r *Replication) error {
				time.Sleep(c.one)
				for at := range 100 {
					r.Watch(float64(at), float64(r.Stream(1).IntN(2)))
				}
				r.Observe(0, float64(1+r.Number%2))
				return nil
			}, 0}
			var m Model = run
			if p, ok := c.model.(paced); ok {
				p.fake = run
				m = p
			}
			first, last, ended := math.NaN(), math.NaN(), false
			ctx := WithEstimate(t.Context(), func(s float64) {
				if ended {
					t.Errorf("%s: told after the end", name)
				}
				if last = s; !(first >= 10) {
					first = s
				}
			})
			begun := time.Now()
			if _, err := Run(ctx, m, c.o); err != nil {
				t.Fatal(err)
			}
			took := time.Since(begun).Seconds()
			ended = true
			time.Sleep(time.Minute)
			if !(first >= 10 && first < 1.5*took && last > 0.8*took && last < 1.25*took) {
				t.Errorf("%s: told %g s, at last %g s, of %g s", name, first, last, took)
			}
		})
	}
}

// A model that says where it is tells how long its run takes; one that does not is known
// by what it expects, or no better than by what went by.
func TestMeasureByPlace(t *testing.T) {
	m := &measure{workers: 2}
	m.want(4)
	check := func(at string, low, high float64) {
		t.Helper()
		if a, b := m.seconds(2); a != low || b != high {
			t.Errorf("%s: between %v and %v s, want %v and %v", at, a, b, low, high)
		}
	}
	check("nothing known", 4, math.Inf(1))
	m.expected = 10
	check("expected", 10, 60)
	r := &Replication{Horizon: 100, pace: m, ctx: t.Context()}
	for _, now := range []float64{25, 50, 40} { // a time that goes back says nothing new
		if err := r.At(now); err != nil {
			t.Fatal(err)
		}
	}
	check("half of one", 16, 16)
	r.toldUpTo(1)
	check("one of four", 8, 8)
}
