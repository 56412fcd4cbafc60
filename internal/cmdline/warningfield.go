package cmdline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Warnings are gathered in Result.Warnings by each command and reach the reader
// twice: on stderr whatever the format, and in the field "warnings" of the JSON
// answer, which is filled here and nowhere else. A script that reads stdout is
// told no less than a person.

// warn puts the warnings of an answer into its field of that name. It reports
// false where the answer has none. The answer is changed in place.
func (r *Result) warn() bool {
	v := reflect.ValueOf(r.Value)
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return false
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		// A field of an embedded struct stands under the same name in the object, which may hold it once.
		if name != "warnings" || f.Type != reflect.TypeFor[[]string]() {
			continue
		}
		// An answer that was handed over by value, or whose part is missing, cannot be changed.
		field, err := v.FieldByIndexErr(f.Index)
		if err != nil || !field.CanSet() {
			return false
		}
		field.Set(reflect.ValueOf(r.Warnings))
		return true
	}
	return false
}

// withWarnings adds the field to the JSON of an answer, indented as by
// [Output.render], that has none. Errors: for an answer that is no object, which has no place for
// them.
func withWarnings(object []byte, warnings []string) ([]byte, error) {
	body, ok := bytes.CutSuffix(bytes.TrimRight(object, "\n"), []byte("}"))
	if !ok {
		return nil, fmt.Errorf("an answer that is not an object has no place for its warnings: %s",
			strings.Join(warnings, "; "))
	}
	body = bytes.TrimRight(body, " \n")
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("  ", "  ")
	if err := enc.Encode(warnings); err != nil {
		return nil, err
	}
	comma := ","
	if bytes.HasSuffix(body, []byte("{")) {
		comma = ""
	}
	return fmt.Appendf(body, "%s\n  \"warnings\": %s\n}\n", comma, bytes.TrimRight(text.Bytes(), "\n")), nil
}
