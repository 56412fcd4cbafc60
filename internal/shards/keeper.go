package shards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/pieces"
)

// CRC-32C is what processors compute by an instruction; it finds damage, not intent.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Keeper does the pieces of one shard and writes them down, each work after the
// other. It is a [pieces.Keeper]. The file has the name of an unfinished one until all is there.
type Keeper struct {
	// Path is the file of the shard.
	Path string
	// Whole says that the file was there already: nothing is done.
	Whole bool
	// Resumed is how many pieces runs before had done, Pieces how many there are.
	Resumed, Pieces int

	header header
	made   string // the folder, where it was not there before
	file   *outfile.Growing
	held   held
	works  int // that the command has asked for
	failed error
	some   bool // whether a piece stands in the file, or did when it was opened
	sum    uint32
	buffer []byte // lines that are not written yet
	value  []byte // of the piece at hand
	began  time.Time
	wrote  time.Time // when the buffer last went out
	known  map[string]int
}

// A held file is what an unfinished one has to go on with. The header's work is the first of works.
type held struct {
	works  []pieces.Work
	pieces []int // of each work
	texts  texts
	bytes  int64
}

// NewKeeper opens the file of a shard in a folder, which is made where it is not
// there. With force what stands there is dropped; otherwise it must be of the same
// identity. Errors: *Error, *outfile.BusyError, *fs.PathError.
func NewKeeper(dir string, id Identity, p Place, force bool) (*Keeper, error) {
	// Whether the folder was there is looked at before it is made, see unmake.
	_, before := os.Lstat(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	// The host is for people who look for a straggler; without one the shard is as good.
	host, _ := os.Hostname()
	k := &Keeper{
		Path:   filepath.Join(dir, p.File()),
		header: header{Format: format, Identity: id, Place: p, Started: time.Now().UTC(), Host: host},
		began:  time.Now(),
		wrote:  time.Now(),
		known:  map[string]int{},
	}
	if errors.Is(before, fs.ErrNotExist) {
		k.made = dir
	}
	// A shard that is done is not done again: a scheduler may start a task twice.
	if !force {
		there, err := inspect(k.Path)
		switch {
		case err == nil:
			if err := k.same(k.Path, there.header); err != nil {
				return nil, err
			}
			k.Whole, k.Pieces = true, there.end.Pieces
			return k, nil
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	var err error
	k.file, err = outfile.Grow(k.Path)
	if errors.Is(err, fs.ErrNotExist) { // the shard that made the folder ended without any piece
		if err = os.MkdirAll(dir, 0o777); err == nil {
			k.file, err = outfile.Grow(k.Path)
		}
	}
	if err != nil {
		k.unmake()
		return nil, err
	}
	if err := k.resume(force); err != nil {
		k.Close()
		return nil, err
	}
	return k, nil
}

// same refuses a file of another work. Errors: *Error with what differs.
func (k *Keeper) same(path string, h *header) error {
	why := k.header.Differs(&h.Identity)
	if why == "" && h.Place != k.header.Place {
		why = fmt.Sprintf("shard %s, not %s", h.Place, k.header.Place)
	}
	if why == "" {
		return nil
	}
	return &Error{Name: path, Reason: "is there already and " + why + ": give another folder, or remove it"}
}

// resume takes over the whole lines of the unfinished file. With force all that is held is dropped.
func (k *Keeper) resume(force bool) error {
	data, err := k.file.Held()
	if err != nil {
		return err
	}
	// A file without a whole header holds no piece, and is begun anew.
	if h := readHeld(data); h != nil && !force {
		if err := k.same(outfile.Unfinished(k.Path), h.header); err != nil {
			return err
		}
		k.header, k.held, k.some = *h.header, h.held, true
		for n, text := range k.held.texts {
			k.known[text] = n
		}
		for _, n := range k.held.pieces {
			k.Resumed += n
		}
	}
	k.sum = crc32.Checksum(data[:k.held.bytes], castagnoli)
	return k.file.Keep(k.held.bytes)
}

// Number returns the number of a text that pieces repeat, and writes it down the
// first time. Numbers count from 0 in the order of their first use.
func (k *Keeper) Number(text string) int {
	n, ok := k.known[text]
	if !ok {
		n = len(k.known)
		k.known[text] = n
		// A string marshals.
		k.buffer, _ = addLine(k.buffer, wordLine{n, text})
	}
	return n
}

// Keep does the pieces of this shard and writes them down in order. After the first error nothing
// is written any more. Errors: those of do and of the file; *Error where the work is not that of an
// earlier run.
func (k *Keeper) Keep(ctx context.Context, w pieces.Work, do func(i int) (pieces.Write, error)) error {
	err := k.keep(ctx, w, do)
	if err != nil && k.failed == nil {
		k.failed = err
	}
	return err
}

// keep is Keep, whose error the shard remembers: after one nothing of it can be called done.
func (k *Keeper) keep(ctx context.Context, w pieces.Work, do func(i int) (pieces.Write, error)) error {
	if k.failed != nil {
		return k.failed
	}
	number := k.works
	k.works++
	place := k.header.Place
	count := place.Pieces(w.Count)
	k.Pieces += count
	first := 0
	switch {
	case k.Whole:
		return nil
	// An earlier run may have ended within this work, or in one after it.
	case number < len(k.held.works):
		if why := workDiffers(w, k.held.works[number]); why != "" {
			return &Error{Name: outfile.Unfinished(k.Path), Reason: "is " + why + ": remove it"}
		}
		if first = k.held.pieces[number]; number+1 < len(k.held.works) {
			return nil
		}
	default:
		if err := k.begin(number, w); err != nil {
			return err
		}
	}
	// Pieces are done in any order on all cores and written in theirs.
	line := pieces.Line[pieces.Write]{Take: func(j int, write pieces.Write) error {
		return k.add(place.Piece(first+j), write)
	}}
	err := parallel.Each(ctx, w.Workers, count-first, func(j int) error {
		write, err := do(place.Piece(first + j))
		err = cmp.Or(err, ctx.Err())
		if err != nil {
			return err
		}
		return line.Put(j, write)
	})
	// What was done before an error is kept.
	if flushed := k.flush(); err == nil {
		err = flushed
	}
	return err
}

// begin writes the line that a work begins with: for the first that of the shard. The header is on
// the disk before the first piece, so that a run that is killed can be gone on with.
func (k *Keeper) begin(number int, w pieces.Work) (err error) {
	if number > 0 {
		k.buffer, err = addLine(k.buffer, w)
		return err
	}
	k.header.Work = w
	if k.buffer, err = addLine(k.buffer, k.header); err == nil {
		err = k.flush()
	}
	return err
}

// add writes a piece down. A piece that takes long is on the disk at once, short
// ones go out together. 64 KiB or a second, whichever comes first, is what a kill may lose.
func (k *Keeper) add(index int, write pieces.Write) error {
	var err error
	if k.value, err = write(k.value[:0], k); err != nil {
		return err
	}
	k.buffer, k.some = addPiece(k.buffer, index, k.value), true
	if len(k.buffer) < 1<<16 && time.Since(k.wrote) < time.Second {
		return nil
	}
	return k.flush()
}

// flush sends the lines out, with their part of the checksum.
func (k *Keeper) flush() error {
	if len(k.buffer) == 0 || k.file == nil {
		return nil
	}
	k.sum = crc32.Update(k.sum, castagnoli, k.buffer)
	_, err := k.file.Write(k.buffer)
	k.buffer, k.wrote = k.buffer[:0], time.Now()
	return err
}

// Finish closes the file and gives it its name, when the command has kept the
// pieces of all its works. Errors: the first one of the shard; those of the file.
func (k *Keeper) Finish() error {
	if k.Whole || k.failed != nil {
		return k.failed
	}
	// The last line distinguishes a whole shard from one that is cut.
	last := end{
		Pieces:  k.Pieces,
		Sum:     sumText(k.sum),
		Ended:   time.Now().UTC(),
		Seconds: time.Since(k.began).Seconds(),
		Resumed: k.Resumed,
	}
	var err error
	if k.buffer, err = addLine(k.buffer, last); err != nil {
		return err
	}
	if err := k.flush(); err != nil {
		return err
	}
	return k.file.Commit()
}

// Close leaves what is not finished for the next run; a file without a piece, and a folder
// that it made and has nothing for, is taken away.
func (k *Keeper) Close() {
	if k.file == nil {
		return
	}
	if !k.some { // the command line may be wrong, and the next one differ
		_ = k.file.Keep(0)
	}
	k.file.Close()
	k.unmake()
}

// unmake takes away the folder that was made, where nothing stands in it.
func (k *Keeper) unmake() {
	if k.made != "" {
		_ = os.Remove(k.made) // fails where there is anything in it, as it should
	}
}
