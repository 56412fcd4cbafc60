package means

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// The quantile of Student's law with two degrees of freedom is 0.95/√0.04875, so that
// the interval of three values is known (here by mpmath); those that are not known
// are left out.
func TestOf(t *testing.T) {
	v, ok := Of([]float64{1, math.NaN(), 2, 4})
	if !ok {
		t.Fatal("no mean")
	}
	for i, want := range []float64{7.0 / 3, -1.4612497002634279, 6.127916366930094} {
		numtest.Close(t, []string{"mean", "low", "high"}[i], v[i], want, 1e-12)
	}
	if one, ok := Of([]float64{3}); !ok || one[0] != 3 || !math.IsNaN(one[1]) || !math.IsNaN(one[2]) {
		t.Errorf("of one value: %v, %v", one, ok)
	}
	if _, ok := Of([]float64{math.NaN()}); ok {
		t.Error("a mean of nothing")
	}
}
