package scenario_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/scenario"
)

const wholeScenario = `name: farm
load: {rate: 60..72..90/min}
service: {time: 100s, scv: 2}
objectives: {max_wait: 20s, percentile: 80%, availability: 99%, budget: 40/h}
machines:
  - {name: rack, price: 0.42/h}
  - {name: spot, kind: public, price: 0.05..0.14/h, speed: 0.8, mttf: 2h..5h..8h, mttr: 10min, limit: 200}
costs: {shortfall: 2/h}
link: {uplink: 1Gbps, downlink: 1Gbps, footprint: 10MB}
epoch: {migrations: 2, migration_time: 30s}
checkpoint: {mtbf: 5h, cost: 2min, work: 1d}
replicas: {mttf: 5min, mttr: 2min, target: 95%}
routing:
  clusters:
    - {name: a, external: {service_time: 1s}}
allocation:
  batch:
    dependencies: [cpu]
    resources:
      - {id: r, dependency: cpu, primary_capacity: 10}
    jobs:
      - {id: j, levels: {cpu: [{demand: 1, revenue: 2}]}}
availability: {trace: hosts.csv, day: weekday, start: "09:00", window: 2h, days: 10}
samples: 100
seed: 3
`

// named are the files that the scenarios of the tests name.
var named = fstest.MapFS{
	"hosts.csv": {Data: []byte("time,cpu,host\n1704067200,0.1,a\n1704067500,0.1,a\n1704067800,0.1,a\n1704067200,0.1,b\n1704067500,0.1,b\n")},
}

func readScenarioText(text string) (*scenario.Question, error) {
	q, _, err := (&scenario.Reader{Name: "s.yaml", Files: named}).Read(context.Background(), strings.NewReader(text))
	return q, err
}

func TestReadScenario(t *testing.T) {
	s, err := readScenarioText(wholeScenario)
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "farm" || s.Load.Rate.Nominal() != 1.2 || s.Service.Time.Nominal() != 100 || float64(s.Objectives.Budget.Price)*3600 != 40 ||
		s.Machines[1].Kind != "public" || s.Machines[1].MTTF.Low != 7200 || *s.Machines[1].Limit != 200 || *s.Seed != 3 ||
		len(s.Routing.Clusters) != 1 || len(s.Allocation.Batch.Jobs) != 1 || s.Availability.Days != 10 {
		t.Errorf("%+v", s)
	}
	if n := s.Line("machines[1].trace"); n != 0 {
		t.Errorf("a field that is not there stands on line %d", n)
	}
	if n := s.Line("machines[1].limit"); n != 7 {
		t.Errorf("machines[1].limit stands on line %d, want 7", n)
	}
	// A batch inside a scenario names its places in the scenario.
	if e := s.Allocation.Batch.At("jobs[0].levels.cpu[0].demand", "x", "y"); e.Line != 22 {
		t.Errorf("the batch's demand is on line %d, want 22", e.Line)
	}
}

// Every part may be absent, and every part may stand alone.
func TestReadScenarioParts(t *testing.T) {
	var parts []string
	for _, line := range strings.SplitAfter(wholeScenario, "\n") {
		if strings.HasPrefix(line, " ") {
			parts[len(parts)-1] += line
		} else if line != "" {
			parts = append(parts, line)
		}
	}
	for i, part := range parts {
		if _, err := readScenarioText(part); err != nil {
			t.Errorf("%q alone: %v", part, err)
		}
		rest := strings.Join(parts[:i], "") + strings.Join(parts[i+1:], "")
		if _, err := readScenarioText(rest); err != nil {
			t.Errorf("without %q: %v", part, err)
		}
	}
	if s, err := readScenarioText(`{"load": {"erlangs": 120}}`); err != nil || s.Load.Erlangs.Nominal() != 120 {
		t.Errorf("JSON: %+v, %v", s, err)
	}
}

