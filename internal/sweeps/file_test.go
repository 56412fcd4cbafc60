package sweeps

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The set-up of a million points stops too: laying them out, and asking for
// each value whether it is a file.
func TestSetUpStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	s := &Sweep{Command: "size"}
	a, err := ParseAxis(ctx, "load=1:1000000:1")
	if err != nil {
		t.Fatal(err)
	}
	s.Axes = []Axis{a}
	if _, err := lay(ctx, s.Axes); err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := s.identify(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("identity: %v", err)
	}
	if _, err := lay(ctx, s.Axes); !errors.Is(err, context.Canceled) {
		t.Errorf("points: %v", err)
	}
	if _, err := ParseAxis(ctx, "load=1:1000000:1"); !errors.Is(err, context.Canceled) {
		t.Errorf("axis: %v", err)
	}
}

// Rows without any answer wait until the end, however many: a stop while they are
// written leaves the file as it was, to be gone on with.
func TestFinishStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	s := &Sweep{Command: "size", Answer: func(_ context.Context, _ int, row *Row) ([]string, error) {
		row.Infeasible = "never"
		return nil, nil
	}}
	a, err := ParseAxis(t.Context(), "load=1:5000:1")
	if err != nil {
		t.Fatal(err)
	}
	s.Axes = []Axis{a}
	for _, resume := range []bool{false, true} {
		rows, err := lay(t.Context(), s.Axes)
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.Open(t.Context(), path, rows, resume, false)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if n, err := s.Run(t.Context(), rows, f); n != len(rows) || err != nil {
			t.Fatalf("%d rows, %v", n, err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		if !resume {
			stop()
		}
		if err := f.Finish(ctx, s, rows, []string{"servers"}); !errors.Is(err, ctx.Err()) {
			t.Fatalf("%v, want %v", err, ctx.Err())
		}
		f.Close()
		text, err := os.ReadFile(path)
		if lines := bytes.Count(text, []byte("\n")); (err == nil) != resume || resume && lines != 5001 {
			t.Errorf("%d lines, %v", lines, err)
		}
		if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) > 1 {
			t.Errorf("left beside: %v, %v", names, err)
		}
	}
}

// No run ended by force leaves an empty file of rows by itself, which would pass
// for a finished one: the file beside it comes first, and goes if it cannot be
// followed. An earlier file stays until there is a row to write.
func TestBegins(t *testing.T) {
	rows := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(rows, []byte("of an earlier run\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &File{path: rows}
	if err := f.begin(&Identity{}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if text, _ := os.ReadFile(rows); string(text) != "of an earlier run\n" {
		t.Errorf("the earlier rows are %q", text)
	}
	if names, _ := os.ReadDir(filepath.Dir(rows)); len(names) != 1 {
		t.Errorf("left beside: %v", names)
	}
	f = &File{path: rows}
	if err := f.begin(&Identity{}); err != nil {
		t.Fatal(err)
	}
	if err := f.start(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	info, err := os.Stat(rows)
	if err != nil || info.Size() != 0 || info.Mode().Perm() != 0o600 {
		t.Errorf("rows replaced by %v, %v; want an empty file of the same permissions", info, err)
	}
	if _, err := os.Stat(sideFile(rows)); err != nil {
		t.Error(err)
	}
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	f = &File{path: folder}
	if err := f.begin(&Identity{}); err != nil {
		t.Fatal(err)
	}
	if err := f.start(); err == nil {
		t.Error("a folder was taken for a file")
	}
	if _, err := os.Stat(sideFile(folder)); !os.IsNotExist(err) {
		t.Errorf("the file beside is left: %v", err)
	}
}
