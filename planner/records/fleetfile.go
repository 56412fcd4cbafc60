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

// A fleetFile holds a line of JSON for each machine of a fleet. It is a log of what
// is done, and stands as [outfile.Unfinished] until it is whole: with it a run that
// was stopped goes on where it was. What stands in it are whole lines, but for one
// that a kill has cut.
type fleetFile struct {
	f        *outfile.Growing // nil: no file
	size     int64            // bytes of whole lines
	held     int64            // of them, those of an earlier run
	done     map[string]bool
	hosts    []machines.HostSummary // of an earlier run
	repaired bool
}

// longestFleetLine bounds a line, in bytes: a kernel of five states over a day of
// samples six seconds apart takes some megabytes.
const longestFleetLine = 64 << 20

// fleetLine is how each line begins.
const fleetLine = `{"host":`

// openFleetFile begins a new file, or goes on with one that asks the same: the
// unfinished one, or else one that is whole, to which machines may have come. A file
// that is there is not overwritten unless it is to be gone on with: fits of a
// fleet take hours.
func openFleetFile(path string, resume bool, q *machines.FleetQuestion) (*fleetFile, error) {
	l := &fleetFile{done: map[string]bool{}}
	if path == "" {
		return l, nil
	}
	part := outfile.Unfinished(path)
	if !resume {
		for _, name := range []string{path, part} {
			// Of an unfinished file without a line nothing is lost.
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && (name == path || info.Size() > 0) {
				return nil, ask.Inputf("out", "%s exists: resume it, or name another file", spell.Quote(name))
			}
		}
	}
	var err error
	l.f, err = outfile.Grow(path)
	kind, busy := (*outfile.KindError)(nil), (*outfile.BusyError)(nil)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ask.Inputf("out", "%s: there is no such folder", spell.Quote(path))
	case errors.As(err, &kind), errors.As(err, &busy):
		return nil, ask.Inputf("out", "%s", err)
	case err != nil:
		return nil, err
	}
	err = l.load(l.f, part, q)
	if err == nil && l.size == 0 {
		err = l.goOn(path, q)
	}
	if err == nil {
		l.held = l.size
		err = l.f.Keep(l.size)
	}
	if err != nil {
		l.f.Close()
		return nil, err
	}
	return l, nil
}

// goOn takes over the lines of a file that is whole, where there is one, and leaves it as it is.
func (l *fleetFile) goOn(path string, q *machines.FleetQuestion) error {
	whole, err := outfile.Regular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer whole.Close()
	if err := l.load(whole, path, q); err != nil {
		return err
	}
	if _, err = whole.Seek(0, io.SeekStart); err == nil {
		_, err = io.CopyN(l.f, whole, l.size)
	}
	return err
}

// load takes over the whole lines. A line that a kill has cut is dropped, and its
// machine is fitted again. Any other line that is none of ours means that the file is
// somebody else's, and is left as it is.
func (l *fleetFile) load(file io.Reader, path string, q *machines.FleetQuestion) error {
	want, err := json.Marshal(q)
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(file, 1<<20)
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
			}
			return nil
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
		l.size += int64(len(line))
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
	n, err := l.f.Write(buf.Bytes())
	if err == nil {
		l.size += int64(n)
		return nil
	}
	// What was written of the line that did not fit would be taken for a line at
	// the next run if the disk had room again: a full disk ends within a line.
	l.size += int64(bytes.LastIndexByte(buf.Bytes()[:n], '\n') + 1)
	_ = l.f.Keep(l.size)
	return err
}

// close ends the run, and may be called twice. Without an error the file is whole and
// gets its name. After a question that is refused it is what it was before; else it
// stays unfinished, to be gone on with.
func (l *fleetFile) close(err error) error {
	if l.f == nil {
		return err
	}
	f := l.f
	l.f = nil
	defer f.Close()
	if err == nil {
		return f.Commit()
	}
	if _, refused := errors.AsType[*ask.InputError](err); refused {
		_ = f.Keep(l.held)
	}
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
