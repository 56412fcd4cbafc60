package lp

import (
	"context"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/capplan/capplan/internal/numeric"
)

// How far an optimum is proven in floating point.
const (
	unproven = iota
	likely   // as far as solvers in floating point prove theirs
	proven   // so that rounding cannot have hidden another optimum
)

// proof says how far y is shown to be an optimum, by a basis whose dual values
// leave no gap: both solved anew from the rows as they are, so that what the
// simplex method lost on its way does not matter. Unproven says nothing about
// y: the basis may be too near to a singular one for 53 bits.
func (s *standard) proof(ctx context.Context, y []float64) int {
	basis := s.basisOf(ctx, y)
	switch {
	case basis == nil:
		return unproven
	case s.proves(basis, y, 1e-13, 1e6):
		return proven
	case s.proves(basis, y, 1e-9, 1e10):
		return likely
	}
	return unproven
}

// factored returns the columns of a basis, factored, and what each costs.
func (s *standard) factored(basis []int) (*mat.LU, *mat.VecDense) {
	m := len(s.rows)
	b, cost := mat.NewDense(m, m, nil), mat.NewVecDense(m, nil)
	for k, j := range basis {
		cost.SetVec(k, s.cost[j])
		for i := range m {
			b.Set(i, k, s.rows[i][j])
		}
	}
	lu := new(mat.LU)
	lu.Factorize(b)
	return lu, cost
}

// proves reports whether a basis proves y, with signs right but for so small a
// part of the size of what was summed, at a condition number below worst.
func (s *standard) proves(basis []int, y []float64, small, worst float64) bool {
	m := len(s.rows)
	lu, cost := s.factored(basis)
	if c := lu.Cond(); !(c < worst) {
		return false
	}
	var x, dual mat.VecDense
	if lu.SolveVecTo(&x, false, mat.NewVecDense(m, s.rhs)) != nil || lu.SolveVecTo(&dual, true, cost) != nil {
		return false
	}
	most := 0.0
	for k := range m {
		most = math.Max(most, math.Abs(x.AtVec(k)))
	}
	z, bound, loose := 0.0, 0.0, 0.0
	for k, j := range basis {
		if !(x.AtVec(k) >= -small*(1+most)) {
			return false
		}
		z += s.cost[j] * x.AtVec(k)
	}
	for i, v := range s.rhs {
		bound += v * dual.AtVec(i)
		loose += math.Abs(v*dual.AtVec(i)) * 0x1p-48
	}
	for j := range s.n {
		d, size := s.cost[j], math.Abs(s.cost[j])
		for i := range m {
			a := s.rows[i][j] * dual.AtVec(i)
			d, size = d-a, size+math.Abs(a)
		}
		if !(d >= -small*size) {
			return false
		}
	}
	at := 0.0
	for j, c := range s.cost {
		at += c * y[j]
	}
	slack := 1e-7 * (1 + math.Abs(at))
	return math.Abs(z-at) <= slack && math.Abs(bound-at)+loose <= slack
}

// basisOf returns a basis of y that is optimal as far as floating point shows: the columns in use,
// others in their order until the rows are full, and then what the simplex method changes; nil for
// none.
func (s *standard) basisOf(ctx context.Context, y []float64) []int {
	m := len(s.rows)
	t := make([][]float64, m+1)
	for i := range m {
		t[i] = append(append(make([]float64, 0, s.n+1), s.rows[i]...), s.rhs[i])
	}
	t[m] = append(append(make([]float64, 0, s.n+1), s.cost...), 0)
	order, basis := numeric.Indices[int](s.n), slices.Repeat([]int{-1}, m)
	sort.SliceStable(order, func(a, b int) bool { return y[order[a]] > y[order[b]] })
	pivot := func(row, column int) {
		r := t[row]
		f := r[column]
		for j := range r {
			r[j] /= f
		}
		for i, line := range t {
			if f := line[column]; i != row && f != 0 {
				for j, v := range r {
					line[j] -= f * v
				}
				line[column] = 0
			}
		}
		basis[row] = column
	}
	left := m
	for _, j := range order {
		at, most := -1, 1e-9
		for i := range m {
			if basis[i] < 0 && math.Abs(t[i][j]) > most {
				at, most = i, math.Abs(t[i][j])
			}
		}
		if at < 0 {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		if pivot(at, j); left == 1 {
			return s.improved(ctx, t, basis, pivot)
		}
		left--
	}
	return nil
}

// improved pivots by Bland's rule until no column lowers the objective.
func (s *standard) improved(ctx context.Context, t [][]float64, basis []int, pivot func(row, column int)) []int {
	m := len(basis)
	for range 2 * (m + s.n) {
		column := -1
		for j := range s.n {
			if t[m][j] < -1e-10*(1+math.Abs(s.cost[j])) {
				column = j
				break
			}
		}
		if column < 0 {
			return basis
		}
		row, least := -1, math.Inf(1)
		for i := range m {
			if a := t[i][column]; a > 1e-9 {
				r := math.Max(0, t[i][s.n]) / a
				if r < least || r == least && basis[i] < basis[row] {
					row, least = i, r
				}
			}
		}
		if row < 0 || ctx.Err() != nil {
			return nil
		}
		pivot(row, column)
	}
	return nil
}
