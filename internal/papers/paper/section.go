package paper

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/units"
)

// shownPoints is how many rows of a table are shown; the data has all. A figure of several hundred
// points would fill screens.
const shownPoints = 60

// ListSection says what can be reproduced, what of it, and what differs and why. What no model
// computes stands last.
func ListSection(all []Reproducible) *page.Section {
	s := &page.Section{ID: "papers", Data: []page.Data{page.RowsOf("papers", all)}}
	// What can be run comes first: a reader looks for that.
	for _, computed := range []bool{true, false} {
		for _, r := range all {
			if r.Computed != computed {
				continue
			}
			s.Say("%s", r.Name)
			s.Fact("", r.Title+" ("+r.Source+")")
			s.Fact("reproduced", r.Reproduced)
			if r.Computed {
				s.Fact("verdicts", verdicts(r.Verdicts, r.Uncompared))
				if r.Relative != nil && *r.Relative != (VerdictTally{}) {
					s.Fact("by the other law", verdicts(r.Relative, "")+", with"+RelativeLaw)
				}
				s.Fact("differs", r.Differs)
			} else {
				s.Fact("not computed", r.Differs)
			}
			if r.NeedsTrace {
				s.Fact("needs", "--trace FILE")
			}
		}
	}
	return s
}

// Section shows the numbers that the paper prints beside ours, and the rest as a
// table. It leads with the figure, then the printed numbers with their verdicts, then all that is
// computed.
func (a *Reproduction) Section() *page.Section {
	s := &page.Section{
		ID:    a.Name,
		Title: a.Title,
		Notes: a.Warnings,
		Data:  []page.Data{page.RowsOf(a.Name, a.Rows)},
		// The drawing is made when a page or a file asks for it, since text has none.
		Draws: a.draw,
	}
	s.Say("%s: %s", a.Source, a.Title)
	a.beside(s)
	s.Fact("verdicts", verdicts(&a.Verdicts, a.uncompared))
	// A study of QoS-GRAF has a section of its own, with panels by class that rows cannot say.
	if a.Study != nil {
		s.Add(report.Study(a.Study))
	} else {
		a.table(s)
		for _, r := range a.Rows {
			if r.X != nil && r.Printed == nil && r.Computed == nil && r.Note != "" {
				// One note stands for all points without a value: they have the same reason as a
				// rule.
				s.Fact("first -", r.Note)
				break
			}
		}
	}
	s.Fact("reproduced", a.Reproduced)
	s.Fact("differs", a.Differs)
	return s
}

// beside lists what the paper prints beside what is computed.
func (a *Reproduction) beside(s *page.Section) {
	at := ""
	if a.X != "" {
		at = "at"
	}
	// The column of x is there for figures alone: a table of a paper has none.
	t := s.List("quantity", at, "paper", "computed", "verdict", "note")
	for i := range a.Rows {
		r := &a.Rows[i]
		// What is neither printed nor claimed has nothing to be put beside.
		if r.Printed == nil && r.Verdict == "" {
			continue
		}
		name := r.Quantity
		if r.Series != "" {
			name += ", " + r.Series
		}
		if r.Resources != nil {
			name += fmt.Sprintf(", %d resources", *r.Resources)
		}
		// A claim without a number has a verdict and stands as such.
		paper := "in words"
		if r.Printed != nil {
			paper = printed(r.Printed)
		}
		if r.PrintedTo != nil {
			paper += " to " + printed(r.PrintedTo)
		}
		if r.Unit != "" {
			name += " (" + r.Unit + ")"
		}
		x := ""
		if r.X != nil {
			x = a.at(*r.X, 6)
		}
		t.Rows = append(t.Rows,
			[]string{strings.ReplaceAll(name, "_", " "), x, paper, printed(r.Computed), string(r.Verdict), r.Note})
	}
}

// at writes an x: the name that stands there, where the axis has names.
func (a *Reproduction) at(x float64, digits int) string {
	// Axes of names have the places 0, 1, … as their x.
	if len(a.Drawn) > 0 && x >= 0 && x < float64(len(a.Drawn[0].Names)) {
		return a.Drawn[0].Names[int(x)]
	}
	return units.FormatNumber(x, digits)
}

