package numeric

import (
	"math"

	"gonum.org/v1/gonum/lapack"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
)

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
	nodes, weights = make([]float64, points), make([]float64, points)
	off := make([]float64, max(points-1, 0))
	for i := range nodes {
		k := float64(i)
		nodes[i] = p*(n-k) + k*(1-p)
		if i > 0 {
			off[i-1] = math.Sqrt(k * p * (1 - p) * (n - k + 1))
		}
	}
	vectors := make([]float64, points*points)
	(lapackgonum.Implementation{}).Dsteqr(lapack.EVTridiag, points, nodes, off, vectors, points,
		make([]float64, max(1, 2*points-2)))
	for i := range weights {
		weights[i] = vectors[i] * vectors[i]
	}
	return nodes, weights
}
