package records

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/planner/tally"
)

// onceFiles has one pipe: it is opened once, and what was read is gone.
type onceFiles struct {
	r    io.Reader
	open bool
}

func (f *onceFiles) Open(name string) (fs.File, error) {
	if f.open || name != "/dev/fd/63" {
		return nil, fmt.Errorf("%s: opened again", name)
	}
	f.open = true
	return onceFile{f.r}, nil
}

func (f *onceFiles) Stat(string) (fs.FileInfo, error) { return onceInfo{}, nil }

type onceFile struct{ io.Reader }

func (onceFile) Stat() (fs.FileInfo, error) { return onceInfo{}, nil }
func (onceFile) Close() error               { return nil }

type onceInfo struct{}

func (onceInfo) Name() string       { return "63" }
func (onceInfo) Size() int64        { return 0 }
func (onceInfo) Mode() fs.FileMode  { return fs.ModeNamedPipe }
func (onceInfo) ModTime() time.Time { return time.Time{} }
func (onceInfo) IsDir() bool        { return false }
func (onceInfo) Sys() any           { return nil }

// What a shell gives as <(...) is read whole, though it is looked at first: durations
// and samples, short and long, plain and packed.
func TestLifetimesOfAPipe(t *testing.T) {
	var many, load strings.Builder
	many.WriteString("duration_s\n")
	load.WriteString("time,cpu\n")
	for i := range 300_000 {
		fmt.Fprintln(&many, 1+i%7)
		if i < 60_000 {
			fmt.Fprintf(&load, "%d,%g\n", 1_700_000_000+60*i, 0.05+0.9*float64(i/30%2))
		}
	}
	durations, samples := many.String(), load.String()
	packed := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		z.Close()
		return b.String()
	}
	for name, c := range map[string]struct {
		text      string
		durations int
	}{
		"short":            {"duration_s\n1\n2\n3\n", 3},
		"long":             {durations, 300_000},
		"packed":           {packed(durations), 300_000},
		"samples":          {samples, 0},
		"samples, packed":  {packed(samples), 0},
		"a byte at a time": {"duration_s\n1\n2\n3\n", 3},
	} {
		var r io.Reader = strings.NewReader(c.text)
		if name == "a byte at a time" {
			r = onlyOne{r}
		}
		l := &Lifetimes{Tally: tally.NewUpDown(false)}
		l.Open.Files = &onceFiles{r: r}
		if err := l.Read(context.Background(), "/dev/fd/63"); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(l.Durations) != c.durations {
			t.Errorf("%s: %d durations, want %d", name, len(l.Durations), c.durations)
		}
		if f := l.Tally.Fleet(); c.durations == 0 && (f.Availability == nil || *f.Availability < 0.4 || *f.Availability > 0.6) {
			t.Errorf("%s: up %v of the time, want a half", name, f.Availability)
		}
	}
}

// onlyOne hands out single bytes.
type onlyOne struct{ r io.Reader }

func (o onlyOne) Read(b []byte) (int, error) { return o.r.Read(b[:min(1, len(b))]) }
