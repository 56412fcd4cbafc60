package shards

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/spell"
)

// Of what is read of the shards at once. With 100,000 shards a portion of 4 KiB each comes to 400
// MB; with few a portion is at most a MiB.
const (
	ahead   = 16 << 20 // bytes of all shards together
	least   = 4 << 10  // of one
	most    = 1 << 20
	skimmed = 128 << 10 // of one that is only looked at
	atOnce  = 4096      // pieces that are handed over together,
	heavy   = 2 << 20   // or as many as come to these bytes
)

// A passage goes through the pieces of one work in all shards. A reader belongs to one goroutine at
// a time.
type passage struct {
	*Folder
	work    pieces.Work
	readers []*reader // by shard
}

// next begins a work, as the command asks for its works one after the other. Errors: *Error where a
// shard ends before the work, or holds another one.
func (f *Folder) next(w pieces.Work) (*passage, error) {
	if f.ends == nil {
		f.ends = make([]mark, f.Of)
	}
	f.number++
	f.begins = make([]mark, f.Of)
	p := f.passage(w)
	for i, r := range p.readers {
		if err := f.begin(w, i, r); err != nil {
			return nil, err
		}
		f.begins[i] = r.mark()
	}
	return p, nil
}

// passage reads on where the works so far end.
func (f *Folder) passage(w pieces.Work) *passage {
	p := &passage{Folder: f, work: w, readers: make([]*reader, f.Of)}
	for i := range p.readers {
		p.readers[i] = newReader(f.files[i], f.ends[i], f.wholes[i].last, min(max(ahead/f.Of, least), most))
	}
	return p
}

// ended notes where the work ends.
func (p *passage) ended() {
	for i, r := range p.readers {
		p.ends[i] = r.mark()
	}
}

// Give hands over the pieces of the next work in order. Errors: *Error for a shard that is damaged;
// those of some.
func (f *Folder) Give(ctx context.Context, w pieces.Work, some func([]pieces.Kept) error) error {
	p, err := f.next(w)
	if err == nil {
		err = p.give(ctx, some)
	}
	if err == nil {
		p.ended()
	}
	return err
}

