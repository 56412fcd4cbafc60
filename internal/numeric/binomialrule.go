package numeric

import "math"

// BinomialRule returns the nodes and weights of the Gauss rule of the binomial
// law of n > 0 trials with chance 0 < p < 1:
//
//	Σ_{u=0}^n P(u) f(u) = Σᵢ wᵢ f(uᵢ)
//
// exact for polynomials of degree below 2·points, and for every f where points
// is n + 1. The nodes, which need not be whole, rise within 0..n. They are the
// eigenvalues of the Jacobi matrix of the Krawtchouk polynomials, by
//
//	αₖ = p(n − k) + k(1 − p),  βₖ = k·p(1 − p)(n − k + 1)
//
// points within 1..n+1. Source: Golub, Welsch, Math. Comp. 23, 1969, with the
// recurrence of Koekoek, Swarttouw 1998, section 1.10.
func BinomialRule(n, p float64, points int) (nodes, weights []float64) {
	diagonal, off := make([]float64, points), make([]float64, max(points-1, 0))
	for i := range diagonal {
		k := float64(i)
		diagonal[i] = p*(n-k) + k*(1-p)
		if i > 0 {
			off[i-1] = math.Sqrt(k * p * (1 - p) * (n - k + 1))
		}
	}
	nodes, weights = JacobiRule(diagonal, off)
	for i := range nodes { // few, and nearly in order
		for k := i; k > 0 && nodes[k] < nodes[k-1]; k-- {
			nodes[k], nodes[k-1] = nodes[k-1], nodes[k]
			weights[k], weights[k-1] = weights[k-1], weights[k]
		}
	}
	return nodes, weights
}
