package noneleft

import (
	"math"
	"testing"
)

// The series of a logarithm near 1 is as near as is said, where it begins too.
func TestMinusLog(t *testing.T) {
	for _, q := range []float64{0, 1e-9, 1e-4, 0.005, 0.01, 0.0100001, 0.5, 1} {
		if got, want := minusLog(1-q), -math.Log1p(-q); math.Abs(got-want) > 1e-12*want+1e-16 && got != want {
			t.Errorf("of 1 - %v: %v, want %v", q, got, want)
		}
	}
}
