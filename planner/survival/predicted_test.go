package survival

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/planner/ask"
)

// Reference values of scipy and numpy.
const (
	constantInterval = 1999.242704189828
	constantSaved    = 16000.757295810148
	clockInterval    = 2580.0
	clockSaved       = 16507.59425516798
)

// With a constant rate the curve gives the interval of the closed form by Lambert's W,
// τ = M(1 + W(−e^(−1−C/M))), 1999.24… s for M = 5 h and C = 2 min, as scipy has it.
func TestPredictedConstantRate(t *testing.T) {
	c := &PredictedCurve{Step: 300, Machine: "m"}
	for k := range 97 {
		c.Chance = append(c.Chance, math.Exp(-300*float64(k)/18000))
	}
	a, err := Checkpoint(context.Background(), &CheckpointQuestion{Curve: c, Cost: ask.Figure(120),
		Work: ask.Figure(86400), Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	p := a.Predicted
	if math.Abs(p.MTBF-18000) > 1e-6 || math.Abs(p.Interval/constantInterval-1) > 1e-3 ||
		math.Abs(p.Saved/constantSaved-1) > 1e-6 || math.Abs(p.Constant/p.Saved-1) > 1e-6 {
		t.Errorf("%+v", p)
	}
	if math.Abs(a.Interval/constantInterval-1) > 1e-6 {
		t.Errorf("exact %v", a.Interval)
	}
}

// A machine that lasts until it fails at some hour: the best interval by brute force
// over whole seconds, in numpy.
func TestPredictedByTheClock(t *testing.T) {
	c := &PredictedCurve{Step: 300, Chance: []float64{1}, Machine: "m"}
	for k := 1; k <= 96; k++ {
		h := 0.002
		switch {
		case k <= 36:
			h = 0.0001
		case k <= 48:
			h = -math.Log(0.2) / 12
		}
		c.Chance = append(c.Chance, c.Chance[k-1]*math.Exp(-h))
	}
	a, err := Checkpoint(context.Background(), &CheckpointQuestion{Curve: c, Cost: ask.Figure(120), Work: ask.Figure(86400)})
	if err != nil {
		t.Fatal(err)
	}
	p := a.Predicted
	if p.Saved < clockSaved*(1-2e-4) || p.Saved > clockSaved*(1+2e-4) || p.Constant > p.Saved {
		t.Errorf("%+v, want %v saved at %v", p, clockSaved, clockInterval)
	}
}

func TestPredictedRefuses(t *testing.T) {
	for _, c := range []struct {
		curve *PredictedCurve
		mtbf  *float64
		cost  float64
		field string
	}{
		{&PredictedCurve{Step: 300, Chance: []float64{1, 0.9}}, ask.Figure(1e4), 10, "mtbf"},
		{&PredictedCurve{Step: 300, Chance: []float64{1, 1}}, nil, 10, "window"},
		{&PredictedCurve{Step: 300, Chance: []float64{1, 0}}, nil, 10, "window"},
		{&PredictedCurve{Step: 300, Chance: []float64{1, 0.5, 0.6}}, nil, 10, "curve"},
		{&PredictedCurve{Step: 300, Chance: []float64{1}}, nil, 10, "curve"},
		{&PredictedCurve{Step: 0, Chance: []float64{1, 0.5}}, nil, 10, "curve"},
		{&PredictedCurve{Step: 300, Chance: []float64{1, math.NaN()}}, nil, 10, "curve"},
		{&PredictedCurve{Step: 3e9, Chance: []float64{1, 0.5}}, nil, 1e-3, "cost"},
	} {
		_, err := Checkpoint(context.Background(), &CheckpointQuestion{Curve: c.curve, MTBF: c.mtbf,
			Cost: &c.cost, Work: ask.Figure(86400)})
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != c.field {
			t.Errorf("%+v: %v, want the field %s", c.curve, err, c.field)
		}
	}
}
