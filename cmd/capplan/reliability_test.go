package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/survival"
)

// Answers about replicas, epochs, links, checkpoints and lifetimes are
// instances of their schemas, have the promised fields, none that the schema
// does not know, and the same keys whatever is asked.
func TestReliabilityAnswersFollowSchema(t *testing.T) {
	atRoot(t)
	promised := map[string]string{
		"replicas":   "replicas replicas_real availability_one availability_all interval_reliability all_down_probability all_down_rate_per_s",
		"epoch":      "epoch_s stable_min_s stable_max_s jobs_down_failure jobs_down_migration",
		"link":       "max_arrival_rate_per_s max_dedicated_uplink max_dedicated_downlink min_epoch_s binding",
		"checkpoint": "interval_s expected_run_s slowdown rules options",
		"lifetime":   "laws kaplan_meier fleet",
	}
	for _, line := range []string{
		"replicas --mttf 5min --mttr 2min --target 95%",
		"replicas --mttf 5min --mttr 2min --target 95% --window 1h --needed 3 --crews 4 --explain",
		"replicas --mttf 5min --mttr 2min --target 95% --beta 1% --window 1h",
		"replicas --mttf 1s --mttr 1e6s --target 50%",
		"replicas --mttf 1e9s --mttr 1ns --target 50% --window 1e9s",
		"replicas --pool testdata/machines.csv --target 99.9% --explain",
		"replicas --trace testdata/events.tab --target 99.9%",
		"epoch --migrations 1 --migration-time 100s --failure-rate 1/200s --explain",
		"epoch --migrations 1 --migration-time 100s --failure-rate 1/200s --model parallel",
		"epoch --from-replicas --mttf 2h --mttr 10min --target 99.9% --public-jobs 50 --migrations 1 --migration-time 30s",
		"epoch --from-replicas --mttf 2h --mttr 10min --target 99.9% --public-jobs 50 --migrations 1 --migration-time 30s --footprint 1MB --dedicated 100 --explain",
		"link --uplink 100Mbps --downlink 100Mbps --footprint 8Mbit --replicas 2 --dedicated 100 --epoch 120s --explain",
		"link --uplink 100Mbps --downlink 100Mbps --footprint 8Mbit --replicas 2 --epoch 120s",
		"link --footprint 8Mbit --replicas 2 --dedicated 0 --epoch 120s",
		"checkpoint --mtbf 1d --cost 5min --restart 10min --work 7d --explain",
		"checkpoint --mtbf 1s --cost 1h --work 1d",
		"lifetime testdata/durations.csv --explain",
		"lifetime testdata/events.tab --per-machine",
		"lifetime testdata/spot.json --state down",
	} {
		t.Run(line, func(t *testing.T) {
			name, _, _ := strings.Cut(line, " ")
			schema, document := compiled(t, name)
			stdout, stderr, code := runLine(t, "capplan "+line+" -o json")
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
				t.Errorf("the schema does not know %s", f)
			}
			for _, f := range strings.Fields(promised[name]) {
				if _, ok := instance.(map[string]any)[f]; !ok {
					t.Errorf("no field %q", f)
				}
			}
			if strings.Contains(stdout, "NaN") || strings.Contains(stdout, "Inf") {
				t.Errorf("not a number in %s", stdout)
			}
			// CSV has as many cells in each row as in the header.
			table, stderr, code := runLine(t, "capplan "+line+" -o csv")
			if rows, err := csv.NewReader(strings.NewReader(table)).ReadAll(); code != 0 || err != nil || len(rows) < 2 {
				t.Errorf("CSV: exit code %d, %v, %s, %q", code, err, stderr, table)
			}
		})
	}
}

// What is read of a pool can be asked about.
func FuzzPool(f *testing.F) {
	for _, s := range []string{
		"name,availability,cost\na,90%,1\n", "machines: [{name: a, mttf: 1h, mttr: 1min, cost: 0}]", "{", "machines: 3", "a,b\n\"", "", "cost,cost\n1,1",
		"name,mttf,mttr,cost\na,1e300s,1e-300s,1\n", "machines:\n- name: [1]\n", "mttf,mttr,cost\n0s,0s,0\n", "availability,cost\n100%,1\n0,0\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := survival.ReadPool(t.Context(), "pool", bytes.NewReader(data))
		if err != nil || len(m) > 25 {
			return
		}
		var input *ask.InputError
		a, err := survival.Replicas(t.Context(), &survival.ReplicasQuestion{Pool: m, Target: 0.9})
		if err == nil && !(a.AvailabilityAll >= 0.9-1e-12 && a.AvailabilityAll <= 1) {
			t.Fatalf("availability %v", a.AvailabilityAll)
		}
		if err != nil && !errors.As(err, &input) && !errors.Is(err, ask.ErrInfeasible) {
			t.Fatal(err)
		}
	})
}
