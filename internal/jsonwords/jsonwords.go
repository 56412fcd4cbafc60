// Package jsonwords says what is wrong with a text that should be JSON, in words that
// need no knowledge of Go: encoding/json names its own types and states. What reads
// JSON tells its faults by it, with file, line and column of its own.
//
// Words of encoding/json that are not in its list stay as they are: a fault that a later
// version of Go words otherwise is told less well, and not wrongly.
package jsonwords

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
)

// jsonPlaces are the words of encoding/json for where a character cannot stand, and
// ours, which need no knowledge of the reader.
var jsonPlaces = []struct{ theirs, ours string }{
	{"looking for beginning of value", "where a value should begin"},
	{"looking for beginning of object key string", "where the name of a field should begin, in double quotes"},
	{"after object key:value pair", "after the value of a field, where a comma or } should stand"},
	{"after object key", "after the name of a field, where a colon should stand"},
	{"after array element", "after an element of a list, where a comma or ] should stand"},
	{"after top-level value", "after the end of the document"},
	{`in \u hexadecimal character escape`, "in an escape, which has four hexadecimal digits after \\u"},
	{"in string escape code", "after a backslash, where one of \"\\/bfnrtu should stand"},
	{"in string literal", `in a text, where it must be written as an escape such as \n or \u0001`},
	{"after decimal point in numeric literal", "after the point of a number, where a digit should stand"},
	{"in exponent of numeric literal", "in the exponent of a number, where a digit should stand"},
	{"in numeric literal", "in a number, where a digit should stand"},
}

// Of says what an error of encoding/json is about in words that need no knowledge
// of Go; other errors stay as they are. err may be wrapped.
func Of(err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var moment *time.ParseError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends before the document does"
	case errors.As(err, &syntax):
		return jsonSyntax(syntax.Error())
	case errors.As(err, &kind):
		// "number 1e3" is a number that the field cannot hold.
		is, number, _ := strings.Cut(kind.Value, " ")
		if number != "" {
			is += " " + number
		}
		return fmt.Sprintf("%s is a %s, not %s", kindPlace(kind.Field), jsonName(is), jsonKind(kind.Type))
	case errors.As(err, &moment):
		return fmt.Sprintf("%q is not a time such as 2026-11-20T12:00:00Z", moment.Value)
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if strings.HasPrefix(text, "Time.") {
		return "a time is not a text such as \"2026-11-20T12:00:00Z\""
	}
	return text
}

// jsonSyntax says a fault of JSON in the words of the other errors. text is the message of a
// *json.SyntaxError; what is not known of it stays.
func jsonSyntax(text string) string {
	switch {
	case text == "unexpected end of JSON input":
		return "it ends before the document does"
	case strings.HasSuffix(text, "exceeded max depth"):
		return "lists or objects within each other, deeper than 10,000"
	}
	rest, ok := strings.CutPrefix(text, "invalid character ")
	if !ok {
		return text
	}
	for _, p := range jsonPlaces {
		if c, ok := strings.CutSuffix(rest, " "+p.theirs); ok {
			return c + " " + p.ours
		}
	}
	if c, word, ok := strings.Cut(rest, " in literal "); ok { // true (expecting 'r')
		word, _, _ = strings.Cut(word, " ")
		if c == "' '" {
			return "it ends within the word " + word
		}
		return fmt.Sprintf("%s in a word that begins as %s does; text stands in double quotes", c, word)
	}
	return "an unexpected " + rest
}

// kindPlace names a field without the Go structs around it.
func kindPlace(field string) string {
	if field == "" {
		return "the document"
	}
	return field[strings.LastIndexByte(field, '.')+1:]
}

// jsonName is what a reader without Go calls a kind of value. value is the word that encoding/json
// has for a kind of JSON.
func jsonName(value string) string {
	return strings.NewReplacer("string", "text", "array", "list", "bool", "true or false").Replace(value)
}

// jsonKind is what a type of Go is in JSON.
func jsonKind(t reflect.Type) string {
	if t == nil {
		return "another kind of value"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Pointer:
		return jsonKind(t.Elem())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number of 0 or more"
	}
	return "an object"
}
