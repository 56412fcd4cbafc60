package page

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/say"
)

// WriteText writes a section as aligned text: the answer first, then blocks with
// an empty line between them. Columns are padded by characters and not by bytes, so that ± and −
// keep them straight. Characters that a terminal would obey are escaped. Errors: those of w.
func (s *Section) WriteText(w io.Writer) error {
	var all []string
	if s.Lead != "" {
		all = append(all, s.Lead+"\n")
	}
	for _, p := range s.Parts {
		switch {
		case p.Text != "":
			all = append(all, p.Text+"\n")
		case p.Facts != nil:
			var rows [][]string
			// A fact is a line of two or three columns, all of them words.
			for _, f := range p.Facts {
				row := []string{f.Label, f.Value}
				if f.Remark != "" {
					row = append(row, f.Remark)
				}
				rows = append(rows, row)
			}
			all = append(all, aligned(rows, allWords))
		// A table without rows is not shown, nor is its head.
		case p.Table.Len() > 0:
			all = append(all, p.Table.text())
		}
	}
	if s.Formulas != nil {
		all = append(all, explained(s.Formulas))
	}
	_, err := io.WriteString(given.Writer(w), fault.Escaped(strings.Join(all, "\n")))
	return err
}

// text is the table with its head, and a line that says where the rest is.
func (t *Table) text() string {
	var rows [][]string
	if t.Head != nil {
		rows = append(rows, t.Head)
	}
	rows = append(rows, t.Filled()...)
	// What is left out is counted, so that a cut table is not taken for all.
	if t.More > 0 {
		more := "and " + say.Count(t.More) + " more"
		if t.MoreIn != "" {
			more += ", in format " + t.MoreIn
		}
		rows = append(rows, []string{more})
	}
	return aligned(rows, max(t.Words, 1))
}

// widest is the greatest width of a column, in characters.
const widest = 400

// aligned pads cells to columns. The first words columns, and all words, are flush left; figures
// are flush right, so that their digits stand below each other.
func aligned(rows [][]string, words int) string {
	var width []int
	columns := 0
	for _, r := range rows {
		columns = max(columns, len(r))
	}
	// A width is that of the longest cell of the column, its head among them. A longer one stands
	// out: with a name of a megabyte each row would have one.
	for _, r := range rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			if len(r) == 1 && columns > 1 { // a sentence below, or between
				continue
			}
			width[i] = max(width[i], min(utf8.RuneCountInString(c), widest))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		line := " "
		for i, c := range r {
			pad := strings.Repeat(" ", max(width[i]-utf8.RuneCountInString(c), 0))
			if i >= words {
				line += " " + pad + c + " "
			} else {
				line += " " + c + pad + " "
			}
		}
		// Blanks at the ends of lines would be seen in a diff.
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// explained writes how an answer is computed.
func explained(e *ask.Explanation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Model: %s\n", e.Model)
	if e.Of != "" {
		fmt.Fprintf(&b, "Numbers are of %s.\n", e.Of)
	}
	for _, s := range e.Steps {
		fmt.Fprintf(&b, "\n  %s: %s\n", s.Name, s.Formula)
		if s.Numbers != "" {
			fmt.Fprintf(&b, "      %s\n", s.Numbers)
		}
		if s.Source != "" {
			fmt.Fprintf(&b, "      source: %s\n", s.Source)
		}
	}
	// Assumptions stand last: they are what a reader holds against the case at hand.
	if len(e.Assumptions) > 0 {
		b.WriteString("\nAssumed:\n")
	}
	for _, a := range e.Assumptions {
		fmt.Fprintf(&b, "  - %s\n", a)
	}
	return b.String()
}

// A table of more rows than a few screens hold is shown by its beginning and its
// end, which may be a sum. The end is shown since a sum may stand there.
const (
	longestTable = 64 // those that are bounded elsewhere hold 60, and a head
	shownAtStart = 36
	shownAtEnd   = 3
)

// Shorten leaves the middle of long tables out, for reading as text; rest says how to
// see all of them, such as "--all shows them". Tables are changed; the data for programs
// stays whole.
func (s *Section) Shorten(rest string) {
	for _, p := range s.Parts {
		t := p.Table
		if t == nil || t.Len() <= longestTable {
			continue
		}
		n := t.Len()
		rows := t.rowsAt([][2]int{{0, shownAtStart}, {n - shownAtEnd, n}})
		left := []string{"... " + say.Plural(n-shownAtStart-shownAtEnd, "row") + " left out: " + rest}
		// The rows were made with their units, which a second pass would choose anew.
		t.Rows, t.made, t.cells = slices.Insert(rows, shownAtStart, left), 0, nil
	}
}
