package main

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Answers about availability are instances of their schemas, have the promised
// fields and none that the schema does not know.
func TestAvailabilityAnswersFollowSchema(t *testing.T) {
	atRoot(t)
	const window = " --day weekday --start 09:00 --window 2h --days 10"
	promised := "temporal_reliability mttf_s initial_state step_s horizon_steps failure_probability samples"
	for _, c := range []struct{ line, fields string }{
		{"solve testdata/kernel.json --window 1min --explain", promised},
		{"predict testdata/host-small.csv" + window + " --explain", promised},
		{"predict testdata/host-small.csv" + window + " --elapsed 5min --state S2 --estimator counts", promised},
		{"predict testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 1 --state S1", promised},
		{"fit testdata/host-small.csv" + window, "step_s states failure initial kernel tail samples"},
		{"fit testdata/host-small.csv" + window + " --ages", "step_s states failure initial kernel tail hazard samples"},
		{"fleet testdata/hosts-small.csv --day weekday --start 09:00 --window 4h --days 4", "machines fitted failed resumed hosts"},
		{"label testdata/host-small.csv --explain", "states sojourns"},
		{"rank testdata/hosts-small.csv --day weekday --start 09:00 --window 2h --days 4 --task 1h --explain", "choice rule hosts"},
		{"evaluate testdata/host-small.csv --day weekday --windows 1h --starts 09:00 --baselines last --explain", "models best"},
	} {
		t.Run(c.line, func(t *testing.T) {
			name, _, _ := strings.Cut(c.line, " ")
			schema, document := compiled(t, "availability-"+name)
			line := c.line
			if rest, fleet := strings.CutPrefix(line, "fleet "); fleet {
				line = "fit " + rest
			}
			stdout, stderr, code := runLine(t, "capplan availability "+line+" -o json")
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			instance, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
			if err != nil {
				t.Fatalf("%v in %s", err, stdout)
			}
			if err := schema.Validate(instance); err != nil {
				t.Error(err)
			}
			for _, f := range unknownFields(document, instance, "") {
				// The keys of a mapping are states and are not listed.
				if !strings.Contains(f, "failure_probability") && !strings.Contains(f, "start_states") && !strings.Contains(f, "kernel") && !strings.Contains(f, "tail") && !strings.Contains(f, "hazard") {
					t.Errorf("the schema does not know %s", f)
				}
			}
			for _, f := range strings.Fields(c.fields) {
				if _, ok := instance.(map[string]any)[f]; !ok {
					t.Errorf("no field %q", f)
				}
			}
		})
	}
}
