package document

import (
	"bytes"
	"fmt"

	"github.com/capplan/capplan/internal/source"
)

const (
	MaxBytes = 256 << 20 // bytes of JSON of the largest documents
	maxYAML  = 32 << 20  // bytes of YAML
)

// limits of a document: its text is kept, beside copies of what stands in it, and
// its values take memory, some 300 bytes each while YAML is parsed and 120 in JSON,
// however short their text is.
type limits struct {
	bytes                  int64 // of JSON
	jsonValues, yamlValues int
}

// A question's file is read once for each row of a sweep, as many at once as there
// are cores: two of them take less than 1 GB.
var (
	ofQuestions = limits{64 << 20, 2_000_000, 1_500_000}
	ofData      = limits{MaxBytes, 5_000_000, 4_000_000}
)

// tooManyValues says so of JSON, and with " of YAML" of that.
func (d *Document) tooManyValues(most int, of string) *source.FileError {
	return d.Whole(fmt.Sprintf("holds more than %g million values%s", float64(most)/1e6, of), source.ErrMemory)
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
