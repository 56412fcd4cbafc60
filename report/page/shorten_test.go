package page

import (
	"fmt"
	"strings"
	"testing"
)

// A long table keeps its beginning and its end, a short one all; the sentence
// between does not widen its column.
func TestShorten(t *testing.T) {
	for _, rows := range []int{0, 64, 65, 288} {
		s := &Section{Lead: "lead"}
		table := s.Table("from", "servers")
		for i := range rows {
			table.Row(fmt.Sprint(i), fmt.Sprint(2*i))
		}
		s.Shorten("--all shows them")
		s.Shorten("--all shows them") // again changes nothing
		want := rows
		if rows > 64 {
			want = 36 + 1 + 3
		}
		if len(table.Rows) != want {
			t.Fatalf("%d rows of %d, want %d", len(table.Rows), rows, want)
		}
		if rows <= 64 {
			continue
		}
		var b strings.Builder
		if err := s.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), fmt.Sprintf("\n  ... %d rows left out: --all shows them\n", rows-39)) ||
			!strings.Contains(b.String(), fmt.Sprintf("\n  %-4d%9d\n", rows-1, 2*rows-2)) {
			t.Errorf("%d rows:\n%s", rows, b.String())
		}
	}
}
