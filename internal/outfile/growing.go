package outfile

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// A BusyError says that another run is at work on a file.
type BusyError struct{ Path string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s: another run is writing it", e.Path)
}

// Unfinished is the name under which a [Growing] file stands until it is done.
func Unfinished(path string) string { return path + ".part" }

// A Growing file outlives the runs that make it. Until it is whole it stands as
// PATH.part with all that was written, so that a run after one that was killed
// goes on with it; PATH itself appears whole or not at all. One run at a time
// holds it, where the file system has locks.
type Growing struct {
	f    *os.File
	path string
	done bool
}

// Grow opens the unfinished file of path, or begins it. Errors: *KindError,
// *BusyError, *fs.PathError.
func Grow(path string) (*Growing, error) {
	if err := Check(path); err != nil {
		return nil, err
	}
	part := Unfinished(path)
	if err := Check(part); err != nil {
		return nil, err
	}
	for range 100 {
		f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := lock(f); busy(err) {
			f.Close()
			return nil, &BusyError{part}
		}
		// The run that held it may have finished it meanwhile.
		at, err1 := os.Lstat(part)
		open, err2 := f.Stat()
		if err1 == nil && err2 == nil && os.SameFile(at, open) {
			return &Growing{f: f, path: path}, nil
		}
		f.Close()
	}
	return nil, &BusyError{part}
}

// Held returns what the file holds already: lines, the last of which may be cut. Of
// a file whose first line does not end within 4 MiB it is these. Errors: *SizeError
// above a GiB.
func (g *Growing) Held() ([]byte, error) { return held(g.f) }

// Read reads what the file holds already, from its beginning on.
func (g *Growing) Read(p []byte) (int, error) { return g.f.Read(p) }

// Keep drops what stands behind the first bytes; what is written goes there.
func (g *Growing) Keep(bytes int64) error {
	if err := g.f.Truncate(bytes); err != nil {
		return err
	}
	_, err := g.f.Seek(bytes, io.SeekStart)
	return err
}

// Write appends. What it wrote stays even if the run is killed.
func (g *Growing) Write(p []byte) (int, error) {
	n, err := g.f.Write(p)
	return n, of(g.path, err)
}

// Commit gives the file its name.
func (g *Growing) Commit() error {
	if g.done {
		return os.ErrClosed
	}
	// Some disks say only now that they are full.
	if err := g.f.Sync(); err != nil {
		return of(g.path, err)
	}
	if closedFirst {
		if err := g.f.Close(); err != nil {
			return err
		}
	}
	if err := os.Rename(Unfinished(g.path), g.path); err != nil {
		return err
	}
	g.done = true
	if closedFirst {
		return nil
	}
	return g.f.Close()
}

// Close leaves the file unfinished, or takes it away where it is empty; after
// Commit it does nothing.
func (g *Growing) Close() error {
	if g.done {
		return nil
	}
	g.done = true
	info, err := g.f.Stat()
	if err != nil || info.Size() > 0 {
		return g.f.Close()
	}
	if closedFirst {
		return errors.Join(g.f.Close(), os.Remove(Unfinished(g.path)))
	}
	return errors.Join(os.Remove(Unfinished(g.path)), g.f.Close())
}
