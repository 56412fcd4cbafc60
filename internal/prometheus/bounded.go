package prometheus

import (
	"bytes"
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

// errVast is that of an answer for which [vast] holds.
var errVast = errors.New("the answer has too many parts")

const wantFewer = "fewer series, such as sum(...) or avg by (instance) (...), or a longer --step"

// mostFields is how many series and labels an answer may have, counted by their signs. Each takes
// up to 150 bytes of memory.
const mostFields = 2_000_000

// mostSeries is how many series an answer may have, counted by the two braces of each: ranking the machines of so many,
// with 25 values each, takes some 8 s of one core.
const mostSeries = 100_000

// vast reports whether an answer within [MostBytes] has so many small parts that it would take
// gigabytes to read, such as 40 million empty series: fields, values, or elements of lists that hold
// no pairs, of which a value has one and a bucket of a histogram three.
func vast(body []byte) bool {
	count := func(sign string) int { return bytes.Count(body, []byte(sign)) }
	braces, lists := count("{"), count("[")
	fields := count(":") + braces
	return braces > 2*(mostSeries+1) || fields > mostFields || lists > mostValues || count(",") > 4*lists+fields+mostFields
}
