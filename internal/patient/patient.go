// Package patient answers: how does a read or write that may never end stop when
// it is asked to? A named pipe that nobody writes to blocks whoever opens it, a
// terminal or pipe without input whoever reads it, a full pipe whoever writes to
// it; all are left to a goroutine that is not waited for once the context is done.
package patient

import (
	"context"
	"io"
	"os"

	"github.com/capplan/capplan/internal/parallel"
)

// Open opens a file for reading. Where it is no regular file the error may be
// that of the context, and its reads stop with the context too.
func Open(ctx context.Context, path string) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// A regular file of no bytes may be one of the kernel's, whose reads block as
	// those of /proc/kmsg do.
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() && info.Size() > 0 || info.IsDir() {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		return &File{f, f}, nil
	}
	type opened struct {
		f   *os.File
		err error
	}
	opening := parallel.Start(func() opened {
		f, err := os.Open(path)
		return opened{f, err}
	})
	select {
	case <-opening.Done():
		o := opening.Value()
		if o.err != nil {
			return nil, o.err
		}
		return &File{o.f, NewReader(ctx, o.f)}, nil
	case <-ctx.Done():
		parallel.Start(func() error { // whoever writes at last finds nobody
			o := opening.Value()
			if o.err != nil {
				return o.err
			}
			return o.f.Close()
		})
		return nil, ctx.Err()
	}
}

// A File is an open file.
type File struct {
	f *os.File
	r io.Reader
}

// Read reads the file.
func (f *File) Read(p []byte) (int, error) { return f.r.Read(p) }

// Stat describes the file.
func (f *File) Stat() (os.FileInfo, error) { return f.f.Stat() }

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

// A Reader ends a read of what nobody writes to when its context is done.
type Reader struct {
	ctx  context.Context
	r    io.Reader
	rest []byte // read but not handed on
}

// NewReader returns a Reader of r; a nil r is empty.
func NewReader(ctx context.Context, r io.Reader) *Reader { return &Reader{ctx: ctx, r: r} }

// Read reads at most what one read of the reader beneath gives. Behind the end
// of the context it returns its error; what that read may still get is lost.
func (p *Reader) Read(b []byte) (int, error) {
	if len(p.rest) > 0 {
		n := copy(b, p.rest)
		p.rest = p.rest[n:]
		return n, nil
	}
	if p.r == nil {
		return 0, io.EOF
	}
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	type read struct {
		data []byte
		err  error
	}
	reading := parallel.Start(func() read {
		// The goroutine owns its buffer: it may outlive this call.
		// It is no larger than what a pipe gives at a time, however large b is.
		data := make([]byte, min(max(len(b), 1), 64<<10))
		n, err := p.r.Read(data)
		return read{data[:n], err}
	})
	select {
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	case <-reading.Done():
		r := reading.Value()
		n := copy(b, r.data)
		p.rest = r.data[n:]
		return n, r.err
	}
}
