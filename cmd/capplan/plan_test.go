package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/units"
)

// The example that init writes is that of the documentation, follows the
// published schema, and every part of it that is commented out does too.
func TestExampleScenario(t *testing.T) {
	root := atRoot(t)
	data, err := os.ReadFile(filepath.Join(root, "testdata", "scenario.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if string(data) != exampleScenario {
		t.Error("testdata/scenario.yaml is not cmd/capplan/scenario.yaml: copy it")
	}
	schema, _ := compiled(t, "scenario")
	var value any
	if err := yaml.Unmarshal([]byte(exampleScenario), &value); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(instance); err != nil {
		t.Error(err)
	}
	instance.(map[string]any)["lode"] = "x"
	if schema.Validate(instance) == nil {
		t.Error("the schema takes a field that is none")
	}
}

// The answer of a plan is an instance of its schema with no field that the
// schema does not know, whole or of one part.
func TestPlanFollowsSchema(t *testing.T) {
	atRoot(t)
	schema, document := compiled(t, "plan")
	parts := map[string]string{
		"whole.yaml": fewDraws(t), "load.yaml": "load: {erlangs: 120}\n", "size.yaml": "load: {erlangs: 100..120}\nobjectives: {max_blocking: 1%}\nsamples: 50\n",
		"curve.yaml":    "load: {curve: testdata/day.csv}\nservice: {time: 4min}\nobjectives: {max_wait: 20s}\n",
		"machines.yaml": "machines: [{name: a, price: 1/h}, {name: b, kind: public, trace: testdata/events.tab}]\n",
		"routing.yaml":  "routing: {file: testdata/clusters.yaml, rate: 3/s}\n",
		"rank.yaml":     "availability: {trace: testdata/hosts-small.csv, day: weekday, start: \"09:00\", window: 2h, days: 10}\n",
		"log.yaml":      "load: {log: testdata/das2-tiny.swf}\nobjectives: {max_utilization: 50%}\nmachines: [{name: a, price: 1/h}]\n",
		"poor.yaml":     "load: {erlangs: 120}\nobjectives: {max_blocking: 1%, budget: 1/h}\nmachines: [{name: a, price: 1/h}]\n",
	}
	for name, text := range parts {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := runLine(t, "capplan plan "+name+" -o json --explain")
		if code != 0 && name != "poor.yaml" {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
			continue
		}
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := schema.Validate(instance); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, field := range unknownFields(document, instance, "") {
			t.Errorf("%s: the schema does not know %s", name, field)
		}
		// What is written to a folder is the same answer, with its formulas; that of the whole
		// has every drawing, and the script of plan looks at such a folder.
		if name != "poor.yaml" && !longtest.Wanted() {
			continue
		}
		if _, stderr, _ := runLine(t, "capplan plan "+name+" --out "+name+".d"); stderr != "" && name != "poor.yaml" && !strings.HasPrefix(stderr, "warning:") {
			t.Errorf("%s: %s", name, stderr)
		}
		written, err := os.ReadFile(filepath.Join(name+".d", "result.json"))
		if err != nil || string(written) != stdout {
			t.Errorf("%s: result.json is not the answer: %v", name, err)
		}
	}
}

// A stopped plan leaves no folder, whole or half.
func TestPlanStopped(t *testing.T) {
	atRoot(t)
	fewDraws(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in, err := readScenario(context.Background(), "few.yaml", nil, &cmdline.Streams{})
	if err != nil {
		t.Fatal(err)
	}
	folder, err := cmdline.NewFolder("out", false)
	if err != nil {
		t.Fatal(err)
	}
	a, doc := documented(t, in)
	files, err := planFiles(context.Background(), in, a, doc)
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Write(ctx, files, report.FileNames()); err == nil {
		t.Error("written after the stop")
	}
	left, err := filepath.Glob("*out*")
	hidden, _ := filepath.Glob(".capplan-*")
	if err != nil || len(left)+len(hidden) > 0 {
		t.Errorf("left behind: %v %v", left, hidden)
	}
	if err := folder.Write(context.Background(), files, report.FileNames()); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Mix struct{ Machines []struct{ Count int64 } }
	}
	data, err := os.ReadFile("out/result.json")
	if err != nil || json.Unmarshal(data, &answer) != nil || len(answer.Mix.Machines) != 3 {
		t.Errorf("%v, %+v", err, answer)
	}
	hidden, _ = filepath.Glob(".capplan-*")
	if len(hidden) > 0 {
		t.Errorf("left behind: %v", hidden)
	}
	// Every file of the folder is one that a later plan takes away.
	known := map[string]bool{}
	for _, name := range report.FileNames() {
		known[name] = true
	}
	err = filepath.WalkDir("out", func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if name, _ := filepath.Rel("out", path); !known[filepath.ToSlash(name)] {
				t.Errorf("%s is not among the files of a plan", name)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// No scenario makes plan panic, fail without a reason, or answer with what is
// no JSON; the text and the report of it can be written too.
func FuzzPlan(f *testing.F) {
	f.Add(strings.Replace(exampleScenario, "\nsamples: 4000\n", "\nsamples: 100\n", 1)) // a seventh of the time
	for _, part := range strings.Split(exampleScenario, "\n\n") {
		f.Add(part)
	}
	f.Add("load: {erlangs: 1e-300..1e12}\nobjectives: {max_blocking: 1%}\nmachines: [{name: a, price: 1e300/h, speed: 1e-300}]\nsamples: 9\n")
	f.Add("load: {erlangs: 0..1}\nobjectives: {max_utilization: 100%, min_utilization: 99%}\nmachines: [{name: a, at_least: 1e12, price: 0/h}]\ncosts: {shortfall: 1/h}\nsamples: 9\n")
	f.Add("load: {rate: 1/s}\nservice: {time: 1..9s}\nobjectives: {max_mean_response: 5s}\nmachines: [{name: a, kind: public, availability: 1..100%, replicas: 1e9}]\nsamples: 9\n")
	f.Add("machines: [{name: a, kind: public, mttf: 1e300s, mttr: 1e-300s, speed_cv: 9}]\nobjectives: {availability: 99.9999999999%}\n")
	f.Add("epoch: {length: 1s, migrations: 1e9, migration_time: 1h, failure_rate: 1e9/s}\nlink: {uplink: 1bps, downlink: 1Tbps, footprint: 1PB, replicas: 3}\n")
	f.Fuzz(func(t *testing.T, scenario string) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		var out, errs bytes.Buffer
		code := run(ctx, []string{"capplan", "plan", "-", "-o", "json", "--explain"}, strings.NewReader(scenario), &out, &errs)
		switch {
		case ctx.Err() != nil:
			return
		case code != cmdline.ExitAnswered && code != cmdline.ExitInfeasible && code != cmdline.ExitBadInput:
			t.Fatalf("exit code %d: %s", code, errs.String())
		case code != cmdline.ExitAnswered && errs.Len() == 0:
			t.Fatalf("exit code %d without a word", code)
		case code == cmdline.ExitBadInput:
			return
		case !json.Valid(out.Bytes()):
			t.Fatalf("no JSON: %s", out.String())
		}
		in, err := readScenario(ctx, "-", nil, &cmdline.Streams{In: strings.NewReader(scenario)})
		if err != nil {
			t.Fatal(err)
		}
		in.question.Samples = new(units.Count(100))
		_, doc := documented(t, in)
		var page bytes.Buffer
		if err := doc.WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		if text := page.String(); strings.Contains(text, "NaN") || strings.Contains(text, "%!") {
			t.Errorf("the report holds what is no figure")
		}
	})
}

// documented answers a scenario.
func documented(t *testing.T, in *scenarioInput) (*planner.PlanAnswer, *page.Document) {
	t.Helper()
	a, err := planner.Plan(context.Background(), in.question)
	if err != nil {
		t.Fatal(err)
	}
	doc := report.New(in.question, a, "capplan test")
	if err := doc.Draw(context.Background()); err != nil {
		t.Fatal(err)
	}
	return a, doc
}
