package main

import (
	"path/filepath"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/capplan/capplan/internal/schematest"
)

func goComments(t *testing.T) schematest.Comments {
	t.Helper()
	all, err := schematest.ReadComments(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Whoever writes a file sees in the editor what each of its fields means.
func TestFileSchemasSayWhatFieldsMean(t *testing.T) {
	all := goComments(t)
	for name, v := range fileSchemas {
		var walk func(path string, s *jsonschema.Schema)
		walk = func(path string, s *jsonschema.Schema) {
			if s == nil || s.Properties == nil {
				return
			}
			for p := s.Properties.Oldest(); p != nil; p = p.Next() {
				if p.Value.Description == "" {
					t.Errorf("%s: %s.%s has no comment in Go", name, path, p.Key)
				}
				walk(path+"."+p.Key, p.Value)
				walk(path+"."+p.Key, p.Value.Items)
			}
		}
		walk("", all.OfFile(v.(inputFile).of))
	}
}
