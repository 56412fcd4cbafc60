package smp

// meanVisits solves m = c + P m by state elimination without subtraction
// (Grassmann, Taksar, Heyman): P is a substochastic matrix whose row i leaves
// for good with probability exit[i], so that 1 − p_kk is the sum of the other
// entries and the exit. All terms are non-negative and every m keeps its
// relative digits. P, exit and c are overwritten; c becomes m.
func meanVisits(p [][]float64, exit, c []float64) {
	n := len(c)
	for k := n - 1; k >= 0; k-- {
		s := exit[k]
		for j := range k {
			s += p[k][j]
		}
		for i := range k {
			f := p[i][k] / s
			if f == 0 {
				continue
			}
			for j := range k {
				p[i][j] += f * p[k][j]
			}
			exit[i] += f * exit[k]
			c[i] += f * c[k]
		}
		// Row k now: m_k = (c_k + Σ_{j<k} p_kj m_j) / s.
		c[k] /= s
		for j := range k {
			p[k][j] /= s
		}
	}
	for k := range n {
		for j := range k {
			c[k] += p[k][j] * c[j]
		}
	}
}

// stationary returns the law π = π P of an irreducible stochastic matrix, by
// the same elimination. P is overwritten.
func stationary(p [][]float64) []float64 {
	n := len(p)
	for k := n - 1; k > 0; k-- {
		s := 0.0
		for j := range k {
			s += p[k][j]
		}
		for i := range k {
			p[i][k] /= s
			for j := range k {
				p[i][j] += p[i][k] * p[k][j]
			}
		}
	}
	pi := make([]float64, n)
	pi[0] = 1
	total := 1.0
	for k := 1; k < n; k++ {
		for i := range k {
			pi[k] += pi[i] * p[i][k]
		}
		total += pi[k]
	}
	for k := range pi {
		pi[k] /= total
	}
	return pi
}

// reach returns which states can be reached from the given ones by arcs of
// positive probability, walking on only from states that pass.
func reach(p [][]float64, from []int, pass func(int) bool) []bool {
	seen := make([]bool, len(p))
	stack := append([]int(nil), from...)
	for _, i := range from {
		seen[i] = true
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !pass(i) {
			continue
		}
		for j, v := range p[i] {
			if v > 0 && !seen[j] {
				seen[j] = true
				stack = append(stack, j)
			}
		}
	}
	return seen
}

// transposed returns the matrix with its arcs turned about.
func transposed(p [][]float64) [][]float64 {
	out := make([][]float64, len(p))
	for i := range out {
		out[i] = make([]float64, len(p))
		for j := range p {
			out[i][j] = p[j][i]
		}
	}
	return out
}
