package sweeps

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
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
	All     bool                     // however many columns there are
	Bare    bool                     // only data and figures are wanted, nothing for people
}

// Section lists the points for people: the figures that differ as a table, the
// others once below it. Errors are those of the rows.
func (v *View) Section(names []string, rows Rows) (*page.Section, error) {
	s := &page.Section{ID: "sweep"}
	// Data and drawing are functions: rows may be more than memory holds, and text needs neither.
	data := page.Data{Name: "sweep",
		Each: func(row func([]string) error) error { return Lines(v.Axes, names, rows, row) }}
	// Kept rows go out without being read into cells, on all cores.
	if k, ok := rows.(*Kept); ok {
		data.CSV = k.WriteCSV
	}
	s.Data = []page.Data{data}
	s.Draws = func(context.Context) ([]page.Figure, error) { return v.draw(names, rows) }
	if v.Bare {
		return s, nil
	}
	headline := say.Plural(rows.Len(), "point")
	if v.Out != "" {
		headline += " in " + v.Out
	}
	// One walk finds what differs, what is the same in all rows, and the first rows to show.
	all, err := overviewOf(len(names), rows)
	if err != nil {
		return nil, err
	}
	if all.infeasible > 0 {
		headline += fmt.Sprintf(", %s infeasible", units.FormatNumber(float64(all.infeasible), 6))
	}
	s.Say("%s", headline)
	var differ []int
	var same [][]string
	// A column that is the same in all rows is said once below the table.
	for i, n := range names {
		switch value, one := all.common[i], all.alike[i]; {
		case v.echoes(n):
		case !one || i == 0: // the first is the answer itself
			differ = append(differ, i)
		case value != "":
			same = append(same, []string{fieldLabel(n), fieldText(n, value)})
		}
	}
	// Answers have dozens of fields, of which a screen holds a few: those of most use are kept
	// unless --all is given.
	left := 0
	if key := keyOf(names, differ); !v.All {
		left, differ = len(differ)-len(key), key
	}
	table := s.Table()
	for _, a := range v.Axes {
		table.Head = append(table.Head, a.Flag)
	}
	for _, i := range differ {
		table.Head = append(table.Head, fieldLabel(names[i]))
	}
	if all.infeasible > 0 {
		table.Head = append(table.Head, "infeasible")
	}
	// Reasons are long and come again: a row has their number, and they stand below once.
	var reasons []string
	if more := rows.Len() - len(all.first); more > 0 {
		table.More, table.MoreIn = more, "csv"
	}
	for k := range all.first {
		row := &all.first[k]
		var line []any
		for _, x := range row.Values {
			line = append(line, x)
		}
		cells := row.Cells(nil)
		for _, i := range differ {
			line = append(line, fieldCell(names[i], cells[i]))
		}
		if why := row.Infeasible; why != "" {
			if !slices.Contains(reasons, why) {
				reasons = append(reasons, why)
			}
			line = append(line, fmt.Sprintf("[%d]", slices.Index(reasons, why)+1))
		}
		table.Row(line...)
	}
	// What is the same is left out with them, since the sentence sends to the CSV for both.
	if left > 0 {
		s.Say("%s and %s that do not are left out: --all shows them, --csv has them in full",
			say.Plural(left, "figure that differs", "figures that differ"), say.Count(len(same)))
		same = nil
	}
	for i, why := range reasons {
		s.Fact(fmt.Sprintf("[%d]", i+1), why)
	}
	if len(same) > 0 && rows.Len() > 1 {
		s.List().Rows = same
	}
	return s, nil
}

// echoes reports whether a figure is a swept flag again.
func (v *View) echoes(name string) bool {
	return slices.ContainsFunc(v.Axes, func(a Axis) bool {
		return fieldLabel(name) == strings.ReplaceAll(a.Flag, "-", " ")
	})
}
