package sweeps

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/capplan/capplan/internal/pieces"
)

// answered is a row whose point was asked, with what the answer warns of. A shard keeps it as text,
// and merge reads it back to the bit.
type answered struct {
	row      *Row
	warnings []string
}

// write writes the row as a list of JSON:
//
//	[columns, warnings, cell, ...]  with the number of the text that names the columns
//	[-1, warnings, reason]          of a point that is infeasible
//
// where warnings are a list of texts. Columns are told by a number, since they are the same for all
// rows.
func (a *answered) write(to []byte, words pieces.Words) ([]byte, error) {
	cells, columns := []string{a.row.Infeasible}, -1
	if a.row.Infeasible == "" {
		names, err := json.Marshal(a.row.names)
		if err != nil {
			return nil, err
		}
		cells, columns = a.row.Cells(nil), words.Number(string(names))
	}
	to = append(strconv.AppendInt(append(to, '['), int64(columns), 10), ",["...)
	for i, w := range a.warnings {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendText(to, w)
	}
	to = append(to, ']')
	for _, c := range cells {
		to = appendText(append(to, ','), c)
	}
	// JSON would put another character in the place of such bytes in silence.
	if slices.ContainsFunc(append(cells, a.warnings...), func(s string) bool { return !utf8.ValidString(s) }) {
		return nil, fmt.Errorf("at %s: the answer holds bytes that are not UTF-8, which a shard cannot keep",
			a.row.Describe())
	}
	return append(to, ']'), nil
}

// appendText appends a JSON string. Plain text is copied, which is what most cells are.
func appendText(to []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			text, _ := json.Marshal(s) // a string marshals
			return append(to, text...)
		}
	}
	return append(append(append(to, '"'), s...), '"')
}

// errForm is the error of a text that no row is written as.
var errForm = errors.New("this is not a row of a sweep")

// begin reads the number of the columns, and the warnings where they are wanted, up
// to the cells. -1 stands for an infeasible point.
func (l *list) begin(warned bool) (columns int, warnings []string) {
	l.skip('[')
	columns = l.integer()
	l.skip(',')
	l.skip('[')
	for first := true; !l.bad && !l.at(']'); first = false {
		if !first {
			l.skip(',')
		}
		if text := l.text(); warned {
			warnings = append(warnings, string(text))
		}
	}
	l.skip(']')
	return columns, warnings
}

// reason reads why a point is infeasible, to the end.
func (l *list) reason() (string, error) {
	l.skip(',')
	why := string(l.text())
	l.skip(']')
	return why, l.end()
}

// read reads what write wrote. Errors: errForm for what write never writes.
func (a *answered) read(text []byte, said pieces.Said, known *columns) error {
	l := list{rest: text}
	number, warnings := l.begin(true)
	a.warnings = warnings
	var err error
	if number < 0 {
		a.row.Infeasible, err = l.reason()
		return err
	}
	names, err := known.of(number, said)
	if err != nil {
		return err
	}
	packed, cells := make([]byte, 0, len(l.rest)), 0
	for !l.bad && !l.at(']') {
		l.skip(',')
		packed = packCell(packed, l.text())
		cells++
	}
	l.skip(']')
	if err := l.end(); err != nil || cells != len(names) {
		return errForm
	}
	a.row.names, a.row.packed = names, string(packed)
	return nil
}

// columns are the names of columns by the text that says them: all rows that have
// the same share them. The last one that was asked for is looked at without a lock, since
// neighbours mostly have the same.
type columns struct {
	last atomic.Pointer[namedBy]
	mu   sync.Mutex
	by   map[string][]string
}

// namedBy are the names that a text says.
type namedBy struct {
	text  string
	names []string
}

// of finds the names by their number in a shard, whose text holds them.
func (c *columns) of(number int, said pieces.Said) ([]string, error) {
	text, ok := said.Text(number)
	if !ok {
		return nil, errForm
	}
	if last := c.last.Load(); last != nil && last.text == text {
		return last.names, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	names, ok := c.by[text]
	if !ok {
		if err := json.Unmarshal([]byte(text), &names); err != nil {
			return nil, errForm
		}
		if c.by == nil {
			c.by = map[string][]string{}
		}
		// Whoever appends to the names of a row must not write into those of others.
		names = slices.Clip(names)
		c.by[text] = names
	}
	c.last.Store(&namedBy{text, names})
	return names, nil
}

// A list is JSON as write makes it, read from its front; the first fault stays.
// A million rows are read in a second, which a reader of any JSON does not do.
type list struct {
	rest []byte
	bad  bool
}

// at says what comes next.
func (l *list) at(c byte) bool { return len(l.rest) > 0 && l.rest[0] == c }

// skip takes a sign that has to be there.
func (l *list) skip(c byte) {
	if !l.at(c) {
		l.bad = true
		return
	}
	l.rest = l.rest[1:]
}

// integer takes a whole number up to a comma.
func (l *list) integer() int {
	n := bytes.IndexByte(l.rest, ',')
	if n < 0 {
		l.bad = true
		return 0
	}
	v, err := strconv.Atoi(string(l.rest[:n]))
	l.bad = l.bad || err != nil
	l.rest = l.rest[n:]
	return v
}

// text returns a string, which is lent where it needs no rewriting.
func (l *list) text() []byte {
	if !l.at('"') {
		l.bad = true
		return nil
	}
	for i := 1; i < len(l.rest); i++ {
		switch l.rest[i] {
		case '"':
			s := l.rest[1:i]
			l.rest = l.rest[i+1:]
			return s
		case '\\':
			return l.escaped()
		}
	}
	l.bad = true
	return nil
}

// escaped returns a string that holds a backslash.
func (l *list) escaped() []byte {
	d := json.NewDecoder(bytes.NewReader(l.rest))
	var s string
	if err := d.Decode(&s); err != nil {
		l.bad = true
		return nil
	}
	l.rest = l.rest[d.InputOffset():]
	return []byte(s)
}

// end reports whether all was read without a fault.
func (l *list) end() error {
	if l.bad || len(l.rest) > 0 {
		return errForm
	}
	return nil
}
