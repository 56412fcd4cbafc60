package lp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/capplan/capplan/internal/outfile"
)

// workFolder makes a folder for the files of one run and returns how it is taken away.
// One that a killed run has left is taken away by the next: no lock holds it any more.
func workFolder() (dir string, remove func(), err error) {
	temporary, err := filepath.Abs(os.TempDir())
	if err != nil {
		return "", nil, err
	}
	open, err := outfile.Folder(temporary)
	if err != nil {
		var why syscall.Errno // without a name that only this program knows
		if !errors.As(err, &why) {
			return "", nil, err
		}
		return "", nil, fmt.Errorf("no folder for the files of a solver in %q: %w; "+
			"want a folder for temporary files (TMPDIR) that can be written to", temporary, why)
	}
	dir = open.Name()
	remove = func() {
		err := os.RemoveAll(dir)
		open.Close()
		// Once more only where a folder that is open cannot be removed: elsewhere the name is free
		// by now, and may be that of the folder of another solve.
		if err != nil {
			os.RemoveAll(dir)
		}
	}
	// Models are nobody else's business.
	if err := os.Chmod(dir, 0o700); err != nil {
		remove()
		return "", nil, err
	}
	return dir, remove, nil
}
