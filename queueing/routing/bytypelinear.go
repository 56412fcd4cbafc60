package routing

import "math"

// invert sets out to the inverse of a symmetric positive definite matrix by its
// Cholesky factor, which takes the place of m. False: it is not definite within
// rounding.
//
// Own code: the matrices have as many rows as there are types of requests, and at two to
// four of them mat.Cholesky of gonum, which estimates the condition and allocates, makes
// [SplitByType] take some 2.5 times as long (BenchmarkSplitByType).
func invert(m, out []float64, n int) bool {
	for i := range n {
		for k := range i + 1 {
			v := m[i*n+k]
			for l := range k {
				v -= m[i*n+l] * m[k*n+l]
			}
			if i == k {
				if !(v > 0) || math.IsInf(v, 1) {
					return false
				}
				m[i*n+i] = math.Sqrt(v)
			} else {
				m[i*n+k] = v / m[k*n+k]
			}
		}
	}
	for c := range n {
		for i := c; i < n; i++ { // L⁻¹, column by column, below the diagonal
			v := 0.0
			if i == c {
				v = 1
			}
			for l := c; l < i; l++ {
				v -= m[i*n+l] * out[l*n+c]
			}
			out[i*n+c] = v / m[i*n+i]
		}
	}
	for i := range n {
		for k := range i + 1 { // L⁻ᵀL⁻¹; column i of L⁻¹ starts at row i ≥ k
			v := 0.0
			for l := i; l < n; l++ {
				v += out[l*n+i] * out[l*n+k]
			}
			m[i*n+k] = v
		}
	}
	for i := range n {
		for k := range i + 1 {
			out[i*n+k], out[k*n+i] = m[i*n+k], m[i*n+k]
		}
	}
	return true
}

func multiply(m, v, out []float64, n int) {
	for i := range n {
		out[i] = 0
		for k := range n {
			out[i] += m[i*n+k] * v[k]
		}
	}
}
