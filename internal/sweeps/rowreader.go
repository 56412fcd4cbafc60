package sweeps

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
)

// longestRow bounds a row of the file, in bytes. Without it one that never ends, in a
// file of a terabyte that a crash has left, would be read into memory.
const longestRow = 4 << 20

var errLongRow = errors.New("a row without end")

// A rowReader reads the whole rows of a file of rows: the last may be cut.
type rowReader struct {
	*csv.Reader
	f     *os.File
	bound *rowBound
}

func newRowReader(f *os.File) *rowReader {
	bound := &rowBound{r: f}
	return &rowReader{csv.NewReader(bound), f, bound}
}

// Read returns a row, or io.EOF where no whole one follows. A row is whole where a line feed
// follows: one that is cut may look like a shorter one.
func (r *rowReader) Read() ([]string, error) {
	r.bound.left = longestRow
	row, err := r.Reader.Read()
	if err != nil {
		return nil, err
	}
	var last [1]byte
	if _, err := r.f.ReadAt(last[:], r.InputOffset()-1); err != nil || last[0] != '\n' {
		return nil, io.EOF
	}
	return row, nil
}

// A rowBound reads at most a number of bytes until it is given a new number.
type rowBound struct {
	r    io.Reader
	left int
}

func (b *rowBound) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, errLongRow
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
