package frailty

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// A quantile of a mixture is that of plain bisection.
func TestQuantileIsThatOfBisection(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		var laws gammas
		shape, p := math.Exp(3*rng.NormFloat64()), 0.001+0.998*rng.Float64()
		total, spread := 0.0, 0.0
		if i%3 > 0 {
			spread = math.Exp(2*rng.NormFloat64() - 2)
		}
		centre := 6 * rng.NormFloat64()
		for range 1 + i%3*4 {
			lg, _ := math.Lgamma(shape)
			w := rng.Float64()
			laws = append(laws, weighted{distuv.Gamma{Alpha: shape, Beta: math.Exp(centre + spread*rng.NormFloat64())}, w, lg})
			total += w
		}
		for i := range laws {
			laws[i].weight /= total
		}
		got := laws.quantile(p)
		low, high := -700.0, 700.0
		for range 80 {
			x := (low + high) / 2
			if f, _ := laws.below(x); f < p {
				low = x
			} else {
				high = x
			}
		}
		if want := math.Exp((low + high) / 2); !near(got, want, 1e-11) && !(want < 1e-250 && got < 1e-250) {
			t.Errorf("%v at %v: %v, by bisection %v", laws, p, got, want)
		}
	}
}
