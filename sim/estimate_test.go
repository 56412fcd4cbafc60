package sim

import (
	"context"
	"testing"
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
