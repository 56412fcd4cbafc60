package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// A sweepFile is the file of --out: its rows are appended in order as they are
// finished. Beside it stands a file that says what the rows belong to, until
// all are there.
type sweepFile struct {
	path    string
	f       *os.File
	names   []string // of the columns after the swept flags; nil until a row has an answer
	written int      // rows
	closed  bool
}

// A sweepIdentity is what two runs must have in common for one to go on with
// the rows of the other.
type sweepIdentity struct {
	Version string      `json:"version"`
	Command string      `json:"command"`
	Flags   [][2]string `json:"flags"`
	Over    []string    `json:"over"`
	Files   []inputID   `json:"files"`
	Stdin   string      `json:"stdin_sha256"`
}

// An inputID tells whether a file that the points read is still the same.
type inputID struct {
	Name     string    `json:"name"`
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
}

// sideFile returns the name of the file beside an unfinished --out.
func sideFile(path string) string { return path + ".sweep" }

func (r *sweep) identity() *sweepIdentity {
	id := &sweepIdentity{Version: version(), Command: r.name, Flags: r.fixed, Over: r.over, Files: []inputID{}}
	words := slices.Clone(r.files)
	for _, f := range r.fixed {
		words = append(words, f[1])
	}
	for _, a := range r.axes {
		words = append(words, a.values...)
	}
	for _, w := range words {
		if info, err := os.Stat(w); err == nil && info.Mode().IsRegular() {
			id.Files = append(id.Files, inputID{w, info.Size(), info.ModTime().UTC()})
		} else if slices.Contains(r.files, w) {
			id.Files = append(id.Files, inputID{Name: w})
		}
	}
	if r.stdin != nil {
		sum := sha256.Sum256(r.stdin)
		id.Stdin = hex.EncodeToString(sum[:])
	}
	return id
}

// differs says in what the run that left a file is not this one, "" in nothing.
func (id *sweepIdentity) differs(old *sweepIdentity) string {
	same := func(a, b any) bool {
		x, err1 := json.Marshal(a)
		y, err2 := json.Marshal(b)
		return err1 == nil && err2 == nil && bytes.Equal(x, y)
	}
	switch {
	case id.Command != old.Command:
		return "of capplan sweep " + old.Command
	case !same(id.Flags, old.Flags):
		show := func(flags [][2]string) string {
			var words []string
			for _, f := range flags {
				words = append(words, "--"+f[0]+" "+f[1])
			}
			return cmp.Or(strings.Join(words, " "), "none")
		}
		return "with other flags: " + show(old.Flags) + ", not " + show(id.Flags)
	case !same(id.Over, old.Over):
		return fmt.Sprintf("over %v, not %v", old.Over, id.Over)
	case !same(id.Files, old.Files):
		return "of files that are not the same, or changed since"
	case id.Stdin != old.Stdin:
		return "of another standard input"
	case id.Version != old.Version:
		return "of capplan " + old.Version + ", this is " + id.Version
	}
	return ""
}

