package lp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// contradiction returns how far the rows are shown to contradict each other, by Farkas' lemma:
// weights π of the rows with
//
//	Aᵀπ ≤ 0,    bᵀπ > 0
//
// leave no y ≥ 0 with Ay = b, since yᵀAᵀπ = bᵀπ. They are the dual values of a basis of y, an
// optimum of [standard.aided], computed again from the rows as they are. If rounding leaves Aᵀπ
// above 0, only vectors with a sum of at least bᵀπ / max Aᵀπ are possible: how much greater that is
// than every right-hand side says whether the contradiction is proven or only likely.
//
// Source: J. Farkas, Theorie der einfachen Ungleichungen, Journal für die reine und angewandte
// Mathematik 124 (1902) 1-27.
func (s *standard) contradiction(ctx context.Context, y []float64) int {
	aided, _ := s.aided()
	basis := aided.basisOf(ctx, y)
	if basis == nil {
		return unproven
	}
	pi, condition := aided.duals(basis)
	if pi == nil {
		return unproven
	}
	gain, sum, greatest := 0.0, 0.0, 1.0
	for i, v := range s.rhs {
		gain, sum, greatest = gain+v*pi.AtVec(i), sum+math.Abs(v*pi.AtVec(i)), math.Max(greatest, math.Abs(v))
	}
	over := 0.0
	for j := range s.n {
		d, size := 0.0, 0.0
		for i := range s.rows {
			a := s.rows[i][j] * pi.AtVec(i)
			d, size = d+a, size+math.Abs(a)
		}
		over = math.Max(over, math.Max(0, d)+size*0x1p-52)
	}
	room := gain / over / greatest
	switch {
	case gain > 1e-6*sum && room > 1e12 && condition < 1e6:
		return proven
	case gain > 1e-9*sum && room > 1e9 && condition < 1e10:
		return likely
	}
	return unproven
}

// duals returns the dual values of a basis and its condition number, nil where it is
// singular as far as 53 bits tell.
func (s *standard) duals(basis []int) (dual *mat.VecDense, condition float64) {
	lu, cost := s.factored(basis)
	dual = new(mat.VecDense)
	if condition = lu.Cond(); !(condition < 1e15) || lu.SolveVecTo(dual, true, cost) != nil {
		return nil, condition
	}
	return dual, condition
}
