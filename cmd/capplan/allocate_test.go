package main

import (
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Answers of allocate and of verify follow the published schemas.
func TestAllocateFollowsSchema(t *testing.T) {
	atRoot(t)
	const primaries = "method revenue lp_bound lp_bound_published lp_bound_eligible integer_bound gap shadow_price dependencies assignments backup seed"
	for _, c := range []struct{ schema, line, promised string }{
		{"allocate", "allocate testdata/alloc/i02.json", primaries},
		{"allocate", "allocate testdata/alloc/i02.json --backup soft --explain", primaries},
		{"allocate", "allocate testdata/batch.yaml --bound-only", primaries},
		{"allocate", "allocate testdata/batch.yaml --fail R1,R3", primaries},
		{"allocate", "allocate testdata/batch.yaml --primary testdata/batch-answer.json --backup strict", primaries},
		{"verify", "allocate verify testdata/batch.yaml testdata/batch-answer.json", "feasible violations revenue loss"},
	} {
		schema, document := compiled(t, c.schema)
		stdout, stderr, code := runLine(t, "capplan "+c.line+" -o json")
		if code != 0 {
			t.Errorf("%s: exit code %d: %s", c.line, code, stderr)
			continue
		}
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); err != nil {
			t.Errorf("%s: %v", c.line, err)
		}
		for _, name := range unknownFields(document, instance, "") {
			if !strings.Contains(name, "shadow_price") && !strings.Contains(name, "revenue_by_class") { // maps
				t.Errorf("%s: the schema does not know %s", c.line, name)
			}
		}
		answer := instance.(map[string]any)
		for _, name := range strings.Fields(c.promised) {
			if _, ok := answer[name]; !ok {
				t.Errorf("%s: no field %q", c.line, name)
			}
		}
		if backup, ok := answer["backup"].(map[string]any); ok {
			for _, name := range strings.Fields("loss lp_bound_loss unprotected sharing_factor assignments") {
				if _, ok := backup[name]; !ok {
					t.Errorf("%s: no field backup.%s", c.line, name)
				}
			}
		}
	}
}

// The schema of a batch takes the batches there are, and no unknown field.
func TestBatchFileSchema(t *testing.T) {
	atRoot(t)
	schema, _ := compiled(t, "batch")
	data, err := os.ReadFile("testdata/alloc/i02.json")
	if err != nil {
		t.Fatal(err)
	}
	generated, _, _ := runLine(t, "capplan allocate generate --jobs 3 --resources 2 --primary-factor 0.6 -o json")
	for text, valid := range map[string]bool{
		string(data): true,
		generated:    true,
		strings.Replace(generated, "primary_capacity", "primary_capcity", 1): false,
		strings.Replace(generated, `"demand":`, `"demand":-`, 1):             false,
	} {
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); (err == nil) != valid {
			t.Errorf("%.80s: %v, want valid %v", text, err, valid)
		}
	}
}
