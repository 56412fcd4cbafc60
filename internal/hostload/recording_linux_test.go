package hostload

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/common"
)

// proc returns a context in which the counters are files of a folder, and the folder.
func proc(t *testing.T, stat, meminfo string) (context.Context, string) {
	t.Helper()
	folder := t.TempDir()
	write(t, folder, "stat", stat)
	write(t, folder, "meminfo", meminfo)
	return context.WithValue(t.Context(), common.EnvKey, common.EnvMap{common.HostProcEnvKey: folder}), folder
}

func write(t *testing.T, folder, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const (
	someTimes  = "cpu  1 2 3 4 5 6 7 8 9 10\n"
	someMemory = "MemTotal: 4000000 kB\nMemAvailable: 3000000 kB\n"
)

// A clock that is set while a recording runs changes neither how long it runs nor the order of the
// rows.
func TestClockIsSet(t *testing.T) {
	begin := time.UnixMilli(1_700_000_000_500)
	for _, c := range []struct {
		name string
		set  map[int]time.Duration // by how much, in which second
		rows []float64             // seconds since begin of the day's clock
		left int
	}{
		{name: "not at all", rows: []float64{.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}},
		{name: "an hour forward", set: map[int]time.Duration{3: time.Hour}, rows: []float64{.5, 1.5, 2.5, 3604.5, 3605.5, 3606.5, 3607.5}},
		{name: "three seconds back", set: map[int]time.Duration{3: -3 * time.Second}, rows: []float64{.5, 1.5, 2.5, 3.5, 4.5}, left: 2},
		{name: "a year back", set: map[int]time.Duration{3: -365 * 24 * time.Hour}, rows: []float64{.5, 1.5, 2.5}, left: 4},
		{name: "a century forward, and back", set: map[int]time.Duration{2: 876000 * time.Hour, 5: -876000 * time.Hour},
			rows: []float64{.5, 1.5, 3153600003.5, 3153600004.5}, left: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, folder := proc(t, someTimes, someMemory)
			var gone, set time.Duration
			second := 0
			var told []string
			r := &Recording{Every: time.Second, For: 8 * time.Second, Told: func(s string) { told = append(told, s) }}
			r.clock = clock{
				day:  func() time.Time { return begin.Add(gone + set) },
				gone: func() time.Duration { return gone },
				wait: func(_ context.Context, d time.Duration) bool {
					gone += d
					second++
					set += c.set[second-1]
					write(t, folder, "stat", fmt.Sprintf("cpu  %d 2 3 4 5 6 7 8 9 10\n", 100*second))
					return true
				},
			}
			path := filepath.Join(t.TempDir(), "t.csv")
			a, err := r.Run(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			var rows []float64
			text, _ := os.ReadFile(path)
			for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
				at, _, _ := strings.Cut(line, ",")
				v, _ := strconv.ParseFloat(at, 64)
				rows = append(rows, v-float64(begin.UnixMilli())/1e3)
			}
			if !slices.Equal(rows, c.rows) || a.Samples != len(rows) {
				t.Errorf("rows %v, want %v; samples %d", rows, c.rows, a.Samples)
			}
			if gone != r.For {
				t.Errorf("it ran for %s, want %s", gone, r.For)
			}
			if r.left != c.left || len(r.Warnings) != min(c.left, 1) || len(told) != min(c.left, 1) {
				t.Errorf("left out %d, want %d; warned %q; told %q", r.left, c.left, r.Warnings, told)
			}
		})
	}
}

// Counters that are not there, or no numbers, are told in plain words, and no memory at all is no
// measurement.
func TestOddCounters(t *testing.T) {
	for _, c := range []struct{ stat, meminfo, want string }{
		{"", someMemory, "the system does not tell the times of its CPUs"},
		{"cpu  1 2 3\n", someMemory, "the system does not tell the times of its CPUs"},
		{"intr 1\n", someMemory, "the system does not tell the times of its CPUs"},
		{someTimes, "", "the system does not tell how much memory it has"},
		{someTimes, "\xff\x00garbage", "the system does not tell how much memory it has"},
		{someTimes, "MemTotal: -5 kB\n", `the system does not tell how much memory it has: "-5" is not a number`},
	} {
		ctx, _ := proc(t, c.stat, c.meminfo)
		var m Meter
		if _, _, _, err := m.Read(ctx); err == nil || err.Error() != c.want {
			t.Errorf("%q, %q: %v, want %s", c.stat, c.meminfo, err, c.want)
		}
	}
}

// Counters that stand still are no load, whatever is lost by rounding.
func TestCountersStandStill(t *testing.T) {
	ctx, _ := proc(t, "cpu  -1 -2 -3 -4 -5 -6 -7 -8 -9 -10\n", someMemory)
	var m Meter
	for range 2 {
		if load, _, ok, err := m.Read(ctx); ok || err != nil {
			t.Errorf("load %v, %v, %v", load, ok, err)
		}
	}
}

// silence makes a file of which nothing ever comes, until the test ends.
func silence(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // whoever waits for a writer goes on
		if f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0); err == nil {
			f.Close()
		}
	})
}

// A system that does not answer does not keep a recording from its end.
func TestSilentSystem(t *testing.T) {
	ctx, folder := proc(t, someTimes, someMemory)
	silence(t, filepath.Join(folder, "meminfo"))
	ctx, stop := context.WithCancel(ctx)
	time.AfterFunc(20*time.Millisecond, stop)
	a, err := (&Recording{Every: time.Second}).Run(ctx, filepath.Join(t.TempDir(), "t.csv"))
	if err != nil || a.Samples != 0 {
		t.Errorf("%+v, %v", a, err)
	}
}
