package lp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// standard is a linear program in the form min cᵀy, Ay = b, y ≥ 0, with the
// way back to the variables of the model.
type standard struct {
	cost []float64
	rows [][]float64
	rhs  []float64
	back []substitution
	n    int // columns
	// doubt is the most by which a row that was dropped differs from what others
	// imply, +Inf where one was kept by little more than rounding.
	doubt float64
}

// substitution is x = base + sign·y[column] − y[minus].
type substitution struct {
	base          float64
	sign          float64
	column, minus int // −1 for none
}

// errTrivial says that the bounds or rows contradict each other on their own.
var errTrivial = errors.New("infeasible")

// newStandard brings a minimizing model into standard form. Rows without
// variables and columns without rows are gone; ray says that one of the
// latter makes the objective fall without limit.
func newStandard(m *Model) (s *standard, ray bool, err error) {
	s = &standard{back: make([]substitution, len(m.Variables))}
	used := make([]bool, len(m.Variables))
	for _, r := range m.Rows {
		for _, t := range r.Terms {
			used[t.Variable] = used[t.Variable] || t.Coefficient != 0
		}
	}
	var bounded [][2]float64 // column, upper bound
	for j, v := range m.Variables {
		b := substitution{column: -1, minus: -1, sign: 1}
		switch {
		case v.Lower > v.Upper:
			return nil, false, errTrivial
		case v.Lower == v.Upper:
			b.base = v.Lower
		case !used[j]:
			b.base = clamp(0, v.Lower, v.Upper)
			if v.Cost > 0 {
				b.base = v.Lower
			} else if v.Cost < 0 {
				b.base = v.Upper
			}
			if math.IsInf(b.base, 0) {
				ray = true
				b.base = clamp(0, v.Lower, v.Upper)
			}
		case !math.IsInf(v.Lower, -1):
			b.base, b.column = v.Lower, s.column(v.Cost)
			if !math.IsInf(v.Upper, 1) {
				bounded = append(bounded, [2]float64{float64(b.column), v.Upper - v.Lower})
			}
		case !math.IsInf(v.Upper, 1):
			b.base, b.sign, b.column = v.Upper, -1, s.column(-v.Cost)
		default:
			b.column = s.column(v.Cost)
			b.minus = s.column(-v.Cost)
		}
		s.back[j] = b
	}
	for _, r := range m.Rows {
		if err := s.addRow(r); err != nil {
			return nil, ray, err
		}
	}
	for _, b := range bounded {
		row := make([]float64, s.n)
		row[int(b[0])] = 1
		s.add(row, b[1], 1)
	}
	for i := range s.rows {
		s.rows[i] = append(s.rows[i], make([]float64, s.n-len(s.rows[i]))...)
	}
	return s, ray, nil
}

// standardSize returns how many rows and columns the standard form of a model
// has at most, without building it.
func standardSize(m *Model) (rows, columns float64) {
	used := make([]bool, len(m.Variables))
	for _, r := range m.Rows {
		open := false // has a variable that is not fixed
		for _, t := range r.Terms {
			if v := m.Variables[t.Variable]; t.Coefficient != 0 && v.Lower != v.Upper {
				used[t.Variable], open = true, true
			}
		}
		if !open {
			continue
		}
		hasLower, hasUpper := !math.IsInf(r.Lower, -1), !math.IsInf(r.Upper, 1)
		switch {
		case hasLower && hasUpper && r.Lower == r.Upper:
			rows++
		case hasLower && hasUpper:
			rows, columns = rows+2, columns+2
		case hasLower || hasUpper:
			rows, columns = rows+1, columns+1
		}
	}
	for j, v := range m.Variables {
		hasLower, hasUpper := !math.IsInf(v.Lower, -1), !math.IsInf(v.Upper, 1)
		switch {
		case !used[j]:
		case hasLower && hasUpper:
			rows, columns = rows+1, columns+2
		case hasLower || hasUpper:
			columns++
		default:
			columns += 2
		}
	}
	return rows, columns
}

