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

// As many tasks done by workers as in the steps of a bag that is hardly ever done leave none, and are not counted one
// by one: the sum of their chances did not end.
func TestWholeOfManyDone(t *testing.T) {
	for _, m := range []float64{0.5, 2, 50, 500} {
		if got := Whole(m, 1e15, OfFew(m)); got != 0 {
			t.Errorf("%v of %v tasks are left", got, m)
		}
	}
}
