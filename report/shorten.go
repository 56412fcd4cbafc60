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
		if t == nil || t.Len() <= longestTable {
			continue
		}
		n := t.Len()
		rows := t.between(0, shownAtStart)
		rows = append(rows, []string{"... " + count(n-shownAtStart-shownAtEnd) + " rows left out: --all shows them"})
		t.Rows, t.lines = append(rows, t.between(n-shownAtEnd, n)...), 0
	}
}
