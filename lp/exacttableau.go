package lp

import (
	"context"
	"math/big"
)

// perWord is how many nanoseconds an entry of the tableau takes in a pivot, by the words
// of 64 bits of its numbers: of the arithmetic alone 85 with one, 650 with 8 and 2,500
// with 32 were measured, and half as much again goes into collecting what it leaves.
const perWord = 120

// exactTableau is the tableau of the simplex method in whole numbers with one
// common denominator, the determinant of the basis: a pivot divides without
// remainder, so that numbers grow no longer than determinants are (Edmonds,
// Systems of distinct representatives and linear algebra, 1967). Columns of
// artificial variables are not kept, since none comes back.
type exactTableau struct {
	ctx   context.Context
	rows  [][]big.Int
	cost  []big.Int // reduced, at the end minus the objective
	first []big.Int // the same of the sum of artificial variables; nil in phase 2
	basis []int     // by row; −1 is an artificial variable
	det   *big.Int  // > 0
	n     int
	work  float64 // nanoseconds, about
	most  float64 // bounds the work
}

func newExactTableau(ctx context.Context, f *exactForm) *exactTableau {
	t := &exactTableau{ctx: ctx, rows: f.rows, cost: f.cost, basis: f.basis, det: big.NewInt(1), n: f.n}
	t.first = make([]big.Int, f.n+1)
	for i, row := range t.rows {
		if t.basis[i] >= 0 {
			continue
		}
		for j := range row {
			t.first[j].Sub(&t.first[j], &row[j])
		}
	}
	return t
}

// solve runs both phases.
func (t *exactTableau) solve() Status {
	if status := t.descend(t.first); status != Optimal {
		return Unknown // the sum of artificial variables has the limit 0
	}
	if t.first[t.n].Sign() != 0 {
		return Infeasible
	}
	t.first = nil
	// What is artificial now is 0: another column takes its place, or the row
	// follows from the others.
	for i := 0; i < len(t.rows); i++ {
		if t.basis[i] >= 0 {
			continue
		}
		at := -1
		for j := range t.n {
			if t.rows[i][j].Sign() != 0 {
				at = j
				break
			}
		}
		if at >= 0 {
			if !t.pivot(i, at) {
				return Unknown
			}
			continue
		}
		last := len(t.rows) - 1
		t.rows[i], t.basis[i] = t.rows[last], t.basis[last]
		t.rows, t.basis = t.rows[:last], t.basis[:last]
		i--
	}
	return t.descend(t.cost)
}

// descend pivots until no column lowers the objective: by the steepest, and by
// the first (Bland's rule, which cannot cycle) while the objective stands still.
func (t *exactTableau) descend(cost []big.Int) Status {
	still := 0
	for {
		at := -1
		for j := range t.n {
			if cost[j].Sign() < 0 && (at < 0 || still < 8 && cost[j].Cmp(&cost[at]) < 0) {
				at = j
			}
		}
		if at < 0 {
			return Optimal
		}
		row := t.leaving(at)
		if row < 0 {
			return Unbounded
		}
		if still++; t.rows[row][t.n].Sign() != 0 {
			still = 0
		}
		if !t.pivot(row, at) {
			return Unknown
		}
	}
}

// leaving returns the row of the least ratio, by ties that of the lowest
// variable; −1 where nothing limits the column.
func (t *exactTableau) leaving(column int) int {
	at, left, right := -1, new(big.Int), new(big.Int)
	for i := range t.rows {
		if t.rows[i][column].Sign() <= 0 {
			continue
		}
		if at >= 0 {
			left.Mul(&t.rows[i][t.n], &t.rows[at][column])
			right.Mul(&t.rows[at][t.n], &t.rows[i][column])
			if c := left.Cmp(right); c > 0 || c == 0 && t.basis[i] > t.basis[at] {
				continue
			}
		}
		at = i
	}
	return at
}

// pivot brings a column into the basis; false says that it costs too much.
func (t *exactTableau) pivot(row, column int) bool {
	if t.ctx.Err() != nil {
		return false
	}
	p, r := new(big.Int).Set(&t.rows[row][column]), t.rows[row]
	words := float64(1 + p.BitLen()/64)
	if t.work > t.most {
		return false
	}
	product, each := new(big.Int), perWord*words
	clear := func(line []big.Int) {
		f := new(big.Int).Set(&line[column])
		for j := range line {
			v := &line[j]
			if v.Sign() == 0 && (f.Sign() == 0 || r[j].Sign() == 0) {
				continue
			}
			t.work += each
			v.Mul(v, p)
			if f.Sign() != 0 && r[j].Sign() != 0 {
				v.Sub(v, product.Mul(f, &r[j]))
			}
			v.Quo(v, t.det)
		}
	}
	for i := range t.rows {
		if i != row {
			clear(t.rows[i])
		}
	}
	clear(t.cost)
	if t.first != nil {
		clear(t.first)
	}
	t.det, t.basis[row] = p, column
	if p.Sign() > 0 {
		return true
	}
	negate := func(line []big.Int) {
		for j := range line {
			line[j].Neg(&line[j])
		}
	}
	p.Neg(p)
	for _, line := range t.rows {
		negate(line)
	}
	negate(t.cost)
	if t.first != nil {
		negate(t.first)
	}
	return true
}
