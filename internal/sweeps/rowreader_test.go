package sweeps

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unfinished leaves a sweep of five points as a kill does, with these rows.
func unfinished(t *testing.T, path, rows string) *Sweep {
	t.Helper()
	s := &Sweep{Command: "size", Answer: func(_ context.Context, _ int, row *Row) ([]string, error) {
		row.Answer([]string{"servers"}, []string{"3"})
		return nil, nil
	}}
	a, err := ParseAxis(t.Context(), "load=1:5:1")
	if err != nil {
		t.Fatal(err)
	}
	s.Axes = []Axis{a}
	points, err := lay(t.Context(), s.Axes)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Open(t.Context(), path, points, false, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.start(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := os.WriteFile(path, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	return s
}

// Rows that a crash has cut, or followed by zeros, are taken over as far as they are
// whole, however long the file says that it is.
func TestResumeTakesWholeRows(t *testing.T) {
	const header = "over_load,servers,infeasible\n"
	for name, of := range map[string]struct {
		rows string
		size int64 // of the file, where it is longer
		want int
	}{
		"nothing":     {"", 0, 0},
		"zeros":       {"", 1 << 38, 0},
		"cut header":  {"over_load,serv", 0, 0},
		"no row":      {header, 0, 0},
		"rows":        {header + "1,3,\n2,3,\n", 0, 2},
		"cut row":     {header + "1,3,\n2,3,", 0, 1},
		"cut cell":    {header + "1,3,\n2,3,\"no\nan", 0, 1},
		"zeros after": {header + "1,3,\n2,3,\n", 1 << 38, 2},
		"quote after": {header + "1,3,\n2,3,\"", 1 << 38, 1},
		"long row":    {header + "1,3,\n2," + strings.Repeat("3", 2*longestRow) + ",\n", 0, 1},
	} {
		path := filepath.Join(t.TempDir(), "rows.csv")
		s := unfinished(t, path, of.rows)
		if of.size > 0 {
			if err := os.Truncate(path, of.size); err != nil {
				t.Fatal(err)
			}
		}
		points, err := lay(t.Context(), s.Axes)
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.Open(t.Context(), path, points, true, false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f.Close()
		if f.written != of.want {
			t.Errorf("%s: %d rows are taken over, want %d", name, f.written, of.want)
		}
	}
}

// The file beside says to what the rows belong; one of any length is refused.
func TestSideFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	s := unfinished(t, path, "over_load,servers,infeasible\n1,3,\n")
	if err := os.Truncate(sideFile(path), 1<<38); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(t.Context(), path, nil, true, false); err == nil ||
		!strings.Contains(err.Error(), "holds more than 16 MiB") {
		t.Errorf("%v", err)
	}
}

// What a full disk has cut within a row ends with a whole one.
func TestCutLeavesWholeRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	for text, want := range map[string]string{"": "", "a": "", "a\nb": "a\n", "a\nb\n": "a\nb\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		f := &File{path: path}
		if err := f.open(int64(len(text))); err != nil {
			t.Fatal(err)
		}
		f.cut()
		f.Close()
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Errorf("of %q stays %q, want %q", text, got, want)
		}
	}
}
