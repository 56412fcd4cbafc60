package sweeps

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/pieces"
)

// notes keeps texts in memory.
type notes []string

func (n *notes) Number(text string) int {
	if i := slices.Index(*n, text); i >= 0 {
		return i
	}
	*n = append(*n, text)
	return len(*n) - 1
}

func (n *notes) Text(i int) (string, bool) { return (*n)[i], true }

// A row is read back as it was written, whatever text is in it.
func TestFormRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := &points{swept: []string{"load"}}
		row := Row{of: of, Values: []string{"3"}}
		if rapid.Bool().Draw(t, "infeasible") {
			row.Infeasible = rapid.StringN(1, -1, -1).Draw(t, "reason")
		} else {
			n := rapid.IntRange(0, 5).Draw(t, "columns")
			text := rapid.SliceOfN(rapid.String(), n, n)
			row.Answer(text.Draw(t, "names"), text.Draw(t, "cells"))
		}
		warnings := rapid.SliceOf(rapid.String()).Draw(t, "warnings")
		kept := &notes{}
		text, err := (&answered{&row, warnings}).write(nil, kept)
		if err != nil {
			t.Fatal(err)
		}
		read := []Row{{of: of, Values: row.Values}}
		got := answered{row: &read[0]}
		if err := got.read(text, kept, &columns{}); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if d := cmp.Diff(row.Cells(nil), read[0].Cells(nil)); d != "" || read[0].Infeasible != row.Infeasible || !slices.Equal(got.warnings, warnings) {
			t.Errorf("%s: %+v, want %+v %v", text, got, row, warnings)
		}
	})
}

func TestFormRefuses(t *testing.T) {
	var kept pieces.Said = &notes{`["a","b"]`}
	for _, text := range []string{``, `[]`, `[0]`, `[0,[]]`, `[0,[],"1"]`, `[0,[],"1","2"`, `[0,[],"1","2"]]`, `[0,["w],"1","2"]`, `[x,[],"1","2"]`, `[-1,[]]`, `[0,[],"1","\x"]`} {
		a := answered{row: &Row{}}
		if err := a.read([]byte(text), kept, &columns{}); err == nil {
			t.Errorf("%s: %+v", text, a)
		}
	}
	row := Row{of: &points{}, Infeasible: "\xff"}
	if text, err := (&answered{row: &row}).write(nil, nil); err == nil {
		t.Errorf("bytes that are no text: %s", text)
	}
}
