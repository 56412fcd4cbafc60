package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/capplan/capplan/internal/schematest"
)

// The published schemas are those of the structs; -update rewrites them.
func TestSchemasAreCurrent(t *testing.T) {
	files, err := filepath.Glob("schema/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, ok := schemas()[strings.TrimSuffix(filepath.Base(f), ".json")]; !ok {
			t.Errorf("%s is of no answer or file", f)
		}
	}
	said := goComments(t)
	for name, v := range schemas() {
		text, err := schematest.Text(schemaOf(said, v))
		if err != nil {
			t.Fatal(err)
		}
		path := schemaFile(name)
		old, err := os.ReadFile(path)
		kept, _ := schemaText(name)
		if err == nil && string(old) == string(text) && string(kept) == string(text) {
			continue
		}
		if !*update {
			t.Errorf("%s is not that of the struct: go generate ./cmd/capplan", path)
		} else if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		} else if slices.Contains(largeSchemas, name) {
			var packed bytes.Buffer
			w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
			_, _ = w.Write(text)
			_ = w.Close()
			if err := os.WriteFile(path+".gz", packed.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// schemaOf reflects an answer. A pointer, list or map that is never left out may
// be null.
func schemaOf(said schematest.Comments, v any) *jsonschema.Schema {
	if f, ok := v.(inputFile); ok {
		return said.OfFile(f.of)
	}
	r := &jsonschema.Reflector{DoNotReference: true, Anonymous: true, AllowAdditionalProperties: true}
	s := r.Reflect(v)
	nullable(reflect.TypeOf(v), s)
	return s
}

func nullable(t reflect.Type, s *jsonschema.Schema) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		switch {
		case t.Kind() == reflect.Slice && s != nil:
			s = s.Items
		case t.Kind() == reflect.Map && s != nil:
			s = s.AdditionalProperties
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || s == nil || s.Properties == nil {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			nullable(f.Type, s)
			continue
		}
		p, ok := s.Properties.Get(name)
		if !ok {
			continue
		}
		nullable(f.Type, p)
		k := f.Type.Kind()
		if (k == reflect.Pointer || k == reflect.Slice || k == reflect.Map) && !strings.Contains(options, "omitempty") {
			inner := *p
			s.Properties.Set(name, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{&inner, {Type: "null"}}})
		}
	}
}
