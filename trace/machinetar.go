package trace

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/source"
)

const archiveForm = "a tar archive of traces of machines, such as DAY/HOST files of PlanetLab"

// archive reads the files of a tar archive; those that are no trace are
// Skipped.
func (m *machineReader) archive(name string, r io.Reader) error {
	tail := &zeroTail{r: r}
	archive := tar.NewReader(tail)
	before := m.log.Files
	m.folders, m.clash = map[string]string{}, false
	for {
		if err := m.ctx.Err(); err != nil {
			return fmt.Errorf("%s: stopped after file %d: %w", name, m.log.Files, err)
		}
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return archiveError(name, archiveForm, err)
		}
		if header.Typeflag != tar.TypeReg ||
			header.Size == 0 && m.o.Kind == "" && dayOf(path.Clean(header.Name)) == "" {
			continue
		}
		if err := m.member(name, path.Clean(header.Name), archive); err != nil {
			return err
		}
	}
	switch {
	case tail.zeros < tarEnd:
		return archiveError(name, archiveForm, io.ErrUnexpectedEOF)
	case m.log.Files == before:
		return source.Whole(name, "holds "+fault.Count(m.log.Skipped, "file")+", no trace of a machine",
			archiveForm, ErrNoRows)
	}
	return nil
}

// member reads a file of an archive, which may itself be compressed.
func (m *machineReader) member(archive, name string, r io.Reader) error {
	b := m.buffer
	b.Reset(r)
	if strings.HasSuffix(name, ".gz") {
		z, err := m.members.Open(m.ctx, b)
		if err != nil {
			m.log.Skipped++
			return nil
		}
		b = bufio.NewReader(z)
	}
	head, _ := b.Peek(4 << 10)
	kind := m.kind(name, head)
	priced := kind == PriceKind && m.o.Bid != nil
	if m.o.Kind == "" && !priced &&
		!slices.Contains([]TraceKind{HostKind, CloudWatchKind, PlanetLabKind, FTAKind, SpotKind}, kind) {
		m.log.Skipped++
		return nil
	}
	f := MachineFile{Path: name, Name: machineName(path.Base(name))}
	if m.calledByFile(kind, b) {
		f.Name = m.memberName(archive, name)
	}
	return m.read(kind, archive+": "+name, f, b)
}

// memberName returns what the machine of a file in an archive is called: as its file, and by the
// path where a file of another folder has that name, since racks number their nodes alike. The
// archive is read once, so that the first of them is called before the second is known.
func (m *machineReader) memberName(archive, file string) string {
	name, folder := machineName(path.Base(file)), path.Dir(file)
	first, taken := m.folders[name]
	if !taken {
		m.folders[name] = folder
		return name
	}
	if first == folder {
		return name
	}
	name = machineName(file)
	if !m.clash {
		m.clash = true
		m.log.Warnings = append(m.log.Warnings, fmt.Sprintf(
			"%s: folders hold files of the same name: all but the first are called by their path, as %s",
			archive, name))
	}
	return name
}

// archiveError names the archive; the problem of a Source's error is kept.
func archiveError(file, want string, err error) error {
	e := &source.FileError{File: file, Want: want}
	f := (*source.FileError)(nil)
	switch {
	case errors.As(err, &f):
		e.Problem, e.Err = f.Problem, f.Err
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Problem, e.Err = "the archive ends early", source.ErrTruncated
	case errors.Is(err, tar.ErrFieldTooLong):
		e.Problem, e.Err = "a header of the archive is too long", source.ErrMalformed
	case errors.Is(err, tar.ErrHeader):
		e.Problem, e.Err = "no tar archive, or a damaged one", source.ErrMalformed
	default:
		e.Problem, e.Err = strings.TrimPrefix(source.Cause(err), "archive/tar: "), err
	}
	return e
}

// tarEnd is the number of zero bytes that end an archive; without them it was
// cut short, which archive/tar takes for the end.
const tarEnd = 1024

// A zeroTail counts the zero bytes at the end of what was read.
type zeroTail struct {
	r     io.Reader
	zeros int64
}

// Read counts anew whenever a byte is not zero.
func (z *zeroTail) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	end := n
	for end > 0 && p[end-1] == 0 {
		end--
	}
	if end > 0 {
		z.zeros = 0
	}
	z.zeros += int64(n - end)
	return n, err
}
