package cmdline

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/sweeps"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// shownPoints is what a page shows of a long sweep; CSV and JSON hold all.
const shownPoints = 60

// show lists the points for people: the figures that differ as a table, the
// others once below it.
func (r *sweep) show(names []string, rows []sweeps.Row) *report.Section {
	s := &report.Section{ID: "sweep"}
	s.Data = []report.Data{{Name: "sweep", Each: func(row func([]string) error) error { return sweeps.Lines(r.axes, names, rows, row) }}}
	s.Draws = func(context.Context) ([]report.Figure, error) { return r.draw(names, rows) }
	headline := report.Plural(len(rows), "point")
	if r.out != "" {
		headline += " in " + r.out
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
		case r.echoes(n):
		case !one || i == 0: // the first is the answer itself
			differ = append(differ, i)
		case value != "":
			same = append(same, []string{fieldLabel(n), fieldText(n, value)})
		}
	}
	table := s.Table()
	for _, a := range r.axes {
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
func (r *sweep) echoes(name string) bool {
	for _, a := range r.axes {
		if fieldLabel(name) == strings.ReplaceAll(a.Flag, "-", " ") {
			return true
		}
	}
	return false
}

// commonCells returns the text of each column where all rows with an answer
// have the same.
func commonCells(rows []sweeps.Row, columns int) (text []string, same []bool) {
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

// A fieldUnit is how figures are written whose JSON name has an ending.
type fieldUnit struct {
	suffix, unit string
	text         func(float64) string
}

var fieldUnits = []fieldUnit{
	{"_per_s", "/s", func(v float64) string { return units.FormatRate(v, 4) }},
	{"_s", "s", func(v float64) string { return units.FormatDuration(v, 4) }},
	{"_erl", "erl", func(v float64) string { return units.FormatNumber(v, 5) + " erl" }},
	{"_bps", "bit/s", func(v float64) string { return units.FormatBandwidth(v, 4) }},
	{"_bytes", "bytes", func(v float64) string { return units.FormatSize(v, 4) }},
	{"_mb", "MB", func(v float64) string { return units.FormatNumber(v, 5) + " MB" }},
}

// fractionWords are in the names of figures in 0..1.
var fractionWords = []string{"probability", "utilization", "availability", "reliability", "congestion", "service_level", "percentile", "gap", "share"}

// fieldKind returns the unit of a figure by its name, and whether it is a
// fraction.
func fieldKind(name string) (u *fieldUnit, fraction bool) {
	for i := range fieldUnits {
		if strings.HasSuffix(name, fieldUnits[i].suffix) {
			return &fieldUnits[i], false
		}
	}
	if strings.HasPrefix(name, "log10_") {
		return nil, false
	}
	for _, w := range fractionWords {
		if strings.Contains(name, w) {
			return nil, true
		}
	}
	return nil, false
}

// fieldLabel returns the name of a figure in words, without its unit.
func fieldLabel(name string) string {
	if u, _ := fieldKind(name); u != nil {
		name = strings.TrimSuffix(name, u.suffix)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// fieldAxis returns the name of a figure in words with its unit, for a plot.
func fieldAxis(name string) string {
	if u, _ := fieldKind(name); u != nil {
		return fieldLabel(name) + " (" + u.unit + ")"
	}
	return fieldLabel(name)
}

// fieldText writes a cell for people.
func fieldText(name, cell string) string {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return cell
	}
	switch u, fraction := fieldKind(name); {
	case u != nil:
		return u.text(v)
	case fraction:
		return units.FormatFraction(v, 4)
	}
	if _, err := strconv.ParseInt(cell, 10, 64); err == nil {
		return cell // a count or an amount, in full
	}
	return units.FormatNumber(v, 5)
}
