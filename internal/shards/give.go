package shards

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/spell"
)

// Of what is read of the shards at once.
const (
	ahead  = 16 << 20 // bytes of all shards together
	least  = 4 << 10  // of one
	most   = 1 << 20
	atOnce = 4096 // pieces that are handed over together
)

// Give hands over the pieces of all shards in order, as the command asks for its
// works one after the other.
func (f *Folder) Give(ctx context.Context, w pieces.Work, some func([]pieces.Kept) error) error {
	if f.readers == nil {
		f.readers = make([]*reader, f.Of)
		for i, s := range f.wholes {
			f.readers[i] = &reader{
				path:    f.files[i],
				end:     s.last,
				portion: min(max(ahead/f.Of, least), most),
				said:    texts(nil),
			}
		}
	}
	number := f.works
	f.works++
	for i, r := range f.readers {
		if err := f.begin(number, w, i, r); err != nil {
			return err
		}
	}
	batch := make([]pieces.Kept, 0, min(atOnce, w.Count))
	var lent []byte
	for i := 0; i < w.Count; i++ {
		kept, line, err := f.piece(i)
		if err != nil {
			return err
		}
		// The line stays as it is only until the next: the texts of a batch are
		// kept together. Where that moves them, those before stay where they were.
		lent = append(lent, line...)
		kept.Text = lent[len(lent)-len(line):]
		if batch = append(batch, kept); len(batch) < cap(batch) && i+1 < w.Count {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := some(batch); err != nil {
			return err
		}
		batch, lent = batch[:0], lent[:0]
	}
	return nil
}

// begin reads the line with which a work begins in a shard.
func (f *Folder) begin(number int, w pieces.Work, i int, r *reader) error {
	line, err := r.line()
	if err != nil {
		return f.damaged(i, fmt.Sprintf("ends before its work %d, %s", number+1, w.Name))
	}
	of := f.Work
	if number > 0 {
		if of, err = readWork(line); err != nil || !bytes.HasPrefix(line, workStart) {
			return f.damaged(i, fmt.Sprintf("holds something else where its work %d, %s, is due", number+1, w.Name))
		}
	}
	if why := workDiffers(w, of); why != "" {
		return &Error{Name: f.files[i], Reason: "is " + why + ": the same command line asks for something else here"}
	}
	return nil
}

// piece reads the line of a piece.
func (f *Folder) piece(i int) (pieces.Kept, []byte, error) {
	at := i % f.Of
	r := f.readers[at]
	for {
		line, err := r.line()
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return pieces.Kept{}, nil, f.damaged(at, fmt.Sprintf("ends before piece %d", i))
		case err != nil:
			return pieces.Kept{}, nil, err
		case bytes.HasPrefix(line, wordStart):
			if err := r.texts.hear(line); err != nil {
				return pieces.Kept{}, nil, f.damaged(at, fmt.Sprintf("is damaged before piece %d: %v", i, err))
			}
			r.said = r.texts
			continue
		}
		index, value, ok := readPiece(line)
		if !ok || index != i {
			return pieces.Kept{}, nil, f.damaged(at, fmt.Sprintf("is damaged: piece %d is due at %s", i, spell.Quote(string(line))))
		}
		return pieces.Kept{Index: i, Said: r.said}, value, nil
	}
}

func (f *Folder) damaged(i int, why string) error {
	return &Error{Name: f.files[i], Reason: why + "; copy it anew, or run the shard again"}
}

// Done finds out, when the command has taken all that it asked for, whether that
// was all there is, and as it was written.
func (f *Folder) Done() error {
	if f.works == 0 {
		return &Error{Name: f.files[0], Reason: "holds " + f.Work.Name + ", and the command line asks for none here"}
	}
	for i, r := range f.readers {
		for {
			line, err := r.line()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || !bytes.HasPrefix(line, wordStart) {
				return f.damaged(i, "holds more than the command line asks for here")
			}
		}
		if sum := sumText(r.sum); sum != f.wholes[i].end.Sum {
			return f.damaged(i, fmt.Sprintf("is damaged: its lines have the checksum %s, its last line says %s", sum, f.wholes[i].end.Sum))
		}
	}
	return nil
}
