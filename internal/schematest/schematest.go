// Package schematest makes the JSON Schemas that are published, for the tests
// that keep them as the structs are.
//
// A schema of an answer is open, since more fields may come; one of a file is closed, since a
// reader refuses what it does not know. Descriptions are the comments of the structs, so that
// a field is explained once.
package schematest

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"

	"github.com/invopop/jsonschema"
)

// afterKey is the space behind the name of a field that begins a line.
var afterKey = regexp.MustCompile(`(?m)^("(?:[^"\\]|\\.)*": *)`)

// widest is how long a line may be in which objects and arrays are written whole.
const widest = 110

// Text is a schema as it is kept in the program: small, in lines that can be read as differences.
func Text(s *jsonschema.Schema) ([]byte, error) {
	text, err := json.MarshalIndent(s, "", "")
	text = afterKey.ReplaceAllFunc(text, bytes.TrimSpace)
	var lines []string
	var open []int // where what is not closed begins
	for line := range strings.SplitSeq(string(text), "\n") {
		lines = append(lines, line)
		switch {
		case strings.HasSuffix(line, "{"), strings.HasSuffix(line, "["):
			open = append(open, len(lines)-1)
		case strings.HasPrefix(line, "}"), strings.HasPrefix(line, "]"):
			from := open[len(open)-1]
			open = open[:len(open)-1]
			if whole := strings.Join(lines[from:], ""); len(whole) <= widest {
				lines = append(lines[:from], whole)
			}
		}
	}
	return []byte(strings.Join(lines, "\n") + "\n"), err
}

// OfFile reflects a struct that is read from a file: strict, and with quantities
// as they are written. Fields that are not known are refused by it, as by the reader.
func OfFile(v any) *jsonschema.Schema {
	r := &jsonschema.Reflector{DoNotReference: true, Anonymous: true, Mapper: Quantity}
	return r.Reflect(v)
}

// Quantity is the schema of a type of package units: a text of its form, or a
// number where one without a unit is accepted; nil of other types.
func Quantity(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	q, ok := reflect.New(t).Interface().(interface {
		Pattern() string
		Plain() bool
		Want() string
	})
	if !ok || !strings.HasSuffix(t.PkgPath(), "/units") {
		if v, ok := reflect.New(t).Interface().(interface {
			encoding.TextUnmarshaler
			Want() string
		}); ok { // a text of its own, such as a date or a time of day
			return &jsonschema.Schema{Type: "string", Description: v.Want()}
		}
		return nil
	}
	text := &jsonschema.Schema{Type: "string", Pattern: q.Pattern()}
	// A number without a unit would be of none.
	if !q.Plain() {
		text.Description = q.Want()
		return text
	}
	return &jsonschema.Schema{Description: q.Want(), AnyOf: []*jsonschema.Schema{text, {Type: "number", Minimum: "0"}}}
}
