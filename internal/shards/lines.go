package shards

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/capplan/capplan/internal/jsonwords"
	"github.com/capplan/capplan/internal/pieces"
)

// The lines of a shard begin with these. They are compared as bytes, since the lines are written by
// this package alone.
var (
	pieceStart = []byte(`{"piece":`)
	valueStart = []byte(`,"value":`)
	wordStart  = []byte(`{"word":`)
	workStart  = []byte(`{"work":`)
	endStart   = []byte(`{"end":`)
)

// An end is the last line of a shard.
type end struct {
	Pieces  int       `json:"end"`
	Sum     string    `json:"crc32c"` // of all that stands before it
	Ended   time.Time `json:"ended"`
	Seconds float64   `json:"seconds"` // of work in the run that finished it
	Resumed int       `json:"resumed"` // pieces that runs before had done
}

// readPiece takes a line of a piece apart. Twelve digits hold any number of pieces; a general
// reader of JSON takes much longer.
func readPiece(line []byte) (index int, value []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, pieceStart)
	if !ok {
		return 0, nil, false
	}
	digits := 0
	for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' && digits < 13 {
		index = 10*index + int(rest[digits]-'0')
		digits++
	}
	value, ok = bytes.CutPrefix(rest[digits:], valueStart)
	last := len(value) - 1
	if !ok || digits == 0 || digits > 12 || last < 0 || value[last] != '}' {
		return 0, nil, false
	}
	return index, value[:last], true
}

// addPiece appends the line of a piece. value is JSON already.
func addPiece(to []byte, index int, value []byte) []byte {
	to = strconv.AppendInt(append(to, pieceStart...), int64(index), 10)
	to = append(append(to, valueStart...), value...)
	return append(to, '}', '\n')
}

// addLine appends a value as a line of its own.
func addLine(to []byte, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(append(to, text...), '\n'), err
}

// A wordLine is a text that pieces repeat.
type wordLine struct {
	Word int    `json:"word"`
	Text string `json:"text"`
}

// texts are those that a shard has said so far.
type texts []string

// Text returns the text of a number.
func (t texts) Text(number int) (string, bool) {
	if number < 0 || number >= len(t) {
		return "", false
	}
	return t[number], true
}

// hear takes in the line of a text. Errors: for a line that is none, and for a number out of order.
func (t *texts) hear(line []byte) error {
	var w wordLine
	if err := json.Unmarshal(line, &w); err != nil {
		return errors.New(jsonwords.Of(err))
	}
	if w.Word != len(*t) {
		return fmt.Errorf("word %d comes where %d is expected", w.Word, len(*t))
	}
	*t = append(*t, w.Text)
	return nil
}

// readWork reads the line of a second work. Errors: for a line that is none.
func readWork(line []byte) (w pieces.Work, err error) {
	if err = json.Unmarshal(line, &w); err != nil {
		return w, errors.New(jsonwords.Of(err))
	}
	if w.Count < 0 {
		err = fmt.Errorf("a work of %d pieces", w.Count)
	}
	return w, err
}

// sumText writes a checksum.
func sumText(sum uint32) string { return fmt.Sprintf("%08x", sum) }
