package numeric

import "math"

// GeometricSum returns ln Σ_{j=0}^{n−1} e^{θj} and the mean of j under these
// weights, for whole n ≥ 1 and any finite θ, without cancellation near θ = 0
// and without overflow. Time is independent of n.
//
// Mean: with g(y) = 1/(1 − e^(−y)) − ½ − 1/y, which is odd and smooth, the
// poles cancel and (n−1)/2 + n·g(nθ) − g(θ) remains.
func GeometricSum(theta, n float64) (log, mean float64) {
	if theta == 0 {
		return math.Log(n), (n - 1) / 2
	}
	if theta > 0 {
		// Count from the other end.
		log, mean = GeometricSum(-theta, n)
		return log + theta*(n-1), n - 1 - mean
	}
	log = math.Log(math.Expm1(n*theta) / math.Expm1(theta))
	if n*theta < -1 {
		// q/(1−q) − n·qⁿ/(1−qⁿ) with q = e^θ.
		mean = 1/math.Expm1(-theta) - n/math.Expm1(-n*theta)
		return log, mean
	}
	return log, (n-1)/2 + n*langevin(n*theta) - langevin(theta)
}

// langevin returns ½ coth(y/2) − 1/y.
func langevin(y float64) float64 {
	if math.Abs(y) > 0.5 {
		return 0.5/math.Tanh(y/2) - 1/y
	}
	z := y * y
	return y / 12 * (1 - z/60*(1-z/42*(1-z/40*(1-z*5/198*(1-z*691/27300*(1-z*35/1382))))))
}
