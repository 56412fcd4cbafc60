package report

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/planner"
)

// All that a scenario gives stands in its report: of a bag the deadline, the chance and the help were
// left out, and so were zones, replicas of a window and the speeds of machines.
func TestInputsHoldTheScenario(t *testing.T) {
	const scenario = `
load: {erlangs: 80..100..120}
service: {time: 2min, scv: 2}
objectives: {max_wait: 20s, percentile: 90%, zones: 3, survive: 1, spare: 2}
machines:
  - {name: rack, price: 0.42/h, slots: 4}
  - {name: spot, kind: public, price: 0.05/h, speed: 0.8, speed_cv: 0.2, mttf: 5h, mttr: 10min, limit: 60}
replicas: {machine: spot, target: 99.9%, needed: 2, crews: 1, window: 1h}
bag: {tasks: 400, task_time: 20min, by: 2h, with: 90%, cloud: rack, boot: 1min, hourly: true}
routing:
  rate: 3/s
  policy: rr
  clusters:
    - {name: north, local: {rate: 0.3/s, service_time: 0.8s}, external: {service_time: 1s, scv: 0.25}}
allocation:
  batch:
    dependencies: [cpu]
    resources: [{id: rack 1, dependency: cpu, primary_capacity: 250}]
    jobs: [{id: nightly, class: gold, levels: {cpu: [{demand: 50, revenue: 250}]}}]
  fail: [rack 1, rack 1]
seed: 7
`
	q, err := planner.ReadScenario(t.Context(), strings.NewReader(scenario))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range inputs(q).Rows {
		got = append(got, strings.Join(r, " = "))
	}
	want := `load.erlangs = 80..100..120
service.time = 2min
service.scv = 2
objectives.max_wait = 20s
objectives.percentile = 90%
objectives.spare = 2
objectives.zones = 3
objectives.survive = 1
machines rack = price 0.42/h, slots 4
machines spot = kind public, price 0.05/h, speed 0.8, speed_cv 0.2, mttf 5h, mttr 600s, limit 60
replicas.machine = spot
replicas.target = 99.9%
replicas.needed = 2
replicas.crews = 1
replicas.window = 1h
bag.tasks = 400
bag.task_time = 20min
bag.by = 2h
bag.with = 90%
bag.cloud = rack
bag.boot = 60s
bag.hourly = true
routing.rate = 3/s
routing.clusters north = local.rate 0.3/s, local.service_time 800ms, external.service_time 1s, external.scv 0.25
routing.policy = rr
allocation.batch = 1 job on 1 resource
allocation.fail = rack 1, rack 1
seed = 7`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
