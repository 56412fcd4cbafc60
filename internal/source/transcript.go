package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sort"

	"github.com/capplan/capplan/internal/given"
)

// A batch is bounded since its jobs are kept.
const (
	maxBatchText  = 8 << 30   // bytes of a batch that is read as a stream
	maxKept       = 256 << 20 // bytes of it as they are kept
	MaxRecord     = 64 << 20  // bytes of one of its values
	TranscriptLen = 1 << 20   // bytes of a block
)

// A Transcript passes on what it reads and remembers it, compressed, so that
// a message can show any line of a file that is read once and in passing. Messages need it rarely,
// so that blocks are kept packed.
type Transcript struct {
	ctx    context.Context
	r      io.Reader
	blocks []textBlock
	kept   int64  // bytes of them
	open   []byte // the block being filled
	from   int64  // its offset
	lines  int64  // ends of line before it
	Mark   int64  // where the value being read begins
	Err    error  // of reading, but for the end
	ended  bool   // nothing follows

	packer  BlockPacker
	scratch []byte

	unpacked []byte // the block that was looked at last
	which    int    // of it; -1: none
	line     int32  // whose start was looked for last
	start    int64  // of that line
}

// A textBlock is a compressed piece of text. Offsets and lines find a block by halving.
type textBlock struct {
	packed      []byte
	from, lines int64 // offset, and ends of line before it
}

// NewTranscript begins one, with what packs blocks at that moment.
func NewTranscript(ctx context.Context, r io.Reader) *Transcript {
	return &Transcript{ctx: given.Context(ctx), r: given.Reader(r), packer: currentBlockPacker(), which: -1}
}

// Size returns how many bytes were read.
func (t *Transcript) Size() int64 { return t.from + int64(len(t.open)) }

func (t *Transcript) Read(p []byte) (n int, err error) {
	defer func() {
		t.ended = t.ended || err != nil
		if err != nil && err != io.EOF {
			t.Err = err
		}
	}()
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	// The last bound is on text that a reader of JSON would hold at once.
	switch {
	case t.Size() > maxBatchText:
		return 0, &FileError{Problem: fmt.Sprintf("holds more than %d GiB", maxBatchText>>30), Err: ErrMemory}
	case t.kept > maxKept:
		return 0, &FileError{Problem: fmt.Sprintf("holds more than %d MiB even when packed", maxKept>>20), Err: ErrMemory}
	case t.Size()-t.Mark > MaxRecord:
		return 0, &FileError{Problem: fmt.Sprintf("holds a value of more than %d MiB", MaxRecord>>20), Err: ErrMemory}
	}
	n, err = t.r.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		k := min(len(rest), TranscriptLen-len(t.open))
		t.open, rest = append(t.open, rest[:k]...), rest[k:]
		if len(t.open) == TranscriptLen {
			t.scratch = t.packer.Pack(t.scratch[:cap(t.scratch)], t.open)
			t.blocks = append(t.blocks, textBlock{bytes.Clone(t.scratch), t.from, t.lines})
			t.kept += int64(len(t.scratch))
			t.from, t.lines = t.Size(), t.lines+int64(bytes.Count(t.open, []byte("\n")))
			t.open = t.open[:0]
		}
	}
	return n, err
}

// block returns the text of block i, the open one behind the last.
func (t *Transcript) block(i int) (text []byte, from, lines int64) {
	if i == len(t.blocks) {
		return t.open, t.from, t.lines
	}
	b := t.blocks[i]
	if t.which == i { // of a row that is looked for line by line
		return t.unpacked, b.from, b.lines
	}
	text, err := t.packer.Unpack(b.packed)
	if err != nil {
		panic("source: transcript: " + err.Error()) // it was packed here
	}
	t.unpacked, t.which = text, i
	return text, b.from, b.lines
}

// Text returns the bytes between two offsets, as far as they were read.
func (t *Transcript) Text(from, to int64) []byte {
	out := make([]byte, 0, max(0, min(to, t.Size())-from))
	// Only blocks that the text lies in are unpacked.
	for i := t.find(from); i <= len(t.blocks); i++ {
		if i < len(t.blocks) && t.blocks[i].from >= to || i == len(t.blocks) && t.from >= to {
			break
		}
		text, at, _ := t.block(i)
		out = append(out, text[max(0, min(from-at, int64(len(text)))):min(to-at, int64(len(text)))]...)
	}
	return out
}

// From reads the text again from an offset on, and on behind what was read. That
// offset becomes the mark: a value longer than MaxRecord is an error, as it is
// when it is read for the first time.
func (t *Transcript) From(offset int64) io.Reader {
	t.Mark = offset
	return &rereader{t, offset}
}

// rereader reads a transcript again. Behind what was read it reads on.
type rereader struct {
	t  *Transcript
	at int64
}

func (r *rereader) Read(p []byte) (n int, err error) {
	if r.at < r.t.Size() {
		n = copy(p, r.t.Text(r.at, r.at+int64(len(p))))
	} else {
		n, err = r.t.Read(p)
	}
	r.at += int64(n)
	return n, err
}

// find returns the block that an offset lies in.
func (t *Transcript) find(offset int64) int {
	i := sort.Search(len(t.blocks), func(i int) bool { return t.blocks[i].from > offset })
	if i == len(t.blocks) && offset >= t.from {
		return i
	}
	return max(0, i-1)
}

// Position returns line and column, from 1, of an offset.
func (t *Transcript) Position(offset int64) (line, column int32) {
	text, from, lines := t.block(t.find(offset))
	head := text[:max(0, min(offset-from, int64(len(text))))]
	line = int32(lines) + int32(bytes.Count(head, []byte("\n"))) + 1
	return line, int32(offset-t.LineStart(line)) + 1
}

// LineStart returns the offset at which a line begins.
func (t *Transcript) LineStart(line int32) int64 {
	wanted := int64(line) - 1 // ends of line before it
	if wanted <= 0 {
		return 0
	}
	i := sort.Search(len(t.blocks), func(i int) bool { return t.blocks[i].lines >= wanted }) - 1
	if i == len(t.blocks)-1 && t.lines < wanted {
		i = len(t.blocks)
	}
	text, from, lines := t.block(max(0, i))
	at := 0
	// The line behind that of the last question is not looked for from the block's beginning on.
	if before := int64(t.line) - 1; before >= lines && before <= wanted && t.start >= from &&
		t.start <= from+int64(len(text)) {
		at, lines = int(t.start-from), before
	}
	for ; lines < wanted; lines++ {
		k := bytes.IndexByte(text[at:], '\n')
		if k < 0 {
			return from + int64(at)
		}
		at += k + 1
	}
	t.line, t.start = line, from+int64(at)
	return t.start
}

// Line returns the beginning of a line, at most n bytes of it. It reads on
// where that much was not read yet, so that the line does not depend on how its
// text came in.
func (t *Transcript) Line(line int32, n int) []byte {
	from := t.LineStart(line)
	for {
		text := t.Text(from, from+int64(n))
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			return text[:i]
		}
		if len(text) == n || t.ended {
			return text
		}
		// The line may be longer than what a value may be.
		t.Mark = t.Size()
		if more, _ := t.Read(make([]byte, n-len(text))); more == 0 {
			return text
		}
	}
}

// More reads on, so that text behind a mistake can be shown too.
func (t *Transcript) More(n int64) error {
	t.Mark = t.Size()
	_, err := io.CopyN(io.Discard, t, n)
	return err
}
