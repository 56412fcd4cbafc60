package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capplan/capplan/lp"
)

// Answers of lp follow the published schema, solved or not, with any solver.
func TestModelFollowsSchema(t *testing.T) {
	atRoot(t)
	for name, text := range map[string]string{
		"none.lp":   "Minimize\n x\nSubject To\n a: x >= 2\n b: x <= 1\nEnd\n",
		"whole.mps": "NAME w\nROWS\n N c\n L r\nCOLUMNS\n M 'MARKER' 'INTORG'\n x c -1 r 2\nRHS\n R r 3\nENDATA\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	schema, document := compiled(t, "lp")
	for line, want := range map[string]int{
		"lp testdata/diet.lp":           0,
		"lp testdata/diet.lp --explain": 0,
		"lp none.lp --solver go":        3,
		"lp whole.mps --solver go":      0,
		"lp whole.mps --time-limit 1m":  0,
	} {
		stdout, stderr, code := runLine(t, "capplan "+line+" -o json")
		if code != want {
			t.Errorf("%s: exit code %d: %s", line, code, stderr)
			continue
		}
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		for _, name := range unknownFields(document, instance, "") {
			if !strings.Contains(name, "solution") && !strings.Contains(name, "dual") && !strings.Contains(name, "reduced_cost") { // maps
				t.Errorf("%s: the schema does not know %s", line, name)
			}
		}
		for _, name := range strings.Fields("status reason objective bound gap solver solution dual reduced_cost conflict") {
			if _, ok := instance.(map[string]any)[name]; !ok {
				t.Errorf("%s: no field %q", line, name)
			}
		}
	}
}

// A model that is being written is given up like a computation, and leaves no file.
func TestStoppedModelIsNotWritten(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	path := filepath.Join(t.TempDir(), "m.mps")
	if _, err := writeModel(ctx, path, &lp.Model{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was stopped", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file is left: %v", err)
	}
}
