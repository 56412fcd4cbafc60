package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// passing are the names of what is not finished.
var passing = regexp.MustCompile(`^\.capplan-[0-9]+-[0-9]+\.tmp$`)

// temporary opens a new, locked file in a folder. Unlike os.CreateTemp, whose
// files are private, it leaves the mode to the umask.
func temporary(dir string) (*os.File, error) {
	return named(dir, func(name string) (*os.File, error) {
		return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	})
}

// Folder makes a new folder with a passing name in dir, for what is then
// renamed as a whole. The file returned is the folder itself: while it is open
// no other run takes the folder away.
func Folder(dir string) (*os.File, error) {
	Sweep(dir)
	return named(dir, func(name string) (*os.File, error) {
		if err := os.Mkdir(name, 0o777); err != nil {
			return nil, err
		}
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			err = fs.ErrExist // swept away since it was made: the next name
		}
		return f, err
	})
}

// named makes something under a name that is not taken, and locks it.
func named(dir string, create func(string) (*os.File, error)) (*os.File, error) {
	for i := 0; ; i++ {
		name := dir + fmt.Sprintf("%c.capplan-%d-%d.tmp", filepath.Separator, os.Getpid(), i)
		f, err := create(name)
		if errors.Is(err, fs.ErrExist) && i < 10000 {
			continue
		}
		if err != nil {
			return nil, err
		}
		// A file system without locks keeps what a killed run leaves: see Sweep. A lock that
		// another run holds is that of a sweep which found the name before it was locked, and
		// which is about to take it away.
		swept := busy(lock(f))
		at, err1 := os.Lstat(name)
		open, err2 := f.Stat()
		if !swept && err1 == nil && err2 == nil && os.SameFile(at, open) {
			return f, nil
		}
		f.Close()
		if i >= 10000 {
			return nil, errors.Join(err1, err2, fs.ErrNotExist)
		}
	}
}

// Sweep takes away what killed runs have left in a folder: what has a passing
// name and is not locked. It does what it can and reports nothing.
func Sweep(dir string) {
	folder, err := os.Open(dir)
	if err != nil {
		return
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	for _, n := range names {
		if passing.MatchString(n) {
			sweep(dir + string(filepath.Separator) + n)
		}
	}
}

func sweep(name string) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return // a pipe of that name would block
	}
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	if open, err := f.Stat(); err != nil || !os.SameFile(info, open) || lock(f) != nil {
		return
	}
	// Another sweep may have been first, and another run may have made the name anew.
	if at, err := os.Lstat(name); err == nil && os.SameFile(at, info) {
		os.RemoveAll(name)
	}
}
