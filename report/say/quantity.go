package say

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/units"
)

// A Quantity is a cell of a table whose unit is chosen by its column, or by its row in a table that
// has a figure in each. The zero value is a figure that is missing. Values are in base units, s or
// per s.
type Quantity struct {
	// value in base units, digits as many as are to be shown.
	value  float64
	digits int
	kind   *kind
}

// A kind is what is measured, with how one is written alone and how many are.
type kind struct {
	alone  func(float64, int) string
	column func([]float64) units.Column
}

var (
	timeKind = &kind{Duration, units.DurationColumn}
	rateKind = &kind{Rate, units.RateColumn}
)

// TimeCell is a time in seconds as a cell of a table, with the unit of its column.
func TimeCell(v float64, digits int) Quantity { return Quantity{v, digits, timeKind} }

// RateCell is a rate per second as a cell of a table, with the unit of its column.
func RateCell(v float64, digits int) Quantity { return Quantity{v, digits, rateKind} }

// Defined reports whether there is a figure.
func (q Quantity) Defined() bool { return q.kind != nil }

func (q Quantity) String() string {
	if q.kind == nil {
		return ""
	}
	return q.kind.alone(q.value, q.digits)
}

// WithError writes an estimate to the last digit of its standard error, which has
// two: more of them say nothing.
func WithError(v, se float64) string {
	if !(se > 0) || math.IsInf(se, 0) {
		return Number(v, 4) + " ± " + Number(se, 2)
	}
	return Number(v, max(1, 2+decade(v)-decade(se))) + " ± " + Number(se, 2)
}

// TimeWithError is [WithError] in a unit that suits the time. At least two digits of the value are
// shown, however large its error.
func TimeWithError(v, se float64) string {
	in := units.DurationColumn([]float64{v})
	return in.Write(v, max(2, 2+decade(v)-decade(se))) + " ± " + in.Write(se, 2)
}

// decade is the exponent of the first digit. 0, infinities and what is not a number have none, and
// count as 1.
func decade(v float64) int {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	return int(math.Floor(math.Log10(math.Abs(v))))
}

// Written is a cell that stands alone. A quantity takes the unit that suits it alone.
func Written(cell any) string {
	if q, ok := cell.(Quantity); ok {
		return q.String()
	}
	return fmt.Sprint(cell)
}

// A Place is that of a cell.
type Place struct{ Row, Column int }

// InOneUnit writes the quantities of each column, or of each row, in one unit. Values in one unit
// can be compared by their digits. cells are changed in rows at their places; two kinds in one line
// have a unit each.
func InOneUnit(rows [][]string, cells map[Place]Quantity, across bool) {
	type line struct {
		at   int
		kind *kind
	}
	lineOf := func(p Place, q Quantity) line {
		if across {
			return line{p.Row, q.kind}
		}
		return line{p.Column, q.kind}
	}
	values := map[line][]float64{}
	for p, q := range cells {
		l := lineOf(p, q)
		values[l] = append(values[l], q.value)
	}
	columns := map[line]units.Column{}
	for l, v := range values {
		columns[l] = l.kind.column(v)
	}
	for p, q := range cells {
		rows[p.Row][p.Column] = columns[lineOf(p, q)].Write(q.value, q.digits)
	}
}
