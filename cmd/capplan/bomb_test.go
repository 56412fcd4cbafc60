package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
)

// An endlessText is what a few MB of compressed text may unpack to.
type endlessText struct {
	head string
	row  func(b []byte, n int64) []byte
	n    int64
	rest []byte
	all  []byte
}

func (e *endlessText) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		e.all = append(e.all[:0], e.head...)
		e.head = ""
		for len(e.all) < 1<<16 {
			e.all = e.row(e.all, e.n)
			e.n++
		}
		e.rest = e.all
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// Every reader comes to an end of what has none, within a GiB, and says what
// was too much.
func TestBombs(t *testing.T) {
	longtest.Skip(t)
	repeat := func(text string) func([]byte, int64) []byte {
		return func(b []byte, _ int64) []byte { return append(b, text...) }
	}
	for _, c := range []struct {
		line, head string
		row        func([]byte, int64) []byte
		want       string
	}{
		{"lifetime -", "duration_s\n", repeat("1\n"), "more than 8 million durations to keep"},
		{"availability label -", "time,cpu\n", func(b []byte, n int64) []byte {
			return append(strconv.AppendInt(b, 60*n, 10), ",0.5\n"...)
		}, "more than 8 million samples to keep"},
		{"availability label -", "time,cpu,host\n", func(b []byte, n int64) []byte {
			return append(strconv.AppendInt(append(b, "0,0.5,"...), n, 10), '\n')
		}, "more than 250000 machines"},
		{"availability solve - --window 1h", `{"states":[`, repeat("[],"), "holds more than 256 MiB"},
		{"route - --rate 1/s", "clusters:\n", repeat("- []\n"), "holds more than 32 MiB and is no object of JSON"},
		{"plan -", "", repeat("# x\n"), "holds more than 64 MiB"},
		{"compare - testdata/mix.yaml", `{"seed":1,"infeasible":[],"x":"`, repeat("aaaaaaaa"), "holds more than 64 MiB"},
		{"size --load-curve - --service-time 1s --max-blocking 1%", "time_s,rate_per_s\n", func(b []byte, n int64) []byte {
			return append(strconv.AppendInt(b, n, 10), ",1\n"...)
		}, "more than 4 million rows"},
	} {
		debug.FreeOSMemory()
		peak, stop := heapPeak()
		var out, errs bytes.Buffer
		code := run(context.Background(), strings.Fields("capplan "+c.line), &endlessText{head: c.head, row: c.row}, &out, &errs)
		close(stop)
		greatest := <-peak >> 20
		if code != 2 || !strings.Contains(errs.String(), c.want) || len(errs.String()) > 1000 {
			t.Errorf("%s of %q: exit code %d, %.1000s, want 2 and %q", c.line, c.head, code, errs.String(), c.want)
		}
		if greatest > 1024 {
			t.Errorf("%s of %q: %d MiB, want at most 1024", c.line, c.head, greatest)
		}
		t.Logf("%s of %q: %d MiB", c.line, c.head, greatest)
	}
}

// The rows of a sweep that are answered at once each read the file: together they
// take no more than a GiB.
func TestSweptBombs(t *testing.T) {
	longtest.Skip(t)
	for name, c := range map[string]struct{ head, item, tail string }{
		"text":   {`{"stations": "`, strings.Repeat("x", 63), `"}`},
		"values": {`{"stations": [`, "{},", "{}]}"},
		"yaml":   {"stations:\n", "- {a: b}\n", ""},
	} {
		items := map[string]int{"text": 1 << 20, "values": 990_000, "yaml": 370_000}[name]
		file := filepath.Join(t.TempDir(), "bomb.gz")
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := io.WriteString(w, c.head+strings.Repeat(c.item, items)+c.tail)
		if err := errors.Join(err, w.Close(), os.WriteFile(file, packed.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		debug.FreeOSMemory()
		peak, stop := heapPeak()
		var errs bytes.Buffer
		line := []string{"capplan", "sweep", "queue", "jackson", file, "--simulate", "--over", "replications=10,20,30,40"}
		code := run(context.Background(), line, strings.NewReader(""), io.Discard, &errs)
		close(stop)
		greatest := <-peak >> 20
		if code != 2 || strings.Contains(errs.String(), "holds more than") || greatest > 1024 {
			t.Errorf("%s: exit code %d, %d MiB, %.300s", name, code, greatest, errs.String())
		}
		t.Logf("%s: %d MiB", name, greatest)
	}
}

// heapPeak watches the memory in use until it is stopped.
func heapPeak() (peak chan uint64, stop chan struct{}) {
	peak, stop = make(chan uint64, 1), make(chan struct{})
	go func() {
		greatest := uint64(0)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			greatest = max(greatest, m.HeapInuse)
			select {
			case <-stop:
				peak <- greatest
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return peak, stop
}
