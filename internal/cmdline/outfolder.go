package cmdline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/spell"
)

// An outFolder is the folder of --out. It appears whole or not at all:
// everything is made in memory and written beside its place, and only then
// moved there.
type outFolder struct {
	path   string
	exists bool // and stays: the files of an earlier run are replaced
}

// NewFolder checks the folder before anything is computed; nil where none is
// asked for. Errors: *UsageError for a folder that cannot be, or is not empty without force, and
// for force without a folder.
func NewFolder(path string, force bool) (*outFolder, error) {
	if path == "" && force {
		return nil, &UsageError{Reason: "--force is only used with --out DIR"}
	}
	if path == "" {
		return nil, nil
	}
	f := &outFolder{path: filepath.Clean(path)}
	// A pipe that nobody writes to would block whoever opens it.
	if info, err := os.Stat(f.path); err == nil && !info.IsDir() {
		return nil, &UsageError{Reason: "--out: " + spell.Quote(path) + " is a file, want a folder"}
	}
	entries, err := os.ReadDir(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(f.path); err == nil {
			return nil, &UsageError{Reason: "--out: " + spell.Quote(path) + " is a link that leads nowhere, want a folder"}
		}
		if _, err := os.Stat(filepath.Dir(f.path)); err != nil {
			return nil, &UsageError{Reason: "--out: " + spell.Quote(path) + ": there is no folder " +
				spell.Quote(filepath.Dir(f.path)) + " to put it in"}
		}
		return f, nil
	case err != nil:
		return nil, OutError("out", path, err)
	case len(entries) > 0 && !force:
		return nil, &UsageError{Reason: "--out: the folder " + spell.Quote(path) +
			" is not empty and is not changed: give another, or --force to replace the files of an earlier run in it"}
	}
	info, err := os.Lstat(f.path)
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	// The files of a folder that a link leads to go into it.
	f.exists = len(entries) > 0 || info.Mode()&fs.ModeSymlink != 0
	return f, nil
}

// An OutFile is a file of the folder.
type OutFile struct {
	Name    string // with / between folders
	Content []byte
}

// Write puts all files in place. Files of an earlier run are those named in
// ours. Errors: those of OutError; that of the context, after which nothing has changed.
func (f *outFolder) Write(ctx context.Context, files []OutFile, ours []string) error {
	parent := filepath.Dir(f.path)
	if f.exists {
		parent = f.path
	}
	// The stage stands on the same disk as the folder, so that moving it is a rename, which is whole
	// or not at all.
	open, err := outfile.Folder(parent)
	if err != nil {
		return OutError("out", f.path, err)
	}
	defer open.Close()
	stage := open.Name()
	defer os.RemoveAll(stage)
	for _, x := range files {
		path := filepath.Join(stage, filepath.FromSlash(x.Name))
		to := filepath.Join(f.path, filepath.FromSlash(x.Name)) // what the user knows it by
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return OutError("out", to, err)
		}
		if err := os.WriteFile(path, x.Content, 0o666); err != nil {
			return OutError("out", to, err)
		}
	}
	// Nothing has appeared under the name so far: an interruption here leaves the folder as it was.
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f.exists {
		return f.replace(stage, files, ours)
	}
	if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f.replace(stage, files, ours) // empty, but in use, such as the working folder
	}
	if err := os.Rename(stage, f.path); err != nil {
		return OutError("out", f.path, err)
	}
	return nil
}

// replace moves the files over those of an earlier run and takes away those
// that this run does not have. Other files stay. Each file is replaced in one step; a failure in
// between leaves new files beside old ones.
func (f *outFolder) replace(stage string, files []OutFile, ours []string) error {
	kept := map[string]bool{}
	for _, x := range files {
		kept[x.Name] = true
		to := filepath.Join(f.path, filepath.FromSlash(x.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return OutError("out", to, err)
		}
		if err := os.Rename(filepath.Join(stage, filepath.FromSlash(x.Name)), to); err != nil {
			return OutError("out", to, err)
		}
	}
	for _, name := range ours {
		if !kept[name] {
			to := filepath.Join(f.path, filepath.FromSlash(name))
			if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return OutError("out", to, err)
			}
		}
	}
	return nil
}
