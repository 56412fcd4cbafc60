package source

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/capplan/capplan/internal/given"
)

// OpenOptions says how to open a source. The zero value reads files only.
type OpenOptions struct {
	// Stdin is read for the path "-"; nil makes "-" an error.
	Stdin io.Reader
	// Wrap, if set, is put around the raw bytes, before decompression, for
	// instance to count them for a progress bar. size is the number of raw
	// bytes, -1 where it is unknown. Reads of xz data come from a goroutine.
	Wrap func(r io.Reader, size int64) io.Reader
	// Want is the expected form that error messages show. Empty means
	// "a plain or gzip- or xz-compressed text file".
	Want string
	// Files are those that are opened; nil: those of the system.
	Files fs.FS
	// Archive says that the content is an archive, as [trace.ReadMachines] takes it, not
	// text: it may be binary.
	Archive bool
}

// A Source is an opened text source, decompressed. Its errors are *FileError.
// It must be closed.
type Source struct {
	Name string // path, or "standard input"
	Size int64  // raw bytes, -1 unknown

	file    fs.File
	r       *bufio.Reader
	want    string
	archive bool
	packing string        // how the raw bytes are packed; empty: they are plain
	packed  io.ReadCloser // what reads them then
}

// SourceBuffer is the size of a read.
const SourceBuffer = 64 << 10

// Open opens path for reading: plain text, or what is packed in a way that is
// registered, told apart by the first bytes and not by the name; "-" is o.Stdin. A missing file
// (fs.ErrNotExist), a directory (ErrIsDirectory), no content (ErrEmpty), damaged or cut compressed
// data (ErrCorrupt, ErrTruncated; the latter mostly at a later Read), xz data with a dictionary
// above 128 MiB (ErrMemory) and binary content (ErrBinary, from the first 512 bytes) give a
// *FileError. A byte order mark is passed over. A pipe that nobody writes to ends with the context,
// at its opening and at each read.
func Open(ctx context.Context, path string, o OpenOptions) (*Source, error) {
	s := &Source{Name: path, Size: -1, want: o.Want, archive: o.Archive}
	s.want = cmp.Or(s.want, "a plain or gzip- or xz-compressed text file")
	var raw io.Reader
	switch {
	case path == "":
		return nil, &DomainError{"Open", "path", `""`, `a file name, or "-" for standard input`}
	case path == "-":
		s.Name = "standard input"
		if o.Stdin == nil {
			return nil, &DomainError{"Open", "path", `"-"`, "a file name (no standard input here)"}
		}
		raw = o.Stdin
	default:
		files := o.Files
		if files == nil {
			files = System(ctx)
		}
		f, err := files.Open(path)
		if err != nil && ctx.Err() != nil {
			return nil, fmt.Errorf("%s: stopped: %w", path, ctx.Err())
		}
		if err != nil {
			return nil, s.fail(Cause(err), err)
		}
		s.file = f
		info, err := f.Stat()
		if err == nil && info.IsDir() {
			err = ErrIsDirectory
		}
		if err != nil {
			f.Close()
			return nil, s.fail(Cause(err), err)
		}
		// Of a pipe or a device the size says nothing.
		if info.Mode().IsRegular() {
			s.Size = info.Size()
		}
		raw = f
		// Files of the system end with the context by themselves.
		if o.Files != nil {
			raw = Until(ctx, f)
		}
	}
	if o.Wrap != nil {
		raw = given.Reader(o.Wrap(raw, s.Size))
	}
	if err := s.start(ctx, raw); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// start finds out about compression and looks at the first bytes. The peeks take nothing from the
// reader.
func (s *Source) start(ctx context.Context, raw io.Reader) error {
	counted := &counter{r: raw}
	s.r = bufio.NewReaderSize(counted, SourceBuffer)
	magic, err := s.r.Peek(longestMagic)
	if len(magic) == 0 {
		return s.peekError(err)
	}
	if p, ok := packingOf(magic); ok {
		s.packing = p.Name
		if s.packed, err = p.Open(ctx, s.r); err != nil {
			s.packed = nil
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return s.readError(packedFault(p.Name, err))
		}
		s.packed = &swelling{s.packed, p.Name, counted, new(int64)}
		s.r = bufio.NewReaderSize(s.packed, SourceBuffer)
	}
	head, err := s.r.Peek(SniffLen)
	if len(head) == 0 {
		return s.peekError(err)
	}
	if what := Sniff(head); what != "" && !s.archive {
		if p, ok := packingOf(head); ok && p.Name == s.packing {
			// A file packed twice would look like binary data of some other kind.
			what = p.Name + " data inside " + p.Name + " data"
		}
		return s.fail("holds "+what, ErrBinary)
	}
	// Editors put a mark of byte order in front of any text; no form of file needs to know of it.
	if bytes.HasPrefix(head, []byte(ByteOrderMark)) {
		_, _ = s.r.Discard(len(ByteOrderMark))
	}
	return nil
}

func (s *Source) peekError(err error) error {
	if err == io.EOF {
		return s.fail("holds no content", ErrEmpty)
	}
	return s.readError(err)
}

// Read reads the decompressed text.
func (s *Source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		err = s.readError(err)
	}
	return n, err
}

// Close closes the file; standard input stays open.
func (s *Source) Close() error {
	if s.packed != nil {
		s.packed.Close()
		s.packed = nil
	}
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// readError says in words of the file what an error of reading is.
func (s *Source) readError(err error) error {
	var packed *packedError
	switch {
	case errors.Is(err, ErrMemory):
		e := s.fail(err.Error(), err)
		var bound interface{ Want() string }
		if errors.As(err, &bound) {
			e.Want = bound.Want()
		}
		return e
	case errors.As(err, &packed):
		return s.fail(packed.problem, packed.err)
	}
	return s.fail(Cause(err), err)
}

func (s *Source) fail(problem string, err error) *FileError {
	return Whole(s.Name, problem, s.want, err)
}

// Cause is the message of err without the path, which the FileError shows.
func Cause(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "the data end early: the file was cut short"
	}
	return err.Error()
}
