package law

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
)

func TestHazardRates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		o := Observations{make([]float64, n), make([]bool, n)}
		for i := range n {
			o.Durations[i] = float64(rapid.IntRange(0, 40).Draw(t, "t")) / 4
			o.Censored[i] = rapid.Bool().Draw(t, "c")
		}
		edges := []float64{0.5, 1, 3, 3.5, 8}
		bins, err := HazardRates(o, edges)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range bins {
			events, exposure := 0, 0.0
			for j, d := range o.Durations {
				exposure += math.Max(0, math.Min(d, edges[i+1])-edges[i])
				if !o.Censored[j] && d >= edges[i] && d < edges[i+1] {
					events++
				}
			}
			if b.Events != events || math.Abs(b.Exposure-exposure) > 1e-9 {
				t.Fatalf("bin %d: %+v, want %d events in %v", i, b, events, exposure)
			}
			if exposure > 0 && numtest.RelErr(b.Rate, float64(events)/exposure) > 1e-9 {
				t.Fatalf("bin %d: rate %v", i, b.Rate)
			}
			if exposure == 0 && (b.Rate != 0 || b.StdErr != 0) {
				t.Fatalf("bin %d without exposure: %+v", i, b)
			}
		}
	})
	o := Observations{[]float64{1}, nil}
	_, err := HazardRates(o, []float64{1})
	wantDomain(t, err, "edges")
	_, err = HazardRates(o, []float64{1, 1})
	wantDomain(t, err, "edges[1]")
	_, err = HazardRates(Observations{}, []float64{0, 1})
	wantDomain(t, err, "Durations")
}
