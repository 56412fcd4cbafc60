package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// A command ends with Ctrl-C where nobody reads its answer any more, though its write blocks.
func TestPipeWithoutReader(t *testing.T) {
	for _, line := range []string{
		"availability generate --machines 1 --days 20",
		"allocate generate --jobs 20000 --resources 5 --primary-factor 0.6",
		"allocate generate --jobs 20000 --resources 5 --primary-factor 0.6 -o json",
		"man",
		"serve --openapi",
		"size --load 120 --max-blocking 1% --plot -",
		"queue erlang-b --help",
	} {
		ctx, cancel := context.WithCancel(context.Background())
		r, w := io.Pipe()
		ended := make(chan int, 1)
		var errs bytes.Buffer
		go func() { ended <- run(ctx, strings.Fields("capplan "+line), strings.NewReader(""), w, &errs) }()
		if _, err := r.Read(make([]byte, 1)); err != nil { // the answer has begun
			t.Fatalf("%s: %v", line, err)
		}
		cancel()
		select {
		case code := <-ended:
			if code != 1 || !strings.Contains(errs.String(), "interrupted") {
				t.Errorf("%s: exit code %d: %s", line, code, errs.String())
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: goes on after Ctrl-C", line)
		}
		r.Close()
	}
}

// What a command wrote until Ctrl-C ends with a whole line, whatever it did then.
func TestStoppedAnswerEndsALine(t *testing.T) {
	for _, line := range []string{
		"availability generate --machines 2 --days 20",
		"allocate generate --jobs 20000 --resources 5 --primary-factor 0.6 -o csv --resources-file " +
			filepath.Join(t.TempDir(), "resources.csv"),
	} {
		ctx, cancel := context.WithCancel(context.Background())
		var out, errs bytes.Buffer
		code := run(ctx, strings.Fields("capplan "+line), strings.NewReader(""), writing(func(p []byte) (int, error) {
			cancel()
			return out.Write(p)
		}), &errs)
		if code != 1 || out.Len() == 0 || !bytes.HasSuffix(out.Bytes(), []byte("\n")) {
			t.Errorf("%s: exit code %d, %d bytes: %s", line, code, out.Len(), errs.String())
		}
	}
}

// Laws that take seconds to fit to the jobs of a large log are left alone with Ctrl-C.
func TestFitsAreLeft(t *testing.T) {
	var log strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&log, "%d %d 0 %d 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", i+1, i*7+i%5, 1+i*i%997)
	}
	for range 10 { // the fits may be done first
		ctx, cancel := context.WithCancel(t.Context())
		counted, left := parallel.WithLeft(ctx)
		in := io.MultiReader(strings.NewReader(log.String()), ending(func() { time.AfterFunc(time.Millisecond, cancel) }))
		code := run(counted, []string{"capplan", "fit", "-"}, in, io.Discard, io.Discard)
		cancel()
		var ended atomic.Bool
		if left.Then(func() { ended.Store(true) }); code == 1 && !ended.Load() {
			return
		}
	}
	t.Error("the fits go on after Ctrl-C")
}

// ending is an empty reader that does something at its end.
type ending func()

func (e ending) Read([]byte) (int, error) {
	e()
	return 0, io.EOF
}

type writing func([]byte) (int, error)

func (w writing) Write(p []byte) (int, error) { return w(p) }