// verdicts writes a tally, or why there is none.
func verdicts(t *VerdictTally, why string) string {
	switch {
	case t != nil && *t != (VerdictTally{}):
	case why != "":
		return "none: " + why
	default:
		return "no number is printed to compare with"
	}
	return fmt.Sprintf("%d agree, %d differ, %d cannot be told", t.Agrees, t.Differs, t.CannotBeTold)
}

// printed writes a number in the digits that papers print, or a dash.
func printed(v *float64) string {
	if v == nil {
		return "-"
	}
	return units.FormatNumber(*v, 5)
}

// column names the line of a figure that a row belongs to.
func (a *Reproduction) column(r *Row) string {
	// With one quantity its name would stand in every column.
	if len(a.Drawn) == 1 && r.Quantity == a.Drawn[0].Quantity {
		return r.Series
	}
	return strings.TrimSuffix(strings.ReplaceAll(r.Quantity, "_", " ")+", "+r.Series, ", ")
}

// table puts lines beside each other, a row for each x; what has no x stands
// above with its note.
func (a *Reproduction) table(s *page.Section) {
	t := s.Table()
	head := []string{a.X}
	var lines []*Row
	for i := range a.Rows {
		r := &a.Rows[i]
		if r.X == nil {
			if r.Printed == nil && r.Verdict == "" {
				t.Rows = append(t.Rows,
					[]string{strings.TrimPrefix(r.Series+", "+r.Quantity, ", "), printed(r.Computed), r.Note})
			}
			continue
		}
		// Rows with an x that no panel draws are numbers of the list of comparisons.
		if len(a.Drawn) > 0 && !slices.ContainsFunc(a.Drawn, func(p Panel) bool { return p.Quantity == r.Quantity }) {
			continue // compared above
		}
		lines = append(lines, r)
		if name := a.column(r); !slices.Contains(head[1:], name) {
			head = append(head, name)
		}
	}
	if len(lines) == 0 {
		return
	}
	t.Rows, t.MoreIn = append(t.Rows, head), "csv"
	at := map[float64][]string{}
	for _, r := range lines {
		row, ok := at[*r.X]
		if !ok {
			// Further columns of a row that is shown still find their row.
			if len(at) == shownPoints {
				t.More++
				continue
			}
			row = slices.Repeat([]string{"-"}, len(head))
			row[0], at[*r.X] = a.at(*r.X, 5), row
			t.Rows = append(t.Rows, row)
		}
		if r.Computed != nil {
			row[1+slices.Index(head[1:], a.column(r))] = printed(r.Computed)
		}
	}
}

// All puts several reproductions into one section, in brief where their rows
// went to files.
func All(all []*Reproduction, brief bool) *page.Section {
	s := &page.Section{ID: "papers"}
	for _, a := range all {
		if brief {
			s.Say("%s", a.Source+": "+a.Title)
			continue
		}
		s.Add(a.Section())
	}
	s.Data = []page.Data{{Name: "papers", Each: func(row func([]string) error) error {
		for i, a := range all {
			name := "name"
			err := scalars.Each(a.Rows, func(cells []string) error {
				// Each of the tables has a header of its own, of which the first serves for all.
				head := name == "name"
				first := name
				if name = a.Name; head && i > 0 {
					return nil
				}
				return row(append([]string{first}, cells...))
			})
			if err != nil {
				return err
			}
		}
		return nil
	}}}
	return s
}

// draw draws the figure, if there is one.
func (a *Reproduction) draw(ctx context.Context) ([]page.Figure, error) {
	if a.Study != nil {
		figures, err := report.Study(a.Study).Draw(ctx)
		if err != nil {
			return nil, err
		}
		// The paper's number of the figure stands in the title; with two panels, over the upper
		// one.
		f := &figures[0]
		if f.ID = a.Name; f.Top != nil {
			f.Top.Title = a.Source + ": " + f.Top.Title
		} else {
			f.Chart.Title = a.Source + ": " + f.Chart.Title
		}
		return figures, nil
	}
	return a.Panels(), nil
}
