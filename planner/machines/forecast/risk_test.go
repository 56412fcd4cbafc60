package forecast_test

import (
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/frailty"
)

// Machine i of the twelve fails with 0.2 % and more in a step and is away for two: the
// mean of 1 − e^(−24 h) over them is 0.25, that of the second worst 0.41; nine of ten
// are there for 97.7 to 99.6 % of the time.
func TestRisk(t *testing.T) {
	f := twentyDays(t)
	r, err := f.Risk(7200)
	if err != nil {
		t.Fatal(err)
	}
	mean, there := 0.0, func(i float64) float64 { return 1 / (1 + 2*0.002*(1+i)) }
	for i := range 12 {
		mean += -math.Expm1(-24*0.002*float64(1+i)) / 12
	}
	if math.Abs(r.Leaves-mean) > 0.03 || math.Abs(r.LeavesWorst+math.Expm1(-24*0.002*11)) > 0.05 {
		t.Errorf("%+v, want %.3f and %.3f", r, mean, -math.Expm1(-24*0.002*11))
	}
	if math.Abs(*r.AvailabilityLow-there(11)) > 0.01 || math.Abs(*r.AvailabilityHigh-there(0)) > 0.004 {
		t.Errorf("%v to %v, want %v to %v", *r.AvailabilityLow, *r.AvailabilityHigh, there(11), there(0))
	}
	before := 0.0
	for _, span := range []float64{0, 1, 299, 300, 301, 86400, 1e9, 1e12} {
		r, err := f.Risk(span)
		if err != nil || r.Leaves < before || r.Leaves > 1 || (span == 0) != (r.Leaves == 0) {
			t.Errorf("%v: %+v, %v", span, r, err)
		}
		before = r.Leaves
	}
	for _, span := range []float64{-1, math.NaN(), 1e13} {
		var input *ask.InputError
		if _, err := f.Risk(span); !errors.As(err, &input) {
			t.Errorf("%v: %v", span, err)
		}
	}
	if _, err := (&forecast.Fleet{}).Risk(1); err == nil {
		t.Error("no fleet")
	}
}

// Of the same twelve machines, each away for two steps: 1/(1 + 2·0.002·(1 + i)) of the
// time, and ten minutes.
func TestPresence(t *testing.T) {
	f := twentyDays(t)
	p, err := f.Presence()
	if err != nil {
		t.Fatal(err)
	}
	there, leaving := 0.0, 0.0
	for m := range 12 {
		i := float64(m)
		there += 1 / (1 + 2*0.002*(1+i)) / 12
		leaving += 0.002 * (1 + i) / 12
	}
	if p.Machines != 12 || math.Abs(*p.Availability-there) > 0.002 {
		t.Errorf("%d machines are there for %v of the time, want 12 and %v", p.Machines, *p.Availability, there)
	}
	if math.Abs(*p.MTTR-600) > 30 || math.Abs(*p.MTTF*leaving/300-1) > 0.1 {
		t.Errorf("MTTF %v s and MTTR %v s, want some %v and 600", *p.MTTF, *p.MTTR, 300/leaving)
	}
	r, err := f.Risk(600)
	if err != nil || *r.Availability != *p.Availability {
		t.Errorf("%v, %v: the risk has another availability", r, err)
	}
	f.Returns = nil
	var input *ask.InputError
	if _, err := f.Presence(); !errors.As(err, &input) || input.Field != "fleet" {
		t.Errorf("without absences: %v", err)
	}
	if _, err := (*forecast.Fleet)(nil).Presence(); !errors.As(err, &input) {
		t.Errorf("no fleet: %v", err)
	}
}

// Of a day and a half of the twelve machines little is known of ages beyond it: the risk of a long job
// is that of what predict would say of each, the hours alike, and less than if hazards were known.
func TestRiskOfHazardsHardlyKnown(t *testing.T) {
	f := fitted(t, nil, nil, 0, 1)
	m := &f.Hazard
	for h := range m.Hour {
		m.Hour[h] = 1
	}
	const steps = 4 * 288
	var weight [frailty.Ages]float64
	total := 0.0
	for i := range f.Records {
		f.Records[i].Exposure.Each(func(age, _ int, n int64) {
			weight[age] += float64(n)
			total += float64(n)
		})
	}
	want, known := 0.0, 0.0
	for age, w := range weight {
		if w == 0 {
			continue
		}
		ahead, err := m.Aheads(smp.Calendar{}, frailty.Window{Age: frailty.AgeOf(age), Steps: steps})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Records {
			x, _ := m.Machine(r.Name)
			want += w / total * (1 - m.Foresee(x, ahead[steps])) / float64(len(f.Records))
			known += w / total * (1 - m.Survival(x, ahead[steps].Expected)) / float64(len(f.Records))
		}
	}
	r, err := f.Risk(steps * 300)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Leaves-want) > 1e-9 || r.Leaves > known-0.002 {
		t.Errorf("%v leave, want %v; with hazards known %v", r.Leaves, want, known)
	}
}
