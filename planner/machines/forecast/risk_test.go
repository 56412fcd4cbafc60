package forecast_test

import (
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/forecast"
)

// Machine i of the twelve fails with 0.2 % and more in a step and is away for two: the
// mean of 1 − e^(−24 h) over them is 0.25, that of the second worst 0.41; nine of ten
// are there for 97.7 to 99.6 % of the time.
func TestRisk(t *testing.T) {
	f := learnt(t, nil, nil, 0, 20)
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
