package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/capplan/capplan/planner"
	planreport "github.com/capplan/capplan/planner/report"
)

// A planFolder is the folder that a plan is written to. It appears whole or
// not at all: everything is made in memory and written beside its place, and
// only then moved there.
type planFolder struct {
	path   string
	exists bool // and stays: the files of an earlier plan are replaced
}

// newFolder checks the folder before anything is computed; nil where none is
// asked for.
func newFolder(path string, force bool) (*planFolder, error) {
	if path == "" {
		return nil, nil
	}
	f := &planFolder{path: filepath.Clean(path)}
	entries, err := os.ReadDir(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(f.path)); err != nil {
			return nil, &usageError{reason: "--out: " + quote(path) + ": there is no folder " + quote(filepath.Dir(f.path)) + " to put it in"}
		}
		return f, nil
	case err != nil:
		if info, stat := os.Stat(f.path); stat == nil && !info.IsDir() {
			return nil, &usageError{reason: "--out: " + quote(path) + " is a file, want a folder"}
		}
		return nil, fmt.Errorf("--out: %w", err)
	case len(entries) > 0 && !force:
		return nil, &usageError{reason: "--out: the folder " + quote(path) + " is not empty and is left as it is: give another, or --force to replace the files of an earlier plan in it"}
	}
	info, err := os.Lstat(f.path)
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	// The files of a folder that a link leads to go into it.
	f.exists = len(entries) > 0 || info.Mode()&fs.ModeSymlink != 0
	return f, nil
}

// A planFile is a file of the folder.
type planFile struct {
	name    string // with / between folders
	content []byte
}

// write makes all files and puts them in place.
func (f *planFolder) write(ctx context.Context, in *scenarioInput, a *planner.PlanAnswer, doc *planreport.Document) error {
	files, err := planFiles(ctx, in, a, doc)
	if err != nil {
		return err
	}
	parent := filepath.Dir(f.path)
	if f.exists {
		parent = f.path
	}
	stage, err := os.MkdirTemp(parent, ".capplan-")
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	defer os.RemoveAll(stage)
	for _, x := range files {
		path := filepath.Join(stage, filepath.FromSlash(x.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if err := os.WriteFile(path, x.content, 0o666); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f.exists {
		return f.replace(stage, files)
	}
	if err := openTo(stage); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f.replace(stage, files) // empty, but in use, such as the working folder
	}
	if err := os.Rename(stage, f.path); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// openTo gives a folder the mode that a new one has: MkdirTemp's are private.
func openTo(stage string) error {
	probe := filepath.Join(stage, ".mode")
	if err := os.Mkdir(probe, 0o777); err != nil {
		return err
	}
	info, err := os.Stat(probe)
	if err == nil {
		err = os.Chmod(stage, info.Mode().Perm())
	}
	return errors.Join(err, os.Remove(probe))
}

// replace moves the files over those of an earlier plan and takes away those
// that this plan does not have. Other files stay.
func (f *planFolder) replace(stage string, files []planFile) error {
	kept := map[string]bool{}
	for _, x := range files {
		kept[x.name] = true
		to := filepath.Join(f.path, filepath.FromSlash(x.name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if err := os.Rename(filepath.Join(stage, filepath.FromSlash(x.name)), to); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	for _, name := range planreport.FileNames() {
		if !kept[name] {
			if err := os.Remove(filepath.Join(f.path, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("--out: %w", err)
			}
		}
	}
	return nil
}

// planFiles makes the content of all files, the drawings on all cores.
func planFiles(ctx context.Context, in *scenarioInput, a *planner.PlanAnswer, doc *planreport.Document) ([]planFile, error) {
	var files []planFile
	made := func(name string, write func(io.Writer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		files = append(files, planFile{name, b.Bytes()})
		return nil
	}
	if err := made("result.json", func(w io.Writer) error { return writeJSON(w, a) }); err != nil {
		return nil, err
	}
	if err := made("report.html", doc.WriteHTML); err != nil {
		return nil, err
	}
	name := "scenario.yaml"
	if strings.HasPrefix(strings.TrimSpace(string(in.content)), "{") {
		name = "scenario.json"
	}
	files = append(files, planFile{name, in.content})
	for _, t := range planreport.Tables(a) {
		if err := made(t.Name+".csv", t.Write); err != nil {
			return nil, err
		}
	}
	type drawn struct {
		figure *planreport.Figure
		format string
		file   planFile
		err    error
	}
	var plots []*drawn
	for i := range doc.Sections {
		for k := range doc.Sections[i].Figures {
			for _, format := range []string{"svg", "png"} {
				plots = append(plots, &drawn{figure: &doc.Sections[i].Figures[k], format: format})
			}
		}
	}
	var wg sync.WaitGroup
	for _, p := range plots {
		wg.Go(func() {
			if p.err = ctx.Err(); p.err != nil {
				return
			}
			var b bytes.Buffer
			p.err = p.figure.Write(&b, p.format)
			p.file = planFile{"plots/" + p.figure.ID + "." + p.format, b.Bytes()}
		})
	}
	wg.Wait()
	for _, p := range plots {
		if p.err != nil {
			return nil, p.err
		}
		files = append(files, p.file)
	}
	slices.SortFunc(files, func(x, y planFile) int { return strings.Compare(x.name, y.name) })
	return files, nil
}
