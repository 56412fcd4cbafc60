package planner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/scenario"
)

// What a scenario asks of its fleet, in JSON. Each is added to by fields below.
const (
	idleLoad = `"load": {"rate": "72/min"}, "service": {"time": "100s"}, "objectives": {"max_blocking": "1%"}`
	idleRack = `{"name": "rack", "price": "0.42/h"}`
	idleSpot = `{"name": "spot", "kind": "public", "price": "0.07/h", "speed": 0.8, "mttf": "5h", "mttr": "10min",
		"limit": 200}`
)

// idleScenarios are of the kinds that differ in which fields count.
var idleScenarios = map[string]string{
	"loss":  `{` + idleLoad + `}`,
	"wait":  `{"load": {"erlangs": 20}, "objectives": {"max_utilization": "80%"}}`,
	"curve": `{"load": {"curve": "day.csv"}, "service": {"time": "100s"}, "objectives": {"max_blocking": "1%"}}`,
	"own":   `{` + idleLoad + `, "machines": [` + idleRack + `]}`,
	"mixed": `{` + idleLoad + `, "machines": [` + idleRack + `, ` + idleSpot + `]}`,
	"ranges": `{` + strings.Replace(idleLoad, "72", "60..72..90", 1) + `, "machines": [` + idleRack + `, ` +
		idleSpot + `]}`,
	"machines": `{"machines": [` + idleRack + `, ` + idleSpot + `]}`,
	"clusters": `{"load": {"rate": "1/s"}, "routing": {"clusters": [{"name": "a",
		"external": {"service_time": "500ms"}}]}}`,
	"bag": `{"machines": [` + idleRack + `, ` + idleSpot + `], "bag": {"tasks": 200, "task_time": "20min",
		"machine": "spot"}}`,
	"epoch": `{` + strings.Replace(idleLoad, `"1%"`, `"1%", "availability": "99%"`, 1) + `, "machines": [` +
		idleRack + `, ` + idleSpot + `], "epoch": {"migrations": 2, "migration_time": "30s"}}`,
}

// idleFields have two values that are far apart.
var idleFields = map[string][2]string{
	"service.staffing":             {`"sipp"`, `"mol"`},
	"service.cpu":                  {`1`, `4`},
	"service.memory":               {`"1GiB"`, `"4GiB"`},
	"service.scv":                  {`0`, `4`},
	"service.patience":             {`"10s"`, `"5min"`},
	"objectives.max_blocking":      {`"0.1%"`, `"20%"`},
	"objectives.max_wait":          {`"1s"`, `"200s"`},
	"objectives.percentile":        {`"60%"`, `"99%"`},
	"objectives.service_level_of":  {`"served"`, `"waits"`},
	"objectives.max_mean_wait":     {`"0.1s"`, `"50s"`},
	"objectives.max_mean_response": {`"101s"`, `"150s"`},
	"objectives.max_response":      {`"400s"`, `"900s"`},
	"objectives.max_utilization":   {`"30%"`, `"50%"`},
	"objectives.min_utilization":   {`"10%"`, `"99.9%"`},
	"objectives.max_abandon":       {`"0.1%"`, `"30%"`},
	"objectives.availability":      {`"90%"`, `"99.9999%"`},
	"objectives.budget":            {`"0.5/h"`, `"500/h"`},
	"objectives.spare":             {`1`, `3`},
	"objectives.zones":             {`2`, `3`},
	"objectives.survive":           {`1`, `2`},
	"objectives.max_public_share":  {`"5%"`, `"80%"`},
	"objectives.public_count":      {`"averaged"`, `"mean"`},
	"costs.shortfall":              {`"0.5/h"`, `"50/h"`},
	"load.arrival_scv":             {`0.5`, `4`},
	"load.day":                     {`"p95"`, `"mean"`},
	"load.from":                    {`"1h"`, `"2h"`},
	"load.times":                   {`1.5`, `3`},
	"bag.cloud":                    {`"rack"`, `"spot"`},
	"bag.with":                     {`"50%"`, `"99%"`},
	"bag.boot":                     {`"1s"`, `"1h"`},
	"bag.hourly":                   {`true`, `true`},
	"bag.server":                   {`"boinc"`, `"checkpoint"`},
	"epoch.length":                 {`"10s"`, `"1h"`},
	"epoch.failure_rate":           {`"0.0001/s"`, `"0.01/s"`},
	"epoch.public_jobs":            {`1`, `100`},
	"epoch.model":                  {`"mm1"`, `"parallel"`},
	"routing.policy":               {`"rr"`, `"lrf"`},
	"routing.hedge":                {`"mean"`, `"worst"`},
	"machines.0.speed_cv":          {`0.1`, `2`},
	"machines.0.replicas":          {`2`, `4`},
	"machines.0.slots":             {`2`, `8`},
	"machines.1.speed_cv":          {`0.1`, `2`},
	"machines.1.replicas":          {`2`, `4`},
	"machines.1.groups":            {`2`, `8`},
	"machines.0.at_least":          {`1`, `400`},
	"machines.1.at_least":          {`1`, `90`},
	"routing.clusters.0.price":     {`1`, `90`},
}