func clamp(v, lower, upper float64) float64 { return math.Max(lower, math.Min(upper, v)) }

// column adds a column and returns its index.
func (s *standard) column(cost float64) int {
	s.cost = append(s.cost, cost)
	s.n++
	return s.n - 1
}

// add adds a row scaled to a greatest coefficient of 1, with a slack of the
// given sign unless that is 0.
func (s *standard) add(row []float64, rhs, slack float64) {
	most := 0.0
	for _, a := range row {
		most = math.Max(most, math.Abs(a))
	}
	for j := range row {
		row[j] /= most
	}
	if slack != 0 {
		j := s.column(0)
		row = append(row, make([]float64, j+1-len(row))...)
		row[j] = slack
	}
	s.rows, s.rhs = append(s.rows, row), append(s.rhs, rhs/most)
}

// addRow puts a row into columns that are 0 or above. One without columns is
// either true or a contradiction.
func (s *standard) addRow(r Row) error {
	if r.Lower > r.Upper {
		return errTrivial
	}
	row, base, empty := make([]float64, s.n), 0.0, true
	for _, t := range r.Terms {
		b := s.back[t.Variable]
		base += t.Coefficient * b.base
		if b.column >= 0 && t.Coefficient != 0 {
			row[b.column] += t.Coefficient * b.sign
			empty = false
		}
		if b.minus >= 0 {
			row[b.minus] -= t.Coefficient
		}
	}
	lower, upper := r.Lower-base, r.Upper-base
	if empty {
		if slack := tolerance * (1 + math.Abs(base)); lower > slack || upper < -slack {
			return errTrivial
		}
		return nil
	}
	hasLower, hasUpper := !math.IsInf(lower, -1), !math.IsInf(upper, 1)
	switch {
	case hasLower && hasUpper && lower == upper:
		s.add(row, lower, 0)
	case hasLower && hasUpper:
		s.add(append([]float64(nil), row...), lower, -1)
		s.add(row, upper, 1)
	case hasUpper:
		s.add(row, upper, 1)
	case hasLower:
		s.add(row, lower, -1)
	}
	return nil
}

// reduce drops the rows that others imply and returns false when one
// contradicts them: gonum wants full row rank.
func (s *standard) reduce(ctx context.Context) bool {
	work := make([][]float64, len(s.rows))
	for i, r := range s.rows {
		work[i] = append(append([]float64(nil), r...), s.rhs[i])
	}
	var rows [][]float64
	var rhs []float64
	var pivots [][]float64
	var columns []int
	for i, w := range work {
		if ctx.Err() != nil {
			return true // the caller looks at it next
		}
		for n, p := range pivots {
			if f := w[columns[n]]; f != 0 {
				for j := range w {
					w[j] -= f * p[j]
				}
				w[columns[n]] = 0
			}
		}
		at, most := -1, 1e-9
		for j, a := range w[:s.n] {
			if math.Abs(a) > most {
				at, most = j, math.Abs(a)
			}
		}
		if at < 0 {
			if math.Abs(w[s.n]) > tolerance*(1+math.Abs(s.rhs[i])) {
				return false
			}
			left := math.Abs(w[s.n]) / (1 + math.Abs(s.rhs[i]))
			for _, a := range w[:s.n] {
				left = math.Max(left, math.Abs(a))
			}
			if !plain(s.rows[i]) {
				left = math.Max(left, 1e-16) // 0 only as far as rounding tells
			}
			s.doubt = math.Max(s.doubt, left)
			continue
		}
		if most < 1e-6 {
			s.doubt = math.Inf(1)
		}
		f := w[at]
		for j := range w {
			w[j] /= f
		}
		pivots, columns = append(pivots, w), append(columns, at)
		rows, rhs = append(rows, s.rows[i]), append(rhs, s.rhs[i])
	}
	s.rows, s.rhs = rows, rhs
	return true
}

