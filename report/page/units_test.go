package page

import (
	"github.com/capplan/capplan/report/say"
	"slices"
	"strings"
	"testing"
)

// The times of a column are in one unit, and so are the rows that are left of a
// long table; in a table with a figure in each row it is the row that has one.
func TestOneUnitPerColumn(t *testing.T) {
	s := &Section{}
	table := s.Table("class", "mean wait", "rate")
	table.Row("a", say.TimeCell(0.9, 3), say.RateCell(0.5, 3))
	table.Row("b", say.TimeCell(1.2, 3), say.RateCell(30, 3))
	table.Row("c", say.Quantity{}, "")
	want := [][]string{{"a", "0.9 s", "0.5/s"}, {"b", "1.2 s", "30/s"}, {"c", "-", "-"}}
	if got := table.Filled(); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, want %q", got, want)
	}

	turned := s.Table("servers", "1", "2")
	turned.Across = true
	turned.Row("wait", say.TimeCell(0.9, 3), say.TimeCell(1.2, 3))
	turned.Row("response", say.TimeCell(90, 3), say.TimeCell(95, 3))
	want = [][]string{{"wait", "0.9 s", "1.2 s"}, {"response", "90 s", "95 s"}}
	if got := turned.Filled(); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("across: got %q, want %q", got, want)
	}

	long := &Section{}
	rows := long.Table("from", "wait")
	for i := range 100 {
		rows.Row(say.Count(i), say.TimeCell(0.9*float64(i+1), 3))
	}
	long.Shorten("all are in the answer")
	var b strings.Builder
	if err := long.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, " 0.9 s\n") || !strings.Contains(text, " 90 s\n") ||
		strings.Contains(text, "min") || !strings.Contains(text, "... 61 rows left out") {
		t.Error(text)
	}
}
