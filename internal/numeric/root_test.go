package numeric

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestBracket(t *testing.T) {
	for _, c := range []struct {
		name    string
		f       func(float64) float64
		yes, no float64
		root    float64
	}{
		{"line", func(x float64) float64 { return 3 - x }, 0, 10, 3},
		{"line from above", func(x float64) float64 { return x - 3 }, 10, 0, 3},
		{"flat then steep", func(x float64) float64 { return 1 - math.Pow(x, 41) }, 0, 100, 1},
		{"infinite at the end", func(x float64) float64 { return math.Log(2/x) + 1 }, 0, 50, 2 * math.E},
		{"jump", func(x float64) float64 { return math.Copysign(1, math.Pi-x) }, 0, 1e6, math.Pi},
		{"root at 0", func(x float64) float64 { return -x }, -1, 5, 0},
	} {
		calls := 0
		f := func(x float64) float64 { calls++; return c.f(x) }
		yes, no := Bracket(f, c.yes, c.f(c.yes), c.no, c.f(c.no))
		if c.f(yes) < 0 || math.Abs(yes-c.root) > 1e-15*math.Max(1, c.root)*4 || c.f(yes) != 0 && math.Abs(no-yes) > 1e-15*math.Max(1, c.root)*4 {
			t.Errorf("%s: [%v, %v], want %v", c.name, yes, no, c.root)
		}
		if calls > 200 {
			t.Errorf("%s: %d calls", c.name, calls)
		}
	}
}

func TestLeastInteger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answer := float64(rapid.Int64Range(0, 1e12).Draw(t, "answer"))
		guess := float64(rapid.Int64Range(-5, 2e12).Draw(t, "guess"))
		calls := 0
		n, ok := LeastInteger(func(n float64) bool { calls++; return n >= answer }, 0, guess, 2e12)
		if !ok || n != answer {
			t.Fatalf("got %v, %v", n, ok)
		}
		if calls > 100 {
			t.Fatalf("%d calls", calls)
		}
	})
	if _, ok := LeastInteger(func(float64) bool { return false }, 0, 3, 1000); ok {
		t.Error("found what is not there")
	}
	// Floats beyond 2⁵³ are more than 1 apart, and no whole number lies between neighbours.
	for _, answer := range []float64{1<<53 - 1, 1<<53 + 2, 1<<58 + 64, 1<<62 - 512} {
		for _, guess := range []float64{0, 1<<53 - 2, answer - 1024, answer, answer + 1024, 1e18} {
			calls := 0
			n, ok := LeastInteger(func(n float64) bool {
				if calls++; calls > 300 {
					t.Fatalf("from %v no end on the way to %v", guess, answer)
				}
				return n >= answer
			}, 0, guess, 1<<63)
			if !ok || n != answer {
				t.Errorf("from %v got %v, %v, want %v", guess, n, ok, answer)
			}
		}
	}
}
