package numeric

import "math"

// JacobiRule returns the eigenvalues of a symmetric tridiagonal matrix and the
// squares of the first parts of its unit vectors: nodes and weights of the Gauss
// rule whose recurrence the matrix holds. Time is quadratic in the size. Source:
// Golub, Welsch, Math. Comp. 23, 1969; the implicit QL of Wilkinson, Reinsch 1971.
func JacobiRule(diagonal, off []float64) (nodes, weights []float64) {
	n := len(diagonal)
	d := append([]float64(nil), diagonal...)
	e := append(append(make([]float64, 0, n), off...), 0)
	z := make([]float64, n)
	if n > 0 {
		z[0] = 1
	}
	const epsilon = 0x1p-53
	for l := range n {
		for range 60 {
			m := l
			for ; m < n-1; m++ {
				if math.Abs(e[m]) <= epsilon*(math.Abs(d[m])+math.Abs(d[m+1])) {
					break
				}
			}
			if m == l {
				break
			}
			g := (d[l+1] - d[l]) / (2 * e[l])
			r := math.Hypot(g, 1)
			g = d[m] - d[l] + e[l]/(g+math.Copysign(r, g))
			s, c, p := 1.0, 1.0, 0.0
			for i := m - 1; i >= l; i-- {
				f, b := s*e[i], c*e[i]
				if math.Abs(f) < math.Abs(g) {
					s = f / g
					r = math.Hypot(s, 1)
					e[i+1], c = g*r, 1/r
					s *= c
				} else if f != 0 {
					c = g / f
					r = math.Hypot(c, 1)
					e[i+1], s = f*r, 1/r
					c *= s
				} else {
					e[i+1], s, c = 0, 0, 1
				}
				g = d[i+1] - p
				r = (d[i]-g)*s + 2*c*b
				p = s * r
				d[i+1] = g + p
				g = c*r - b
				z[i], z[i+1] = c*z[i]-s*z[i+1], s*z[i]+c*z[i+1]
			}
			d[l] -= p
			e[l], e[m] = g, 0
		}
	}
	for i := range z {
		z[i] *= z[i]
	}
	return d, z
}
