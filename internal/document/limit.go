package document

import (
	"bytes"
	"fmt"

	"github.com/capplan/capplan/internal/source"
)

const (
	MaxBytes = 256 << 20 // bytes of JSON of the largest documents
	maxYAML  = 32 << 20  // bytes of YAML
	maxText  = 10_000    // bytes of a text; names come again in every row and drawing of an answer
)

// limits bound the memory that a document takes. Its text is kept, beside copies of
// what stands in it, and its values take some 300 bytes each while YAML is parsed and
// 120 in JSON, however short their text is: YAML may hold fewer.
type limits struct {
	bytes                  int64 // of JSON
	jsonValues, yamlValues int
}

// A question's file is read once for each row of a sweep, as many at once as there
// are cores: two of them take less than 1 GB.
var (
	ofQuestions = limits{64 << 20, 2_000_000, 1_500_000}
	ofData      = limits{MaxBytes, 5_000_000, 2_500_000} // 3 million of YAML took 1.03 GB on one core
)

// tooManyValues says so of JSON, and with " of YAML" of that.
func (d *Document) tooManyValues(most int, of string) *source.FileError {
	return d.Whole(fmt.Sprintf("holds more than %g million values%s", float64(most)/1e6, of), source.ErrMemory)
}

// yamlValues is [values] of YAML, with what the parser holds beside them counted as
// values: a key is one, and what stands far behind the bracket that opens it takes a KB,
// since all between brackets may be a key until they close. So does what no document has, but the
// parser keeps before it says so: quotes, aliases and the like that follow each other without a mark.
func yamlValues(content []byte) int {
	const far = 1000 // commas behind a bracket
	n, depth, commas := values(content)+bytes.Count(content, []byte(":")), 0, 0
	quote, before := byte(0), byte('\n') // the one that is open, and what stands before, but for space
	for i, c := range content {
		switch stray := bytes.IndexByte([]byte(":,[{-\n"), before) < 0; {
		case c == quote:
			quote = 0
		case c == '"' || c == '\'':
			if quote == 0 {
				quote = c
				if stray {
					n += 2
				}
			}
		case c == '?' || stray && (c == '*' || c == '&' || c == '!'):
			n += 2
		}
		if c > ' ' || c == '\n' && depth == 0 {
			before = c
		}
		switch {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth = max(0, depth-1)
		case c == ',' && depth > 0:
			if commas++; commas > far {
				n += 3
			}
		case c == '-' && (i == 0 || content[i-1] == '\n'): // brackets in texts and comments may be odd
			depth = 0
		}
		if depth == 0 {
			commas = 0
		}
	}
	return n
}

// values returns a bound of the number of values in a text without reading it:
// each stands behind a mark or an end of line.
func values(content []byte) int {
	lists := 0
	for _, mark := range []string{"[", "{", ",", "- ", "-\n"} {
		lists += bytes.Count(content, []byte(mark))
	}
	return lists + bytes.Count(content, []byte(":"))
}
