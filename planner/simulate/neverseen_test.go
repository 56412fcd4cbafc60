package simulate

import "testing"

// Runs in which everybody waited bound the share of those who do not by their number, though free
// servers come in bursts: one burst less than there should be proves nothing.
func TestNeverSeenIsTooRare(t *testing.T) {
	for closed, rare := range map[float64]bool{1 - 1e-6: true, 0.9: false} {
		f := Figure{Mean: new(1.0), Low: new(1 - 2.6e-7), High: new(1.0)}
		f.judge("wait_probability", 34, closed, 0)
		if f.TooRare != rare || (f.Agrees == nil) != rare {
			t.Errorf("%v: too rare %v, agrees %v", closed, f.TooRare, f.Agrees)
		}
	}
}