// plain reports whether a row has no coefficients but −1, 0 and 1, as those of
// flows and assignments: sums of them are not rounded.
func plain(row []float64) bool {
	for _, a := range row {
		if a != 0 && a != 1 && a != -1 {
			return false
		}
	}
	return true
}

// solve runs gonum's simplex method and returns y; of an infeasible program the
// optimum of the one that [standard.aided] returns.
func (s *standard) solve() (y []float64, status Status, message string) {
	if len(s.rows) == 0 {
		// Columns without a row have only the bound 0.
		y = make([]float64, s.n)
		for j := range y {
			if s.cost[j] < 0 {
				return nil, Unbounded, "a variable without rows"
			}
		}
		return y, Optimal, ""
	}
	y, err := s.simplex(s.cost, s.rows, nil)
	switch {
	case err == nil:
		return y, Optimal, ""
	case errors.Is(err, lp.ErrUnbounded):
		return nil, Unbounded, ""
	case errors.Is(err, lp.ErrInfeasible):
		// Its first phase calls anything above 1e-12 infeasible: ask again with
		// artificial variables of our own.
		return s.contradicted("")
	}
	return nil, Unknown, brokenDown
}

const brokenDown = "the simplex method broke down: rows or columns nearly depend on each other, or coefficients are too far apart"

// contradicted returns the optimum of the program with artificial variables where it
// needs them, as one without any solution does.
func (s *standard) contradicted(message string) (y []float64, status Status, _ string) {
	aided, basis := s.aided()
	if y, err := s.simplex(aided.cost, aided.rows, basis); err == nil {
		sum := 0.0
		for _, v := range y[s.n:] {
			sum += v
		}
		if sum > tolerance {
			return y, Infeasible, message
		}
	}
	return nil, Unknown, brokenDown
}

// aided returns the program with an artificial variable in each row, behind its own
// columns, whose sum is to be least; they are its first basis.
func (s *standard) aided() (aided *standard, basis []int) {
	m := len(s.rows)
	aided = &standard{rows: make([][]float64, m), cost: make([]float64, s.n+m), rhs: s.rhs, n: s.n + m}
	basis = make([]int, m)
	for i, r := range s.rows {
		aided.rows[i] = append(append([]float64(nil), r...), make([]float64, m)...)
		aided.rows[i][s.n+i] = 1
		if s.rhs[i] < 0 {
			aided.rows[i][s.n+i] = -1
		}
		aided.cost[s.n+i], basis[i] = 1, s.n+i
	}
	return aided, basis
}

// simplex calls gonum; what it panics with becomes an error. A square system
// it would solve without looking at signs gets its first column twice.
func (s *standard) simplex(cost []float64, rows [][]float64, basis []int) (y []float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("gonum: %v", r)
		}
	}()
	m, n := len(rows), len(cost)
	width := n
	if m >= n {
		width = n + 1
	}
	a := mat.NewDense(m, width, nil)
	for i, r := range rows {
		for j, v := range r {
			a.Set(i, j, v)
		}
		if width > n {
			a.Set(i, n, r[0])
		}
	}
	c := append([]float64(nil), cost...)
	if width > n {
		c = append(c, c[0]+1+math.Abs(c[0]))
	}
	// Columns whose rows were all dropped have no entry left.
	_, y, err = lp.Simplex(c, a, append([]float64(nil), s.rhs...), 1e-10, basis)
	if err != nil {
		return nil, err
	}
	if width > n {
		y[0] += y[n]
	}
	return y[:n], nil
}

// point returns the model's variables for y.
func (s *standard) point(y []float64) []float64 {
	x := make([]float64, len(s.back))
	for j, b := range s.back {
		x[j] = b.base
		if b.column >= 0 {
			x[j] += b.sign * y[b.column]
		}
		if b.minus >= 0 {
			x[j] -= y[b.minus]
		}
	}
	return x
}
