package numeric

import (
	"math"
	"testing"
)

// The rule of the Legendre recurrence is Gauss's: five nodes integrate x⁸ over
// [−1, 1] exactly, and the middle one weighs 128/225 (Abramowitz, Stegun 25.4.30).
func TestJacobiRule(t *testing.T) {
	off := make([]float64, 4)
	for k := range off {
		n := float64(k + 1)
		off[k] = n / math.Sqrt(4*n*n-1)
	}
	nodes, weights := JacobiRule(make([]float64, 5), off)
	sum := 0.0
	for i, x := range nodes {
		sum += 2 * weights[i] * math.Pow(x, 8)
		if math.Abs(x) < 1e-12 && math.Abs(2*weights[i]-128./225) > 1e-14 {
			t.Errorf("middle weight %v", 2*weights[i])
		}
	}
	if math.Abs(sum-2./9) > 1e-14 {
		t.Errorf("∫ x⁸ = %v, want 2/9", sum)
	}
}
