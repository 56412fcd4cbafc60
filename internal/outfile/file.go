package outfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A KindError says that something stands under the name that no file can
// replace.
type KindError struct {
	Path string
	Kind string // such as "a folder"
}

func (e *KindError) Error() string {
	return fmt.Sprintf("%q is %s, want the name of a file", e.Path, e.Kind)
}

// A File is a file in the making.
type File struct {
	// The file has a passing name until Commit.
	f     *os.File
	path  string // that Commit gives it
	fresh bool   // nothing may stand there
	done  bool
	err   error // the first of writing
}

// Create begins a file that will replace what stands under path. Errors:
// *KindError, and *fs.PathError for a folder or file that cannot be written.
func Create(path string) (*File, error) {
	to, mode, err := place(path)
	if err != nil {
		return nil, err
	}
	return begin(to, mode, false)
}

// CreateNew is Create for a name under which nothing stands, else the error
// wraps fs.ErrExist; that is looked at once more when the file gets its name.
func CreateNew(path string) (*File, error) {
	if _, err := os.Lstat(path); err == nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return begin(path, 0, true)
}

// Check finds out, before anything is computed for it, whether path can be
// replaced. It changes nothing and opens neither pipe nor device.
func Check(path string) error {
	to, _, err := place(path)
	if err != nil {
		return err
	}
	if info, err := os.Stat(folderOf(to)); err != nil {
		return err
	} else if !info.IsDir() {
		return &KindError{folderOf(to), "a file"}
	}
	return nil
}

// Write writes content to path, whole or not at all.
func Write(path string, content []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Commit()
}

// place returns the path behind symbolic links and the mode of the file that
// stands there, 0 where none does.
func place(path string) (to string, mode fs.FileMode, err error) {
	if path == "" {
		return "", 0, &KindError{path, "empty"}
	}
	info, err := os.Stat(path)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist):
		to, err = linked(path)
		return to, 0, err
	default:
		return "", 0, err
	}
	if kind := kindOf(info); kind != "" {
		return "", 0, &KindError{path, kind}
	}
	// A file that a shell has opened for output would be taken away under it.
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		if open, err := f.Stat(); err == nil && os.SameFile(open, info) {
			return "", 0, &KindError{path, "the file that standard output or standard error goes to"}
		}
	}
	// A rename does not ask whether the file may be written.
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return "", 0, err
	}
	f.Close()
	to, err = filepath.EvalSymlinks(path)
	return to, info.Mode().Perm(), err
}

// kindOf names what is no file, "" for a file.
func kindOf(info fs.FileInfo) string {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case !mode.IsRegular():
		return "no file"
	}
	return ""
}

// linked follows links to a file that is not there yet.
func linked(path string) (string, error) {
	for range 40 { // as many as Linux follows
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = folderOf(path) + string(filepath.Separator) + to
		}
		path = to
	}
	return "", &KindError{path, "a link that leads back to itself"}
}

// folderOf is the folder of a file. Unlike filepath.Dir it leaves a/.. as it is, which is another
// folder where a is a link, and none where a is none.
func folderOf(path string) string {
	dir, _ := filepath.Split(path)
	if cut := len(dir) - 1; cut > len(filepath.VolumeName(dir)) {
		dir = dir[:cut]
	}
	return cmp.Or(dir, ".")
}

// begin opens the file under its passing name.
func begin(path string, mode fs.FileMode, fresh bool) (*File, error) {
	dir := folderOf(path)
	// What runs before have left, killed before their end, is taken away first.
	Sweep(dir)
	// The passing file stands in the same folder: a rename does not go from disk to disk.
	f, err := temporary(dir)
	if err != nil {
		return nil, of(path, err)
	}
	out := &File{f: f, path: path, fresh: fresh}
	if mode != 0 {
		if err := f.Chmod(mode); err != nil {
			out.Discard()
			return nil, of(path, err)
		}
	}
	return out, nil
}

// Write writes to the file; its name does not stand for it yet.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.f.Write(p)
	err = of(f.path, err)
	if err != nil && f.err == nil {
		f.err = err
	}
	return n, err
}

// Err returns the first error of Write.
func (f *File) Err() error { return f.err }

// Settle hands the content to the disk, which may say only now that it is full. Of files that
// belong together all are settled before the first gets its name.
func (f *File) Settle() error {
	if f.err == nil {
		f.err = of(f.path, f.f.Sync())
	}
	return f.err
}

// Commit gives the file its name. After an error of Write or of Commit what
// stood there stays as it was.
func (f *File) Commit() error {
	if f.done {
		return fs.ErrClosed
	}
	defer f.Discard()
	if err := f.Settle(); err != nil {
		return err
	}
	// Windows renames no file that is open.
	if closedFirst {
		if err := f.f.Close(); err != nil {
			return of(f.path, err)
		}
	}
	if f.fresh {
		// A link fails where the name is taken, which a rename would replace.
		err := os.Link(f.f.Name(), f.path)
		if err == nil || errors.Is(err, fs.ErrExist) {
			return of(f.path, err)
		}
		// There are file systems without links.
		if _, err := os.Lstat(f.path); err == nil {
			return &fs.PathError{Op: "create", Path: f.path, Err: fs.ErrExist}
		}
	}
	if err := os.Rename(f.f.Name(), f.path); err != nil {
		return of(f.path, err)
	}
	f.done = true
	if closedFirst {
		return nil
	}
	return of(f.path, f.f.Close())
}

// of says an error of what is not finished by the name that it was to have: its own
// name is one that only this program knows.
func of(path string, err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return &fs.PathError{Op: at.Op, Path: path, Err: at.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "create", Path: path, Err: link.Err}
	}
	return err
}

// Discard takes the unfinished file away; after Commit it does nothing.
func (f *File) Discard() {
	if !f.done {
		f.done = true
		if closedFirst {
			f.f.Close()
		}
		os.Remove(f.f.Name())
		f.f.Close()
	}
}
