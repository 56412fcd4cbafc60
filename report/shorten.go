package report

// A table of more rows than a few screens hold is shown by its beginning and its
// end, which may be a sum.
const (
	longestTable = 64 // those that are bounded elsewhere hold 60, and a head
	shownAtStart = 36
	shownAtEnd   = 3
)

// Shorten leaves the middle of long tables out, for reading as text.
func (s *Section) Shorten() {
	for _, p := range s.Parts {
		t := p.Table
		if t == nil || len(t.Rows) <= longestTable {
			continue
		}
		left := len(t.Rows) - shownAtStart - shownAtEnd
		rows := append([][]string{}, t.Rows[:shownAtStart]...)
		rows = append(rows, []string{"... " + count(left) + " rows left out: --all shows them"})
		t.Rows = append(rows, t.Rows[len(t.Rows)-shownAtEnd:]...)
	}
}
