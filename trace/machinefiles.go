package trace

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// A MachineFile is a file of traces.
type MachineFile struct {
	Path string
	Name string // of its machine, where the file does not name it
	// Found says that the file was found in a folder: if it is no trace it is
	// passed over with a warning.
	Found bool
}

// A MachineUnit is one file, or the day files of PlanetLab together: a
// machine's record does not go beyond its unit.
type MachineUnit struct{ Files []MachineFile }

// FindMachines lists the traces that paths stand for: a file for itself, a
// folder for the files in it and below, in order of their names, hidden ones
// left out. Files in folders named like a day (20110303) are the days of
// PlanetLab and make one unit, in the place of the first of them.
//
// A machine that its file does not name is called like the file; below a folder
// like its path there, so that rack1/node7.csv is rack1/node7. Errors are those
// of [source.Open], the context's, and ErrEmpty for a folder without files. The path "-" is kept.
func FindMachines(ctx context.Context, paths []string) ([]MachineUnit, error) {
	return FindMachinesIn(ctx, nil, paths)
}

// FindMachinesIn is FindMachines among other files than those of the system.
func FindMachinesIn(ctx context.Context, files fs.FS, paths []string) ([]MachineUnit, error) {
	ctx = given.Context(ctx)
	var units []MachineUnit
	days := -1 // of the unit of PlanetLab
	add := func(f MachineFile) {
		if dayOf(f.Path) == "" || isArchive(f.Path) {
			units = append(units, MachineUnit{[]MachineFile{f}})
			return
		}
		f.Name = machineName(filepath.Base(f.Path))
		if days < 0 {
			days = len(units)
			units = append(units, MachineUnit{})
		}
		units[days].Files = append(units[days].Files, f)
	}
	for _, p := range paths {
		info, err := stat(files, p)
		if p != "-" && err != nil {
			// Found later it would be one of many files that are passed over.
			return nil, &source.FileError{File: p, Problem: source.Cause(err), Want: machineForm, Err: err}
		}
		if p == "-" || !info.IsDir() {
			if abs, err := absolute(files, p); p != "-" && err == nil && dayOf(p) == "" && dayOf(abs) != "" {
				p = abs // the folder that one stands in is the day
			}
			add(MachineFile{p, machineName(filepath.Base(p)), false}) // opening it says what is wrong
			continue
		}
		before := len(units)
		found := 0
		root, err := absolute(files, p)
		if err != nil {
			root = p
		}
		err = walk(files, root, func(at string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case ctx.Err() != nil:
				return ctx.Err()
			case strings.HasPrefix(d.Name(), ".") && at != root:
				if d.IsDir() {
					return filepath.SkipDir
				}
				return nil
			case !d.Type().IsRegular():
				return nil
			}
			found++
			below, err := filepath.Rel(root, at)
			if err != nil {
				return err
			}
			shown := filepath.Join(p, below)
			if dayOf(shown) == "" && dayOf(at) != "" {
				shown = at
			}
			add(MachineFile{shown, machineName(filepath.ToSlash(below)), true})
			return nil
		})
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: stopped: %w", p, ctx.Err())
		}
		if err != nil {
			return nil, &source.FileError{File: p, Problem: source.Cause(err), Want: machineForm, Err: err}
		}
		if found == 0 && len(units) == before {
			return nil, source.Whole(p, "the folder holds no file", machineForm, fmt.Errorf("%w", source.ErrEmpty))
		}
	}
	return units, nil
}

// stat describes a file of the system where files is nil.
func stat(files fs.FS, name string) (fs.FileInfo, error) {
	if files == nil {
		return os.Stat(name)
	}
	return fs.Stat(files, name)
}

// walk goes through the files below a root, those of the system where files is
// nil.
func walk(files fs.FS, root string, each fs.WalkDirFunc) error {
	if files == nil {
		return filepath.WalkDir(root, each)
	}
	return fs.WalkDir(files, root, each)
}

// absolute returns the path from the root of the system; names of other files
// are whole as they are.
func absolute(files fs.FS, name string) (string, error) {
	if files == nil {
		return filepath.Abs(name)
	}
	return name, nil
}

// IsFolder reports whether a name is that of a folder, in the files given or
// those of the system.
func IsFolder(files fs.FS, name string) (bool, error) {
	info, err := stat(files, name)
	return err == nil && info.IsDir(), err
}
