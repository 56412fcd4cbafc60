package shards

import (
	"bytes"
	"hash/crc32"
	"io"
	"os"

	"github.com/capplan/capplan/internal/pieces"
)

// A reader hands out the lines of one shard. There may be more shards than a
// process can open: the file is open only while a portion of it is read.
type reader struct {
	path    string
	at, end int64 // what is read next, and where the lines to be read end
	portion int
	ahead   []byte // read and not handed out
	sum     uint32
	texts   texts
	said    pieces.Said // the texts so far, as they are lent with pieces
}

// line returns the next line without its break, which stays as it is until the
// next call; io.EOF behind the last.
func (r *reader) line() ([]byte, error) {
	for {
		if i := bytes.IndexByte(r.ahead, '\n'); i >= 0 {
			line := r.ahead[:i]
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

// more reads another portion.
func (r *reader) more() error {
	f, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer f.Close()
	n := min(int64(max(r.portion, len(r.ahead))), r.end-r.at)
	buffer := make([]byte, len(r.ahead)+int(n))
	copy(buffer, r.ahead)
	fresh := buffer[len(r.ahead):]
	if _, err := f.ReadAt(fresh, r.at); err != nil {
		return err
	}
	r.sum = crc32.Update(r.sum, castagnoli, fresh)
	r.ahead = buffer
	r.at += n
	return nil
}
