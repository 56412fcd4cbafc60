package queueing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// drawable are laws that draw.
func drawable(t *testing.T) []Law {
	t.Helper()
	hyper, err := BalancedHyperexponential(2, 4)
	if err != nil {
		t.Fatal(err)
	}
	return []Law{
		Deterministic{Time: 2}, Exponential{Mean: 2}, ErlangK{Mean: 2, Phases: 3}, ErlangK{Mean: 2, Phases: 40},
		Gamma{Mean: 2, SCV: 0.3}, Gamma{Mean: 2, SCV: 3}, hyper, Lognormal{Mean: 2, SCV: 0.5},
		Empirical{Times: []float64{1, 2, 7}}, Empirical{Times: []float64{1, 9, 2, 7}, Weights: []float64{3, 0, 1, 2}},
	}
}

// Draws have the moments of their law, within four standard errors, and length-biased ones the next moments over the
// mean.
func TestDrawsHaveTheMomentsOfTheLaw(t *testing.T) {
	for _, l := range drawable(t) {
		t.Run(fmt.Sprintf("%T", l), func(t *testing.T) {
			const n = 200_000
			r := rand.New(rand.NewPCG(1, 2))
			var sum, squares, fourths float64
			for range n {
				x := l.Draw(r)
				sum += x
				squares += x * x
				fourths += x * x * x * x
			}
			m1, m2, _ := l.Moments()
			mean, square := sum/n, squares/n
			if e := math.Abs(mean - m1); e > 4*math.Sqrt((m2-m1*m1)/n)+1e-12 {
				t.Errorf("mean %v, want %v", mean, m1)
			}
			if e := math.Abs(square - m2); e > 4*math.Sqrt((fourths/n-square*square)/n)+1e-9 {
				t.Errorf("second moment %v, want %v", square, m2)
			}
			sum, squares, fourths = 0, 0, 0
			draw := LengthBiased(l)
			for range n {
				x := draw(r)
				sum += x
				squares += x * x
				fourths += x * x * x * x
			}
			_, _, m3 := l.Moments()
			mean, square = sum/n, squares/n
			if e := math.Abs(mean - m2/m1); e > 4*math.Sqrt((m3/m1-m2/m1*m2/m1)/n)+1e-12 {
				t.Errorf("mean by length %v, want %v", mean, m2/m1)
			}
			if e := math.Abs(square - m3/m1); e > 4*math.Sqrt((fourths/n-square*square)/n)+1e-9 {
				t.Errorf("second moment by length %v, want %v", square, m3/m1)
			}
		})
	}
}

// A law of which nothing can be drawn by length has no such draws, nor one of a kind that is not known.
func TestNoLengthBiased(t *testing.T) {
	for _, l := range []Law{nil, &Exponential{Mean: 2}, Hyperexponential{}, Hyperexponential{Means: []float64{1}},
		Empirical{}, Empirical{Times: []float64{1, 2}, Weights: []float64{1}}, Empirical{Times: []float64{0}},
		Empirical{Times: []float64{1}, Weights: []float64{math.NaN()}}} {
		if LengthBiased(l) != nil {
			t.Errorf("%#v draws by length", l)
		}
	}
	for _, l := range drawable(t) {
		if _, fixed := l.(Deterministic); !fixed && !math.IsNaN(LengthBiased(l)(nil)) {
			t.Errorf("%#v draws without a source", l)
		}
	}
}
