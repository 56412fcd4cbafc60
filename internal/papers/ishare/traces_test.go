package ishare

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/papers/papertest"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// dayOfMachine is a Monday of samples every 10 min: light load but for heavy
// (S2) from 2:00 to 4:00, too heavy (S3) from 4:00 to 5:00 and from 10:30 to
// 13:00, and short of memory (S4) from 20:00 to 20:30.
func dayOfMachine(name string) machines.Trace {
	h := machines.Trace{Name: name}
	for k := range 144 {
		s := smp.Sample{Time: 1704067200 + 600*float64(k), Load: 0.1, FreeMemory: 500}
		switch hour := float64(k) / 6; {
		case hour >= 2 && hour < 4:
			s.Load = 0.4
		case hour >= 4 && hour < 5, hour >= 10.5 && hour < 13:
			s.Load = 0.9
		case hour >= 20 && hour < 20.5:
			s.FreeMemory = 20
		}
		h.Samples = append(h.Samples, s)
	}
	return h
}

func onDays(t *testing.T, name string) *paper.Reproduction {
	t.Helper()
	memory := 100e6
	return papertest.Ask(t, Reproducibles(), paper.Question{
		Name: name, Seed: 1,
		Hosts:     []machines.Trace{dayOfMachine("a"), dayOfMachine("b")},
		Labelling: machines.Labelling{WorkingSet: &memory},
	})
}

// Shares, counts and intervals of the day above, by hand.
func TestReproduceIShareStatistics(t *testing.T) {
	want := func(a *paper.Reproduction, quantity, series string, at, v float64) {
		t.Helper()
		for _, r := range a.Rows {
			if r.Quantity != quantity || r.Series != series || (r.X == nil) != math.IsNaN(at) || r.X != nil && *r.X != at {
				continue
			}
			if r.Computed == nil || math.Abs(*r.Computed-v) > 1e-12 {
				t.Errorf("%s, %s at %v: %v, want %v", quantity, series, at, r.Computed, v)
			}
			return
		}
		t.Errorf("no row %s, %s at %v", quantity, series, at)
	}
	none := math.NaN()
	a := onDays(t, "ishare-table-2")
	for state, hours := range map[string]float64{"S1": 18, "S2": 2, "S3": 3.5, "S4": 0.5, "S5": 0} {
		want(a, "share of time in "+state, "", none, hours/24)
	}
	want(a, "available CPU", "", none, (18.5*0.9+2*0.6+3.5*0.1)/24)
	want(a, "available memory", "", none, (23.5*500+0.5*20)/24)

	a = onDays(t, "ishare-table-3")
	want(a, "failures of a machine in 90 days", "all causes", none, 3*90)
	want(a, "failures of a machine in 90 days", "memory contention, S4", none, 90)
	want(a, "share of a machine's failures", "CPU contention, S3", none, 2./3)

	// Of the four free intervals two are cut; 5.5 h and 7 h are left.
	a = onDays(t, "ishare-figure-6")
	want(a, "mean free interval, weekdays", "", none, 6.25)
	want(a, "share of free intervals", "free, weekdays", 6, 0.5)
	want(a, "share of failures", "S3", 1, 0.5)

	// Both machines touch 4 to 5, 10 to 11, 11 to 12, 12 to 13 and 20 to 21.
	a = onDays(t, "ishare-figure-7")
	for hour := 1.0; hour <= 24; hour++ {
		n := 0.0
		if hour == 5 || hour == 11 || hour == 12 || hour == 13 || hour == 21 {
			n = 2
		}
		want(a, "failures in the hour, weekday", "mean over days", hour, n)
	}
}

// A clock that is unset for a while makes a gap of 282 years, in which each of 200 machines fails for
// 2.5 million hours; and a period may be longer than a day, which was no step of it.
func TestHoursOfFailuresAreBounded(t *testing.T) {
	machine := func(step, gap float64) machines.Trace {
		h := machines.Trace{Name: "a"}
		for k := range 8 {
			s := smp.Sample{Time: 1e9 + step*float64(k), Load: 0.1, FreeMemory: 500}
			if k >= 4 {
				s.Time += gap
			}
			h.Samples = append(h.Samples, s)
		}
		return h
	}
	all := make([]machines.Trace, 200)
	for i := range all {
		all[i] = machine(300, 8_899_999_800)
	}
	q := &paper.Question{Name: "ishare-figure-7", Hosts: all}
	err := figure7(context.Background(), q, &paper.Reproduction{})
	if err == nil || !strings.Contains(err.Error(), "fail come to 516 million, want at most 50 million") {
		t.Error(err)
	}
	q.Hosts = []machines.Trace{machine(600_000, 0)}
	if err := figure7(context.Background(), q, &paper.Reproduction{}); err != nil {
		t.Error(err)
	}
}
