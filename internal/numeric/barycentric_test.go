package numeric

import (
	"math"
	"testing"
)

// The polynomial through 17 Chebyshev nodes of eˣ on [1, 3] is off by less than rounding
// does, also at the nodes, where the formula divides by 0.
func TestBarycentric(t *testing.T) {
	nodes := ChebyshevNodes(1, 3, 17)
	values := make([]float64, len(nodes))
	for i, x := range nodes {
		values[i] = math.Exp(x)
	}
	weights := BarycentricWeights(nodes)
	for i := range 401 {
		x := 1 + float64(i)/200
		if got, want := Barycentric(nodes, weights, values, x), math.Exp(x); math.Abs(got-want) > 1e-14*want {
			t.Errorf("at %v: %v, want %v", x, got, want)
		}
	}
}
