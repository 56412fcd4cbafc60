package numeric

import "math"

// Barycentric returns the value at x of the polynomial through the nodes. Source:
// Berrut, Trefethen, Barycentric Lagrange interpolation, SIAM Rev. 46, 2004.
func Barycentric(nodes, weights, values []float64, x float64) float64 {
	sum, total := 0.0, 0.0
	for i, n := range nodes {
		if x == n {
			return values[i]
		}
		w := weights[i] / (x - n)
		sum += w * values[i]
		total += w
	}
	return sum / total
}

// BarycentricWeights are 1/∏ₖ(xⱼ − xₖ), times a power of a quarter of the nodes' length.
func BarycentricWeights(nodes []float64) []float64 {
	weights := make([]float64, len(nodes))
	unit := (nodes[len(nodes)-1] - nodes[0]) / 4
	for i, x := range nodes {
		weights[i] = 1
		for k, y := range nodes {
			if k != i {
				weights[i] *= unit / (x - y)
			}
		}
	}
	return weights
}

// ChebyshevNodes are those points of an interval, its ends among them.
func ChebyshevNodes(low, high float64, n int) []float64 {
	nodes := make([]float64, n)
	for i := range nodes {
		nodes[i] = low + (high-low)*(1-math.Cos(float64(i)*math.Pi/float64(n-1)))/2
	}
	return nodes
}
