package page

import (
	"strings"
	"testing"
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
