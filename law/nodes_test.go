package law

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestNodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	xs := make([]float64, 20_000)
	for i := range xs {
		xs[i] = 3 * rng.NormFloat64()
	}
	n := newNodes(xs, 0.5)
	if len(n.x) > 2000 {
		t.Fatalf("%d nodes for %d points", len(n.x), len(xs))
	}
	for name, f := range map[string]func(float64) float64{
		"count":  func(float64) float64 { return 1 },
		"normal": func(x float64) float64 { return logNormalTail(0.8*x - 1) },
		"gamma":  func(x float64) float64 { return logGammaTail(2.5, math.Exp(x), x) },
		"power":  func(x float64) float64 { return math.Exp(1.3 * x) },
	} {
		want, got := 0.0, 0.0
		for _, x := range xs {
			want += f(x)
		}
		for i, x := range n.x {
			got += n.weight[i] * f(x)
		}
		numtest.Close(t, name, got, want, 1e-11)
	}
	if few := newNodes(xs[:100], 0.5); len(few.x) != 100 {
		t.Errorf("%d nodes for 100 points", len(few.x))
	}
	equal := make([]float64, 5000)
	for i := range equal {
		equal[i] = 2
	}
	if one := newNodes(equal, 0.5); len(one.x) != 1 || one.weight[0] != 5000 {
		t.Errorf("equal points: %+v", one)
	}
}
