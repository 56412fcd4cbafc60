package allocation

import (
	"bytes"
	"context"
	"io"
	"reflect"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/parallel"
)

// splitting says how JSON Lines are read on several cores. Tests make pieces of
// few bytes, so that each way of splitting a line comes up.
type splitting struct {
	workers int // fewer than 2: one after the other
	length  int // bytes of a piece, about
}

// A linePiece is a run of whole lines, decoded by itself.
type linePiece struct {
	text  []byte
	from  int64 // its offset
	lists map[string]*pieceList
	odd   bool          // it holds something else than plain records
	done  chan struct{} // closed when it is decoded
	// panicked is a panic of the decoder, for who waits for the piece.
	panicked *parallel.Panic
}

// A pieceList holds the records of one list.
type pieceList struct {
	items     reflect.Value
	starts    []int64 // offsets before them
	at, value int64   // offsets before the key and the value of the last one
}

// readAhead reads the rest of JSON Lines on several cores: in pieces, each
// decoded by itself and joined in the order of the file. From the first piece
// on that holds anything but records as they should be, or a line longer than a
// piece, the rest is left to the decoder that reads in passing and says what is
// wrong with it.
func (s *batchStream) readAhead(split splitting) {
	// Twice as many pieces as workers may be under way, which bounds the memory.
	work := make(chan *linePiece, 2*split.workers)
	decoders := parallel.Start(func() error {
		return parallel.Each(context.Background(), split.workers, split.workers, func(int) error {
			fill := document.NewFill(bytes.NewReader(nil))
			for p := range work {
				p.panicked = parallel.Catch(func() { s.decodePiece(fill, p) })
				close(p.done)
			}
			return nil
		})
	})
	// What the decoder has read ahead comes before the rest of the file.
	in := io.MultiReader(bytes.NewReader(bytes.Clone(s.fill.Dec.UnreadBuffer())), s.Text)
	from := s.offset()
	var (
		queue []*linePiece
		carry []byte // the line that is not whole yet
		err   error
		odd   bool
	)
	// join waits for the oldest piece and puts it behind the others. Order
	// decides, not who is done first: errors name lines.
	join := func() {
		p := queue[0]
		<-p.done
		p.panicked.Again()
		if p.odd || s.overfull(p) {
			odd = true
			return
		}
		s.join(p)
		queue = queue[1:]
	}
	for err == nil && !odd {
		buf := make([]byte, len(carry)+split.length)
		n := copy(buf, carry)
		var more int
		more, err = io.ReadFull(in, buf[n:])
		buf = buf[:n+more]
		// A piece ends with a line; what is left of the buffer begins the next.
		end := bytes.LastIndexByte(buf, '\n') + 1
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err, end = io.EOF, len(buf)
		}
		carry = buf[end:]
		if end == 0 {
			break
		}
		// Pieces hold their own text, of which the transcript need not keep any.
		s.Text.Mark = s.Text.Size()
		p := &linePiece{text: buf[:end], from: from, done: make(chan struct{})}
		from += int64(end)
		queue = append(queue, p)
		work <- p
		if len(queue) == cap(work) {
			join()
		}
	}
	for len(queue) > 0 && !odd {
		join()
	}
	close(work)
	_ = decoders.Value() // a decoder has no error: what it cannot read is odd
	// What is left: nothing, or the odd piece and all behind it.
	s.base = from
	var rest []io.Reader
	for i, p := range queue {
		if i == 0 {
			s.base = p.from
		}
		rest = append(rest, bytes.NewReader(p.text))
	}
	rest = append(rest, bytes.NewReader(carry))
	if err != nil {
		rest = append(rest, failedReader{err})
	} else {
		rest = append(rest, in)
	}
	s.fill = document.NewFill(io.MultiReader(rest...))
}

// failedReader says again how a reader ended.
type failedReader struct{ err error }

func (r failedReader) Read([]byte) (int, error) { return 0, r.err }

// decodePiece reads the records of a piece. Each worker has a decoder of its own,
// which is set on one piece after the other.
func (s *batchStream) decodePiece(fill *document.Fill, p *linePiece) {
	p.lists = map[string]*pieceList{}
	fill.Read(bytes.NewBuffer(p.text))
	for {
		err := fill.Object(func(key []byte) error {
			name, ok := listOf[string(key)]
			if !ok {
				return document.ErrOdd
			}
			return s.pieceRecord(fill, p, name)
		})
		if err == io.EOF {
			return
		}
		if err != nil {
			p.odd = true
			return
		}
	}
}

// pieceRecord reads one record behind the others of its list in a piece. Null in
// the place of a record is odd: the other decoder has the words for it.
func (s *batchStream) pieceRecord(fill *document.Fill, p *linePiece, name string) error {
	k := s.plan.Fields.Find(name)
	l := p.lists[name]
	if l == nil {
		all := reflect.New(s.file.Field(s.plan.Fields.Index[k]).Type()).Elem()
		l = &pieceList{items: all}
		p.lists[name] = l
	}
	l.at, l.value = p.from+fill.At, p.from+fill.Dec.InputOffset()
	if fill.Dec.PeekKind() == 'n' {
		return document.ErrOdd
	}
	n := l.items.Len()
	if n == l.items.Cap() {
		l.items.Grow(1)
	}
	l.items.SetLen(n + 1)
	l.starts = append(l.starts, l.value)
	return fill.Value(s.plan.Plans[k].Elem, l.items.Index(n))
}

// join puts the records of a piece behind those before it.
func (s *batchStream) join(p *linePiece) {
	for name, l := range p.lists {
		to := s.file.Field(s.plan.Fields.Index[s.plan.Fields.Find(name)])
		s.room += roomOf(l.items)
		if n := l.items.Len(); to.Cap() < to.Len()+n {
			to.Grow(to.Len() + n) // not by a quarter, again and again
		}
		to.Set(reflect.AppendSlice(to, l.items))
		s.starts[name] = append(s.starts[name], l.starts...)
		s.fields[name] = [2]int64{l.at, l.value}
	}
}

// overfull reports whether a batch with the records of a piece has too many; the reader in passing
// then reports that in its place.
func (s *batchStream) overfull(p *linePiece) bool {
	room := s.room
	for name, l := range p.lists {
		if room += roomOf(l.items); room > MostBatchRoom {
			return true
		}
		held := s.file.Field(s.plan.Fields.Index[s.plan.Fields.Find(name)])
		if full, _ := overfull(name, held.Len()+l.items.Len()); full != "" {
			return true
		}
	}
	return false
}

// overfull says that a list of so many records is too long, and what is wanted; "" that it is not.
func overfull(list string, n int) (problem, want string) {
	switch {
	case list == "resources" && n > MostResources:
		return tooManyResources, wantResources
	case list == "jobs" && n > MostJobs:
		return tooManyJobs, wantJobs
	}
	return "", ""
}
