package workload

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// maxLine is the longest line taken, in bytes.
const maxLine = 64 << 10

// lineReader reads lines of bounded length and knows their numbers.
type lineReader struct {
	ctx  context.Context
	r    *bufio.Reader
	name string
	want string
	line int // number of the line last returned
	cut  []byte
}

// newLineReader looks at the first bytes: binary and empty content are errors.
func newLineReader(ctx context.Context, name string, r io.Reader, want string) (*lineReader, error) {
	l := &lineReader{ctx: ctx, r: bufio.NewReaderSize(r, maxLine), name: name, want: want}
	head, err := l.r.Peek(sniffLen)
	if len(head) == 0 {
		if err == io.EOF {
			return nil, l.fail("holds no content", ErrEmpty)
		}
		return nil, l.readError(err)
	}
	if what := sniff(head); what != "" {
		return nil, l.fail("holds "+what, ErrBinary)
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		l.r.Discard(3)
	}
	return l, nil
}

// next returns the next line without its end, valid until the next call, or
// io.EOF. A longer line than maxLine is cut, its rest dropped, and tooLong set.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	if l.line%256 == 0 {
		if err := l.ctx.Err(); err != nil {
			return nil, false, l.stopped(err)
		}
	}
	line, err = l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		tooLong = true
		l.cut = append(l.cut[:0], line...)
		for err == bufio.ErrBufferFull {
			if err := l.ctx.Err(); err != nil {
				return nil, false, l.stopped(err)
			}
			_, err = l.r.ReadSlice('\n')
		}
		line = l.cut
	}
	switch {
	case err == io.EOF && len(line) == 0:
		return nil, false, io.EOF
	case err != nil && err != io.EOF:
		l.line++
		return nil, false, l.readError(err)
	}
	l.line++
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), tooLong, nil
}

func (l *lineReader) stopped(err error) error {
	return fmt.Errorf("%s: stopped after line %d: %w", l.name, l.line, err)
}

// readError names function and line; the problem of a Source's error is kept.
func (l *lineReader) readError(err error) error {
	e := &FileError{File: l.name, Line: l.line, Problem: cause(err), Want: l.want, Err: err}
	if f := (*FileError)(nil); errors.As(err, &f) {
		e.Problem, e.Err = f.Problem, f.Err
	}
	return e
}

func (l *lineReader) fail(problem string, err error) *FileError {
	return &FileError{File: l.name, Problem: problem, Want: l.want, Err: err}
}

// isBlank says whether a byte is space within a line.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' }
