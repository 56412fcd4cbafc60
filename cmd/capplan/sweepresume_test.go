package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/sweeps"
)

// Wherever a file was cut, a resumed sweep makes it whole, to the byte; and the
// rows in it are not computed again.
func TestSweepResume(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "rows.csv")
	line := "capplan sweep size --max-blocking 1% --load 10 --over service-time=1s,2s,3s --over max-mean-response=2.5s,4s --out " + out
	if _, stderr, code := runLine(t, line); code != 0 {
		t.Fatal(stderr)
	}
	whole, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(whole, []byte("\n")); n != 7 || !bytes.Contains(whole, []byte("no number of servers")) {
		t.Fatalf("%d lines, want a header and six, one of them infeasible: %s", n, whole)
	}
	side := sideOf(t)
	for cut := range len(whole) + 1 {
		// About each end of a line, and here and there within one.
		if near := whole[max(0, cut-2):min(len(whole), cut+2)]; cut%61 != 0 && !bytes.Contains(near, []byte("\n")) {
			continue
		}
		for path, data := range map[string][]byte{out: whole[:cut], out + ".sweep": side} {
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, stderr, code := runLine(t, line+" --resume"); code != 0 {
			t.Fatalf("cut at %d: %s", cut, stderr)
		}
		got, err := os.ReadFile(out)
		if err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("cut at %d: %s, want %s (%v)", cut, got, whole, err)
		}
		if _, err := os.Stat(out + ".sweep"); !os.IsNotExist(err) {
			t.Fatalf("cut at %d: the file beside is left: %v", cut, err)
		}
	}
	// A row that is there is taken as it is.
	marked := bytes.Replace(whole[:len(whole)-20], []byte(",wait,"), []byte(",MARK,"), 1)
	for path, data := range map[string][]byte{out: marked, out + ".sweep": side} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, stderr, code := runLine(t, line+" --resume"); code != 0 {
		t.Fatal(stderr)
	}
	if got, _ := os.ReadFile(out); bytes.Count(got, []byte(",MARK,")) != 1 {
		t.Errorf("the marked row was computed again: %s", got)
	}
	// Rows of other points are refused.
	for path, data := range map[string][]byte{out: bytes.Replace(marked, []byte("\n1s,"), []byte("\n9s,"), 1), out + ".sweep": side} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, stderr, code := runLine(t, line+" --resume"); code != 2 || !bytes.Contains([]byte(stderr), []byte("row 1 is [9s 2.5s], want [1s 2.5s]")) {
		t.Errorf("rows of other points: exit code %d, %s", code, stderr)
	}
}

// A finished file is done; one that holds other rows is not taken for it.
func TestSweepResumeFinished(t *testing.T) {
	out := filepath.Join(t.TempDir(), "rows.csv")
	line := "capplan sweep size --max-blocking 1% --over load=1,2,3 -o csv --out " + out
	first, stderr, code := runLine(t, line)
	if code != 0 {
		t.Fatal(stderr)
	}
	whole, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	again, stderr, code := runLine(t, line+" --resume")
	if code != 0 || again != first || !strings.Contains(stderr, "holds all 3 rows already") {
		t.Errorf("exit code %d, %s%s, want 0 and %s", code, stderr, again, first)
	}
	if got, _ := os.ReadFile(out); !bytes.Equal(got, whole) {
		t.Errorf("the file became %s, want %s", got, whole)
	}
	for _, other := range [][]byte{whole[:len(whole)-1], append(bytes.Clone(whole), "4,\n"...), bytes.Replace(whole, []byte("\n2,"), []byte("\n5,"), 1)} {
		if err := os.WriteFile(out, other, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := runLine(t, line+" --resume"); code != 2 || !strings.Contains(stderr, "cannot be continued") {
			t.Errorf("%s: exit code %d, %s", other, code, stderr)
		}
	}
}

// What a full disk left of the file beside blocks nothing.
func TestSweepResumeEmptySide(t *testing.T) {
	for _, side := range []string{"", "{", `{"version": "`} {
		for _, flag := range []string{"", " --resume"} {
			out := filepath.Join(t.TempDir(), "rows.csv")
			for path, text := range map[string]string{out: "", out + ".sweep": side} {
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if _, stderr, code := runLine(t, "capplan sweep size --max-blocking 1% --over load=1,2,3 --out "+out+flag); code != 0 {
				t.Errorf("side file %q%s: %s", side, flag, stderr)
			}
			if _, err := os.Stat(out + ".sweep"); !os.IsNotExist(err) {
				t.Errorf("the file beside is left: %v", err)
			}
		}
	}
}

// sideOf returns what an interrupted run of the line of TestSweepResume leaves
// beside its file.
func sideOf(t *testing.T) []byte {
	t.Helper()
	s := &sweeps.Sweep{
		Version: cmdline.Version(),
		Command: "size",
		Flags:   [][2]string{{"max-blocking", "1%"}, {"load", "10"}},
		Over:    []string{"service-time=1s,2s,3s", "max-mean-response=2.5s,4s"},
	}
	for _, o := range s.Over {
		a, err := sweeps.ParseAxis(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		s.Axes = append(s.Axes, a)
	}
	path := filepath.Join(t.TempDir(), "rows")
	g, err := sweeps.NewGrid(s.Axes)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := g.Rows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Open(t.Context(), path, rows, false, false)
	if err != nil {
		t.Fatal(err)
	}
	s.Answer = func(_ context.Context, point int, row *sweeps.Row) ([]string, error) {
		row.Answer([]string{"servers"}, []string{"1"})
		if point > 0 {
			return nil, context.Canceled
		}
		return nil, nil
	}
	if _, err := s.Run(t.Context(), rows, f); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path + ".sweep")
	if err != nil {
		t.Fatal(err)
	}
	return data
}
