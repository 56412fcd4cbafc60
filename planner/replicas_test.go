package planner

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/units"
)

// An end of a sensitivity at which the target asks for another number of replicas costs
// what the plan of that end costs.
func TestSensitivityTakesReplicas(t *testing.T) {
	q := farm(t)
	q.Load.Erlangs = rangeOf[units.Erlang](t, "12")
	q.Objectives.Availability = new(units.Fraction(0.9))
	spot := &q.Machines[2]
	spot.MTTF, spot.MTTR = rangeOf[units.Duration](t, "90min"), rangeOf[units.Duration](t, "10min") // 90 %
	at := func(mttf, mttr string) float64 {
		end := *q
		end.Machines = append(end.Machines[:0:0], q.Machines...)
		end.Machines[2].MTTF, end.Machines[2].MTTR = rangeOf[units.Duration](t, mttf), rangeOf[units.Duration](t, mttr)
		return planned(t, &end).Mix.Cost
	}
	seen := 0
	for _, w := range planned(t, q).Sensitivity.Inputs {
		switch w.Input {
		case "machines[2].mttf":
			if want := at("81min", "10min"); *w.CostLow != want || *w.Effect == 0 {
				t.Errorf("at 81 min up: %v, the plan of it costs %v; effect %v", *w.CostLow, want, *w.Effect)
			}
			seen++
		case "machines[2].mttr":
			if want := at("90min", "11min"); *w.CostHigh != want {
				t.Errorf("at 11 min down: %v, the plan of it costs %v", *w.CostHigh, want)
			}
			seen++
		}
	}
	if seen != 2 {
		t.Errorf("%d of the two times moved", seen)
	}
}

// A target of the availability that the replicas miss, given or at the low end of what is
// known of a machine, is spoken of.
func TestTargetMissed(t *testing.T) {
	for _, c := range []struct {
		name, mttf string
		replicas   *units.Count
		want       string // of the warnings; empty: none
	}{
		{"met", "5h", nil, ""},
		{"given and met", "5h", new(units.Count(2)), ""},
		{"given and missed", "5h", new(units.Count(1)), "spot: with replicas 1 a job has one alive 96.77% of the time, " +
			"less than objectives.availability asks for: replicas 2 would be enough for 99%"},
		{"missed at the low end", "30min..5h..8h", nil, "spot: at the low end of its range, with replicas 2 a job has " +
			"one alive 93.75% of the time, less than objectives.availability asks for: replicas 4 would be enough for 99%"},
		{"met at the low end", "4h..5h..8h", nil, ""},
	} {
		q := farm(t)
		q.Samples = new(units.Count(10))
		q.Machines[2].MTTF, q.Machines[2].Replicas = rangeOf[units.Duration](t, c.mttf), c.replicas
		p := newPremises(q)
		if err := p.resolve(nil); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.warnings, "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
