package baseline

import (
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/smp"
)

func referenceSeries(t testing.TB) []float64 {
	var x []float64
	for _, row := range numtest.Table(t, "testdata/series.csv") {
		x = append(x, row.Float("value"))
	}
	return x
}

func TestForecastersAgainstReference(t *testing.T) {
	x := referenceSeries(t)
	for _, row := range numtest.Table(t, "testdata/seriesfit.csv") {
		p, q, what := int(row.Float("p")), int(row.Float("q")), row.Text("quantity")
		var phi, theta []float64
		var v float64
		var err error
		tol, variance := 1e-9, 1e-9
		var f Forecaster = AR{Order: p}
		if row.Text("model") == "ar" {
			phi, v, err = AR{Order: p}.Fit(x)
		} else {
			// The least is flat: coefficients to about the root of its accuracy.
			tol, variance = 2e-4, 1e-8
			f = ARMA{AR: p, MA: q}
			phi, theta, v, err = ARMA{AR: p, MA: q}.Fit(x)
		}
		if err != nil {
			t.Fatal(err)
		}
		name := f.Name() + " " + what
		want := row.Float("value")
		switch k := int(what[len(what)-1] - '1'); what[:len(what)-1] {
		case "phi":
			numtest.Close(t, name, phi[k], want, tol)
		case "theta":
			numtest.Close(t, name, theta[k], want, tol)
		case "ahead":
			y, err := f.Forecast(x, k+1)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, name, y[k], want, 1e-5)
		default:
			numtest.Close(t, name, v, want, variance)
		}
	}
	// The series is an ARMA(2,1); AIC must not choose a pure mean.
	phi, _, err := AR{Order: 8, ByAIC: true}.Fit(x)
	if err != nil || len(phi) < 2 || len(phi) > 6 {
		t.Errorf("AR by AIC: %d coefficients, %v", len(phi), err)
	}
	phi, theta, _, err := ARMA{AR: 2, MA: 2, ByAIC: true}.Fit(x)
	if err != nil || len(phi)+len(theta) < 2 {
		t.Errorf("ARMA by AIC: %v %v %v", phi, theta, err)
	}
}

func TestForecastersByHand(t *testing.T) {
	if y, err := (Last{}).Forecast([]float64{1, 2, 5}, 3); err != nil || y[0] != 5 || y[2] != 5 || len(y) != 3 {
		t.Errorf("LAST: %v, %v", y, err)
	}
	// 0 1 0 1 …: the mean of two foretells 0.5 with error 1/4, of one with 1.
	x := []float64{0, 1, 0, 1, 0, 1, 0, 1, 0}
	b := BestMean{Order: 3}
	if w, err := b.Window(x); err != nil || w != 2 {
		t.Errorf("BM window %d, %v, want 2", w, err)
	}
	if y, _ := b.Forecast(x, 2); y[1] != 0.5 {
		t.Errorf("BM: %v", y)
	}
	// A constant and a series of one value.
	for _, f := range append(Baselines(8), AR{Order: 3, ByAIC: true}, ARMA{AR: 1, MA: 1, ByAIC: true}) {
		for _, s := range [][]float64{{0.3, 0.3, 0.3, 0.3, 0.3}, {0.7}, {0.1, 0.9}} {
			y, err := f.Forecast(s, 50)
			if err != nil || len(y) != 50 {
				t.Fatalf("%s on %v: %v", f.Name(), s, err)
			}
			for _, v := range y {
				if math.IsNaN(v) || v < -1 || v > 2 {
					t.Fatalf("%s on %v forecasts %v", f.Name(), s, v)
				}
			}
		}
		if _, err := f.Forecast(nil, 3); !errors.Is(err, smp.ErrNoData) {
			t.Errorf("%s on nothing: %v", f.Name(), err)
		}
		var de *smp.DomainError
		if _, err := f.Forecast([]float64{1, math.NaN()}, 3); !errors.As(err, &de) {
			t.Errorf("%s on NaN: %v", f.Name(), err)
		}
	}
}
