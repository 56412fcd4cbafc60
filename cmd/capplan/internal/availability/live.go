package availability

import (
	"bytes"
	"context"
	"io/fs"
	"time"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
)

// liveMachines ask a Prometheus server for the load of machines. A series is one machine; its
// labels make the name.
type liveMachines struct {
	server cmdline.Prometheus
	// Queries of PromQL that give the share of the CPU in use and the free memory in bytes.
	cpu, memory string
	files       fs.FS // what it said, as a trace; nil: the files of the system
}

// flags binds the server and its two queries; without a query for memory S4 never occurs.
func (l *liveMachines) flags(s *cmdline.FlagSet) {
	l.server.Flags(s, "cpu-query")
	s.Text("cpu-query", &l.cpu,
		"QUERY", "query for the share of the CPU in use at --prometheus, one series per machine, instead of a "+
			"trace, such as '1 - avg by (instance) (rate(node_cpu_seconds_total{mode=\"idle\"}[5m]))'")
	s.Text("memory-query", &l.memory, "QUERY", "query for the free memory in bytes, such as "+
		"node_memory_MemAvailable_bytes")
	s.Needs("memory-query", "cpu-query")
}

// liveTrace is the name of what a server said, among files.
const liveTrace = "prometheus"

// fetched asks the server, if one is named, and returns what is read in its
// place. Without a server it returns the paths as they are. Errors: *ask.InputError; those of the
// server.
func (in *HostInput) fetched(ctx context.Context, paths []string) ([]string, error) {
	l := &in.live
	if !l.server.Given() {
		return paths, nil
	}
	// What the server says arrives as a host trace.
	if in.kind != "" && in.kind != "host" {
		return nil, ask.Inputf("input", "only used with a file, but the machines come from --prometheus: leave it out")
	}
	client, w, err := l.server.Dial(ctx)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	fleet, err := client.Machines(ctx, l.cpu, l.memory, w)
	if err != nil {
		return nil, err
	}
	in.Warnings = append(in.Warnings, fleet.Notes...)
	// The answer of the server takes the place of a file, so that one reader and its checks serve
	// both.
	l.files = oneFile(fleet.Trace)
	return []string{liveTrace}, nil
}

// oneFile is a file system with the file liveTrace. It holds in memory what the server said, within
// the bounds of the client.
type oneFile []byte

// Open opens the one file there is, by the name that the follower asks for. Errors: fs.ErrNotExist
// for any other name.
func (f oneFile) Open(name string) (fs.File, error) {
	if name != liveTrace {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &opened{Reader: bytes.NewReader(f), size: int64(len(f))}, nil
}

// opened is the one file of oneFile, and what there is to know of it.
type opened struct {
	*bytes.Reader
	size int64
}

// Stat answers for itself: the file is in memory and has no other place.
func (o *opened) Stat() (fs.FileInfo, error) { return o, nil }
func (*opened) Close() error                 { return nil }

// The methods of fs.FileInfo. The reader calls only Size.
func (*opened) Name() string       { return liveTrace }
func (o *opened) Size() int64      { return o.size }
func (*opened) Mode() fs.FileMode  { return 0o400 }
func (*opened) ModTime() time.Time { return time.Time{} }
func (*opened) IsDir() bool        { return false }
func (*opened) Sys() any           { return nil }