// idleRightly may change nothing: the order of one cluster, and a spread of arrivals and services where it is all that
// clusters of their own are given.
var idleRightly = []string{
	"clusters load.arrival_scv", "clusters routing.policy", "clusters service.patience", "clusters service.scv",
}

// Every field changes the answer, or is refused at its place or warned of: a limit without a load,
// an availability without public machines and the price of a shortfall without ranges were kept
// in silence.
func TestFieldsOfScenariosCount(t *testing.T) {
	ask := func(q map[string]any) (string, error) {
		text, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		r := &scenario.Reader{Files: os.DirFS("../testdata")}
		s, _, err := r.Read(context.Background(), bytes.NewReader(text))
		if err != nil {
			return "", err
		}
		a, err := Plan(context.Background(), s)
		if err != nil {
			return "", err
		}
		out, err := json.Marshal(a)
		return string(out), err
	}
	for _, kind := range slices.Sorted(maps.Keys(idleScenarios)) {
		if !longtest.Wanted() && kind != "own" && kind != "machines" {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			base := scenarioWith(t, idleScenarios[kind], "samples", "20")
			plain, err := ask(base)
			if err != nil {
				t.Fatal(err)
			}
			for _, field := range slices.Sorted(maps.Keys(idleFields)) {
				part, _, _ := strings.Cut(field, ".")
				if slices.Contains(idleRightly, field) || slices.Contains(idleRightly, kind+" "+field) ||
					base[part] == nil && !slices.Contains([]string{"service", "objectives", "costs"}, part) ||
					strings.HasPrefix(field, "machines.1") && !strings.Contains(plain, "spot") {
					continue
				}
				counts := false
				for _, value := range idleFields[field] {
					got, err := ask(scenarioWith(t, idleScenarios[kind], "samples", "20", field, value))
					if file := (*source.FileError)(nil); err != nil && !errors.As(err, &file) {
						t.Errorf("%s: %s: %v, want an error with its place", field, value, err)
					}
					counts = counts || err != nil || got != plain
				}
				if !counts {
					t.Errorf("%s changes nothing", field)
				}
			}
		})
	}
}

// scenarioWith is a scenario in JSON with fields put in, each before its value.
func scenarioWith(t *testing.T, text string, fields ...string) map[string]any {
	t.Helper()
	var q map[string]any
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		at := q
		path := strings.Split(fields[i], ".")
		for j, name := range path[:len(path)-1] {
			switch next := at[name].(type) {
			case map[string]any:
				at = next
			case []any:
				at = next[path[j+1][0]-'0'].(map[string]any)
				path[j+1] = ""
			default:
				if name != "" {
					at[name] = map[string]any{}
					at = at[name].(map[string]any)
				}
			}
		}
		var v any
		if err := json.Unmarshal([]byte(fields[i+1]), &v); err != nil {
			t.Fatal(err)
		}
		at[path[len(path)-1]] = v
	}
	return q
}
