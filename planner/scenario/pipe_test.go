package scenario_test

import (
	"context"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/planner/scenario"
)

// onePipe is opened once, and what was read of it is gone.
type onePipe struct{ r io.Reader }

func (p *onePipe) Open(name string) (fs.File, error) {
	if p.r == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrClosed}
	}
	f := pipeEnd{p.r}
	p.r = nil
	return f, nil
}

func (p *onePipe) Stat(string) (fs.FileInfo, error) { return pipeInfo{}, nil }

type pipeEnd struct{ io.Reader }

func (pipeEnd) Stat() (fs.FileInfo, error) { return pipeInfo{}, nil }
func (pipeEnd) Close() error               { return nil }

type pipeInfo struct{}

func (pipeInfo) Name() string       { return "63" }
func (pipeInfo) Size() int64        { return 0 }
func (pipeInfo) Mode() fs.FileMode  { return fs.ModeNamedPipe }
func (pipeInfo) ModTime() time.Time { return time.Time{} }
func (pipeInfo) IsDir() bool        { return false }
func (pipeInfo) Sys() any           { return nil }

// A trace that a scenario names may be the <(zcat x) of a shell, which is looked at first.
func TestTraceOfAPipe(t *testing.T) {
	events, err := os.ReadFile("../../testdata/events.tab")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"load: {erlangs: 10}\nobjectives: {max_wait: 1s}\nservice: {time: 5s}\nmachines: [{name: a, price: 1/h, trace: /dev/fd/63}]\n",
		"replicas: {trace: /dev/fd/63, target: 99%}\n",
	} {
		r := &scenario.Reader{Files: &onePipe{strings.NewReader(string(events))}}
		q, _, err := r.Read(context.Background(), strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if q.Replicas != nil && q.Replicas.Trace == nil || len(q.Machines) > 0 && q.Machines[0].Trace == nil {
			t.Errorf("%s: no trace", text)
		}
	}
}
