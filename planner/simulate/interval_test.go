package simulate

import (
	"context"
	"maps"
	"testing"

	"github.com/capplan/capplan/sim"
)

// Fields that are intervals are columns, others and those that nobody sees are not.
func TestColumns(t *testing.T) {
	figures := struct {
		Wait   Interval `json:"wait_s"`
		Name   string   `json:"name"`
		hidden Interval
		Empty  Interval `json:"empty"`
	}{Wait: Interval{ptr(2.0), ptr(1.0), nil}, hidden: Interval{}}
	got := maps.Collect(Columns(&figures))
	if len(got) != 6 || *got["wait_s"] != 2 || *got["wait_s_low"] != 1 || got["wait_s_high"] != nil || got["empty"] != nil {
		t.Errorf("%v", got)
	}
	for range Columns(figures) {
		break // and stops where it is told
	}
	if n := len(maps.Collect(Columns(nil))); n != 0 {
		t.Errorf("%d columns of nothing", n)
	}
}

func TestIntervalOf(t *testing.T) {
	s := mm1(0.5)
	r, err := sim.Run(context.Background(), &s.Station, sim.Options{Replications: 3, Horizon: 500, WarmUp: 10})
	if err != nil {
		t.Fatal(err)
	}
	if i := IntervalOf(&r, "mean_wait_s"); i.Mean == nil || *i.Low > *i.Mean || *i.High < *i.Mean {
		t.Errorf("%+v", i)
	}
	if i := IntervalOf(&r, "abandon"); i != (Interval{}) {
		t.Errorf("of no figure: %+v", i)
	}
	if i := IntervalOf(nil, "mean_wait_s"); i != (Interval{}) {
		t.Errorf("of no result: %+v", i)
	}
}
