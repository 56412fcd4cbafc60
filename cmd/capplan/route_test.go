package main

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Answers of route follow the published schema.
func TestRouteFollowsSchema(t *testing.T) {
	atRoot(t)
	for _, line := range []string{
		"route testdata/clusters.yaml --rate 3/s --dispatch 5 --explain",
		"route testdata/clusters.yaml --rate 1.5/s --policy lrf",
		"route testdata/clusters.yaml --rate 3/s --objective cost --delay-cost 1/h",
		"route testdata/clusters.yaml --rate 4..6/s --samples 100",
		"route --workload das2 --reference-speed 100 --several-servers",
	} {
		schema, document := compiled(t, "route")
		stdout, stderr, code := runLine(t, "capplan "+line+" -o json")
		if code != 0 {
			t.Fatalf("%s: exit code %d: %s", line, code, stderr)
		}
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		for _, name := range unknownFields(document, instance, "") {
			t.Errorf("%s: the schema does not know %s", line, name)
		}
		for _, name := range strings.Fields("multiplier mean_response_s clusters dispatch policies") {
			if _, ok := instance.(map[string]any)[name]; !ok {
				t.Errorf("%s: no field %q", line, name)
			}
		}
		fractions(t, instance, "")
	}
}

// The schema of a cluster file takes what the reader takes, and nothing else.
func TestClusterFileSchema(t *testing.T) {
	schema, _ := compiled(t, "clusters")
	const a = `{"name": "a", "external": {"service_time": "1s"}}`
	for text, valid := range map[string]bool{
		`{"clusters": [` + a + `]}`: true,
		`{"clusters": [{"name": "a", "external": {"service_time": "500ms", "scv": 0.25}, "local": {"rate": "0.1..0.2/s", "service_time": "1s", "scv": "0"}, "servers": 2, "price": 1.5, "power": 3}]}`: true,
		`{"clusters": [` + a + `], "types": [{"name": "x", "share": "25%", "weight": 4, "service_ratio": 0.5}]}`:                                                                                       true,
		`{"clusters": []}`:              false,
		`{"types": []}`:                 false,
		`{"clusters": [{"name": "a"}]}`: false,
		`{"clusters": [{"name": "", "external": {"service_time": "1s"}}]}`:                                false,
		`{"clusters": [{"name": "a", "external": {"service_time": 1}}]}`:                                  false,
		`{"clusters": [{"name": "a", "external": {"service_time": "1s", "scv": -1}}]}`:                    false,
		`{"clusters": [{"name": "a", "external": {"service_time": "1s"}, "local": {"rate": "1/s"}}]}`:     false,
		`{"clusters": [{"name": "a", "external": {"service_time": "1s"}, "server": 2}]}`:                  false,
		`{"clusters": [` + a + `], "types": [{"name": "x", "share": "25"}]}`:                              false,
		`{"clusters": [` + a + `], "types": [{"name": "x"}]}`:                                             false,
		`{"clusters": [{"name": "a", "external": {"service_time": "1s"}, "local": {"rate": 0.3}}], "":0}`: false,
	} {
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		err = schema.Validate(instance)
		var out, errs strings.Builder
		code := run(t.Context(), strings.Fields("capplan route - --rate 0.5/s"), strings.NewReader(text), &out, &errs)
		if (err == nil) != valid && text != `{"clusters": [`+a+`], "types": [{"name": "x", "share": "25"}]}` {
			t.Errorf("schema: %s: %v", text, err)
		}
		if (code == 0) != valid {
			t.Errorf("reader: %s: exit code %d: %s", text, code, errs.String())
		}
	}
}
