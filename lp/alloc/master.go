package alloc

import (
	"math"
	"slices"
)

// column is one column of the master problem.
type column struct {
	row   []float64 // convexity row, then the active rows
	use   []float64 // all rows
	cost  float64
	slack bool
	fault float64 // 1 for what exceeds a row, at the penalty
}

// master is the restricted problem of column generation: a basis of as many
// columns as rows, with its inverse. Columns outside the basis are forgotten:
// the oracle finds again whichever is best.
type master struct {
	basis   []column
	inverse [][]float64
	x       []float64
	penalty float64
}

// newMaster starts from one column and the slacks of the other rows; where it
// exceeds a row, with the excess, which is to be penalized.
func newMaster(base column, rhs []float64) *master {
	m := &master{basis: []column{base}, x: []float64{1}}
	m.inverse = append(m.inverse, unitColumn(len(rhs), 0))
	for i := 1; i < len(rhs); i++ {
		row := unitColumn(len(rhs), i)
		c := column{row: slices.Clone(row), slack: true}
		left := rhs[i] - base.row[i]
		if left < 0 {
			row[i], c.row[i] = -1, -1
			left, c.fault, c.slack = -left, 1, false
		}
		m.basis = append(m.basis, c)
		row[0] = -base.row[i] * row[i]
		m.inverse = append(m.inverse, row)
		m.x = append(m.x, left)
	}
	return m
}

func (m *master) duals() []float64 {
	y := make([]float64, len(m.basis))
	for i, c := range m.basis {
		cost := c.cost - c.fault*m.penalty
		for j := range y {
			y[j] += cost * m.inverse[i][j]
		}
	}
	return y
}

// negative returns a row whose slack should enter, -1 for none.
func (m *master) negative(y []float64) int {
	at, least := -1, -1e-12
	for i := 1; i < len(y); i++ {
		if y[i] < least {
			at, least = i, y[i]
		}
	}
	return at
}

func (m *master) value() float64 {
	v := 0.0
	for i, c := range m.basis {
		v += (c.cost - c.fault*m.penalty) * m.x[i]
	}
	return v
}

// penalize sets what a unit above a row costs.
func (m *master) penalize(penalty float64) { m.penalty = penalty }

// artificial returns by how much rows are exceeded.
func (m *master) artificial() float64 {
	v := 0.0
	for i, c := range m.basis {
		v += c.fault * m.x[i]
	}
	return v
}

// reduced returns what a unit of the column would add to the value.
func (m *master) reduced(c column) float64 {
	v := c.cost
	for i, y := range m.duals() {
		v -= y * c.row[i]
	}
	return v
}

// refactor computes the inverse and x anew from the basis, by elimination with
// the largest pivots; it leaves them as they are when the basis looks singular.
func (m *master) refactor(rhs []float64) {
	n := len(m.basis)
	a, inverse := make([][]float64, n), make([][]float64, n)
	for i := range a {
		a[i], inverse[i] = make([]float64, n), unitColumn(n, i)
		for j, c := range m.basis {
			a[i][j] = c.row[i]
		}
	}
	for c := range n {
		pivot := c
		for i := c + 1; i < n; i++ {
			if math.Abs(a[i][c]) > math.Abs(a[pivot][c]) {
				pivot = i
			}
		}
		if !(math.Abs(a[pivot][c]) > 1e-14) {
			return
		}
		a[c], a[pivot] = a[pivot], a[c]
		inverse[c], inverse[pivot] = inverse[pivot], inverse[c]
		scale := 1 / a[c][c]
		for j := range n {
			a[c][j] *= scale
			inverse[c][j] *= scale
		}
		for i := range n {
			f := a[i][c]
			if i == c || f == 0 {
				continue
			}
			for j := range n {
				a[i][j] -= f * a[c][j]
				inverse[i][j] -= f * inverse[c][j]
			}
		}
	}
	m.inverse = inverse
	for i := range n {
		m.x[i] = 0
		for j := range n {
			m.x[i] += inverse[i][j] * rhs[j]
		}
	}
}

// enter brings a column into the basis; false when none can leave.
func (m *master) enter(c column) bool {
	n := len(m.basis)
	direction := make([]float64, n)
	scale := 0.0
	for i := range direction {
		for j := range n {
			direction[i] += m.inverse[i][j] * c.row[j]
		}
		scale = math.Max(scale, math.Abs(direction[i]))
	}
	leave, step := -1, math.Inf(1)
	for i, d := range direction {
		if d <= 1e-11*scale {
			continue
		}
		if t := math.Max(m.x[i], 0) / d; t < step || (t == step && d > direction[leave]) {
			leave, step = i, t
		}
	}
	if leave < 0 {
		return false
	}
	pivot := direction[leave]
	for j := range n {
		m.inverse[leave][j] /= pivot
	}
	for i := range n {
		if i == leave {
			m.x[i] = step
			continue
		}
		m.x[i] -= step * direction[i]
		for j := range n {
			m.inverse[i][j] -= direction[i] * m.inverse[leave][j]
		}
	}
	m.basis[leave] = c
	return true
}
