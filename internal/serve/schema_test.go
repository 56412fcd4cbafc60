package serve

import (
	"encoding"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/capplan/capplan/internal/schematest"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/units"
)

var update = flag.Bool("update", false, "rewrite the schemas of questions")

// The published schemas are those of the structs; -update rewrites them.
func TestQuestionSchemas(t *testing.T) {
	want := map[string]bool{}
	for _, q := range registry() {
		path := "schema/" + q.name + ".json"
		want[q.name+".json"] = true
		text, err := schematest.Text(questionSchema(q.struct_))
		if err != nil {
			t.Fatal(err)
		}
		if old, err := os.ReadFile(path); err == nil && string(old) == string(text) {
			continue
		}
		if !*update {
			t.Errorf("%s is not that of the struct: go generate ./internal/serve", path)
		} else if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir("schema")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !want[f.Name()] {
			t.Errorf("schema/%s is of no question", f.Name())
		}
	}
}

// questionSchema says what a question takes, by the rules of [document.QuestionReader].
func questionSchema(v any) *jsonschema.Schema {
	if q, ok := v.(planner.PlanQuestion); ok {
		return schematest.OfFile(q)
	}
	s := valueSchema(reflect.TypeOf(v), "", "")
	s.Version = jsonschema.Version
	return s
}

func valueSchema(t reflect.Type, unit, plain string) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer {
		return valueSchema(t.Elem(), unit, plain)
	}
	if slices.Contains(questions.Files, t) {
		s := schematest.OfFile(reflect.New(t).Elem().Interface())
		s.Version = ""
		return s
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		s := schematest.Quantity(t)
		switch {
		case s == nil: // a list of limits in one text
			return &jsonschema.Schema{Type: "string"}
		case plain != "" && s.AnyOf == nil:
			return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "number"}}}
		}
		return s
	}
	switch t.Kind() {
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return &jsonschema.Schema{Type: "integer"}
	case reflect.Float64:
		return numberSchema(unit, plain)
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: valueSchema(t.Elem(), unit, plain)}
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: valueSchema(t.Elem(), unit, plain)}
	}
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	for _, f := range questions.Fields(t) {
		of := t.FieldByIndex(f.Index).Type
		s.Properties.Set(f.Name, valueSchema(of, f.Unit, f.Unit))
		if f.Bare != f.Name {
			s.Properties.Set(f.Bare, valueSchema(of, f.Unit, ""))
		}
		if f.Also != "" {
			s.Properties.Set(f.Also, valueSchema(of, f.Unit, ""))
		}
		if f.Required {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

// numberSchema is that of a field of Go's own number.
func numberSchema(unit, plain string) *jsonschema.Schema {
	text := &jsonschema.Schema{Type: "string"}
	for _, u := range []struct {
		unit string
		of   interface{ Pattern() string }
	}{
		{"_s", units.Duration(0)},
		{"_per_s", units.Rate(0)},
		{"_per_h", units.Price(0)},
		{"_erl", units.Erlang(0)},
		{"_bps", units.Bandwidth(0)},
		{"_bytes", units.Size(0)},
		{"", units.Excess(0)},
	} {
		if u.unit == unit {
			text.Pattern = u.of.Pattern()
		}
	}
	if unit != plain {
		return text
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "number"}, text}}
}

// A field that goes by another name is one that a command has.
func TestNamesAreUnique(t *testing.T) {
	for _, q := range registry() {
		if _, ok := q.struct_.(planner.PlanQuestion); ok {
			continue
		}
		seen := map[string]bool{}
		for _, f := range questions.Fields(reflect.TypeOf(q.struct_)) {
			for _, name := range []string{f.Name, f.Bare, f.Also} {
				if seen[name] && name != f.Name && name != "" {
					t.Errorf("%s: two fields go by %s", q.name, name)
				}
			}
			seen[f.Name], seen[f.Bare], seen[f.Also] = true, true, true
			if strings.Contains(f.Name, "-") {
				t.Errorf("%s: %s", q.name, f.Name)
			}
		}
	}
}
