package report

import (
	"math"
	"strings"

	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/planner/shifts"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Shifts says which shifts cover a need. It leads with the paid hours, which are what is least, and
// whether that is proven.
func Shifts(a *shifts.Answer) *page.Section {
	s := page.New("shifts", "Which shifts cover the need?", a.Warnings, nil)
	proven := "the least there is, proven"
	if !a.Optimal {
		proven = "at most " + say.Fraction(a.Above(), 2) + " above the least, proven"
	}
	s.Say("%s paid hours in %s (%s)", say.Number(a.PaidHours, 6), say.Plural(a.People, "shift"), proven)
	// Three numbers of hours tell where paid time goes: to the work, to absence, and to being more
	// than needed.
	s.Fact("hours at work", say.Number(a.WorkHours, 6), "that the load needs")
	// Without absence the two numbers of hours are the same.
	if a.Shrinkage > 0 {
		s.Fact("hours to be present", say.Number(a.NeededHours, 6), "with a shrinkage of "+say.Fraction(a.Shrinkage, 3))
	}
	s.Fact("hours present", say.Number(a.PresentHours, 6), "of the roster, without breaks")
	cost := func(v float64) string { return say.Number(v, 6) }
	if a.Money != nil {
		cost = func(v float64) string { return say.Cost(a.Money, v) }
	}
	// Where an hour costs 1 in no currency, the cost is the paid hours, which stand above.
	if a.Cost != a.PaidHours || a.Money != nil {
		s.Fact("cost", cost(a.Cost), "paid hours weighted by their cost")
	}
	s.Fact("proven bound", cost(a.Bound), "no roster costs less")
	s.Fact("most present", say.Plural(a.MostPresent, "person", "people"))
	// A row is a shift of one kind on one day that somebody begins.
	t := s.Table("day", "from", "to", "shift", "people")
	t.ID, t.Caption, t.Long = "shifts", "How many people begin each shift", true
	rows := [][]string{strings.Fields("type day start_s end_s people paid_hours_each")}
	for i := range a.Worked {
		w := &a.Worked[i]
		// A shift that ends after midnight has its end in the next day, whose clock begins anew.
		t.Row(say.Count(int64(w.Day)), say.Clock(math.Mod(w.Start, 86400)), say.Clock(math.Mod(w.End, 86400)), w.Type,
			say.Count(w.People))
		_, row := scalars.Of(w)
		rows = append(rows, row)
	}
	s.Data = []page.Data{page.Rows("shifts", rows)}
	s.Plots(a, "People present and people needed.")
	return s
}
