package lp

import (
	"context"
	"math"
	"math/big"
	"strconv"
)

// A solution by exact arithmetic may take this many entries of the tableau, and about this many
// nanoseconds, as counted by its multiplications. A larger model has no exact answer here.
const (
	exactSize = 1_000_000
	exactWork = 2_000_000_000
)

// exactAnswer is what exact arithmetic says of a linear program. Its status is
// Unknown where that is too much work or the context ended.
type exactAnswer struct {
	status Status
	x      []float64 // rounded once, at the end
	z      float64
}

// exactly solves a minimizing linear program without any rounding: every number
// of the model is taken for the shortest decimal that stands for it, which is
// what a file says, so that 0.1 + 0.2 is 0.3. Integrality is not looked at.
func exactly(ctx context.Context, m *Model) exactAnswer { return exactlyWithin(ctx, m, exactWork) }

// exactlyWithin is [exactly] with a bound of its own in place of exactWork.
func exactlyWithin(ctx context.Context, m *Model, work float64) exactAnswer {
	if rows, columns := standardSize(m); (rows+2)*(columns+1) > exactSize {
		return exactAnswer{status: Unknown}
	}
	f := newExactForm(m)
	if f == nil {
		return exactAnswer{status: Infeasible}
	}
	if float64(len(f.rows)+2)*float64(f.n+1) > exactSize {
		return exactAnswer{status: Unknown}
	}
	t := newExactTableau(ctx, f)
	t.most = work
	status := t.solve()
	if status != Optimal {
		return exactAnswer{status: status}
	}
	x := f.point(t)
	return exactAnswer{status, x, m.Objective(x)}
}

// decimal returns the shortest decimal that stands for a finite v.
func decimal(v float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	return r
}

// exactForm is min cᵀy, Ay = b, y ≥ 0 in whole numbers: each row stands
// multiplied by its common denominator, with b at its end and not below 0.
type exactForm struct {
	rows  [][]big.Int
	cost  []big.Int // of the columns, then minus the offset: 0
	basis []int     // a slack that may begin in the basis, or −1
	n     int
	back  []exactVariable
}

// exactVariable is x = base + sign·y[column] − y[minus].
type exactVariable struct {
	base          *big.Rat
	sign          int64
	column, minus int // −1 for none
}

// An exactRow is an equation or an inequality in rational numbers.
type exactRow struct {
	terms []Term // of columns; Coefficient is not used where exact is set
	exact []*big.Rat
	rhs   *big.Rat
	slack int // 1, −1 or 0
}

// newExactForm returns nil where bounds alone contradict each other.
func newExactForm(m *Model) *exactForm {
	f := &exactForm{back: make([]exactVariable, len(m.Variables))}
	var rows []exactRow
	cost := map[int]*big.Rat{}
	column := func(c float64, sign int64) int {
		cost[f.n] = decimal(c)
		if sign < 0 {
			cost[f.n].Neg(cost[f.n])
		}
		f.n++
		return f.n - 1
	}
	// What is too large is not made, but looked through for bounds that contradict each other.
	large := func() bool { return float64(len(rows)+2)*float64(f.n+1) > exactSize }
	for j, v := range m.Variables {
		if v.Lower > v.Upper {
			return nil
		}
		if large() {
			continue
		}
		b := exactVariable{new(big.Rat), 1, -1, -1}
		hasLower, hasUpper := !math.IsInf(v.Lower, -1), !math.IsInf(v.Upper, 1)
		switch {
		case v.Lower == v.Upper:
			b.base = decimal(v.Lower)
		case hasLower:
			b.base, b.column = decimal(v.Lower), column(v.Cost, 1)
			if hasUpper {
				width := decimal(v.Upper)
				rows = append(rows, exactRow{[]Term{{Variable: b.column}}, []*big.Rat{big.NewRat(1, 1)},
					width.Sub(width, b.base), 1})
			}
		case hasUpper:
			b.base, b.sign, b.column = decimal(v.Upper), -1, column(v.Cost, -1)
		default:
			b.column, b.minus = column(v.Cost, 1), column(v.Cost, -1)
		}
		f.back[j] = b
	}
	for _, r := range m.Rows {
		if r.Lower > r.Upper {
			return nil
		}
		if large() {
			continue
		}
		e, base := exactRow{}, new(big.Rat)
		for _, t := range r.Terms {
			b, a := f.back[t.Variable], decimal(t.Coefficient)
			base.Add(base, new(big.Rat).Mul(a, b.base))
			if b.column >= 0 {
				e.terms = append(e.terms, Term{Variable: b.column})
				e.exact = append(e.exact, new(big.Rat).Mul(a, big.NewRat(b.sign, 1)))
			}
			if b.minus >= 0 {
				e.terms = append(e.terms, Term{Variable: b.minus})
				e.exact = append(e.exact, new(big.Rat).Neg(a))
			}
		}
		side := func(v float64, slack int) {
			s := e
			s.rhs, s.slack = decimal(v), slack
			s.rhs.Sub(s.rhs, base)
			rows = append(rows, s)
		}
		if r.Lower == r.Upper {
			side(r.Lower, 0)
			continue
		}
		if !math.IsInf(r.Lower, -1) {
			side(r.Lower, -1)
		}
		if !math.IsInf(r.Upper, 1) {
			side(r.Upper, 1)
		}
	}
	f.fill(rows, cost)
	return f
}

