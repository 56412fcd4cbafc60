package trace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
)

// recorded opens a trace with the content at time 1000 and a period of 10 s.
func recorded(t *testing.T, content string) (*HostTraceFile, string, error) {
	t.Helper()
	path := write(t, filepath.Join(t.TempDir(), "x.csv"), content)
	h, err := OpenHostTrace(context.Background(), path, 10, 1000)
	return h, path, err
}

func TestRecordGoesOn(t *testing.T) {
	const header = "time,cpu,free_mb\n"
	for _, c := range []struct {
		name, content, want, dropped string
		rows                         int
	}{
		{"new", "", header, "", 0},
		{"header", header, header, "", 0},
		{"cut header", "time,cp", header, "", 0},
		{"header without end", "time,cpu,free_mb", header, "", 0},
		{"rows", header + "900,0.5,100\n910,0.5,100\n", header + "900,0.5,100\n910,0.5,100\n", "", 2},
		{"gap", header + "10,0,1\n20,0,1\n30,0,1\n990,0,1\n", header + "10,0,1\n20,0,1\n30,0,1\n990,0,1\n", "", 4},
		// Runs of a sample or two: no gap but multiples of the period.
		{"restarts", header + "10,0,1\n30,0,1\n80,0,1\n110,0,1\n", header + "10,0,1\n30,0,1\n80,0,1\n110,0,1\n", "", 4},
		{"two runs", header + "10,0,1\n60,0,1\n", header + "10,0,1\n60,0,1\n", "", 2},
		{"short runs", header + "10,0,1\n20,0,1\n90,0,1\n990,0,1\n", header + "10,0,1\n20,0,1\n90,0,1\n990,0,1\n", "", 4},
		{"cut row", header + "900,0.5,100\n910,0.", header + "900,0.5,100\n", "910,0.", 1},
		{"cut first row", header + "90", header, "90", 0},
		{"bad row", header + "900,x,100\n910,0.5,100\n", header + "900,x,100\n910,0.5,100\n", "", 1},
	} {
		h, path, err := recorded(t, c.content)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if h.Rows != c.rows || h.Dropped != c.dropped {
			t.Errorf("%s: %d rows, %q dropped, want %d, %q", c.name, h.Rows, h.Dropped, c.rows, c.dropped)
		}
		if err := errors.Join(h.Add(1000.12345, 0.123456, 2.5e9), h.Close()); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != c.want+"1000.123,0.1235,2500\n" {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// Nothing that is not such a trace is touched.
func TestRecordRefuses(t *testing.T) {
	const header = "time,cpu,free_mb\n"
	for _, c := range []struct{ content, want string }{
		{"a letter to keep", "another kind of file"},
		{"time,cpu\n1,0\n", "another kind of file"},
		{"\x1f\x8b\x00", "another kind of file"},
		{"time,cpu,free_mb,host\n", "another kind of file"},
		{header + "10,0,1\n15,0,1\n20,0,1\n", "holds a sample every 5 s, not every 10 s"},
		{header + "10,0,1\n30,0,1\n50,0,1\n90,0,1\n", "holds a sample every 20 s, not every 10 s"},
		{header + "10,0,1\n15,0,1\n", "holds a sample every 5 s, not every 10 s"},
		{header + "10,0,1\n20,0,1\n2000,0,1\n", "1000 s later than the clock"},
		{header + "10,50,1\n20,50,1\n30,50,1\n", "percent"},
	} {
		_, path, err := recorded(t, c.content)
		var file *source.FileError
		if !errors.As(err, &file) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.content, err, c.want)
		}
		if got, _ := os.ReadFile(path); string(got) != c.content {
			t.Errorf("%q became %q", c.content, got)
		}
	}
	if _, err := OpenHostTrace(context.Background(), t.TempDir(), 10, 1000); err == nil {
		t.Error("a folder was opened")
	}
	if _, err := OpenHostTrace(context.Background(), filepath.Join(t.TempDir(), "no", "x"), 10, 1000); err == nil {
		t.Error("a file in no folder was opened")
	}
}

// A crash may leave a file of any length, all zeros or zeros behind its rows: it is
// neither read into memory nor gone through to its beginning.
func TestRecordOfAnyLength(t *testing.T) {
	for _, begin := range []string{"time", recordHeader + "\n10,0,1\n"} {
		path := filepath.Join(t.TempDir(), "trace.csv")
		if err := os.WriteFile(path, []byte(begin), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 1<<38); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenHostTrace(t.Context(), path, 10, 1000); err == nil ||
			!strings.Contains(err.Error(), "another kind of file") && !strings.Contains(err.Error(), "ends in more than 1 MiB") {
			t.Errorf("%q: %v", begin, err)
		}
	}
}
