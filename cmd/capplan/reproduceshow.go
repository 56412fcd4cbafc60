package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/papers"
	"github.com/capplan/capplan/units"
)

// reproduceList is the answer to --list.
func reproduceList() *result {
	all := papers.Reproducibles()
	return &result{
		value: struct {
			Figures []papers.Reproducible `json:"figures"`
		}{all},
		rows: func() [][]string { return scalarRows(all) },
		text: func(p *page) {
			for _, part := range []bool{true, false} {
				for _, r := range all {
					if r.Computed != part {
						continue
					}
					p.headline("%s", r.Name)
					p.row("", r.Title+" ("+r.Source+")")
					p.row("reproduced", r.Reproduced)
					if r.Computed {
						p.row("verdicts", verdicts(r.Verdicts))
					}
					p.row(map[bool]string{true: "differs", false: "not computed"}[part], r.Differs)
					if r.NeedsTrace {
						p.row("needs", "--trace FILE")
					}
				}
			}
		},
	}
}

// showReproduction writes the numbers that the paper prints beside ours, and
// the rest as a table.
func showReproduction(p *page, a *papers.Reproduction) {
	p.headline("%s: %s", a.Source, a.Title)
	compared := [][]string{{"quantity", at(a.X), "paper", "computed", "verdict", "note"}}
	for i := range a.Rows {
		r := &a.Rows[i]
		if r.Printed == nil {
			continue
		}
		name := r.Quantity
		if r.Series != "" {
			name += ", " + r.Series
		}
		if r.Resources != nil {
			name += fmt.Sprintf(", %d resources", *r.Resources)
		}
		paper := reproducedNumber(*r.Printed)
		if r.PrintedTo != nil {
			paper += " to " + reproducedNumber(*r.PrintedTo)
		}
		if r.Unit != "" {
			name += " (" + r.Unit + ")"
		}
		ours := "-"
		if r.Computed != nil {
			ours = reproducedNumber(*r.Computed)
		}
		compared = append(compared, []string{strings.ReplaceAll(name, "_", " "), optionalNumber(r.X, 6), paper, ours, string(r.Verdict), r.Note})
	}
	if len(compared) > 1 {
		p.list(compared)
	}
	p.row("verdicts", verdicts(&a.Verdicts))
	if a.Study != nil {
		showStudy(p, a.Study)
	} else {
		p.table(reproducedTable(a))
		for _, r := range a.Rows {
			if r.X != nil && r.Printed == nil && r.Computed == nil && r.Note != "" {
				p.row("first -", r.Note)
				break
			}
		}
	}
	p.row("reproduced", a.Reproduced)
	p.row("differs", a.Differs)
}

// verdicts writes a tally.
func verdicts(t *papers.VerdictTally) string {
	if t == nil || *t == (papers.VerdictTally{}) {
		return "no number is printed to compare with"
	}
	return fmt.Sprintf("%d agree, %d differ, %d cannot be told", t.Agrees, t.Differs, t.CannotBeTold)
}

func at(x string) string {
	if x == "" {
		return ""
	}
	return "at"
}

// reproducedNumber writes a number in the digits that papers print.
func reproducedNumber(v float64) string { return units.FormatNumber(v, 5) }

// reproducedTable puts lines beside each other, a row for each x.
func reproducedTable(a *papers.Reproduction) [][]string {
	head := []string{a.X}
	column := map[string]int{}
	row := map[float64]int{}
	var table [][]string
	for i := range a.Rows {
		r := &a.Rows[i]
		if r.X == nil {
			if r.Printed == nil {
				note := []string{strings.TrimPrefix(r.Series+", "+r.Quantity, ", "), orDash(optionalNumber(r.Computed, 5)), r.Note}
				table = append(table, note)
			}
			continue
		}
		name := strings.TrimSuffix(strings.ReplaceAll(r.Quantity, "_", " ")+", "+r.Series, ", ")
		if len(a.Drawn) == 1 && r.Quantity == a.Drawn[0].Quantity {
			name = r.Series
		}
		if len(a.Drawn) > 0 && !slices.ContainsFunc(a.Drawn, func(p papers.Panel) bool { return p.Quantity == r.Quantity }) {
			continue // compared above
		}
		if _, ok := column[name]; !ok {
			column[name] = len(head)
			head = append(head, name)
		}
	}
	if len(head) == 1 {
		return table
	}
	table = append(table, head)
	left := 0
	for i := range a.Rows {
		r := &a.Rows[i]
		name := strings.TrimSuffix(strings.ReplaceAll(r.Quantity, "_", " ")+", "+r.Series, ", ")
		if len(a.Drawn) == 1 {
			name = r.Series
		}
		c, ok := column[name]
		if r.X == nil || !ok || len(a.Drawn) > 0 && !slices.ContainsFunc(a.Drawn, func(p papers.Panel) bool { return p.Quantity == r.Quantity }) {
			continue
		}
		k, ok := row[*r.X]
		if !ok {
			if len(row) == shownPoints {
				left++
				continue
			}
			k = len(table)
			row[*r.X] = k
			line := make([]string, len(head))
			for j := range line {
				line[j] = "-"
			}
			line[0] = units.FormatNumber(*r.X, 5)
			table = append(table, line)
		}
		if r.Computed != nil {
			table[k][c] = units.FormatNumber(*r.Computed, 5)
		}
	}
	if left > 0 {
		table = append(table, []string{"and more, see --format csv"})
	}
	return table
}
