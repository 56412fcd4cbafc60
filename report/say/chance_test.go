package say

import "testing"

// Digits that so many draws cannot tell are not written, and what no draw showed
// is not said to be impossible.
func TestChance(t *testing.T) {
	for _, c := range []struct {
		p     float64
		draws int
		want  string
	}{
		{0, 4000, "< 0.1%"}, {0, 1000, "< 0.5%"}, {0, 10000, "< 0.05%"}, {0, 100, "< 5%"}, {0, 3, "< 64%"}, {0, 1, "< 95%"},
		{1, 4000, "> 99.9%"}, {1, 1000, "> 99.5%"}, {1, 10000, "> 99.95%"}, {1, 2, "> 22%"}, {1, 6, "> 60%"}, {0.5, 2, "50%"},
		{0.22425, 4000, "22.4%"}, {0.5, 4000, "50%"}, {0.9998, 10000, "> 99.9%"}, {0.0002, 10000, "< 0.1%"},
		{0.952, 1000, "95.2%"}, {0.9996, 4000, "> 99.9%"}, {0.375, 40, "38%"}, {0.371, 0, "37.1%"},
	} {
		if got := Chance(c.p, c.draws); got != c.want {
			t.Errorf("chance(%v, %d) = %q, want %q", c.p, c.draws, got, c.want)
		}
	}
}

func TestRough(t *testing.T) {
	for p, want := range map[float64]string{
		0: "0%", 1e-9: "< 0.1%", 0.0123: "1.23%", 0.9512: "95.12%", 0.99901: "> 99.9%", 1 - 1e-13: "> 99.9%", 1: "> 99.9%",
	} {
		if got := Rough(p, 4); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}