// What is wrong is named with its line, and of two fields that contradict
// each other both are.
func TestReadScenarioErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"lode: {rate: 1/s}\n", `s.yaml:1:1: unknown field "lode" (did you mean load?)`},
		{"load: {rat: 1/s}\n", `s.yaml:1:8: unknown field "rat" (did you mean rate?)`},
		{"load: {rate: 5}\n", `s.yaml:1:14: rate = 5`},
		{"load: {}\n", "s.yaml:1:1: load: a load without an amount"},
		{"load: {rate: 1/s, curve: day.csv}\n", "load.rate (line 1) and load.curve (line 1) contradict each other"},
		{"load: {rate: 1/s, erlangs: 100}\nservice: {time: 100s}\n", "load.erlangs (line 1) and service.time (line 2) contradict each other"},
		{"load: {log: a.swf}\nservice: {time: 100s}\n", "load.log (line 1) and service.time (line 2) contradict each other"},
		{"load: {log: a.swf, from: 2h, to: 1h}\n", "load.from (line 1) and load.to (line 1) contradict each other"},
		{"load: {curve: a.csv}\nservice: {time: 1..2s}\n", "s.yaml:2:17: service.time: a range beside load.curve"},
		{"load: {rate: 1/s, from: 2h}\n", "from and to select a part of a log"},
		{"service: {time: 0s}\nobjectives: {max_wait: 1s}\n", "s.yaml:1:17: service.time: 0s, want a mean time above 0"},
		{"service: {model: loss}\nobjectives: {max_wait: 20s}\n", "service.model (line 1) and objectives.max_wait (line 2) contradict each other"},
		{"service: {model: wait, patience: 1min}\nobjectives: {max_wait: 20s}\n", "service.model (line 1) and service.patience (line 1) contradict each other"},
		{"service: {time: 100s}\nobjectives: {max_mean_response: 80s}\n", "service.time (line 1) and objectives.max_mean_response (line 2) contradict each other"},
		{"service: {time: 100s}\nobjectives: {max_mean_response: 80s}\nmachines: [{name: a, speed: 1}]\n",
			"service.time (line 1) and objectives.max_mean_response (line 2) contradict each other"},
		{"objectives:\n  max_utilization: 70%\n  min_utilization: 80%\n", "objectives.max_utilization (line 2) and objectives.min_utilization (line 3) contradict each other"},
		{"objectives: {percentile: 80%}\n", "a percentile without a limit on waits or responses"},
		{"objectives: {max_abandon: 1%}\n", "nobody gives up without a patience"},
		{"objectives: {availability: 100%}\n", "any finite number of replicas is"},
		{"service: {model: los}\n", `service.model: "los" (did you mean loss?)`},
		{"machines:\n  - {name: a}\n  - {name: a}\n", `machines[0].name (line 2) and machines[1].name (line 3) contradict each other: both are "a"`},
		{"machines:\n  - {name: a, kind: publik}\n", `machines[0].kind: "publik" (did you mean public?)`},
		{"machines:\n  - {name: a, kind: public}\n", `public machine "a" without an availability`},
		{"machines:\n  - {name: a, availability: 70%, trace: t.tab}\n", "machines[0].availability (line 2) and machines[0].trace (line 2) contradict each other"},
		{"machines:\n  - {name: a, mttf: 5h}\n", "one of mttf and mttr"},
		{"machines:\n  - {name: a, replicas: 2}\n", "replicas on the dedicated machine"},
		{"machines:\n  - {name: a, limit: 1, at_least: 2}\n", "machines[0].limit (line 2) and machines[0].at_least (line 2) contradict each other"},
		{"machines:\n  - {name: a, speed: 0}\n", "speed = 0"},
		{"machines:\n  - {name: a, kind: public, availability: 0%}\n", "availability = 0"},
		{"machines:\n  - {name: a, limit: 1e13}\n", "more than 1e12 machines"},
		{"machines:\n  - {price: 1/h}\n", "name"},
		{"routing: {rate: 1/s}\n", "routing without clusters"},
		{"routing: {file: c.yaml, clusters: [{name: a, external: {service_time: 1s}}]}\n", "routing.file (line 1) and routing.clusters (line 1) contradict each other"},
		{"routing: {clusters: [{name: a, external: {service_time: 0s}}]}\n", "external service_time = 0"},
		{"allocation: {method: exact}\n", "allocation without a batch"},
		{"allocation:\n  batch: {dependencies: [cpu], resources: [], jobs: []}\n", "no resources"},
		{"replicas: {target: 95%, trace: a.tab, mttr: 1s}\n", "replicas.trace (line 1) and replicas.mttr (line 1) contradict each other"},
		{"samples: 0\n", "0 draws"},
		{"seed: -1\n", "seed = -1"},
		{"machines:\n", "machines is empty"},
		{"", "holds no content"},
		{"- 1\n", "the scenario is a list"},
	} {
		_, err := readScenarioText(c.text)
		var file *source.FileError
		if !errors.As(err, &file) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// No content makes the reader panic, and what it takes it takes again.
func FuzzReadScenario(f *testing.F) {
	f.Add(wholeScenario)
	for _, line := range strings.Split(wholeScenario, "\n") {
		f.Add(line)
	}
	f.Add("machines: [{name: a, kind: public, availability: 0..1}]")
	f.Add("allocation: {batch: {dependencies: [], resources: 3, jobs: {}}}")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := readScenarioText(text)
		if (s == nil) == (err == nil) {
			t.Fatalf("%v, %v", s, err)
		}
		if err != nil {
			var file *source.FileError
			if !errors.As(err, &file) {
				t.Fatalf("%v is no FileError", err)
			}
		}
	})
}
