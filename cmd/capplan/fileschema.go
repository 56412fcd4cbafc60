package main

import (
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/capplan/capplan/workload"
)

// inputFile marks a schema as that of a file that capplan reads: strict, and
// with quantities as they are written.
type inputFile struct{ of any }

// fileSchemas lists the files by the name that schema has for them.
var fileSchemas = map[string]any{
	"clusters": inputFile{workload.ClusterFile{}},
	"batch":    inputFile{workload.BatchFile{}},
	"scenario": inputFile{workload.Scenario{}},
}

// fileSchemaOf reflects a file.
func fileSchemaOf(v any) *jsonschema.Schema {
	r := &jsonschema.Reflector{DoNotReference: true, Anonymous: true, Mapper: quantitySchema}
	return r.Reflect(v)
}

// quantitySchema is the schema of a type of package units: a text of its form,
// or a number where one without a unit is accepted.
func quantitySchema(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	q, ok := reflect.New(t).Interface().(interface {
		Pattern() string
		Plain() bool
		Want() string
	})
	if !ok || !strings.HasSuffix(t.PkgPath(), "/units") {
		return nil
	}
	text := &jsonschema.Schema{Type: "string", Pattern: q.Pattern()}
	if !q.Plain() {
		text.Description = q.Want()
		return text
	}
	return &jsonschema.Schema{Description: q.Want(), AnyOf: []*jsonschema.Schema{text, {Type: "number", Minimum: "0"}}}
}