// Skim hands over the pieces of the next work in no order, those of one shard after
// the other, on all cores. What is read is not kept, so that a look costs no more than reading.
func (f *Folder) Skim(ctx context.Context, w pieces.Work, look func(pieces.Kept) error) error {
	p, err := f.next(w)
	if err != nil {
		return err
	}
	// There may be 100,000 shards, and buffers for as many would be 13 GB.
	buffers := sync.Pool{New: func() any { return &reader{buffer: make([]byte, skimmed)} }}
	err = parallel.All(ctx, f.Of, func(shard int) error {
		r := newReader(f.files[shard], f.begins[shard], f.wholes[shard].last, skimmed)
		spare := buffers.Get().(*reader)
		r.buffer = spare.buffer
		p.readers[shard] = r
		// Piece i belongs to shard i mod n.
		for i := shard; i < w.Count; i += f.Of {
			kept, line, err := p.piece(i)
			if err != nil {
				return err
			}
			kept.Text = line
			if err := look(kept); err != nil {
				return f.placed(err)
			}
			if i/f.Of%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		f.ends[shard] = r.mark()
		p.readers[shard] = nil
		spare.buffer = r.buffer
		buffers.Put(spare)
		return nil
	})
	return err
}

// Again hands over the pieces of the last work once more, in order. The sums of both passages are
// compared, so that a file that changes in between is noticed.
func (f *Folder) Again(ctx context.Context, w pieces.Work, some func([]pieces.Kept) error) error {
	p := f.passage(w)
	for i, r := range p.readers {
		p.readers[i] = newReader(r.path, f.begins[i], r.end, r.portion)
	}
	if err := p.give(ctx, some); err != nil {
		return err
	}
	for i, r := range p.readers {
		if was, is := f.ends[i], r.mark(); was.at != is.at || was.sum != is.sum {
			return f.damaged(i, "has changed a moment ago")
		}
	}
	return nil
}

// A batch is some pieces in order. Their lines stay as they are only until the next:
// the texts are kept together. Where that moves them, those before stay where they
// were.
type batch struct {
	kept []pieces.Kept
	lent []byte
	err  error
}

// give reads the pieces in batches, the next one while one is worked on. Two batches are enough:
// one is read while the other is taken.
func (p *passage) give(ctx context.Context, some func([]pieces.Kept) error) error {
	at := 0
	read := func(b *batch) *parallel.Task[*batch] {
		return parallel.Start(func() *batch {
			b.kept, b.lent = b.kept[:0], b.lent[:0]
			// The number of pieces and their bytes are both bounded: a piece may be a number or a
			// megabyte.
			for ; at < p.work.Count && len(b.kept) < atOnce && len(b.lent) < heavy && b.err == nil; at++ {
				var kept pieces.Kept
				var line []byte
				if kept, line, b.err = p.piece(at); b.err == nil {
					b.lent = append(b.lent, line...)
					kept.Text = b.lent[len(b.lent)-len(line):]
					b.kept = append(b.kept, kept)
				}
			}
			return b
		})
	}
	reading := read(&batch{})
	// The reading that is under way has to end before the readers are given up.
	defer func() { reading.Value() }()
	for spare := (&batch{}); ; {
		b := reading.Value()
		switch {
		case b.err != nil:
			return b.err
		case len(b.kept) == 0:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		}
		reading = read(spare)
		if err := some(b.kept); err != nil {
			return p.placed(err)
		}
		spare = b
	}
}

// begin reads the line with which a work begins in a shard. The first work stands in the header,
// which has been read.
func (f *Folder) begin(w pieces.Work, i int, r *reader) error {
	line, err := r.line()
	if err != nil {
		return f.damaged(i, fmt.Sprintf("ends before its work %d, %s", f.number, w.Name))
	}
	of := f.Work
	if f.number > 1 {
		if of, err = readWork(line); err != nil || !bytes.HasPrefix(line, workStart) {
			return f.damaged(i, fmt.Sprintf("holds something else where its work %d, %s, is "+
				"expected", f.number, w.Name))
		}
	}
	if why := workDiffers(w, of); why != "" {
		return &Error{Name: f.files[i], Reason: "is " + why + ": the same command line asks for something else here"}
	}
	return nil
}

// piece reads the line of a piece. Texts that pieces repeat stand before the first that uses them.
func (p *passage) piece(i int) (pieces.Kept, []byte, error) {
	// Pieces are dealt out in turn, so that shards take about the same time.
	at := i % p.Of
	r := p.readers[at]
	for {
		line, err := r.line()
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return pieces.Kept{}, nil, p.damaged(at, fmt.Sprintf("ends before piece %d", i))
		case err != nil:
			return pieces.Kept{}, nil, err
		case bytes.HasPrefix(line, wordStart):
			if err := r.texts.hear(line); err != nil {
				return pieces.Kept{}, nil, p.damaged(at, fmt.Sprintf("is damaged before piece %d: %v", i, err))
			}
			p.intern(&r.texts[len(r.texts)-1])
			r.said = r.texts
			continue
		}
		index, value, ok := readPiece(line)
		if !ok || index != i {
			return pieces.Kept{}, nil, p.damaged(at,
				fmt.Sprintf("is damaged: piece %d is expected at %s", i, spell.Quote(string(line))))
		}
		return pieces.Kept{Index: i, Said: r.said}, value, nil
	}
}

// intern has all shards share a text that they repeat, so that to compare it with
// itself takes no time. Strings of the same memory compare at once.
func (f *Folder) intern(text *string) {
	shared, _ := f.shared.LoadOrStore(*text, *text)
	*text = shared.(string)
}

// damaged names the file, and what helps.
func (f *Folder) damaged(i int, why string) error {
	return &Error{Name: f.files[i], Reason: why + "; copy it again, or remove it and run the shard again"}
}

// placed says of a piece that cannot be read in which shard it stands.
func (f *Folder) placed(err error) error {
	var form *pieces.FormError
	if errors.As(err, &form) {
		return f.damaged(form.Index%f.Of, "is damaged: "+form.Error())
	}
	return err
}

// Done finds out, when the command has taken all that it asked for, whether that
// was all there is, and as it was written. The checksum is that of all lines as they were read, so
// that it is known only at the end. Errors: *Error.
func (f *Folder) Done() error {
	if f.number == 0 {
		return &Error{Name: f.files[0], Reason: "holds " + f.Work.Name + ", and the command line asks for none here"}
	}
	for i, from := range f.ends {
		// What follows the last work is words at most.
		r := newReader(f.files[i], from, f.wholes[i].last, least)
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
			return f.damaged(i, fmt.Sprintf("is damaged: its lines have the checksum %s, its last line says %s",
				sum, f.wholes[i].end.Sum))
		}
	}
	return nil
}
