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

// The interval of few runs that differ much is held to what its figure can be.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		name      string
		low, high float64
	}{
		{"mean_wait_s", 0, 9},
		{"interval 3.wait_probability", 0, 1},
		{"class v1.2.service_level", 0, 1},
		{"vms_preempted", 0, 9},
		{"rejection_rate", 0, 1},
		{"public_work_share", 0, 1},
		{"without_tail_tasks", 0, 1},
		{"elongation", -1, 9},
		{"goodput_correlation", -1, 1},
		{"utilization_printed", -9, 1},
		{"saving", -9, 9},
		{"tail_removal", -9, 9},
	} {
		low, high := within(c.name, ptr(-9.0), ptr(9.0))
		if *low != c.low || *high != c.high {
			t.Errorf("%s: %g to %g, want %g to %g", c.name, *low, *high, c.low, c.high)
		}
	}
	if low, high := within("utilization", nil, nil); low != nil || high != nil {
		t.Errorf("ends of what is not known: %v, %v", low, high)
	}
}

// Intervals of few rare events are as wide as the closed form would have them; a figure that is off by more than
// that, or of a common event, differs. Of fewer than ten events none does, unless it is hopelessly off.
func TestJudgeRareEvents(t *testing.T) {
	for _, c := range []struct {
		name            string
		mean, low, high float64
		closed, one     float64
		agrees, few     bool
	}{
		{"blocking_probability", 1.17e-4, 0, 2.51e-4, 3.77e-4, 0, true, false},
		{"blocking_probability", 1.17e-4, 0, 2.51e-4, 8e-4, 0, false, true},
		{"blocking_probability", 1.17e-4, 0.59e-4, 1.75e-4, 8e-4, 0, false, false},
		{"wait_probability", 0, 0, 3.7e-5, 1e-3, 0, false, true},
		{"wait_probability", 0, 0, 3.7e-5, 0.5, 0, false, false},
		{"utilization", 0.99999, 0.99998, 1, 0.9999, 0, false, true},
		{"service_level", 0.9996, 0.99934, 0.99987, 0.999008, 0, true, false},
		{"service_level", 0.9996, 0.99934, 0.99987, 0.998, 0, false, false},
		{"utilization", 0.5, 0.49, 0.51, 0.5188, 0, false, false},
		{"utilization", 0.5, 0.49, 0.51, 0.4812, 0, false, false},
		{"throughput_per_s", 6.3467e-4, 6.3467e-4, 6.3467e-4, 6.3428e-4, 6e-7, true, false},
		{"throughput_per_s", 6.3467e-4, 6.3467e-4, 6.3467e-4, 6.33e-4, 6e-7, false, false},
	} {
		f := Figure{Mean: &c.mean, Low: &c.low, High: &c.high}
		if f.judge(c.name, 1e6, c.closed, c.one); f.TooRare != c.few || !c.few && *f.Agrees != c.agrees {
			t.Errorf("%s of %v for %v: agrees %v, too rare %v", c.name, c.mean, c.closed, f.Agrees, f.TooRare)
		}
	}
}
