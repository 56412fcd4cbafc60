package sweeps

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/capplan/capplan/internal/jsonwords"
	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/spell"
)

// A File holds the rows of a sweep: they are appended in order as they are
// finished. Beside it stands a file that says what the rows belong to, until
// all are there. Between the two files a run that is killed loses at most the rows that were not
// written.
type File struct {
	path    string
	f       *os.File
	side    *outfile.File // the file beside until the first row is written, then nil
	names   []string      // of the columns after the swept flags; nil until a row has an answer
	written int           // rows
	closed  bool
	// Finished says that the rows were all there: nothing is written.
	Finished bool
}

// sideFile returns the name of the file beside an unfinished --out.
func sideFile(path string) string { return path + ".sweep" }

// Open opens the file of the rows. With resume the rows it holds are taken over,
// if there is one; with force they are dropped. Errors: *OptionError, *FileError.
func (r *Sweep) Open(ctx context.Context, path string, rows []Row, resume, force bool) (*File, error) {
	// All refusals name the file.
	bad := func(format string, args ...any) error {
		return &OptionError{"out", spell.Quote(path) + fmt.Sprintf(format, args...)}
	}
	size, side, sideErr, err := standing(path)
	if err != nil {
		return nil, err
	}
	there := size > 0
	goOn := resume && (there || sideErr == nil) // without either it begins
	f := &File{path: path}
	// The cases are: both flags, a finished file, a file beside that cannot be read, an unfinished
	// sweep that nobody wants to go on with, and rows of something else.
	switch {
	case resume && force:
		return nil, &OptionError{"resume", "keeps the rows of the file, but force drops them: want one of the two"}
	case goOn && errors.Is(sideErr, fs.ErrNotExist):
		if f.whole(ctx, r, rows, size) {
			return f, nil
		}
		return nil, bad(" cannot be continued: there is no %s beside it, which an unfinished sweep leaves",
			sideFile(path))
	case goOn && sideErr != nil:
		return nil, &FileError{sideFile(path), sideErr}
	case !resume && !force && sideErr == nil:
		return nil, bad(" is an unfinished sweep: want --resume to continue it, or --force to start again")
	case !resume && !force && there:
		return nil, bad(" exists already: want --force to replace it, or another name")
	}
	id, err := r.identify(ctx)
	if err != nil {
		return nil, err
	}
	if !goOn {
		if err := f.begin(id); err != nil {
			return nil, &FileError{path, err}
		}
		return f, nil
	}
	var old Identity
	if err := json.Unmarshal(side, &old); err != nil {
		return nil, bad(" cannot be resumed: %s is not as a sweep wrote it: %s", sideFile(path), jsonwords.Of(err))
	}
	// Rows of another question would look as good as any.
	if why := id.differs(&old); why != "" {
		return nil, bad(" cannot be resumed: it is a sweep %s", why)
	}
	end, err := f.takeOver(ctx, r, rows)
	if err != nil {
		return nil, err
	}
	if err := f.open(end); err != nil {
		return nil, &FileError{path, err}
	}
	return f, nil
}

// standing returns the size of the file at the place of the rows, if it can be written, and the
// file beside it. Errors: *FileError.
func standing(path string) (size int64, side []byte, sideErr, err error) {
	if err := outfile.Check(path); err != nil {
		return 0, nil, nil, &FileError{path, err}
	}
	if info, err := os.Stat(path); err == nil {
		size = info.Size()
	}
	side, sideErr = readSide(sideFile(path), size > 0)
	return size, side, sideErr, nil
}

// mostSide bounds the file beside, in bytes: it holds a command line and its files. A sweep of many
// values has them in its command line.
const mostSide = 16 << 20

// readSide reads the file beside. One that a full disk has cut, beside no rows,
// says nothing and counts as absent.
func readSide(path string, rows bool) ([]byte, error) {
	data, err := outfile.Read(path, mostSide)
	if err == nil && !rows && !json.Valid(data) {
		return nil, fs.ErrNotExist
	}
	return data, err
}

// begin makes the file beside, still without its name, so that a disk without room and a folder that
// cannot be written are found before anything is computed.
func (f *File) begin(id *Identity) error {
	data, err := json.MarshalIndent(id, "", "  ")
	if err != nil {
		return err
	}
	if f.side, err = outfile.Create(sideFile(f.path)); err != nil {
		return err
	}
	if _, err = f.side.Write(append(data, '\n')); err != nil {
		f.side.Discard()
	}
	return err
}

// start makes an empty file for the first row, and gives the file beside its name. Until then an
// earlier file stays: a sweep whose first point fails changes nothing. Killed at any moment, it
// leaves no rows of an earlier run beside the identity of this one, and no empty file by itself,
// which would pass for a finished one.
func (f *File) start() error {
	side := f.side
	if side == nil {
		return nil
	}
	f.side = nil
	defer side.Discard()
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
		f.Close()
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

// open opens the file to write behind end. What stands behind end is cut.
func (f *File) open(end int64) error {
	var err error
	if f.f, err = os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return err
	}
	if err = f.f.Truncate(end); err == nil {
		_, err = f.f.Seek(end, io.SeekStart)
	}
	if err != nil {
		f.Close()
	}
	return err
}

