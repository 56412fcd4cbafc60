package forecast_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/sim"
)

// Of machines that fail forty times as often in the hours of work of weekdays, whose frailties differ widely and
// which are away by a law that was given, as many are there as simulated, and their number spreads as much: within 5 %
// of the mean, and within 12 % of the spread for exponential absences of an hour to ten days and 20 % for others, and
// from the beginning on. By the frailty of
// the mean and all hours alike a third of them was missing.
func TestPopulationByLaw(t *testing.T) {
	f := fitted(t, nil, nil, 0, 3)
	f.Hazard.Shape = 3
	for h := range f.Hazard.Hour {
		f.Hazard.Hour[h] = 0.1
		if h >= 9 && h < 17 {
			f.Hazard.Hour[h] = 4
		}
	}
	for a := range f.Hazard.Age {
		f.Hazard.Age[a] = 0.02 * math.Pow(0.9, float64(a%32))
	}
	for _, c := range []struct {
		down   law.Law
		within float64
	}{
		{law.Exponential{Scale: 3600}, 0.12}, {law.Exponential{Scale: 5 * 3600}, 0.12},
		{law.Exponential{Scale: 86400}, 0.12}, {law.Exponential{Scale: 10 * 86400}, 0.12},
		{law.Weibull{Shape: 0.6, Scale: 43200}, 0.2}, {law.Gamma{Shape: 3, Scale: 20000}, 0.2},
	} {
		down := c.down
		p, _, err := f.Population(&forecast.PopulationQuestion{Fleet: f, Count: 200, Down: down})
		if err != nil {
			t.Fatal(err)
		}
		platform := &hosts.Platform{Population: p, Speed: hosts.Speed{Mean: 1}}
		mean, sd := platform.Present()
		const runs, week, weeks = 4, 168, 5
		var first, last, square float64
		for run := range runs {
			r, err := platform.Begin(func(e ...uint64) *rand.Rand { return sim.Stream(12, run, e...) })
			if err != nil {
				t.Fatal(err)
			}
			n := thereEachHour(platform, r, weeks*week)
			for _, x := range n[:week] {
				first += x / runs / week
			}
			for _, x := range n[week:] {
				last += x / runs / week / (weeks - 1)
				square += x * x / runs / week / (weeks - 1)
			}
		}
		got := math.Sqrt(square - last*last)
		t.Logf("away by %v: %.1f, at first %.1f, by the law %.1f; standard deviation %.2f, by the law %.2f",
			down, last, first, mean, got, sd)
		if math.Abs(last/mean-1) > 0.05 || math.Abs(first/mean-1) > 0.05 || math.Abs(got/sd-1) > c.within {
			t.Errorf("away by %v: %.1f are there, at first %.1f, by the law %.1f; standard deviation %.2f, by the law %.2f",
				down, last, first, mean, got, sd)
		}
	}
}
