package report

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// shownPoints is how many rows of a long table are shown. The CSV has all.
const shownPoints = 60

// Study compares the methods of allocation over many batches. A row is a point of the axis, a
// column a method, as in the figures of QoS-GRAF section 5.
func Study(a *allocation.StudyAnswer) *page.Section {
	s := page.New("study", "How do the methods compare?", a.Warnings, nil,
		page.RowsOf("study", slices.Concat(a.Rows, a.Unanswered, a.Substituted)))
	s.Say("%s: %s, %s", a.Title, a.Source, say.Plural(a.Seeds, "batch", "batches"))
	s.Fact("jobs",
		fmt.Sprintf("%d, on %d resources of each dependency, capacities %s", a.Jobs, a.Resources, a.CapacityLaw))
	s.Fact("primary factor", say.Maybe(a.PrimaryFactor, say.Number, 6))
	s.Fact("backup factor", say.Maybe(a.BackupFactor, say.Number, 6))
	// Batches are drawn by consecutive seeds, so that one of them can be drawn alone.
	s.Fact("seeds", fmt.Sprintf("%d to %d", a.Seed, a.Seed+uint64(a.Seeds)-1))
	addStudyTable(s, a)
	if a.Over != "job" {
		s.Fact("batches", strconv.Itoa(a.Seeds)+" behind each mean, or as many as the number in brackets")
	}
	if a.Fallback != nil {
		s.Fact("fallback", *a.Fallback+", "+say.Plural(len(a.Substituted), "point")+" where it answered")
	}
	s.Fact("±", "half of the 95% confidence interval of the mean over batches")
	s.Draws = func(context.Context) ([]page.Figure, error) { return []page.Figure{studyFigure(a)}, nil }
	return s
}

// addStudyTable is a table of points by methods. Rows come by method, and are gathered by point. A
// mean over fewer batches than asked for says over how many.
func addStudyTable(s *page.Section, a *allocation.StudyAnswer) {
	t := s.Table(append([]string{strings.ReplaceAll(a.Over, "_", " ")}, a.Methods...)...)
	at := map[string][]string{}
	for i := range a.Rows {
		r := &a.Rows[i]
		name := studyPoint(a, r)
		row, ok := at[name]
		if !ok {
			// Points are left out as a whole, never some methods of one.
			if len(at) == shownPoints {
				if a.Over == "job" {
					t.MoreIn = "csv"
					t.More++
				}
				continue
			}
			row = make([]string, len(t.Head))
			row[0], at[name] = name, row
			t.Rows = append(t.Rows, row)
		}
		if j := slices.Index(a.Methods, r.Method); j >= 0 {
			row[j+1] = studyValue(a, r)
			if r.Batches < a.Seeds && a.Over != "job" {
				row[j+1] += fmt.Sprintf(" (%d)", r.Batches)
			}
		}
	}
	for i := range a.Unanswered {
		u := &a.Unanswered[i]
		j := slices.Index(a.Methods, u.Method)
		// If a method placed no batch at a point, the row says so, with the mean share of jobs that
		// it placed.
		for name, row := range at {
			if j >= 0 && row[j+1] == "" && (u.X == nil || name == say.Number(*u.X, 6)) {
				row[j+1] = "no answer (" + say.Fraction(u.Mean, 3) + " placed)"
			}
		}
	}
	// The rows were gathered by point; adding them again puts dashes where nothing stands.
	rows := t.Rows
	t.Rows = nil
	for _, row := range rows {
		t.Line(row...)
	}
}

// studyValue writes a mean with half its interval. One batch has no interval.
func studyValue(a *allocation.StudyAnswer, r *allocation.StudyRow) string {
	write := func(v float64) string { return say.Number(v, 4) }
	switch {
	case strings.HasSuffix(r.Quantity, "_share") || strings.HasSuffix(r.Quantity, "unused"):
		write = func(v float64) string { return say.Fraction(v, 3) }
	case a.Unit == "$" && r.Quantity == a.Quantity: // others are counts or shares
		write = func(v float64) string { return say.Money(math.Round(v)) }
	}
	if r.High == nil {
		return write(r.Mean)
	}
	return write(r.Mean) + " ± " + write(*r.High-r.Mean)
}

// studyPoint names a row besides its method. The name distinguishes it from other rows of the same
// method.
func studyPoint(a *allocation.StudyAnswer, r *allocation.StudyRow) string {
	var parts []string
	if r.X != nil {
		parts = append(parts, say.Number(*r.X, 6))
	}
	for _, s := range []*string{r.Job, r.Class, r.Dependency} {
		if s != nil {
			parts = append(parts, *s)
		}
	}
	// With a row for each job the level is the value and no part of the name.
	if r.Level != nil && a.Over != "job" {
		parts = append(parts, levelName(*r.Level))
	}
	if r.Quantity != a.Quantity || a.Over == "failures" {
		parts = append(parts, strings.ReplaceAll(r.Quantity, "_", " "))
	}
	return strings.Join(parts, ", ")
}

// levelName names a level of service; 0 is that of a job without a backup.
func levelName(level int) string {
	if level == 0 {
		return "unprotected"
	}
	return "level " + strconv.Itoa(level)
}

// StudyFigures lists the figures that can be asked for. The help of allocate study prints it.
func StudyFigures() *page.Section {
	s := &page.Section{}
	t := s.List()
	for _, f := range allocation.StudyFigures() {
		t.Row(f.Number, f.Name, f.Title)
	}
	return s
}
