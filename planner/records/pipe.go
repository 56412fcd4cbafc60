package records

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"

	"github.com/capplan/capplan/internal/source"
)

// A pipe is a file that can be read but once, such as the <(zcat trace.gz) of a shell.
// Its beginning is kept, so that it can be opened again after a look at what it holds.
type pipe struct {
	fs.FS
	path string

	mu   sync.Mutex // a look at packed data may still be reading when it has seen enough
	file fs.File
	head []byte // what was read, from the first byte
	gone bool   // more was read than is kept
}

// pipeHead is how much of the beginning is kept: looking takes 64 KiB of what is
// unpacked, of data that are packed in blocks.
const pipeHead = 1 << 20

// Rereadable returns files in which path can be opened more than once while little of
// it has been read, nil where it is no pipe. No files are those of the system. A
// caller stops it when done, which closes the file.
func Rereadable(ctx context.Context, files fs.FS, path string) (again fs.FS, stop func()) {
	files = cmp.Or(files, source.System(ctx))
	info, err := fs.Stat(files, path)
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice|fs.ModeSocket) == 0 {
		return nil, func() {}
	}
	p := &pipe{FS: files, path: path}
	return p, p.stop
}

// stop closes the pipe itself, which its readers leave open.
func (p *pipe) stop() {
	if p.file != nil {
		p.file.Close()
	}
}

// Stat describes a file without opening it.
func (p *pipe) Stat(name string) (fs.FileInfo, error) { return fs.Stat(p.FS, name) }

// Open opens a file, the pipe from its beginning.
func (p *pipe) Open(name string) (fs.File, error) {
	if name != p.path {
		return p.FS.Open(name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("a pipe can be read only once")}
	}
	if p.file == nil {
		f, err := p.FS.Open(name)
		if err != nil {
			return nil, err
		}
		p.file = f
	}
	return &pipeReader{p: p}, nil
}

// A pipeReader reads the pipe from its beginning. Several may read the same pipe
// one after the other; each begins with what is kept.
type pipeReader struct {
	p  *pipe
	at int
}

func (r *pipeReader) Stat() (fs.FileInfo, error) { return r.p.file.Stat() }

// Close leaves the pipe open for the next reader.
func (r *pipeReader) Close() error { return nil }

// Read hands out what is kept of the beginning, then the pipe itself. What it
// reads there is kept for the next reader, up to pipeHead.
func (r *pipeReader) Read(b []byte) (int, error) {
	p := r.p
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.at < len(p.head) {
		n := copy(b, p.head[r.at:])
		r.at += n
		return n, nil
	}
	if p.gone && r.at < pipeHead {
		return 0, io.ErrUnexpectedEOF // another reader has gone on
	}
	n, err := p.file.Read(b)
	r.at += n
	// Beyond the bound the beginning is let go, and only the reader that went on
	// can read further.
	if !p.gone {
		p.head = append(p.head, b[:n]...)
		if len(p.head) >= pipeHead {
			p.gone, p.head = true, nil
			r.at = max(r.at, pipeHead)
		}
	}
	return n, err
}
