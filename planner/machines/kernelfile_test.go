package machines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
)

const smallKernel = `{"step_s": 6, "states": ["S1","S2","S3"], "failure": ["S3"], "initial": "S1",
 "kernel": {"S1": {"S2": [0.1, 0.2], "S3": [0.05]}, "S2": {"S1": [0.5], "S3": [0.0, 0.5]}}}`

func TestReadKernel(t *testing.T) {
	want := &Kernel{
		Step: 6, States: []string{"S1", "S2", "S3"}, Failure: []string{"S3"}, Initial: "S1",
		Kernel: map[string]map[string][]float64{"S1": {"S2": {0.1, 0.2}, "S3": {0.05}}, "S2": {"S1": {0.5}, "S3": {0, 0.5}}},
	}
	got, err := ReadKernel(context.Background(), "k.json", strings.NewReader(smallKernel))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	// The same in YAML.
	yaml := "step_s: 6\nstates: [S1, S2, S3]\nfailure: [S3]\ninitial: S1\nkernel:\n  S1: {S2: [0.1, 0.2], S3: [0.05]}\n  S2: {S1: [0.5], S3: [0, 0.5]}\n"
	if got, err = ReadKernel(context.Background(), "k.yaml", strings.NewReader(yaml)); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
}

// Each mistake is named with its place.
func TestReadKernelErrors(t *testing.T) {
	edit := func(old, new string) string { return strings.Replace(smallKernel, old, new, 1) }
	for _, c := range []struct{ text, want string }{
		{edit(`"initial": "S1"`, `"initial": "S7"`), `k.json:1:73: initial: no state "S7"`},
		{edit(`"failure": ["S3"]`, `"failure": ["S9"]`), `k.json:1:55: failure: no state "S9"`},
		{edit("[0.1, 0.2]", "[0.1, 0.9]"), `k.json:2:13: kernel row S1 sums to 1.05, want at most 1`},
		{edit("[0.1, 0.2]", "[0.1, -0.2]"), `k.json:2:32: kernel row S1 to S2: probability = -0.2 after 2 steps, want 0..1`},
		{edit("[0.1, 0.2]", `[0.1, "x"]`), `k.json:2:32: kernel.S1.S2 = "x", want a finite number`},
		{edit("[0.1, 0.2]", "0.3"), "k.json:2:26: kernel.S1.S2 is a value"},
		{edit(`"kernel"`, `"kernal"`), `k.json:2:2: unknown field "kernal" (did you mean kernel?)`},
		{edit(`"S2": {"S1"`, `"S4": {"S1"`), `kernel: no state "S4"`},
		{edit(`"S2": [0.1`, `"Q": [0.1`), `kernel row S1: no state "Q"`},
		{edit(`"step_s": 6`, `"step_s": 0`), "k.json:1:12: step_s = 0, want seconds above 0"},
		{edit(`"step_s": 6, `, ""), `has no field "step_s"`},
		{edit(`["S1","S2","S3"]`, `["S1","S2","S2"]`), `states: "S2" is given twice`},
		{edit(`"kernel":`, `"tail": {"S1": 0.5}, "kernel":`), "tail of S1 = 0.5, beside a row of 0.35"},
		{edit(`"kernel":`, `"samples": [{"state": "S1"}], "kernel":`), `has no field "visits"`},
		{edit(`"states"`, `"step_s": 6, "states"`), `field "step_s" is given twice`},
		{"[1]", "the document is a list"},
		{`{"step_s": }`, "no JSON"},
		{"", "holds no content"},
	} {
		_, err := ReadKernel(context.Background(), "k.json", strings.NewReader(c.text))
		var file *source.FileError
		if !errors.As(err, &file) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

// What is read, written and read again is the same; what is refused names the
// file.
func FuzzReadKernel(f *testing.F) {
	f.Add([]byte(smallKernel))
	f.Add([]byte(`{"step_s": 1, "states": ["a"], "failure": [], "initial": "a", "kernel": {"a": {"a": [1]}}, "tail": {"a": 0}, "samples": [{"state": "a", "visits": 1, "exits": 1, "cut": 0, "truncated": 0, "undated": 0, "longest_steps": 3}]}`))
	f.Add([]byte("step_s: 1e300\nstates: [a]\nfailure: [a]\ninitial: a\nkernel: {}\n"))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := ReadKernel(t.Context(), "fuzz", bytes.NewReader(data))
		if err != nil {
			var file *source.FileError
			if !errors.As(err, &file) || file.File != "fuzz" {
				t.Fatal(err)
			}
			return
		}
		text, err := json.Marshal(k)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadKernel(t.Context(), "again", bytes.NewReader(text))
		if err != nil || len(again.States) != len(k.States) || again.Step != k.Step {
			t.Fatalf("%s: %v", text, err)
		}
	})
}
