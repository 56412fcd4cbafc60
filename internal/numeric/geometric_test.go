package numeric

import (
	"math"
	"testing"
)

// The closed form is the sum term by term, on both sides of 0 and near it.
func TestGeometricSumByTerms(t *testing.T) {
	for _, theta := range []float64{-3, -0.2, -1e-3, -1e-9, 0, 1e-12, 1e-4, 0.1, 2} {
		for _, n := range []float64{1, 2, 7, 300} {
			var sum, weighted float64
			for j := n - 1; j >= 0; j-- { // over the greatest term, which may overflow
				w := math.Exp(theta*j - math.Max(0, theta*(n-1)))
				sum, weighted = sum+w, weighted+j*w
			}
			log, mean := GeometricSum(theta, n)
			want := math.Log(sum) + math.Max(0, theta*(n-1))
			if math.Abs(log-want) > 1e-12*math.Max(1, math.Abs(want)) || math.Abs(mean-weighted/sum) > 1e-11*math.Max(1, mean) {
				t.Errorf("θ = %v, n = %v: ln %v, mean %v; want %v, %v", theta, n, log, mean, want, weighted/sum)
			}
		}
	}
}
