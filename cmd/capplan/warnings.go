package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Warnings are gathered in result.warnings by each command and reach the reader
// twice: on stderr whatever the format, and in the field "warnings" of the JSON
// answer, which is filled here and nowhere else. A script that reads stdout is
// told no less than a person.

// warn puts the warnings of an answer into its field of that name. It reports
// false where the answer has none.
func (r *result) warn() bool {
	v := reflect.ValueOf(r.value)
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return false
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "warnings" || f.Type != reflect.TypeFor[[]string]() || len(f.Index) > 1 {
			continue
		}
		if !v.FieldByIndex(f.Index).CanSet() {
			return false
		}
		v.FieldByIndex(f.Index).Set(reflect.ValueOf(r.warnings))
		return true
	}
	return false
}

// withWarnings adds the field to the JSON of an answer, indented as by
// [output.render], that has none.
func withWarnings(object []byte, warnings []string) ([]byte, error) {
	body, ok := bytes.CutSuffix(bytes.TrimRight(object, "\n"), []byte("}"))
	if !ok {
		return nil, fmt.Errorf("an answer that is no object has no place for its warnings: %s", strings.Join(warnings, "; "))
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

var anyNumber = regexp.MustCompile(`[-+]?[0-9][0-9.,]*(e[-+]?[0-9]+)?`)

// pointWarnings are what the points of a sweep warn of. Those alike but for
// their numbers are kept and said once, in the words of the first point.
type pointWarnings struct {
	mu sync.Mutex
	by map[string]*pointWarning
}

type pointWarning struct {
	first, order int // the point, and the place among its warnings
	text         string
	points       int
}

func (p *pointWarnings) add(point int, warnings []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.by == nil {
		p.by = map[string]*pointWarning{}
	}
	for order, text := range warnings {
		alike := anyNumber.ReplaceAllString(text, "#")
		w := p.by[alike]
		if w == nil {
			w = &pointWarning{first: point + 1}
			p.by[alike] = w
		}
		w.points++
		if point < w.first {
			w.first, w.order, w.text = point, order, text
		}
	}
}

// texts returns them in the order of their first points, whatever the order in
// which the points were computed.
func (p *pointWarnings) texts() []string {
	all := slices.SortedFunc(maps.Values(p.by), func(a, b *pointWarning) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.order, b.order))
	})
	var out []string
	for _, w := range all {
		text := w.text
		if w.points > 1 {
			text += fmt.Sprintf(" (the first of %d points with this warning)", w.points)
		}
		out = append(out, text)
	}
	return out
}
