package main

import (
	"bytes"
	"cmp"
	"context"
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

	"github.com/capplan/capplan/internal/outfile"
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
	// finished says that the rows were all there: nothing is written.
	finished bool
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

func (r *sweep) identity(ctx context.Context) (*sweepIdentity, error) {
	id := &sweepIdentity{Version: version(), Command: r.name, Flags: r.fixed, Over: r.over, Files: []inputID{}}
	words := slices.Clone(r.files)
	for _, f := range r.fixed {
		words = append(words, f[1])
	}
	for _, a := range r.axes {
		words = append(words, a.values...)
	}
	for i, w := range words {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
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
	return id, nil
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
func (r *sweep) openOut(ctx context.Context, rows []sweepRow) (*sweepFile, error) {
	bad := func(format string, args ...any) error {
		return &usageError{reason: "--out: " + quote(r.out) + fmt.Sprintf(format, args...)}
	}
	if r.out == "-" {
		return nil, bad(" is no file to go on with: rows on standard output are --csv")
	}
	if err := checkOut("out", r.out); err != nil {
		return nil, err
	}
	info, err := os.Stat(r.out)
	there := err == nil && info.Size() > 0
	side, sideErr := readSide(sideFile(r.out), there)
	resume := r.resume && (there || sideErr == nil) // without either it begins
	f := &sweepFile{path: r.out}
	switch {
	case r.resume && r.force:
		return nil, &usageError{reason: "--resume keeps the rows of the file, --force drops them: want one of the two"}
	case resume && errors.Is(sideErr, fs.ErrNotExist):
		if f.whole(ctx, r, rows, info.Size()) {
			return f, nil
		}
		return nil, bad(" has nothing to go on with: there is no %s beside it, as an unfinished sweep leaves it", sideFile(r.out))
	case resume && sideErr != nil:
		return nil, outError("out", sideFile(r.out), sideErr)
	case !r.resume && !r.force && sideErr == nil:
		return nil, bad(" is an unfinished sweep: want --resume to go on with it, or --force to start anew")
	case !r.resume && !r.force && there:
		return nil, bad(" is there already: want --force to replace it, or another name")
	}
	id, err := r.identity(ctx)
	if err != nil {
		return nil, err
	}
	if !resume {
		if err := f.begin(id); err != nil {
			return nil, outError("out", r.out, err)
		}
		return f, nil
	}
	var old sweepIdentity
	if err := json.Unmarshal(side, &old); err != nil {
		return nil, bad(" cannot be resumed: %s is not as a sweep wrote it: %v", sideFile(r.out), err)
	}
	if why := id.differs(&old); why != "" {
		return nil, bad(" cannot be resumed: it is a sweep %s", why)
	}
	end, err := f.takeOver(ctx, r, rows)
	if err != nil {
		return nil, err
	}
	if err := f.open(end); err != nil {
		return nil, outError("out", r.out, err)
	}
	return f, nil
}

// readSide reads the file beside. One that a full disk has cut, beside no rows,
// says nothing and counts as absent.
func readSide(path string, rows bool) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err == nil && !rows && !json.Valid(data) {
		return nil, fs.ErrNotExist
	}
	return data, err
}

// begin makes an empty file and the one beside it. The disk is asked for the
// room of the latter first. Killed at any moment, it leaves no rows of an
// earlier run beside the identity of this one, and no empty file by itself, which
// would pass for a finished one.
func (f *sweepFile) begin(id *sweepIdentity) error {
	data, err := json.MarshalIndent(id, "", "  ")
	if err != nil {
		return err
	}
	side, err := outfile.Create(sideFile(f.path))
	if err != nil {
		return err
	}
	defer side.Discard()
	if _, err := side.Write(append(data, '\n')); err != nil {
		return err
	}
	mode, err := clearAway(f.path)
	if err != nil {
		return err
	}
	if err := side.Commit(); err != nil {
		return err
	}
	if err = f.open(0); err == nil && mode != 0 {
		err = f.f.Chmod(mode)
	}
	if err != nil {
		f.close()
		os.Remove(sideFile(f.path))
	}
	return err
}

// clearAway removes a file with its rows and returns its permissions, 0 where
// there was none. Of a link, what it leads to is emptied and stays where it is.
func clearAway(path string) (fs.FileMode, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	case info.Mode().IsRegular():
		return info.Mode().Perm(), os.Remove(path)
	}
	if err := os.Truncate(path, 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	return 0, nil
}

// open opens the file to write behind end.
func (f *sweepFile) open(end int64) error {
	var err error
	if f.f, err = os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return err
	}
	if err = f.f.Truncate(end); err == nil {
		_, err = f.f.Seek(end, io.SeekStart)
	}
	if err != nil {
		f.close()
	}
	return err
}

// whole takes over the rows of a file of so many bytes if it is finished: all
// rows of this sweep stand in it and nothing else. Which flags they were made
// with it does not say any more.
func (f *sweepFile) whole(ctx context.Context, r *sweep, rows []sweepRow, size int64) bool {
	end, err := f.takeOver(ctx, r, rows)
	f.finished = err == nil && f.written == len(rows) && end == size
	return f.finished
}

// takeOver reads the rows of an unfinished file, as far as they are whole, and
// returns where they end.
func (f *sweepFile) takeOver(ctx context.Context, r *sweep, rows []sweepRow) (end int64, err error) {
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, outError("out", f.path, err)
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
		if i%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		row, err := c.Read()
		if err != nil { // the end, or a row cut inside a quoted cell
			break
		}
		if !slices.Equal(row[:swept], rows[i].values) {
			return 0, &usageError{reason: fmt.Sprintf("--out: %q cannot be resumed: row %d is %v, want %v", f.path, i+1, row[:swept], rows[i].values)}
		}
		rows[i].infeasible = row[len(row)-1]
		if rows[i].infeasible == "" {
			rows[i].names = f.names
			rows[i].pack(row[swept : len(row)-1])
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
		if err := f.lines(r.axes, nil, true); err != nil {
			return err
		}
	}
	if f.written == len(rows) {
		return nil
	}
	fresh := rows[f.written:]
	f.written = len(rows)
	return f.lines(r.axes, fresh, false)
}

func (f *sweepFile) lines(axes []axis, rows []sweepRow, header bool) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	err := sweepLines(axes, f.names, rows, func(cells []string) error {
		if !header {
			header = true
			return nil
		}
		return w.Write(cells)
	})
	w.Flush()
	if err != nil {
		return err
	}
	if _, err := f.f.Write(b.Bytes()); err != nil {
		return outError("out", f.path, err)
	}
	return nil
}

// finish writes what waits, of columns named by the schema where no row has an
// answer, and takes away the file beside.
func (f *sweepFile) finish(r *sweep, rows []sweepRow, names []string) error {
	if f.finished {
		return nil
	}
	if f.names == nil {
		f.names = names
		if err := f.lines(r.axes, rows, true); err != nil {
			return err
		}
	}
	if err := f.close(); err != nil {
		return outError("out", f.path, err)
	}
	if err := os.Remove(sideFile(f.path)); err != nil {
		return outError("out", sideFile(f.path), err)
	}
	return nil
}

func (f *sweepFile) close() error {
	if f.closed || f.f == nil {
		return nil
	}
	f.closed = true
	return f.f.Close()
}
