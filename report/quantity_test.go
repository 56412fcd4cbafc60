package report

import (
	"slices"
	"strings"
	"testing"
)

// The times of a column are in one unit, and so are the rows that are left of a
// long table; in a table with a figure in each row it is the row that has one.
func TestOneUnitPerColumn(t *testing.T) {
	s := &Section{}
	table := s.Table("class", "mean wait", "rate")
	table.Row("a", timeCell(0.9, 3), rateCell(0.5, 3))
	table.Row("b", timeCell(1.2, 3), rateCell(30, 3))
	table.Row("c", quantity{}, "")
	want := [][]string{{"a", "0.9 s", "0.5/s"}, {"b", "1.2 s", "30/s"}, {"c", "-", "-"}}
	if got := table.Filled(); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, want %q", got, want)
	}

	turned := s.Table("servers", "1", "2")
	turned.across = true
	turned.Row("wait", timeCell(0.9, 3), timeCell(1.2, 3))
	turned.Row("response", timeCell(90, 3), timeCell(95, 3))
	want = [][]string{{"wait", "0.9 s", "1.2 s"}, {"response", "90 s", "95 s"}}
	if got := turned.Filled(); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("across: got %q, want %q", got, want)
	}

	long := &Section{}
	rows := long.Table("from", "wait")
	for i := range 100 {
		rows.Row(Count(i), timeCell(0.9*float64(i+1), 3))
	}
	long.Shorten()
	var b strings.Builder
	if err := long.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, " 0.9 s\n") || !strings.Contains(text, " 90 s\n") ||
		strings.Contains(text, "min") || !strings.Contains(text, "... 61 rows left out") {
		t.Error(text)
	}
}

// An estimate has no digits below those of its standard error.
func TestDigitsOfEstimates(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{withError(16.516, 0.29), "16.52 ± 0.29"},
		{withError(0.97872, 0.25), "0.98 ± 0.25"},
		{withError(0.6550, 0.011), "0.655 ± 0.011"},
		{withError(1.2, 34), "1 ± 34"},
		{withError(0.002, 34), "0.002 ± 34"},
		{withError(5, 0), "5 ± 0"},
		{timeWithError(5.068, 0.184), "5.07 s ± 0.18 s"},
		{timeWithError(279.2*86400, 93*86400), "279 d ± 93 d"},
		{Probability(0.190591), "19.06%"},
		{Probability(0.9999873), "99.9987%"},
		{Probability(1), "100%"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
