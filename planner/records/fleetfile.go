package records

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
)

// A fleetFile holds a line of JSON for each machine of a fleet. What stands in
// it are whole lines, but for one that a kill has cut. It is a log of what is
// done: with it a run that was stopped goes on where it was.
type fleetFile struct {
	f        *os.File // nil: no file
	done     map[string]bool
	hosts    []machines.HostSummary // of an earlier run
	repaired bool
}

// longestFleetLine bounds a line, in bytes: a kernel of five states over a day of
// samples six seconds apart takes some megabytes.
const longestFleetLine = 64 << 20

// fleetLine is how each line begins.
const fleetLine = `{"host":`

// openFleetFile makes a new file, or goes on with one that asks the same. A file
// that is there is not overwritten unless it is to be gone on with: fits of a
// fleet take hours.
func openFleetFile(path string, resume bool, q *machines.FleetQuestion) (*fleetFile, error) {
	l := &fleetFile{done: map[string]bool{}}
	if path == "" {
		return l, nil
	}
	if kind := (*outfile.KindError)(nil); errors.As(outfile.Check(path), &kind) {
		return nil, ask.Inputf("out", "%s", kind)
	}
	flags := os.O_RDWR | os.O_CREATE
	if !resume {
		flags |= os.O_EXCL
	}
	var err error
	l.f, err = os.OpenFile(path, flags, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, ask.Inputf("out", "%s exists: resume it, or name another file", spell.Quote(path))
	case errors.Is(err, fs.ErrNotExist):
		return nil, ask.Inputf("out", "%s: there is no such folder", spell.Quote(path))
	case err != nil:
		return nil, err
	}
	if err := l.load(path, q); err != nil {
		l.f.Close()
		return nil, err
	}
	return l, nil
}

// load takes over the whole lines and cuts what follows them. A line that a kill
// has cut is dropped, and its machine is fitted again. Any other line that is
// none of ours means that the file is somebody else's, and is left as it is.
func (l *fleetFile) load(path string, q *machines.FleetQuestion) error {
	want, err := json.Marshal(q)
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(l.f, 1<<20)
	kept := int64(0)
	for n := 1; ; n++ {
		line, err := source.LongLine(r, longestFleetLine)
		if errors.Is(err, source.ErrMemory) {
			return ask.Inputf("out", "%s:%d: not a line of a fleet file: the file is not changed", path, n)
		}
		if err == io.EOF {
			if len(line) > 0 {
				// A last line that is cut may be a cut line of ours, or the only
				// line of another file. Only what begins as ours is taken for
				// that and cut off.
				if head := line[:min(len(line), len(fleetLine))]; n == 1 && !bytes.HasPrefix([]byte(fleetLine), head) {
					return ask.Inputf("out", "%s:1: not a line of a fleet file: the file is not changed", path)
				}
				l.repaired = true
				if err := l.f.Truncate(kept); err != nil {
					return err
				}
			}
			_, err = l.f.Seek(kept, io.SeekStart)
			return err
		}
		if err != nil {
			return err
		}
		var h struct {
			machines.HostSummary
			Question json.RawMessage `json:"question"`
		}
		if err := json.Unmarshal(line, &h); err != nil || h.Host == "" || h.Question == nil {
			return ask.Inputf("out", "%s:%d: not a line of a fleet file: the file is not changed", path, n)
		}
		// Kernels by different questions must not stand in one file: they would
		// be compared as if they were alike.
		if !bytes.Equal(h.Question, want) {
			return ask.Inputf("resume", "%s:%d answers another question, %s, and this one asks for %s",
				path, n, h.Question, want)
		}
		kept += int64(len(line))
		l.done[h.Host] = true
		l.hosts = append(l.hosts, h.HostSummary)
	}
}

// write adds lines, each written whole.
func (l *fleetFile) write(lines []json.RawMessage) error {
	if l.f == nil {
		return nil
	}
	var buf bytes.Buffer
	for _, line := range lines {
		buf.Write(line)
		buf.WriteByte('\n')
	}
	at, err := l.f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	n, err := l.f.Write(buf.Bytes())
	// What was written of the line that did not fit would be taken for a line at
	// the next run if the disk had room again.
	if err != nil { // a full disk ends within a line
		_ = l.f.Truncate(at + int64(bytes.LastIndexByte(buf.Bytes()[:n], '\n')+1))
	}
	return err
}

// close may be called twice, since the end of a run looks at its error and a
// defer does not.
func (l *fleetFile) close() error {
	if l.f == nil {
		return nil
	}
	err := l.f.Close()
	l.f = nil
	return err
}

// IsFleet recognizes the beginning of a fleet file, whose first line holds the question.
func IsFleet(head []byte) bool {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	var first struct {
		Question json.RawMessage `json:"question"`
	}
	return whole && json.Unmarshal(line, &first) == nil && first.Question != nil
}

// FleetKernel returns the kernel of a machine out of a fleet file. The machines
// before it are passed over, one line at a time. Errors: *ask.InputError, for a
// machine that is not there with a suggestion.
func FleetKernel(r io.Reader, name, host string) (io.Reader, error) {
	b := bufio.NewReaderSize(given.Reader(r), 1<<20)
	var names []string
	for n := 1; ; n++ {
		line, err := source.LongLine(b, longestFleetLine)
		if errors.Is(err, source.ErrMemory) {
			return nil, ask.Inputf("host", "%s:%d: not a line of a fleet file as the fit of a fleet writes it",
				name, n)
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			var h struct {
				Host   string          `json:"host"`
				Error  string          `json:"error"`
				Kernel json.RawMessage `json:"kernel"`
			}
			if json.Unmarshal(line, &h) != nil || h.Host == "" {
				return nil, ask.Inputf("host", "%s:%d: not a line of a fleet file as the fit of a fleet writes it",
					name, n)
			}
			if h.Host == host {
				if h.Error != "" {
					return nil, ask.Inputf("host", "%s:%d: %s has no kernel: %s", name, n, host, h.Error)
				}
				return bytes.NewReader(h.Kernel), nil
			}
			if len(names) < 10000 {
				names = append(names, h.Host)
			}
		}
		n += source.SkipBlank(b)
		if err == io.EOF {
			return nil, ask.Inputf("host", "%s: no machine %s%s", name, spell.Quote(host), spell.Among(host, names))
		}
	}
}
