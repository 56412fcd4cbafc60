package page

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
)

// Names of files and machines come from others: no terminal obeys them.
func TestTextIsEscaped(t *testing.T) {
	s := &Section{Lead: "written to \x1b[31mred.csv", Parts: []Part{
		{Facts: []Fact{{Label: "machine \x07", Value: "5"}}},
		{Table: &Table{Head: []string{"host", "up"}, Rows: [][]string{{"\u202eabc", "1"}}}},
	}}
	var b strings.Builder
	if err := s.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`written to \x1b[31mred.csv` + "\n", `machine \x07`, `\u202eabc`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %q", want, b.String())
		}
	}
	if strings.ContainsAny(b.String(), "\x1b\x07\u202e") {
		t.Errorf("%q", b.String())
	}
}

// A step without numbers or without a source has no line for them.
func TestExplainedWithoutSource(t *testing.T) {
	e := &ask.Explanation{Model: "m", Steps: []ask.Step{
		{Name: "a", Formula: "f"}, {Name: "b", Formula: "g", Numbers: "1", Source: "s"},
	}}
	if got, want := explained(e), "Model: m\n\n  a: f\n\n  b: g\n      1\n      source: s\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A long cell does not make all rows as long.
func TestLongCellsStandOut(t *testing.T) {
	rows := [][]string{{strings.Repeat("x", 1e5), "1"}, {"y", "2"}, {"z", "3"}}
	text := aligned(rows, 1)
	if n := len(text); n > 1e5+4*widest || !strings.Contains(text, rows[0][0]) {
		t.Errorf("%d bytes", n)
	}
}
