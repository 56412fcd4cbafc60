package document

import "bytes"

// The values of a document take memory, some 300 bytes each while YAML is
// parsed and 120 in JSON, however short their text is.
const (
	maxYAMLValues = 4_000_000
	maxJSONValues = 5_000_000
)

// values returns a bound of the number of values in a text without reading it:
// each stands behind a mark or an end of line.
func values(content []byte) int {
	lists := 0
	for _, mark := range []string{"[", "{", ",", "- ", "-\n"} {
		lists += bytes.Count(content, []byte(mark))
	}
	return lists + bytes.Count(content, []byte(":"))
}
