package shards

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/pieces"
)

// An unfinished shard is its header and what can be gone on with. A run that was killed may leave
// half a line, which is cut.
type unfinished struct {
	header *header
	held   held
}

// readHeld reads an unfinished shard as far as its lines are whole and follow
// each other; nil where not even the first is. data is the whole file.
func readHeld(data []byte) *unfinished {
	var u unfinished
	var last int
	for {
		n := bytes.IndexByte(data[u.held.bytes:], '\n')
		if n < 0 {
			break
		}
		line := data[u.held.bytes:][:n]
		if u.header == nil {
			h, err := readHeader(line)
			if err != nil {
				return nil
			}
			u.header, u.held.works, u.held.pieces = h, []pieces.Work{h.Work}, []int{0}
		} else if !u.follows(line, last) {
			break
		}
		last = len(u.held.works) - 1
		u.held.bytes += int64(n) + 1
	}
	if u.header == nil {
		return nil
	}
	return &u
}

// follows takes a line in, if it is one that may stand there. Pieces come in order, works after all
// pieces of the one before.
func (u *unfinished) follows(line []byte, work int) bool {
	count := u.header.Place.Pieces(u.held.works[work].Count)
	done := u.held.pieces[work]
	switch {
	// A piece whose value is cut in the middle is no JSON.
	case bytes.HasPrefix(line, pieceStart):
		i, value, ok := readPiece(line)
		if !ok || done >= count || i != u.header.Piece(done) || !json.Valid(value) {
			return false
		}
		u.held.pieces[work]++
		return true
	case bytes.HasPrefix(line, wordStart):
		return u.held.texts.hear(line) == nil
	case bytes.HasPrefix(line, workStart):
		w, err := readWork(line)
		// A work begins when all pieces of the one before are there.
		if err != nil || done < count {
			return false
		}
		u.held.works, u.held.pieces = append(u.held.works, w), append(u.held.pieces, 0)
		return true
	}
	return false
}

// A whole shard is what its first and its last line say. What stands between is read when it is
// asked for.
type whole struct {
	header *header
	end    end
	last   int64 // where the last line begins
}

// inspect reads the first and the last line of a finished shard. Errors: *Error,
// *fs.PathError.
func inspect(path string) (*whole, error) {
	f, err := outfile.Regular(path)
	if kind := (*outfile.KindError)(nil); errors.As(err, &kind) {
		return nil, &Error{Name: path, Reason: "is " + kind.Kind + ", want a file"}
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	bad := func(reason string) (*whole, error) { return nil, &Error{Name: path, Reason: reason} }
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	line, err := firstLine(f)
	if err != nil {
		return bad("is not a shard: it has no first line")
	}
	w := &whole{}
	if w.header, err = readHeader(line); err != nil {
		return bad(err.Error())
	}
	// The last line has a few numbers and fits a KiB.
	tail := make([]byte, min(info.Size(), 1<<10))
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	at := bytes.LastIndexByte(bytes.TrimSuffix(tail, []byte("\n")), '\n') + 1
	if !bytes.HasPrefix(tail[at:], endStart) || json.Unmarshal(tail[at:], &w.end) != nil {
		return bad("is cut short: its last line is missing; copy it again, or remove it and run the shard again")
	}
	w.last = info.Size() - int64(len(tail)-at)
	return w, nil
}

// longestHeader bounds the first line: command lines can be long.
const longestHeader = 4 << 20

// firstLine reads up to the first line break.
func firstLine(r io.Reader) ([]byte, error) {
	var text []byte
	for part := make([]byte, 4<<10); ; {
		n, err := r.Read(part)
		if i := bytes.IndexByte(part[:n], '\n'); i >= 0 {
			return append(text, part[:i]...), nil
		}
		if text = append(text, part[:n]...); err != nil || len(text) > longestHeader {
			return nil, io.ErrUnexpectedEOF
		}
	}
}