// whole takes over the rows of a file of the given size if it is finished: it holds all rows of
// this sweep and nothing else. It no longer says which flags the rows were made with, so the
// columns and the swept values of every row are compared.
func (f *File) whole(ctx context.Context, r *Sweep, rows []Row, size int64) bool {
	end, err := f.takeOver(ctx, r, rows)
	f.Finished = err == nil && f.written == len(rows) && end == size
	return f.Finished
}

// takeOver reads the rows of an unfinished file, as far as they are whole, and
// returns where they end. Rows that are whole and of this sweep are marked as done. Errors:
// *OptionError where a row is of another point; *FileError.
func (f *File) takeOver(ctx context.Context, r *Sweep, rows []Row) (end int64, err error) {
	file, err := outfile.Regular(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, &FileError{f.path, err}
	}
	defer file.Close()
	c := newRowReader(file)
	header, err := c.Read()
	// Without a header no row is there.
	if err != nil {
		return 0, nil
	}
	swept := len(r.Axes)
	for i, a := range r.Axes {
		if len(header) < swept+1 || header[i] != "over_"+a.Flag {
			return 0, &OptionError{"out",
				spell.Quote(f.path) + " cannot be resumed: its columns are not those of this sweep"}
		}
	}
	f.names = header[swept : len(header)-1]
	end = c.InputOffset()
	for i := range rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		row, err := c.Read()
		if err != nil { // the end, or a row that is cut
			break
		}
		if !slices.Equal(row[:swept], rows[i].Values) {
			return 0, &OptionError{"out",
				fmt.Sprintf("%q cannot be resumed: row %d is %v, want %v", f.path, i+1, row[:swept], rows[i].Values)}
		}
		rows[i].Infeasible = row[len(row)-1]
		if rows[i].Infeasible == "" {
			rows[i].Answer(f.names, row[swept:len(row)-1])
		}
		rows[i].done = true
		f.written++
		end = c.InputOffset()
	}
	return end, nil
}

// write appends the rows that are not written yet. Rows without an answer wait
// for the first that has one, which names the columns. rows are all from the first on, of which
// those up to written stand in the file.
func (f *File) write(ctx context.Context, r *Sweep, rows []Row) error {
	if f.names == nil {
		// Those before it, if they had columns, would have named them.
		if f.names = Columns(rows[max(0, len(rows)-1):]); f.names == nil {
			return nil
		}
		if err := f.lines(ctx, r.Axes, nil, true); err != nil {
			return err
		}
	}
	if f.written == len(rows) {
		return nil
	}
	fresh := rows[f.written:]
	f.written = len(rows)
	return f.lines(ctx, r.Axes, fresh, false)
}

// lines writes rows, with the header before them where it is asked for. All lines go out in one
// write, so that a full disk cuts at one place.
func (f *File) lines(ctx context.Context, axes []Axis, rows []Row, header bool) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	written := 0
	err := Lines(axes, f.names, Held(rows), func(cells []string) error {
		if written++; written%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
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
	if err := f.start(); err != nil {
		return &FileError{f.path, err}
	}
	if _, err := f.f.Write(b.Bytes()); err != nil {
		f.cut()
		return &FileError{f.path, err}
	}
	return nil
}

// cut leaves the whole rows of a file that a full disk has ended within one. It does
// what it can: who resumes looks for whole rows too. A row is at most longestRow bytes, so that its
// beginning is found in the tail.
func (f *File) cut() {
	size, err := f.f.Seek(0, io.SeekEnd)
	if err != nil {
		return
	}
	tail := make([]byte, min(size, longestRow))
	if _, err := f.f.ReadAt(tail, size-int64(len(tail))); err == nil {
		_ = f.f.Truncate(size - int64(len(tail)) + int64(bytes.LastIndexByte(tail, '\n')+1))
	}
}

// Finish writes what waits, of columns named by the schema where no row has an
// answer, and takes away the file beside. Where ctx ends before, the file beside
// stays, and a run that resumes writes the rows. Errors: *FileError; that of the context.
func (f *File) Finish(ctx context.Context, r *Sweep, rows []Row, names []string) error {
	if f.Finished {
		return nil
	}
	if f.names == nil {
		f.names = names
		if err := f.lines(ctx, r.Axes, rows, true); err != nil {
			return err
		}
	}
	return f.finish()
}

// finish closes the file and takes away the one beside.
func (f *File) finish() error {
	if err := f.Close(); err != nil {
		return &FileError{f.path, err}
	}
	if err := os.Remove(sideFile(f.path)); err != nil {
		return &FileError{sideFile(f.path), err}
	}
	return nil
}

// Close closes the file. One that was begun and not started leaves nothing behind.
func (f *File) Close() error {
	if f.side != nil {
		f.side.Discard()
		f.side = nil
	}
	if f.closed || f.f == nil {
		return nil
	}
	f.closed = true
	return f.f.Close()
}
