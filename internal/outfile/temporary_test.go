//go:build unix && !solaris && !illumos && !aix

package outfile

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// A folder that is new and not yet locked looks like one that a killed run left: whoever
// sweeps then may take it away, and two runs must not be given the same one.
func TestFolderIsNotBeingSwept(t *testing.T) {
	var sweeper *os.File
	f, err := named(t.TempDir(), func(name string) (*os.File, error) {
		if err := os.Mkdir(name, 0o777); err != nil {
			return nil, err
		}
		if sweeper == nil {
			var err error
			if sweeper, err = os.Open(name); err != nil {
				return nil, err
			}
			if err := lock(sweeper); err != nil {
				t.Fatal(err)
			}
		}
		return os.Open(name)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	defer sweeper.Close()
	if f.Name() == sweeper.Name() {
		t.Errorf("%s is given out while it is being swept", f.Name())
	}
}

func TestFoldersAmongSweeps(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				f, err := Folder(dir)
				if err != nil {
					t.Error(err)
					return
				}
				path := filepath.Join(f.Name(), "model")
				model, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
				if err != nil {
					t.Error(err)
				} else {
					model.Close()
				}
				os.RemoveAll(f.Name())
				f.Close()
			}
		})
	}
	all.Wait()
}
