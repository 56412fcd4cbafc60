package frailty

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/smp"
)

// Machines that never fail within two steps, and often in the third, must be told
// so: what never fails when young says little of what fails later.
func TestFitSeesWhatFailsAfterAQuietBeginning(t *testing.T) {
	k := newKnownFleet(7, 1)
	const steps = 2000
	var records []Record
	for m := range 9 {
		h := &smp.History{Period: k.clock.Period}
		for s := int64(0); s < steps; {
			up := int64(3)
			for up < 64 && k.rng.Float64() < 0.85 {
				up++
			}
			_ = h.Add(smp.Run{State: smp.S1, First: s, Steps: up})
			_ = h.Add(smp.Run{State: smp.S5, First: s + up, Steps: 20})
			s += up + 20
		}
		r := Record{Name: fmt.Sprint(m)}
		if err := r.Add(k.clock, smp.FiveStates(), h, 0, steps); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	m, err := Fit(context.Background(), k.clock, records, nil)
	if err != nil || !m.Converged {
		t.Fatal(err, m)
	}
	// From age 2 on 15 % a step fail, which half a step at risk makes 0.15/(1−0.075).
	want := 0.15 / 0.925
	for bin := 2; bin < 5; bin++ {
		if got := m.Age[bin]; math.Abs(got/want-1) > 0.25 {
			t.Errorf("hazard of bin %d: %.4f, want %.4f", bin, got, want)
		}
	}
	if m.Age[0] > 0.01 || m.Age[1] > 0.02 {
		t.Errorf("hazards of the ages at which nothing failed: %.4f, %.4f", m.Age[0], m.Age[1])
	}
}

// At the solution the derivatives are 0, from wherever it is begun.
func TestWalkIsStationary(t *testing.T) {
	d := []float64{0, 0, 290, 3, 0, 0, 7, 0}
	x := []float64{970, 970, 1700, 40, 0, 9, 1e6, 0}
	const base, q, fall = 0.02, 1.5, 0.2
	for _, from := range []float64{1e-9, base, 1e3} {
		hazard := make([]float64, len(d))
		for a := range hazard {
			hazard[a] = from
		}
		walk(hazard, d, x, base, q, fall)
		for a := range hazard {
			before := math.Log(base)
			tie := 1.0 // the anchor, q being more
			if a > 0 {
				before, tie = math.Log(hazard[a-1])-fall, q
			}
			s := d[a] - x[a]*hazard[a] - tie*(math.Log(hazard[a])-before)
			if a+1 < len(d) {
				s += q * (math.Log(hazard[a+1]) - math.Log(hazard[a]) + fall)
			}
			if math.Abs(s) > 1e-6*(1+d[a]) {
				t.Errorf("from %g: derivative %g at bin %d", from, s, a)
			}
		}
		if last := hazard[len(d)-1]; math.Abs(last/hazard[len(d)-2]-math.Exp(-fall)) > 1e-9 {
			t.Errorf("from %g: an age never seen has hazard %g, the last seen %g", from, last, hazard[len(d)-2])
		}
	}
}

// Ages that nobody was seen at change neither the chance of what was seen nor its
// hazards, left out or taken part.
func TestWalkLeavesOutAgesNeverSeen(t *testing.T) {
	for _, seen := range []int{0, 1, 4} {
		var likely [2]float64
		var hazards [2][]float64
		for i, unseen := range []float64{0, 1e-300} {
			d, x, hazard := make([]float64, 9), make([]float64, 9), make([]float64, 9)
			for a := range x {
				hazard[a], x[a] = 0.1, unseen
				if a < seen {
					d[a], x[a] = float64(a), 100
				}
			}
			likely[i], hazards[i] = walk(hazard, d, x, 0.02, 1.5, 0.2), hazard
		}
		numtest.Close(t, fmt.Sprintf("chance with %d ages seen", seen), math.Exp(likely[0]), math.Exp(likely[1]), 1e-12)
		for a, h := range hazards[0] {
			numtest.Close(t, fmt.Sprintf("hazard %d with %d ages seen", a, seen), h, hazards[1][a], 1e-9)
		}
	}
}

// Stays of Weibull's law of shape 0.6, whose hazard falls as age^−0.4, seen for 60
// steps: what is told of ages up to 500, which nobody was seen at, is that law and not
// the hazard of the oldest seen.
func TestFitGoesOnBeyondTheAgesSeen(t *testing.T) {
	k := newKnownFleet(11, 1)
	const shape, scale, seen = 0.6, 60.0, 60
	var records []Record
	for m := range 40 {
		h := &smp.History{Period: k.clock.Period}
		s := int64(0)
		for range 12 {
			up := int64(math.Ceil(scale * math.Pow(k.rng.ExpFloat64(), 1/shape)))
			_ = h.Add(smp.Run{State: smp.S5, First: s, Steps: 1})
			s += 1 + min(up, seen)
			_ = h.Add(smp.Run{State: smp.S1, First: s - min(up, seen), Steps: min(up, seen)})
			if up > seen {
				s += 10 // not known
			}
		}
		_ = h.Add(smp.Run{State: smp.S5, First: s, Steps: 1})
		r := Record{Name: fmt.Sprint(m)}
		if err := r.Add(k.clock, smp.FiveStates(), h, 0, s+1); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	m, err := Fit(context.Background(), k.clock, records, nil)
	if err != nil || !m.Converged {
		t.Fatal(err, m)
	}
	expected, err := m.Expected(smp.Calendar{}, Window{First: 0, Age: Age{Steps: 100}, Steps: 400})
	if err != nil {
		t.Fatal(err)
	}
	want := math.Pow(500/scale, shape) - math.Pow(100/scale, shape)
	if math.Abs(expected/want-1) > 0.25 {
		t.Errorf("from age 100 to 500 %.3f failures are expected, want %.3f; the hazard falls by %.3f", expected, want, m.AgeFall)
	}
}

// Two bins, by hand: C = [[2+1+3, −3], [−3, 5+3]], so wᵀC⁻¹w for w = (1, 2) is
// (8 + 2·3·2 + 6·4)/39.
func TestSpread(t *testing.T) {
	if got, want := spread([]float64{1, 2}, []float64{2, 5}, 3), 44.0/39; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	// Tied fast, the bins are one.
	if got := spread([]float64{0.5, 0.5}, []float64{4, 5}, 1e9); math.Abs(got-0.1) > 1e-6 {
		t.Errorf("%v, want 1/(9 + 1)", got)
	}
}
