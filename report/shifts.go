package report

import (
	"math"
	"strings"

	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/planner/shifts"
)

// Shifts says which shifts cover a need.
func Shifts(a *shifts.Answer) *Section {
	s := &Section{ID: "shifts", Title: "Which shifts cover the need?", Notes: a.Warnings}
	proven := "the least there is, proven"
	if !a.Optimal {
		proven = "at most " + fraction(a.Gap, 2) + " above the least, proven"
	}
	s.Say("%s paid hours in %s (%s)", number(a.PaidHours, 6), Plural(a.People, "shift"), proven)
	s.Fact("hours at work", number(a.WorkHours, 6), "that the load asks for")
	if a.Shrinkage > 0 {
		s.Fact("hours to be present", number(a.NeededHours, 6), "with a shrinkage of "+fraction(a.Shrinkage, 3))
	}
	s.Fact("hours present", number(a.PresentHours, 6), "of the roster, without breaks")
	if a.Cost != a.PaidHours {
		s.Fact("cost", number(a.Cost, 6), "paid hours by what they cost")
	}
	s.Fact("proven bound", number(a.Bound, 6), "no roster costs less")
	s.Fact("most present", Plural(a.MostPresent, "person", "people"))
	t := s.Table("day", "from", "to", "shift", "people")
	t.ID, t.Caption, t.Long = "shifts", "How many begin each shift", true
	rows := [][]string{strings.Fields("type day start_s end_s people paid_hours_each")}
	for i := range a.Worked {
		w := &a.Worked[i]
		t.Row(Count(int64(w.Day)), Clock(math.Mod(w.Start, 86400)), Clock(math.Mod(w.End, 86400)), w.Type,
			Count(w.People))
		_, row := scalars.Of(w)
		rows = append(rows, row)
	}
	s.Data = []Data{Rows("shifts", rows)}
	s.Plots(a, "People present and people needed.")
	return s
}
