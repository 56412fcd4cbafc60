package shards

import (
	"bytes"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"github.com/capplan/capplan/internal/pieces"
)

// A mark is a place between two lines of a shard.
type mark struct {
	at    int64
	sum   uint32 // of all that stands before it
	texts texts  // that were said before it
}

// A reader hands out the lines of one shard. There may be more shards than a
// process can open: the file is open only while a portion of it is read.
type reader struct {
	path    string
	at, end int64 // what is read next, and where the lines to be read end
	portion int
	buffer  []byte
	ahead   []byte // of the buffer, read and not handed out
	sum     uint32 // of the lines that were handed out
	texts   texts
	said    pieces.Said // the texts so far, as they are lent with pieces
}

// newReader reads a shard from a mark on, some bytes at once. end is where the last line begins.
func newReader(path string, from mark, end int64, portion int) *reader {
	r := &reader{path: path, at: from.at, end: end, portion: portion, sum: from.sum, texts: slices.Clip(from.texts)}
	r.said = r.texts
	return r
}

// mark is where the next line begins.
func (r *reader) mark() mark { return mark{r.at - int64(len(r.ahead)), r.sum, r.texts} }

// line returns the next line without its break, which stays as it is until the
// next call; io.EOF behind the last. Its sum has been taken.
func (r *reader) line() ([]byte, error) {
	for {
		if i := bytes.IndexByte(r.ahead, '\n'); i >= 0 {
			line := r.ahead[:i]
			r.sum = crc32.Update(r.sum, castagnoli, r.ahead[:i+1])
			r.ahead = r.ahead[i+1:]
			return line, nil
		}
		if r.at >= r.end {
			if len(r.ahead) > 0 {
				return nil, io.ErrUnexpectedEOF
			}
			return nil, io.EOF
		}
		if err := r.more(); err != nil {
			return nil, err
		}
	}
}

// more reads another portion. A line longer than a portion makes the portion grow.
func (r *reader) more() error {
	// Opening costs little beside reading a portion.
	f, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer f.Close()
	kept := len(r.ahead)
	// As much again is read as a line that did not fit has so far, so that long lines take few
	// readings.
	n := int(min(int64(max(r.portion, kept)), r.end-r.at))
	if len(r.buffer) < kept+n {
		r.buffer = make([]byte, kept+n)
	}
	copy(r.buffer, r.ahead)
	r.ahead = r.buffer[:kept+n]
	if _, err := f.ReadAt(r.ahead[kept:], r.at); err != nil {
		return err
	}
	r.at += int64(n)
	return nil
}
