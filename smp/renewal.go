package smp

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A renewal is the system of Markov renewal equations
//
//	x_i(k) = b_i(k) + Σ_j Σ_{l=1..k} q_ij(l) x_j(k−l),   k = 0..n
//
// with non-negative coefficients, for i, j in a subset of the states. The
// reliability, the first-passage densities and the availability are its
// solutions for different b.
type renewal struct {
	n    int
	rows [][]arc // arcs within the subset, renumbered, lag ≤ n
	size int     // number of arcs
}

// newRenewal restricts the kernel to the given states.
func newRenewal(k *Kernel, states []int, n int) *renewal {
	number := make([]int32, len(k.rows))
	for i := range number {
		number[i] = -1
	}
	for a, i := range states {
		number[i] = int32(a)
	}
	r := &renewal{n: n, rows: make([][]arc, len(states))}
	for a, i := range states {
		size := 0
		for _, e := range k.rows[i] {
			if number[e.to] >= 0 && int(e.lag) <= n {
				size++
			}
		}
		row := make([]arc, 0, size)
		for _, e := range k.rows[i] {
			if j := number[e.to]; j >= 0 && int(e.lag) <= n {
				row = append(row, arc{j, e.lag, e.prob})
			}
		}
		r.rows[a] = row
		r.size += size
	}
	return r
}

// direct solves the system in place, b becoming x, by its own recursion: n·m
// additions of non-negative terms, exact to rounding.
func (r *renewal) direct(ctx context.Context, x [][]float64) error {
	for k := 1; k <= r.n; k++ {
		if k&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i, row := range r.rows {
			s := 0.0
			for _, a := range row {
				l := int(a.lag)
				if l > k {
					break
				}
				s += a.prob * x[a.to][k-l]
			}
			x[i][k] += s
		}
	}
	return nil
}

// at returns the right-hand side Σ q x without b, at one k and i.
func (r *renewal) at(x [][]float64, i, k int) float64 {
	s := 0.0
	for _, a := range r.rows[i] {
		l := int(a.lag)
		if l > k {
			break
		}
		s += a.prob * x[a.to][k-l]
	}
	return s
}

// residual returns the greatest defect of x as a solution with right-hand side
// b, at twelve horizons spread over 1..n, relative to the solution itself; for
// a density, which may be nothing between two atoms, relative to the greatest
// from any state within the two blocks, or the eighth of the horizon, before,
// and to
// a millionth of its mean so far.
func (r *renewal) residual(x, b [][]float64, density bool) float64 {
	worst := 0.0
	const points = 12
	span := max(2*blockLengths(r.n)[0], r.n/8)
	for p := 1; p <= points; p++ {
		// Quadratic spacing: short horizons, where a sojourn has its
		// structure, and the long end.
		k := int(math.Ceil(float64(r.n) * float64(p*p) / (points * points)))
		if k < 1 {
			continue
		}
		for i := range r.rows {
			want := b[i][k] + r.at(x, i, k)
			scale := want
			if density {
				for j := range x {
					seen := x[j][:k+1]
					scale = math.Max(scale, slices.Max(seen[max(0, k-span):]))
					scale = math.Max(scale, negligible*floats.Sum(seen)/float64(k+1))
				}
			}
			if x[i][k] == want || scale < underflow {
				continue
			}
			worst = math.Max(worst, math.Abs(x[i][k]-want)/scale)
		}
	}
	return worst
}

// underflow is a level at which relative errors no longer mean anything.
const underflow = 1e-290

// negligible is the share of its mean below which a density adds nothing to
// its sum.
const negligible = 1e-6
