package trace

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/capplan/capplan/internal/source"
)

// heard is what a sink was told: "m TIME LOAD", "i START END UP STEP", "break".
type heard struct{ events []string }

func (h *heard) Sample(s Sample) error {
	h.events = append(h.events, fmt.Sprintf("m %v %v", s.Time, s.CPU))
	return nil
}

func (h *heard) Interval(i Interval, step float64) error {
	h.events = append(h.events, fmt.Sprintf("i %v %v %v %v", i.Start, i.End, i.Up, step))
	return nil
}

func (h *heard) Break() { h.events = append(h.events, "break") }

// hear reads the paths and returns what each machine's sink was told.
func hear(t *testing.T, o MachineOptions, paths ...string) (map[string]*heard, *MachineLog, error) {
	t.Helper()
	all := map[string]*heard{}
	o.Machine = func(name string) (MachineSink, error) {
		if all[name] != nil {
			return nil, fmt.Errorf("machine %s in two units", name)
		}
		all[name] = &heard{}
		return all[name], nil
	}
	units, err := FindMachines(context.Background(), paths)
	if err != nil {
		return all, nil, err
	}
	sum := &MachineLog{}
	for _, u := range units {
		log, err := ReadMachines(context.Background(), u, o)
		sum.Files, sum.Rows, sum.Skipped = sum.Files+log.Files, sum.Rows+log.Rows, sum.Skipped+log.Skipped
		sum.Malformed.Columns += log.Malformed.Columns
		sum.Malformed.Range += log.Malformed.Range
		sum.Malformed.Backward += log.Malformed.Backward
		sum.Warnings = append(sum.Warnings, log.Warnings...)
		if err != nil {
			return all, sum, err
		}
	}
	return all, sum, nil
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// A day of a host: percent v at every sample.
func wholeDay(v int) string { return strings.Repeat(fmt.Sprintln(v), planetLabSamples) }

func TestReadMachinesKinds(t *testing.T) {
	dir := t.TempDir()
	begin := 86400.0
	for _, c := range []struct {
		file, content string
		machine       string
		want          []string
	}{
		{"a.csv", "time,cpu\n10,0.5\n20,1\n", "a", []string{"m 10 0.5", "m 20 1"}},
		{"b.csv", "host,time,cpu\nx,10,0.5\ny,10,0\nx,20,1\n", "x", []string{"m 10 0.5", "m 20 1"}},
		{"c.csv", "timestamp,value\n1970-01-01 00:05:00,50\n", "c", []string{"m 300 0.5"}},
		{"d.json", `{"metadata": {"gap_seconds": 300}, "data": [1, 1, 0]}`, "d", []string{"i 86400 87000 true 300", "i 87000 87300 false 300"}},
		// The grid of 195 s begins at the multiple next to the day.
		{"g.json", `{"metadata": {"gap_seconds": 195}, "data": [1]}`, "g", []string{"i 86385 86580 true 195"}},
		{"e.tab", "1\t0\t7\t0\tn7\t1\t10\t20\tNULL\n", "n7", []string{"i 10 20 true 0"}},
		{"f", wholeDay(7), "f", nil},
	} {
		all, _, err := hear(t, MachineOptions{Begin: &begin}, write(t, filepath.Join(dir, c.file), c.content))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		got := all[c.machine]
		if got == nil {
			t.Errorf("%s: machines %v, want %s", c.file, all, c.machine)
			continue
		}
		if c.want == nil {
			if len(got.events) != planetLabSamples+1 || got.events[planetLabSamples] != "m 172500 0.07" {
				t.Errorf("%s: %d events, the last %q", c.file, len(got.events), got.events[len(got.events)-1])
			}
			continue
		}
		if !reflect.DeepEqual(got.events, c.want) {
			t.Errorf("%s: %q, want %q", c.file, got.events, c.want)
		}
	}
	if _, _, err := hear(t, MachineOptions{}, filepath.Join(dir, "f")); !errors.Is(err, ErrNoDate) {
		t.Errorf("a day file without a date: %v", err)
	}
	if _, _, err := hear(t, MachineOptions{Kind: FTAKind}, filepath.Join(dir, "a.csv")); err == nil || !strings.Contains(err.Error(), "nine tab-separated") {
		t.Errorf("a forced kind: %v", err)
	}
}

// The days of a host come in order of time from a folder, a day's folder and an
// archive, with a break before the first, and before a day that does not follow on.
func TestReadMachinesPlanetLab(t *testing.T) {
	dir := t.TempDir()
	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	w := tar.NewWriter(z)
	add := func(name, content string) {
		write(t, filepath.Join(dir, name), content)
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(content)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	add("traces/19700105/h1", wholeDay(5))
	add("traces/19700102/h1", wholeDay(2))
	add("traces/19700103/h1", wholeDay(3))
	add("traces/19700103/empty", "")
	add("traces/19700103/above", strings.Replace(wholeDay(9), "9", "101", 1))
	add("traces/README", "these are traces")
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	packed := write(t, filepath.Join(dir, "traces.tar.gz"), archive.String())
	for _, path := range []string{filepath.Join(dir, "traces"), packed} {
		all, log, err := hear(t, MachineOptions{}, path)
		if err != nil {
			t.Fatal(err)
		}
		h := all["h1"]
		if len(all) != 1 || h == nil || len(h.events) != 3*planetLabSamples+2 {
			t.Fatalf("%s: %d machines, h1 %v", path, len(all), h)
		}
		if h.events[0] != "break" || h.events[1] != "m 86400 0.02" || h.events[289] != "m 172800 0.03" ||
			h.events[577] != "break" || h.events[578] != "m 345600 0.05" {
			t.Errorf("%s: %q", path, []string{h.events[0], h.events[1], h.events[289], h.events[577], h.events[578]})
		}
		if log.Rows != 3 || log.Skipped != 1 || log.Malformed.Columns != 1 || log.Malformed.Range != 1 {
			t.Errorf("%s: %+v", path, log)
		}
		if _, _, err := hear(t, MachineOptions{Strict: true}, path); err == nil || !errors.Is(err, source.ErrMalformed) {
			t.Errorf("%s strict: %v", path, err)
		}
	}
	all, _, err := hear(t, MachineOptions{}, filepath.Join(dir, "traces", "19700103", "h1"), filepath.Join(dir, "traces", "19700102"))
	if err != nil || all["h1"] == nil || len(all["h1"].events) != 2*planetLabSamples+1 {
		t.Errorf("a file and a folder: %v, %v", all, err)
	}
	t.Chdir(filepath.Join(dir, "traces", "19700103"))
	if all, _, err := hear(t, MachineOptions{}, "h1"); err != nil || all["h1"].events[1] != "m 172800 0.03" {
		t.Errorf("inside of the day's folder: %v", err)
	}
	if all, _, err := hear(t, MachineOptions{}, "."); err != nil || len(all) != 1 {
		t.Errorf("the day's folder itself: %v, %v", all, err)
	}
	cut := write(t, filepath.Join(dir, "cut.tar.gz"), archive.String()[:archive.Len()/2])
	if _, _, err := hear(t, MachineOptions{}, cut); !errors.Is(err, source.ErrTruncated) {
		t.Errorf("a cut archive: %v", err)
	}
}

// A file of a machine that is not wanted is not read beyond its header.
func TestReadMachinesNotWanted(t *testing.T) {
	dir := t.TempDir()
	o := MachineOptions{Strict: true, Machine: func(string) (MachineSink, error) { return nil, nil }}
	for name, read := range map[string]bool{"a.csv": false, "b.csv": true} {
		content := "time,cpu\nbroken\n"
		if read {
			content = "host,time,cpu\nbroken\n"
		}
		path := write(t, filepath.Join(dir, name), content)
		_, err := ReadMachines(context.Background(), MachineUnit{[]MachineFile{{Path: path, Name: name}}}, o)
		if (err != nil) != read {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFindMachinesNames(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "rack1", "n.csv"), "time,cpu\n1,0\n2,0\n")
	write(t, filepath.Join(dir, "rack2", "n.csv.gz"), "time,cpu\n1,0\n2,0\n")
	write(t, filepath.Join(dir, "rack2", ".hidden"), "x")
	write(t, filepath.Join(dir, "notes.md"), "# traces\nsome text\n")
	all, log, err := hear(t, MachineOptions{}, dir)
	if err != nil || all["rack1/n"] == nil || all["rack2/n"] == nil || len(all) != 2 || log.Skipped != 1 {
		t.Errorf("%v, %+v, %v", all, log, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := FindMachines(ended, []string{"."}); !errors.Is(err, context.Canceled) {
		t.Errorf("a folder is walked through though the context has ended: %v", err)
	}
	if _, err := FindMachines(context.Background(), []string{t.TempDir()}); !errors.Is(err, source.ErrEmpty) {
		t.Errorf("an empty folder: %v", err)
	}
}

// Whatever the bytes, the reader ends, with an answer or an error.
func FuzzReadMachines(f *testing.F) {
	for _, s := range []string{"time,cpu\n1,0.5\n", "timestamp,value\n1,50\n", wholeDay(1), `{"metadata": {"gap_seconds": 1}, "data": [0, 1]}`,
		"1\t0\t7\t0\tn7\t1\t10\t20\tNULL\n", "System,nodenumz,Prob Started,Prob Fixed,Down Time\n", "time,price_usd_per_hour\n", "1.5\n2\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		begin := 0.0
		o := MachineOptions{Begin: &begin, Open: source.OpenOptions{Stdin: bytes.NewReader(data)}, Machine: func(string) (MachineSink, error) { return &heard{}, nil }}
		log, err := ReadMachines(context.Background(), MachineUnit{[]MachineFile{{Path: "-", Name: "x"}}}, o)
		if err == nil && log.Rows == 0 && log.Files > 0 {
			t.Errorf("no error and no row: %+v", log)
		}
	})
}

// Files of one name in several folders of an archive are several machines, as they are in folders
// outside: the second was joined to the first and lay before its end.
func TestReadMachinesOfOneNameInArchive(t *testing.T) {
	spot := `{"metadata": {"gap_seconds": 300}, "data": [1, 0, %d]}`
	for _, c := range []struct {
		kind  string
		files map[string]string
		want  []string
	}{
		{"spot", map[string]string{"rack1/node.json": fmt.Sprintf(spot, 1), "rack2/node.json": fmt.Sprintf(spot, 0)},
			[]string{"node", "rack2/node"}},
		{"host", map[string]string{"a/n.csv": "time,cpu\n60,0.1\n120,0.1\n", "b/n.csv": "time,cpu\n60,0.9\n120,0.8\n"},
			[]string{"b/n", "n"}},
		{"named inside", map[string]string{"a/n.csv": "time,cpu,host\n60,0.1,x\n", "b/n.csv": "time,cpu,host\n120,0.9,x\n"},
			[]string{"x"}},
	} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, name := range slices.Sorted(maps.Keys(c.files)) {
			content := c.files[name]
			if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(content)), Mode: 0o644}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(content)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		all, log, err := hear(t, MachineOptions{}, write(t, filepath.Join(t.TempDir(), "racks.tar"), b.String()))
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(maps.Keys(all)); !slices.Equal(got, c.want) || log.Malformed.Total() > 0 {
			t.Errorf("%s: machines %q, bad rows %+v, want %q", c.kind, got, log.Malformed, c.want)
		}
		told := slices.ContainsFunc(log.Warnings, func(w string) bool { return strings.Contains(w, "called by their path") })
		if told != (len(c.want) > 1) {
			t.Errorf("%s: warnings %q", c.kind, log.Warnings)
		}
	}
}
