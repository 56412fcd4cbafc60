package trace

import (
	"archive/tar"
	"bufio"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/source"
)

const archiveForm = "a tar archive of traces of machines, such as DAY/HOST files of PlanetLab"

// archive reads the files of a tar archive; those that are no trace are
// Skipped.
func (m *machineReader) archive(name string, r io.Reader) error {
	p := &planetLabReader{want: archiveForm, log: &TraceLog{File: name}}
	tail := &zeroTail{r: r}
	archive := tar.NewReader(tail)
	before := m.log.Files
	for {
		if err := m.ctx.Err(); err != nil {
			return fmt.Errorf("%s: stopped after file %d: %w", name, m.log.Files, err)
		}
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return p.archiveError(err)
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
		return p.archiveError(io.ErrUnexpectedEOF)
	case m.log.Files == before:
		return source.Whole(name, fmt.Sprintf("none of its %d files is a trace of a machine", m.log.Skipped),
			archiveForm, ErrNoRows)
	}
	return nil
}

// member reads a file of an archive, which may itself be compressed.
func (m *machineReader) member(archive, name string, r io.Reader) error {
	// One buffer serves the many small files of an archive.
	b := m.days.buffered(r)
	if strings.HasSuffix(name, ".gz") {
		z, err := source.Unpack(b)
		if err != nil {
			m.log.Skipped++
			return nil
		}
		b = bufio.NewReader(z)
	}
	head, _ := b.Peek(4 << 10)
	kind := m.kind(name, head)
	if m.o.Kind == "" && !slices.Contains([]TraceKind{HostKind, CloudWatchKind, PlanetLabKind, FTAKind, SpotKind},
		kind) {
		m.log.Skipped++
		return nil
	}
	return m.read(kind, archive+": "+name, MachineFile{Path: name, Name: machineName(path.Base(name))}, b)
}
