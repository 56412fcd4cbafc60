package sweeps

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// shownPoints is what a page shows of a long sweep; CSV and JSON hold all.
const shownPoints = 60

// A View is how the points of a sweep are shown.
type View struct {
	Command string
	Axes    []Axis
	Out     string                   // file that has the rows, "" for none
	Field   string                   // of the answer to draw; "": the first that varies
	Kind    string                   // of drawing: heat or line; "": by the number of points
	Unit    func(flag string) string // of a flag whose values are typed without one
}

// Section lists the points for people: the figures that differ as a table, the
// others once below it.
func (v *View) Section(names []string, rows []Row) *report.Section {
	s := &report.Section{ID: "sweep"}
	s.Data = []report.Data{{Name: "sweep", Each: func(row func([]string) error) error { return Lines(v.Axes, names, rows, row) }}}
	s.Draws = func(context.Context) ([]report.Figure, error) { return v.draw(names, rows) }
	headline := report.Plural(len(rows), "point")
	if v.Out != "" {
		headline += " in " + v.Out
	}
	infeasible := 0
	for i := range rows {
		if rows[i].Infeasible != "" {
			infeasible++
		}
	}
	if infeasible > 0 {
		headline += fmt.Sprintf(", %s infeasible", units.FormatNumber(float64(infeasible), 6))
	}
	s.Say("%s", headline)
	var differ []int
	var same [][]string
	common, alike := commonCells(rows, len(names))
	for i, n := range names {
		switch value, one := common[i], alike[i]; {
		case v.echoes(n):
		case !one || i == 0: // the first is the answer itself
			differ = append(differ, i)
		case value != "":
			same = append(same, []string{fieldLabel(n), fieldText(n, value)})
		}
	}
	table := s.Table()
	for _, a := range v.Axes {
		table.Head = append(table.Head, a.Flag)
	}
	for _, i := range differ {
		table.Head = append(table.Head, fieldLabel(names[i]))
	}
	if infeasible > 0 {
		table.Head = append(table.Head, "infeasible")
	}
	var reasons []string
	for k := range rows {
		if k == shownPoints {
			table.More, table.MoreIn = len(rows)-k, "csv"
			break
		}
		line, cells := slices.Clone(rows[k].Values), rows[k].Cells(nil)
		for _, i := range differ {
			line = append(line, fieldText(names[i], cells[i]))
		}
		if why := rows[k].Infeasible; why != "" {
			if !slices.Contains(reasons, why) {
				reasons = append(reasons, why)
			}
			line = append(line, fmt.Sprintf("[%d]", slices.Index(reasons, why)+1))
		}
		table.Row(line...)
	}
	for i, why := range reasons {
		s.Fact(fmt.Sprintf("[%d]", i+1), why)
	}
	if len(same) > 0 && len(rows) > 1 {
		s.List().Rows = same
	}
	return s
}

// echoes reports whether a figure is a swept flag again.
func (v *View) echoes(name string) bool {
	for _, a := range v.Axes {
		if fieldLabel(name) == strings.ReplaceAll(a.Flag, "-", " ") {
			return true
		}
	}
	return false
}

// commonCells returns the text of each column where all rows with an answer
// have the same.
func commonCells(rows []Row, columns int) (text []string, same []bool) {
	text, same = make([]string, columns), make([]bool, columns)
	for i := range same {
		same[i] = true
	}
	if len(rows) == 1 {
		text = rows[0].Cells(nil)
		for i := range same {
			same[i] = text[i] == ""
		}
		return text, same
	}
	first := true
	var cells []string
	for k := range rows {
		if rows[k].Infeasible != "" {
			continue
		}
		cells = rows[k].Cells(cells[:0])
		for i, cell := range cells {
			if first {
				text[i] = cell
			}
			same[i] = same[i] && cell == text[i]
		}
		first = false
	}
	return text, same
}
