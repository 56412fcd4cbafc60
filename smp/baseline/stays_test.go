package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/smp"
)

// loadsOf draws a series of a kind within 0 … 1: noise, a walk, an autoregression, a climb that is
// straight, noisy, curved or saturates, a step, spikes, a wave and integers of a percent.
func loadsOf(kind, n int, rng *rand.Rand) []float64 {
	x := make([]float64, n)
	level, spread, v := rng.Float64()*0.5, rng.Float64()*0.2, 0.0
	phi, at, length := rng.Float64()*0.98, rng.IntN(n), 3+rng.Float64()*float64(n)
	for t := range x {
		u := float64(t) / float64(n)
		switch kind {
		case 0:
			v = spread * rng.NormFloat64()
		case 1:
			v += spread / 5 * rng.NormFloat64()
		case 2:
			v = phi*v + spread/2*rng.NormFloat64()
		case 3:
			v = 2 * spread * u
		case 4:
			v = 2*spread*u + spread/8*rng.NormFloat64()
		case 5:
			v = 2 * spread * u * u
		case 6:
			v = 2 * spread * (1 - math.Exp(-5*u))
		case 7:
			v = 0
			if t >= at {
				v = 2 * spread
			}
		case 8:
			v = spread / 20 * rng.NormFloat64()
			if rng.IntN(12) == 0 {
				v = 3 * spread
			}
		case 9:
			v = spread * math.Sin(2*math.Pi*float64(t)/length)
		case 10:
			v = math.Round(20*spread*rng.NormFloat64()) / 100
		}
		x[t] = math.Max(0, math.Min(1, level+v))
	}
	return x
}

// What is said without the best fit agrees with its forecast, and is said of most series.
func TestStays(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	p, err := (smp.Thresholds{Period: 300, Light: 0.2, Heavy: 0.6, Grace: 60, Gap: 600}).Resolve()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(Baselines(3), ARMA{AR: 2, MA: 2, ByAIC: true}) {
		s, ok := f.(stayer)
		if !ok {
			continue
		}
		said, over, wrong, all := 0, 0, 0, 0
		for range longtest.Of(60, 200) {
			for kind := range 11 {
				for _, n := range []int{4, 13, 49, 121} {
					x := loadsOf(kind, n, rng)
					all++
					free, sure := s.stays(x, n-1, p)
					if !sure {
						continue
					}
					said++
					ahead, err := f.Forecast(x, n-1)
					if err != nil {
						t.Fatal(err)
					}
					if overloaded(ahead, p) {
						over++
					}
					if overloaded(ahead, p) == free {
						wrong++
						t.Logf("%s: %d values of kind %d are said to stay free: %v", f.Name(), n, kind, free)
					}
				}
			}
		}
		// Of 52,800 draws 78 forecasts of MA(3) are called otherwise than by the best fit, and 126 of ARMA(3,3).
		_, searched := f.(ARMA)
		if said < all*2/5 || over < all/50 && f == (ARMA{AR: 3, MA: 3}) || wrong > 0 && (!searched || wrong > said/200) {
			t.Errorf("%s: said of %d of %d (%d overloaded), wrongly of %d", f.Name(), said, all, over, wrong)
		}
	}
}

// What no series is, or no model, is left to the fit to refuse.
func TestStaysNothing(t *testing.T) {
	p := smp.Thresholds{Heavy: 0.6}
	var de *smp.DomainError
	for _, x := range [][]float64{{0.1, math.NaN()}, {math.Inf(-1), 0.1}, {math.Inf(1), 0.1}} {
		for _, f := range Baselines(3) {
			if _, err := staysFree(f, x, 3, p); !errors.As(err, &de) {
				t.Errorf("%s after %v: %v", f.Name(), x, err)
			}
		}
	}
	f := ARMA{AR: -1, MA: 2}
	if _, sure := f.stays([]float64{0.1, 0.2}, 3, p); sure {
		t.Error("an order below 0 has a forecast")
	}
	if _, err := staysFree(f, []float64{0.1, 0.2}, 3, p); !errors.As(err, &de) {
		t.Errorf("an order below 0: %v", err)
	}
}

// Several models at once are scored as each alone, by its own forecasts.
func TestEvaluateForecasters(t *testing.T) {
	days, loads, w, p := drawnDays(t, 90)
	models := Baselines(3)
	for _, o := range []*smp.EvaluateOptions{nil, {SameClock: true}, {Train: 0.3}} {
		all, err := EvaluateForecasters(context.Background(), models, days, loads, smp.Calendar{}, w, p, o)
		if err != nil {
			t.Fatal(err)
		}
		for m, f := range models {
			// A model that is no stayer is asked for its forecast.
			plain, err := EvaluateForecaster(context.Background(), forecasting{f}, days, loads, smp.Calendar{}, w, p, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := all[m]; got.Predicted != plain.Predicted || got.Free != plain.Free || got.TestDays != plain.TestDays {
				t.Errorf("%s: %+v, by its forecasts %+v", f.Name(), got, plain)
			}
			if m == 0 && (plain.TestDays < 5 || plain.Predicted == 0 || plain.Predicted == 1 && o == nil) {
				t.Errorf("%d test days, %v predicted: tells nothing", plain.TestDays, plain.Predicted)
			}
		}
	}
}

// forecasting is a model of which nothing but its forecast is known.
type forecasting struct{ Forecaster }

// drawnDays are weekdays of a machine whose loads are now and then overloaded, and a window of 4 h from noon.
func drawnDays(t testing.TB, count int) ([]smp.Day, Loads, smp.Window, smp.Thresholds) {
	rng := rand.New(rand.NewPCG(16, 2))
	loads := Loads{Period: 300}
	var samples []smp.Sample
	v := 0.0
	for i := range int64(count * 288) {
		v = 0.97*v + 0.04*rng.NormFloat64()
		x := math.Max(0, math.Min(1, 0.4+v))
		loads.Add(5679936+i, x)
		samples = append(samples, smp.Sample{Time: float64(5679936+i) * 300, Load: x, FreeMemory: math.NaN()})
	}
	p := smp.Thresholds{Period: 300, Light: 0.2, Heavy: 0.6, Grace: 60, Gap: 600}
	h, _, err := smp.Label(p, samples)
	if err != nil {
		t.Fatal(err)
	}
	w := smp.Window{Clock: 12 * time.Hour, Steps: 48}
	days, _, err := h.Days(smp.Calendar{}, w, smp.Weekday, time.Unix((5679936+int64(count)*288)*300, 0), 0)
	if err != nil {
		t.Fatal(err)
	}
	return days, loads, w, p
}

// All baselines of iShare on a year of days and a window of 4 h.
func BenchmarkEvaluateForecasters(b *testing.B) {
	days, loads, w, p := drawnDays(b, 365)
	for _, f := range Baselines(3) {
		b.Run("model="+f.Name(), func(b *testing.B) {
			for range b.N {
				if _, err := EvaluateForecaster(context.Background(), f, days, loads, smp.Calendar{}, w, p, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
