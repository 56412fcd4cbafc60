package workload

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sort"

	"github.com/klauspost/compress/s2"
)

const (
	maxBatchText  = 8 << 30  // bytes of a batch that is read as a stream
	maxRecord     = 64 << 20 // bytes of one of its values
	transcriptLen = 1 << 20  // bytes of a block
)

// A transcript passes on what it reads and remembers it, compressed, so that
// a message can show any line of a file that is read once and in passing.
type transcript struct {
	ctx    context.Context
	r      io.Reader
	blocks []textBlock
	open   []byte // the block being filled
	from   int64  // its offset
	lines  int64  // ends of line before it
	mark   int64  // where the value being read begins
	err    error  // of reading, but for the end
	ended  bool   // nothing follows

	scratch []byte
}

// A textBlock is a compressed piece of text.
type textBlock struct {
	packed      []byte
	from, lines int64 // offset, and ends of line before it
}

func newTranscript(ctx context.Context, r io.Reader) *transcript {
	return &transcript{ctx: ctx, r: r}
}

// size returns how many bytes were read.
func (t *transcript) size() int64 { return t.from + int64(len(t.open)) }

func (t *transcript) Read(p []byte) (n int, err error) {
	defer func() {
		t.ended = t.ended || err != nil
		if err != nil && err != io.EOF {
			t.err = err
		}
	}()
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	switch {
	case t.size() > maxBatchText:
		return 0, &FileError{Problem: fmt.Sprintf("holds more than %d GiB", maxBatchText>>30), Err: ErrMemory}
	case t.size()-t.mark > maxRecord:
		return 0, &FileError{Problem: fmt.Sprintf("holds a value of more than %d MiB", maxRecord>>20), Err: ErrMemory}
	}
	n, err = t.r.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		k := min(len(rest), transcriptLen-len(t.open))
		t.open, rest = append(t.open, rest[:k]...), rest[k:]
		if len(t.open) == transcriptLen {
			t.scratch = s2.Encode(t.scratch[:cap(t.scratch)], t.open)
			t.blocks = append(t.blocks, textBlock{bytes.Clone(t.scratch), t.from, t.lines})
			t.from, t.lines = t.size(), t.lines+int64(bytes.Count(t.open, []byte("\n")))
			t.open = t.open[:0]
		}
	}
	return n, err
}

// block returns the text of block i, the open one behind the last.
func (t *transcript) block(i int) (text []byte, from, lines int64) {
	if i == len(t.blocks) {
		return t.open, t.from, t.lines
	}
	b := t.blocks[i]
	text, err := s2.Decode(nil, b.packed)
	if err != nil {
		panic("workload: transcript: " + err.Error()) // it was packed here
	}
	return text, b.from, b.lines
}

// text returns the bytes between two offsets, as far as they were read.
func (t *transcript) text(from, to int64) []byte {
	var out []byte
	for i := t.find(from); i <= len(t.blocks); i++ {
		text, at, _ := t.block(i)
		if at >= to {
			break
		}
		out = append(out, text[max(0, min(from-at, int64(len(text)))):min(to-at, int64(len(text)))]...)
	}
	return out
}

// find returns the block that an offset lies in.
func (t *transcript) find(offset int64) int {
	i := sort.Search(len(t.blocks), func(i int) bool { return t.blocks[i].from > offset })
	if i == len(t.blocks) && offset >= t.from {
		return i
	}
	return max(0, i-1)
}

// position returns line and column, from 1, of an offset.
func (t *transcript) position(offset int64) (line, column int32) {
	text, from, lines := t.block(t.find(offset))
	head := text[:max(0, min(offset-from, int64(len(text))))]
	line = int32(lines) + int32(bytes.Count(head, []byte("\n"))) + 1
	return line, int32(offset-t.lineStart(line)) + 1
}

// lineStart returns the offset at which a line begins.
func (t *transcript) lineStart(line int32) int64 {
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
	for ; lines < wanted; lines++ {
		k := bytes.IndexByte(text[at:], '\n')
		if k < 0 {
			break
		}
		at += k + 1
	}
	return from + int64(at)
}

// line returns the beginning of a line, at most n bytes of it. It reads on
// where that much was not read yet, so that the line does not depend on how its
// text came in.
func (t *transcript) line(line int32, n int) []byte {
	from := t.lineStart(line)
	for {
		text := t.text(from, from+int64(n))
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			return text[:i]
		}
		if len(text) == n || t.ended {
			return text
		}
		t.mark = t.size()
		if more, _ := t.Read(make([]byte, n-len(text))); more == 0 {
			return text
		}
	}
}

// more reads on, so that text behind a mistake can be shown too.
func (t *transcript) more(n int64) error {
	t.mark = t.size()
	_, err := io.CopyN(io.Discard, t, n)
	return err
}
