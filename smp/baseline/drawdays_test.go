package baseline

import (
	"math"
	"testing"

	"github.com/capplan/capplan/smp"
)

// Forecasts of some of the test days foresee for all of them what all would, as nearly as is said; the
// observed days are all of them.
func TestForecastsOfSomeDays(t *testing.T) {
	days, loads, w, p := drawnDays(t, 1500)
	score := func(f Forecaster, n int) *smp.Score {
		s, err := EvaluateForecaster(t.Context(), f, days, loads, smp.Calendar{}, w, p, &smp.EvaluateOptions{Forecasts: n})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, f := range Baselines(3) {
		all := score(f, 0)
		if all.PredictedError != 0 || all.TestDays < 300 {
			t.Fatalf("%+v", all)
		}
		if s := score(f, all.TestDays); s.Predicted != all.Predicted {
			t.Errorf("%s: of as many days %+v, want %+v", f.Name(), s, all)
		}
		for _, n := range []int{30, 60, 120} {
			s := score(f, n)
			if s.Free != all.Free || s.TestDays != all.TestDays || s.Empirical != all.Empirical {
				t.Errorf("%s: observed %+v, want %+v", f.Name(), s, all)
			}
			d := math.Abs(s.Predicted - all.Predicted)
			if !(d < 3.5*s.PredictedError) || !(s.PredictedError < 0.6/math.Sqrt(float64(n))) {
				t.Errorf("%s: %v ± %v of %d days, of all %v", f.Name(), s.Predicted, s.PredictedError, n, all.Predicted)
			}
		}
	}
	if _, err := EvaluateForecaster(t.Context(), Last{}, days, loads, smp.Calendar{}, w, p,
		&smp.EvaluateOptions{Forecasts: -1}); err == nil {
		t.Error("fewer days than none")
	}
}