// fill writes rows and cost as whole numbers.
func (f *exactForm) fill(rows []exactRow, cost map[int]*big.Rat) {
	slacks := f.n
	for _, r := range rows {
		if r.slack != 0 {
			f.n++
		}
	}
	if float64(len(rows)+2)*float64(f.n+1) > exactSize {
		f.rows = make([][]big.Int, len(rows)) // too many, as the caller sees
		return
	}
	for _, r := range rows {
		row, d, at := make([]big.Int, f.n+1), commonDenominator(append(r.exact[:len(r.exact):len(r.exact)], r.rhs)), -1
		for k, t := range r.terms {
			scaleInto(&row[t.Variable], r.exact[k], d)
		}
		scaleInto(&row[f.n], r.rhs, d)
		if r.slack != 0 {
			at = slacks
			slacks++
			row[at].SetInt64(int64(r.slack))
		}
		if row[f.n].Sign() < 0 || row[f.n].Sign() == 0 && r.slack < 0 {
			for j := range row {
				row[j].Neg(&row[j])
			}
		}
		if at >= 0 && row[at].Sign() < 0 {
			at = -1
		}
		f.rows, f.basis = append(f.rows, row), append(f.basis, at)
	}
	f.cost = make([]big.Int, f.n+1)
	all := make([]*big.Rat, 0, len(cost))
	for _, c := range cost {
		all = append(all, c)
	}
	d := commonDenominator(all)
	for j, c := range cost {
		scaleInto(&f.cost[j], c, d)
	}
}

// commonDenominator returns the least common multiple of the denominators.
func commonDenominator(list []*big.Rat) *big.Int {
	d, g := big.NewInt(1), new(big.Int)
	for _, r := range list {
		g.GCD(nil, nil, d, r.Denom())
		d.Mul(d, g.Quo(r.Denom(), g))
	}
	return d
}

// scaleInto sets z to r·d, which is whole.
func scaleInto(z *big.Int, r *big.Rat, d *big.Int) {
	z.Mul(r.Num(), d)
	z.Quo(z, r.Denom())
}

// point returns the variables of the model at the tableau's basis.
func (f *exactForm) point(t *exactTableau) []float64 {
	y := make([]*big.Rat, f.n)
	for i, j := range t.basis {
		if j >= 0 {
			y[j] = new(big.Rat).SetFrac(&t.rows[i][f.n], t.det)
		}
	}
	x := make([]float64, len(f.back))
	for j, b := range f.back {
		v := new(big.Rat).Set(b.base)
		if b.column >= 0 && y[b.column] != nil {
			v.Add(v, new(big.Rat).Mul(y[b.column], big.NewRat(b.sign, 1)))
		}
		if b.minus >= 0 && y[b.minus] != nil {
			v.Sub(v, y[b.minus])
		}
		x[j], _ = v.Float64()
	}
	return x
}
