package prometheus

import (
	"errors"
	"io"
)

// errTooLong is that of an answer of more than MostBytes.
var errTooLong = errors.New("the answer is too long")

// bounded is a body that may not be longer than a number of bytes: unlike
// io.LimitReader it does not let a cut answer look whole.
type bounded struct {
	body io.ReadCloser
	left int64
}

// Read reads on from the body. One byte too many is an error, whatever came before it.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLong
	}
	n, err := b.body.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLong
	}
	return n, err
}

func (b *bounded) Close() error { return b.body.Close() }
