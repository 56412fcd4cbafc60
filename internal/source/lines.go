package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/capplan/capplan/internal/given"
)

// MaxLine is the longest line taken, in bytes. 64 KiB hold any line that people write; longer ones
// come from a wrong file.
const MaxLine = 64 << 10

// ByteOrderMark begins a text that some programs write: U+FEFF in UTF-8. It is not part of the content.
const ByteOrderMark = "\xef\xbb\xbf"

// LineReader reads lines of bounded length and knows their numbers. It does not hold more than a
// line and a buffer.
type LineReader struct {
	Ctx  context.Context
	R    *bufio.Reader
	Name string
	Want string
	Line int // number of the line last returned
	cut  []byte
}

// NewLineReader looks at the first bytes: binary and empty content are errors. Errors: *FileError;
// a byte order mark is passed over.
func NewLineReader(ctx context.Context, name string, r io.Reader, want string) (*LineReader, error) {
	l := &LineReader{
		Ctx:  given.Context(ctx),
		R:    bufio.NewReaderSize(given.Reader(r), MaxLine),
		Name: name,
		Want: want,
	}
	head, err := l.R.Peek(SniffLen)
	if len(head) == 0 {
		if err == io.EOF {
			return nil, l.Fail("holds no content", ErrEmpty)
		}
		return nil, l.ReadError(err)
	}
	if what := Sniff(head); what != "" {
		return nil, l.Fail("holds "+what, ErrBinary)
	}
	if bytes.HasPrefix(head, []byte(ByteOrderMark)) {
		l.R.Discard(len(ByteOrderMark))
	}
	return l, nil
}

// manyBlank is a run of empty lines longer than any file has that people or programs
// write: half a gigabyte of them packs into some hundred KB.
var manyBlank = bytes.Repeat([]byte("\n"), 4096)

// SkipBlank passes over such runs, as far as they are in the buffer, and returns how
// many lines that are.
func SkipBlank(r *bufio.Reader) (lines int) {
	for r.Buffered() >= len(manyBlank) {
		if head, _ := r.Peek(len(manyBlank)); !bytes.Equal(head, manyBlank) {
			break
		}
		_, _ = r.Discard(len(manyBlank))
		lines += len(manyBlank)
	}
	return lines
}

// Next returns the next line without its end, valid until the next call, or
// io.EOF. A longer line than MaxLine is cut, its rest dropped, and tooLong set. Of
// thousands of empty lines in a row some are left out, but for their numbers.
func (l *LineReader) Next() (line []byte, tooLong bool, err error) {
	// The context is looked at now and then, since a look takes as long as a short line.
	if l.Line%256 == 0 {
		if err := l.Ctx.Err(); err != nil {
			return nil, false, l.stopped(err)
		}
	}
	line, err = l.R.ReadSlice('\n')
	if len(line) == 1 && err == nil {
		l.Line += 1 + SkipBlank(l.R)
		return line[:0], false, nil
	}
	if err == bufio.ErrBufferFull {
		tooLong = true
		l.cut = append(l.cut[:0], line...)
		for err == bufio.ErrBufferFull {
			if err := l.Ctx.Err(); err != nil {
				return nil, false, l.stopped(err)
			}
			_, err = l.R.ReadSlice('\n')
		}
		line = l.cut
	}
	switch {
	case err == io.EOF && len(line) == 0:
		return nil, false, io.EOF
	case err != nil && err != io.EOF:
		l.Line++
		return nil, false, l.ReadError(err)
	}
	l.Line++
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), tooLong, nil
}

// LongLine reads a line of at most a number of bytes, with its end; a longer one is ErrMemory. At
// the end of r it returns what is left and io.EOF.
func LongLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, ErrMemory
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

func (l *LineReader) stopped(err error) error {
	return fmt.Errorf("%s: stopped after line %d: %w", l.Name, l.Line, err)
}

// ReadError names file and line; the problem of a Source's error is kept.
func (l *LineReader) ReadError(err error) error {
	e := &FileError{File: l.Name, Line: l.Line, Problem: Cause(err), Want: l.Want, Err: err}
	if f := (*FileError)(nil); errors.As(err, &f) {
		e.Problem, e.Err = f.Problem, f.Err
	}
	return e
}

// Fail is an error of the whole file.
func (l *LineReader) Fail(problem string, err error) *FileError {
	return Whole(l.Name, problem, l.Want, err)
}

// IsBlank reports whether a byte is space within a line.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' }
