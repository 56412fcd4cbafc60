package sweeps

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// squares is a sweep whose points are the squares of x times y; those of an odd
// product are infeasible.
func squares(t *testing.T, answered *atomic.Int64) (*Sweep, []Row) {
	t.Helper()
	s := &Sweep{Version: "test", Command: "square", Over: []string{"x=1:40:1", "y=1,2"}}
	for _, o := range s.Over {
		a, err := ParseAxis(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		s.Axes = append(s.Axes, a)
	}
	rows, err := lay(t.Context(), s.Axes)
	if err != nil {
		t.Fatal(err)
	}
	s.Answer = func(_ context.Context, _ int, row *Row) ([]string, error) {
		answered.Add(1)
		x, _ := strconv.Atoi(row.Values[0])
		y, _ := strconv.Atoi(row.Values[1])
		if x*y%2 == 1 {
			row.Infeasible = "odd, \"so to speak\""
			return nil, nil
		}
		row.Answer([]string{"square", "note"}, []string{strconv.Itoa(x * x * y * y), "a,b\nc"})
		return nil, nil
	}
	return s, rows
}

// ran runs the sweep into a file.
func ran(t *testing.T, path string, resume bool, answered *atomic.Int64) {
	t.Helper()
	s, rows := squares(t, answered)
	f, err := s.Open(t.Context(), path, rows, resume, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := s.Run(t.Context(), rows, f); n != len(rows) || err != nil {
		t.Fatalf("%d of %d rows, %v", n, len(rows), err)
	}
	if err := f.Finish(t.Context(), s, rows, Columns(rows)); err != nil {
		t.Fatal(err)
	}
}

// Rows come in the order of the axes however many are answered at once, and a
// file that was cut anywhere is gone on with to the same bytes.
func TestRunAndResume(t *testing.T) {
	var answered atomic.Int64
	path := filepath.Join(t.TempDir(), "rows.csv")
	ran(t, path, false, &answered)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(whole, []byte("over_x,over_y,square,note,infeasible\n1,1,,,")) ||
		!bytes.Contains(whole, []byte("\n3,2,36,\"a,b\nc\",\n4,1,16,")) {
		t.Errorf("%s", whole)
	}
	side := []byte(`{"version":"test","command":"square","flags":null,"over":["x=1:40:1","y=1,2"],"files":[],"stdin_sha256":""}`)
	for cut := 0; cut <= len(whole); cut += 37 {
		for name, data := range map[string][]byte{path: whole[:cut], sideFile(path): side} {
			if err := os.WriteFile(name, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		before := answered.Load()
		ran(t, path, true, &answered)
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("cut at %d: %s (%v)", cut, got, err)
		}
		if n := answered.Load() - before; cut > len(whole)/2 && n > 60 {
			t.Errorf("cut at %d of %d bytes, %d of 80 points are answered again", cut, len(whole), n)
		}
		if _, err := os.Stat(sideFile(path)); !os.IsNotExist(err) {
			t.Fatalf("cut at %d: the file beside is left", cut)
		}
	}
	// Nothing is computed of a file that is whole.
	before := answered.Load()
	s, rows := squares(t, &answered)
	f, err := s.Open(t.Context(), path, rows, true, false)
	if err != nil || !f.Finished {
		t.Fatalf("%+v, %v", f, err)
	}
	if n, err := s.Run(t.Context(), rows, f); n != len(rows) || err != nil || answered.Load() != before {
		t.Errorf("%d rows, %v", n, err)
	}
}

// What is not this sweep is not gone on with.
func TestResumeRefuses(t *testing.T) {
	var answered atomic.Int64
	path := filepath.Join(t.TempDir(), "rows.csv")
	for name, c := range map[string]struct {
		side, rows, want string
	}{
		"command": {`{"command":"cube"}`, "", "of capplan sweep cube"},
		"flags":   {`{"command":"square","flags":[["a","1"]]}`, "", "with other flags: --a 1, not none"},
		"over":    {`{"command":"square","over":["x=1"]}`, "", "over [x=1]"},
		"version": {`{"version":"0","command":"square","over":["x=1:40:1","y=1,2"],"files":[]}`, "", "of capplan 0"},
		"columns": {`{"version":"test","command":"square","over":["x=1:40:1","y=1,2"],"files":[]}`, "a,b\n1,2\n", "its columns"},
	} {
		if err := os.WriteFile(path, []byte(c.rows), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(sideFile(path), []byte(c.side), 0o644); err != nil {
			t.Fatal(err)
		}
		s, rows := squares(t, &answered)
		_, err := s.Open(t.Context(), path, rows, true, false)
		var option *OptionError
		if !errors.As(err, &option) || !strings.Contains(option.Reason, c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// The error is that of the first point, in order, that fails; a stop leaves what
// is finished.
func TestRunStops(t *testing.T) {
	var answered atomic.Int64
	s, rows := squares(t, &answered)
	answer := s.Answer
	s.Answer = func(ctx context.Context, point int, row *Row) ([]string, error) {
		if point >= 30 {
			return nil, errors.New("no more")
		}
		return answer(ctx, point, row)
	}
	if n, err := s.Run(t.Context(), rows, nil); n != 30 || err == nil || err.Error() != "at x=16, y=1: no more" {
		t.Errorf("%d rows, %v", n, err)
	}
	s, rows = squares(t, &answered)
	ctx, cancel := context.WithCancel(t.Context())
	answer = s.Answer
	s.Answer = func(ctx context.Context, point int, row *Row) ([]string, error) {
		if point == 20 {
			cancel()
		}
		return answer(ctx, point, row)
	}
	if n, err := s.Run(ctx, rows, nil); n > 21 || !errors.Is(err, context.Canceled) {
		t.Errorf("stopped at 20: %d rows, %v", n, err)
	}
}

// Points that are answered side by side share the memory of one: two of more than half of it are not.
func TestPointsShareMemory(t *testing.T) {
	s, rows := squares(t, new(atomic.Int64))
	var running, most atomic.Int64
	answer := s.Answer
	s.Answer = func(ctx context.Context, point int, row *Row) ([]string, error) {
		give, err := parallel.Take(ctx, 0.7e9)
		if err != nil {
			return nil, err
		}
		defer give()
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		time.Sleep(100 * time.Microsecond)
		return answer(ctx, point, row)
	}
	if n, err := s.Run(t.Context(), rows, nil); n != len(rows) || err != nil || most.Load() != 1 {
		t.Errorf("%d of %d rows, %d at once, %v", n, len(rows), most.Load(), err)
	}
}
