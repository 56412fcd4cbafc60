package queueing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Draws have the moments of their law, within four standard errors.
func TestDrawsHaveTheMomentsOfTheLaw(t *testing.T) {
	hyper, err := BalancedHyperexponential(2, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []interface {
		Law
		Draw(*rand.Rand) float64
	}{
		Deterministic{Time: 2}, Exponential{Mean: 2}, ErlangK{Mean: 2, Phases: 3}, ErlangK{Mean: 2, Phases: 40},
		Gamma{Mean: 2, SCV: 0.3}, Gamma{Mean: 2, SCV: 3}, hyper, Lognormal{Mean: 2, SCV: 0.5},
		Empirical{Times: []float64{1, 2, 7}}, Empirical{Times: []float64{1, 9, 2, 7}, Weights: []float64{3, 0, 1, 2}},
	} {
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
		})
	}
}
