package frailty

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/smp"
)

// What is known of each length at once is what is known of it alone.
func TestAheadsAreThoseOfEachWindow(t *testing.T) {
	k := newKnownFleet(5, 0.7)
	records, _ := k.fleet(4, 10*288)
	m, err := Fit(context.Background(), k.clock, records, nil)
	if err != nil {
		t.Fatal(err)
	}
	aheads := m.AheadsOn(k.clock.Calendar)
	var memory []Ahead
	for _, age := range []Age{{Steps: 0}, {Steps: 5}, {Steps: 3, AtLeast: true}, {Steps: 100_000}} {
		w := Window{First: 1234, Age: age, Steps: 600}
		all, err := aheads(memory, w)
		memory = all
		if err != nil {
			t.Fatal(err)
		}
		sums, err := m.Cumulative(k.clock.Calendar, w)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int64{0, 1, 2, 7, 96, 600} {
			w.Steps = n
			share := make([]float64, Ages)
			k.clock.each(w.First, w.Age, n, func(cell int, _, steps int64) bool {
				share[cell/Hours] += m.Age[cell/Hours] * m.Hour[cell%Hours] * float64(steps) / sums[n]
				return true
			})
			v := 0.0
			for _, from := range []int{0, ageBins} {
				v += spread(share[from:from+ageBins], m.AgeFailures[from:from+ageBins], m.AgePseudo)
			}
			if got := all[n]; !near(got.Expected, sums[n], 1e-12) || !near(got.Unsure, v, 1e-9) {
				t.Errorf("age %v, %d steps: %v, want ΔL = %v, v = %v", age, n, got, sums[n], v)
			}
		}
	}
}

// Foresee is Survival, averaged over a factor of the hazard that has mean 1 and variance v.
func TestForeseeAveragesOverTheHazard(t *testing.T) {
	m := &Model{Shape: 0.8, GroupShape: 2}
	const n = 2000
	unsure := []float64{0.1, 0.5, 2}
	hazards := make([][n]float64, len(unsure)) // equally likely ones, by v
	for k, v := range unsure {
		law := distuv.Gamma{Alpha: 1 / v, Beta: 1 / v}
		for i := range n {
			hazards[k][i] = law.Quantile((float64(i) + 0.5) / n)
		}
	}
	for _, group := range []string{"", "g"} {
		x := Machine{Name: "m", Group: group, Failures: 3, Expected: 2}
		for _, ahead := range []float64{0, 0.05, 0.7, 4} {
			before := m.Survival(x, ahead)
			if got := m.Foresee(x, Ahead{Expected: ahead}); !near(got, before, 1e-12) {
				t.Errorf("v = 0, ΔL = %g: %g, want %g", ahead, got, before)
			}
			for k, v := range unsure {
				want := 0.0
				for _, h := range hazards[k] {
					want += m.Survival(x, ahead*h) / n
				}
				got := m.Foresee(x, Ahead{ahead, v})
				// The product of two gamma laws is none: only its mean and variance are kept.
				if math.Abs(got-want) > 0.06 || got < before {
					t.Errorf("v = %g, ΔL = %g: %g, want %g and at least %g", v, ahead, got, want, before)
				}
				before = got
			}
		}
	}
	if got := m.Foresee(Machine{}, Ahead{1, math.Inf(1)}); got != 1 {
		t.Errorf("of a hazard that nothing is known of: %g, want the limit 1", got)
	}
	for _, bad := range []Ahead{{-1, 0}, {1, -1}, {math.NaN(), 0}, {1, math.NaN()}} {
		if got := m.Foresee(Machine{}, bad); !math.IsNaN(got) {
			t.Errorf("%v: %g, want NaN", bad, got)
		}
	}
}

// Stays that all ended within some hours say little of one that has lasted for days.
func TestForeseeBeyondAllAges(t *testing.T) {
	clock := Clock{Period: 300}
	var records []Record
	for _, name := range []string{"a", "b", "c"} {
		h := &smp.History{Period: 300}
		for s := int64(0); s < 2880; s += 100 {
			_ = h.Add(smp.Run{State: smp.S1, First: s, Steps: 60 + s%700/20})
			_ = h.Add(smp.Run{State: smp.S5, First: s + 60 + s%700/20, Steps: 40 - s%700/20})
		}
		r := Record{Name: name}
		if err := r.Add(clock, smp.FiveStates(), h, 0, 2880); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	m, err := Fit(context.Background(), clock, records, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := m.Machine("a")
	gain := func(age int64) float64 {
		a, err := m.Aheads(clock.Calendar, Window{First: 2880, Age: Age{Steps: age}, Steps: 96})
		if err != nil {
			t.Fatal(err)
		}
		return m.Foresee(x, a[96]) - m.Survival(x, a[96].Expected)
	}
	if young, old := gain(10), gain(3000); young > 0.05 || old < 2*young || old < 0.05 {
		t.Errorf("what is not known of the hazard adds %g at a known age, %g far beyond", young, old)
	}
}

// The failures of a window, handed over by age bin, are to a machine what the window is.
func TestAheadByBin(t *testing.T) {
	k := newKnownFleet(3, 2)
	records, _ := k.fleet(12, 5*288)
	clock := k.clock
	m, err := Fit(context.Background(), clock, records, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []Window{{First: 700, Steps: 96}, {First: 700, Age: Age{Steps: 40, AtLeast: true}, Steps: 500}} {
		all, err := m.Aheads(clock.Calendar, w)
		if err != nil {
			t.Fatal(err)
		}
		by := make([]float64, Ages)
		Clock{m.Period, clock.Calendar}.each(w.First, w.Age, w.Steps, func(cell int, _, steps int64) bool {
			by[cell/Hours] += m.Age[cell/Hours] * m.Hour[cell%Hours] * float64(steps)
			return true
		})
		got, err := m.Ahead(by)
		want := all[w.Steps]
		if err != nil || math.Abs(got.Expected/want.Expected-1) > 1e-12 || math.Abs(got.Unsure/want.Unsure-1) > 1e-9 {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	if a, err := m.Ahead(make([]float64, Ages)); err != nil || a != (Ahead{}) {
		t.Errorf("of no failures: %+v, %v", a, err)
	}
	bad := make([]float64, Ages)
	bad[1] = math.NaN()
	for _, by := range [][]float64{nil, make([]float64, 3), bad} {
		var de *smp.DomainError
		if _, err := m.Ahead(by); !errors.As(err, &de) {
			t.Errorf("%v: %v", by, err)
		}
	}
}
