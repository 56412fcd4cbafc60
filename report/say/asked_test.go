package say

import "testing"

// A limit that a figure would only be above is written by how far it is below 1.
func TestAsked(t *testing.T) {
	for v, want := range map[float64]string{0.95: "95%", 1: "100%", 1 - 1e-12: "1 - 1e-12", 0.9999999999999999: "1 - 1.11e-16"} {
		if got := Asked(v, 4); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
