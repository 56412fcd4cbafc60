package sweeps

import (
	"errors"
	"slices"
)

// Rows are what the points of a sweep came to, in their order: [Held] in memory, or
// [Kept] by shards. All that shows a sweep goes by it, so that a million rows need not be in
// memory.
type Rows interface {
	Len() int
	// Each hands out the rows, which have all the same columns. A row is only lent.
	Each(row func(i int, r *Row) error) error
}

// Held are rows in memory.
type Held []Row

// Len is how many there are.
func (h Held) Len() int { return len(h) }

// Each hands them out.
func (h Held) Each(row func(i int, r *Row) error) error {
	for i := range h {
		if err := row(i, &h[i]); err != nil {
			return err
		}
	}
	return nil
}

// errEnough ends a walk through rows that has found what it looked for.
var errEnough = errors.New("enough")

// header names the columns of a table of rows. Swept flags have over_ before their names, since an
// answer may have a figure of the same name.
func header(axes []Axis, names []string) []string {
	var h []string
	for _, a := range axes {
		h = append(h, "over_"+a.Flag)
	}
	return append(append(h, names...), "infeasible")
}

// Lines hands out a header and a line for each row. The lines are lent.
func Lines(axes []Axis, names []string, rows Rows, line func([]string) error) error {
	if err := line(header(axes, names)); err != nil {
		return err
	}
	var cells []string
	return rows.Each(func(_ int, r *Row) error {
		r.Fill(names)
		cells = append(r.Cells(append(cells[:0], r.Values...)), r.Infeasible)
		return line(cells)
	})
}

// An overview is what a page shows of rows. Columns in which all rows agree are said once and not
// shown.
type overview struct {
	infeasible int
	common     []string // of each column the text that all rows with an answer have,
	alike      []bool   // where they have the same
	first      []Row    // as many as are shown
}

// overviewOf goes through rows once. columns is their number.
func overviewOf(columns int, rows Rows) (*overview, error) {
	o := &overview{common: make([]string, columns), alike: make([]bool, columns)}
	for i := range o.alike {
		o.alike[i] = true
	}
	answered := 0
	var cells []string
	err := rows.Each(func(i int, r *Row) error {
		if i < shownPoints {
			o.first = append(o.first, *r)
		}
		if r.Infeasible != "" {
			o.infeasible++
			return nil
		}
		cells = r.Cells(cells[:0])
		if answered++; answered == 1 {
			copy(o.common, cells)
		}
		for i, cell := range cells {
			o.alike[i] = o.alike[i] && cell == o.common[i]
		}
		return nil
	})
	if rows.Len() == 1 && err == nil { // whose figures are all worth a column
		o.common = o.first[0].Cells(nil)
		for i, text := range o.common {
			o.alike[i] = text == ""
		}
	}
	return o, err
}

// sameNames reports whether two lists of columns are the same, without comparing if they are one
// list.
func sameNames(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}
