package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Loads answer as a slice with a value for each step does.
func TestLoads(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var l Loads
		dense := make([]float64, 400)
		for i := range dense {
			dense[i] = math.NaN()
		}
		first := rng.Int64N(1e6)
		for i := int64(0); i < 400; i += 1 + rng.Int64N(3)*rng.Int64N(15) {
			if rng.IntN(8) == 0 && i+30 < 400 { // a span of one load
				l.Spans = append(l.Spans, LoadSpan{First: first + i, Steps: 20, Load: 0.25})
				for k := range 20 {
					dense[i+int64(k)] = 0.25
				}
				i += 20
				continue
			}
			dense[i] = rng.Float64()
			l.Add(first+i, dense[i])
			l.Add(first+i, 7) // not the first for its step
		}
		for range 50 {
			from := rng.Int64N(440) - 20
			to := from + rng.Int64N(100)
			var want []float64
			total := 0.0
			for i := max(from, 0); i < min(to, 400); i++ {
				if !math.IsNaN(dense[i]) {
					want = append(want, dense[i])
					total += dense[i]
				}
			}
			got := l.between(nil, first+from, first+to)
			sum, n := l.Sum(first+from, first+to)
			if !slices.Equal(got, want) || n != int64(len(want)) || math.Abs(sum-total) > 1e-9 {
				t.Fatalf("steps %d to %d: %v, sum %v of %d, want %v, sum %v", from, to, got, sum, n, want, total)
			}
			at := l.At(first + from)
			if in := from >= 0 && from < 400; in && at != dense[from] && !math.IsNaN(dense[from]) || (!in || math.IsNaN(dense[from])) && !math.IsNaN(at) {
				t.Fatalf("step %d: %v, want %v", from, at, dense[max(0, min(from, 399))])
			}
		}
	}
}

// A gap of any length takes no memory.
func TestLoadsOfLongGap(t *testing.T) {
	var l Loads
	for _, step := range []int64{0, 1, 2, 1 << 55, 1<<55 + 1} {
		l.Add(step, 0.5)
	}
	if len(l.Spans) != 2 || l.At(1<<54) == l.At(1<<54) || l.At(1<<55) != 0.5 {
		t.Errorf("%d spans, %v and %v, want 2, no sample and .5", len(l.Spans), l.At(1<<54), l.At(1<<55))
	}
	if got := l.between(nil, 1, 1<<55+1); len(got) != 3 {
		t.Errorf("%d samples, want 3", len(got))
	}
}