// openOut opens the file of --out. With --resume the rows it holds are taken
// over, if there is one.
func (r *sweep) openOut(rows []sweepRow) (*sweepFile, error) {
	bad := func(format string, args ...any) error {
		return &usageError{reason: "--out: " + quote(r.out) + fmt.Sprintf(format, args...)}
	}
	info, err := os.Stat(r.out)
	switch {
	case r.out == "-":
		return nil, bad(" is no file to go on with: rows on standard output are --csv")
	case err == nil && !info.Mode().IsRegular():
		return nil, bad(" is not a file")
	}
	there := err == nil && info.Size() > 0
	side, sideErr := os.ReadFile(sideFile(r.out))
	resume := r.resume && (there || sideErr == nil) // without either it begins
	switch {
	case r.resume && r.force:
		return nil, &usageError{reason: "--resume keeps the rows of the file, --force drops them: want one of the two"}
	case resume && errors.Is(sideErr, fs.ErrNotExist):
		return nil, bad(" has nothing to go on with: there is no %s beside it, as an unfinished sweep leaves it", sideFile(r.out))
	case resume && sideErr != nil:
		return nil, fmt.Errorf("--resume: %w", sideErr)
	case !r.resume && !r.force && sideErr == nil:
		return nil, bad(" is an unfinished sweep: want --resume to go on with it, or --force to start anew")
	case !r.resume && !r.force && there:
		return nil, bad(" is there already: want --force to replace it, or another name")
	}
	id := r.identity()
	f := &sweepFile{path: r.out}
	end := int64(0)
	if resume {
		var old sweepIdentity
		if err := json.Unmarshal(side, &old); err != nil {
			return nil, bad(" cannot be resumed: %s is not as a sweep wrote it: %v", sideFile(r.out), err)
		}
		if why := id.differs(&old); why != "" {
			return nil, bad(" cannot be resumed: it is a sweep %s", why)
		}
		if end, err = f.takeOver(r, rows); err != nil {
			return nil, err
		}
	}
	if f.f, err = os.OpenFile(r.out, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, bad(": there is no such folder")
		}
		return nil, fmt.Errorf("--out: %w", err)
	}
	if err = f.f.Truncate(end); err == nil {
		_, err = f.f.Seek(end, io.SeekStart)
	}
	if err == nil && !resume {
		err = writeSide(sideFile(r.out), id)
	}
	if err != nil {
		f.f.Close()
		return nil, fmt.Errorf("--out: %w", err)
	}
	return f, nil
}

func writeSide(path string, id *sweepIdentity) error {
	data, err := json.MarshalIndent(id, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// takeOver reads the rows of an unfinished file, as far as they are whole, and
// returns where they end.
func (f *sweepFile) takeOver(r *sweep, rows []sweepRow) (end int64, err error) {
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("--resume: %w", err)
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1] // the last may be cut
	c := csv.NewReader(bytes.NewReader(data))
	header, err := c.Read()
	if err != nil {
		return 0, nil
	}
	swept := len(r.axes)
	for i, a := range r.axes {
		if len(header) < swept+1 || header[i] != "over_"+a.flag {
			return 0, &usageError{reason: "--out: " + quote(f.path) + " cannot be resumed: its columns are not those of this sweep"}
		}
	}
	f.names = header[swept : len(header)-1]
	end = c.InputOffset()
	for i := range rows {
		row, err := c.Read()
		if err != nil { // the end, or a row cut inside a quoted cell
			break
		}
		if !slices.Equal(row[:swept], rows[i].values) {
			return 0, &usageError{reason: fmt.Sprintf("--out: %q cannot be resumed: row %d is %v, want %v", f.path, i+1, row[:swept], rows[i].values)}
		}
		rows[i].infeasible = row[len(row)-1]
		if rows[i].infeasible == "" {
			rows[i].names, rows[i].cells = f.names, row[swept:len(row)-1]
		}
		rows[i].done = true
		f.written++
		end = c.InputOffset()
	}
	return end, nil
}

// write appends the rows that are not written yet. Rows without an answer wait
// for the first that has one, which names the columns.
func (f *sweepFile) write(r *sweep, rows []sweepRow) error {
	if f.names == nil {
		if f.names = columns(rows); f.names == nil {
			return nil
		}
		if err := f.lines(sweepRows(r.axes, f.names, nil)); err != nil {
			return err
		}
	}
	if f.written == len(rows) {
		return nil
	}
	lines := sweepRows(r.axes, f.names, rows[f.written:])[1:]
	f.written = len(rows)
	return f.lines(lines)
}

func (f *sweepFile) lines(lines [][]string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(lines); err != nil {
		return err
	}
	if _, err := f.f.Write(b.Bytes()); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// finish writes what waits, of columns named by the schema where no row has an
// answer, and takes away the file beside.
func (f *sweepFile) finish(r *sweep, rows []sweepRow, names []string) error {
	if f.names == nil {
		f.names = names
		if err := f.lines(sweepRows(r.axes, names, rows)); err != nil {
			return err
		}
	}
	if err := f.close(); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if err := os.Remove(sideFile(f.path)); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

func (f *sweepFile) close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return f.f.Close()
}
