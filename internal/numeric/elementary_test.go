package numeric

import (
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestElementaryReference(t *testing.T) {
	functions := map[string]func(x, y float64) float64{
		"log1pmx":  func(x, _ float64) float64 { return Log1pmx(x) },
		"expm1mx":  func(x, _ float64) float64 { return Expm1mx(x) },
		"deviance": Deviance,
		"erfcx":    func(x, _ float64) float64 { return Erfcx(x) },
	}
	for _, r := range numtest.Table(t, "testdata/elementary.csv") {
		x, y := r.Float("x"), r.Float("y")
		name := r.Text("function")
		if name == "stirling" {
			// It is an exponent: its absolute error is what counts.
			if e := math.Abs(StirlingError(x) - r.Float("value")); e > 2e-15 {
				t.Errorf("stirling(%v) is off by %.2g", x, e)
			}
			continue
		}
		tol := 4e-15
		numtest.Close(t, fmt.Sprintf("%s(%v, %v)", name, x, y), functions[name](x, y), r.Float("value"), tol)
	}
}
