package frailty

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// A quantile is that of plain bisection to the last bit, at about half of its looks.
func TestQuantileIsThatOfBisection(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	asked, plain := 0, 0
	for range 2000 {
		shape, rate := math.Exp(6*rng.NormFloat64()), math.Exp(6*rng.NormFloat64())
		law, p := distuv.Gamma{Alpha: shape, Beta: rate}, rng.Float64()
		got := quantile(func(x float64) float64 { asked++; return law.CDF(x) }, p)
		low, high := -700.0, 700.0
		for range 80 {
			plain++
			if x := (low + high) / 2; law.CDF(math.Exp(x)) < p {
				low = x
			} else {
				high = x
			}
		}
		if want := math.Exp((low + high) / 2); got != want {
			t.Errorf("%v at %v: %v, by bisection %v", law, p, got, want)
		}
	}
	if 9*asked > 5*plain {
		t.Errorf("%d looks, by bisection %d", asked, plain)
	}
}
