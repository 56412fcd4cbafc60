package units

import (
	"bytes"
	"encoding/json"
	"strings"
)

// A kind holds what differs between the types: how the text is read, written
// and checked.
type kind struct {
	want    string                          // "a duration such as ..."
	example string                          // of a range: "60..90s or 60..70..90s"
	pattern string                          // regular expression without anchors
	bare    string                          // of a part of a range that takes the unit of the last; empty: a number
	plain   bool                            // a number without a unit is accepted
	number  bool                            // written to JSON as a number
	parse   func(string) (float64, string)  // trimmed text to value or reason
	format  func(float64) string            // value to text that parses back
	check   func(float64) string            // the reason why a value is outside the domain
	inherit func(last string) (unit string) // the unit that earlier parts of a range take
}

// A Quantity is one of the types of this package that hold a real number.
// [Count] is not, because it is whole.
type Quantity interface {
	~float64
	kind() *kind
}

// Parse reads a quantity of type T, as in Parse[Duration]("90s"). It returns a
// *ParseError for a text that is not one.
func Parse[T Quantity](s string) (T, error) {
	var zero T
	k := zero.kind()
	v, reason := k.read(s)
	if reason != "" {
		return 0, &ParseError{Input: s, Want: k.want, Reason: reason}
	}
	return T(v), nil
}

// read parses and checks s.
func (k *kind) read(s string) (float64, string) {
	s = trim(s)
	if strings.Contains(s, "..") {
		return 0, "it is a range where one value is wanted"
	}
	v, reason := k.parse(s)
	if reason != "" {
		return 0, reason
	}
	if reason := k.check(v); reason != "" {
		if reason == "it is not finite" {
			reason = "the number is too large"
		}
		return 0, reason
	}
	return v, ""
}

func (k *kind) anchored() string { return `^\s*(` + k.pattern + `)\s*$` }

// set parses s into p and leaves *p alone on error.
func set[T Quantity](p *T, s string) error {
	v, err := Parse[T](s)
	if err == nil {
		*p = v
	}
	return err
}

// marshalText writes v, which has to be in its domain.
func marshalText[T Quantity](v T) ([]byte, error) {
	k := v.kind()
	if reason := k.check(float64(v)); reason != "" {
		return nil, &ParseError{Input: short(float64(v)), Want: k.want, Reason: reason}
	}
	return []byte(k.format(float64(v))), nil
}

// marshalNumber writes v as a JSON number.
func marshalNumber[T Quantity](v T) ([]byte, error) {
	if _, err := marshalText(v); err != nil {
		return nil, err
	}
	return json.Marshal(float64(v))
}

// unmarshalJSON hands the text of a JSON string or number to setText; null
// changes nothing, as is the custom of encoding/json.
func unmarshalJSON(data []byte, want string, setText func(string) error) error {
	data = bytes.TrimSpace(data)
	switch {
	case bytes.Equal(data, []byte("null")):
		return nil
	case len(data) > 0 && data[0] == '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		return setText(s)
	case len(data) > 0 && (data[0] == '-' || '0' <= data[0] && data[0] <= '9'):
		return setText(string(data))
	}
	return &ParseError{Input: string(data), Want: want, Reason: "it is neither a string nor a number"}
}

// Regular expressions of a plain number, and of a zero, which needs no unit.
const (
	decimal     = `(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?`
	zeroPattern = `(0+(\.0+)?|\.0+)([eE][+-]?\d+)?|`
)
