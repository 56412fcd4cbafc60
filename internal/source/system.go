package source

import (
	"context"
	"io/fs"
	"os"

	"github.com/capplan/capplan/internal/patient"
)

// System returns the files of the system, by names as the shell has them: with
// .. and from the root. Reads end with the context.
func System(ctx context.Context) fs.FS { return systemFiles{ctx} }

type systemFiles struct{ ctx context.Context }

func (s systemFiles) Open(name string) (fs.File, error) {
	f, err := patient.Open(s.ctx, name)
	if err != nil {
		return nil, err // not f: a nil *patient.File is no nil fs.File
	}
	return f, nil
}

// Stat describes a file without opening it: a pipe would wait.
func (s systemFiles) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// ReadDir lists a folder.
func (s systemFiles) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
