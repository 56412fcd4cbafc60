package backtest

import (
	"math"
	"testing"
)

// Scores that are equal but for the rounding of their sums have no standard error and do not
// differ: 9.5e-20 is no answer.
func TestScoresWithoutRounding(t *testing.T) {
	var alike, equal clustered
	for _, n := range []int{7, 11, 13, 48} {
		var up, down scoreSums
		for i := range n {
			up.add(0.999-float64(i%3)*1e-4, true)
			down.add(0.999-float64((n-1-i)%3)*1e-4, true)
		}
		one := 0.0
		for range n {
			one += 0.1
		}
		alike.add(one, float64(n))
		if (n-1)%3 != 0 && n%3 != 0 { // as many of each chance in either order
			continue
		}
		equal.addLess(up.Brier, down.Brier, float64(n))
	}
	if mean, se := alike.mean(); math.Abs(mean-0.1) > 1e-12 || se != 0 {
		t.Errorf("one score throughout: %v ± %v, want 0.1 ± 0", mean, se)
	}
	if mean, se := equal.mean(); mean != 0 || se != 0 {
		t.Errorf("the same chances in another order differ by %v ± %v", mean, se)
	}
	var differ clustered
	differ.addLess(1, 1-1e-9, 100)
	differ.addLess(1, 1-2e-9, 100)
	if mean, se := differ.mean(); mean == 0 || se == 0 {
		t.Errorf("a small difference is lost: %v ± %v", mean, se)
	}
}
