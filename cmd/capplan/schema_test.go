package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// figures are the fields that size, capacity, check and queue share.
const figures = "offered_load_erl utilization blocking_probability wait_probability mean_wait_s mean_response_s wait_percentile_s service_level abandon_probability mean_queue_length throughput_per_s "

// promised lists the fields of each answer that scripts rely on.
var promised = map[string]string{
	"size":       "servers servers_real binding alternatives " + figures,
	"capacity":   "max_load_erl max_rate_per_s " + figures,
	"check":      "met shortfall_servers " + figures,
	"throughput": "equivalent_servers blocking_probability throughput_per_s",
	"queue":      figures,
	"fit":        "jobs arrival_rate_per_s interarrival_scv service_time_mean_s service_scv offered_load_erl laws",
}

// questions spread over the commands: schema, command line, further fields.
var questions = []struct{ schema, line, also string }{
	{"size", "size --load 120 --max-blocking 1%", ""},
	{"size", "size --load 0 --max-blocking 1%", ""},
	{"size", "size --load 120 --max-blocking 100%", ""},
	{"size", "size --load 1e11 --max-blocking 1%", ""},
	{"size", "size --load 1e-300 --max-blocking 1%", ""},
	{"size", "size --load 120 --max-blocking 1% --explain", "explanation"},
	{"size", "size --load 10 --max-wait 0s", ""},
	{"size", "size --rate 2/min --service-time 5min --max-wait 20s --percentile 80%", ""},
	{"size", "size --rate 2/min --service-time 5min --max-wait 20s --max-mean-wait 5s --max-mean-response 6min --max-utilization 70% --max-blocking 20%", "objectives"},
	{"size", "size --rate 2/min --service-time 5min --max-wait 20s --arrival-scv 4 --service-scv 0", "warnings"},
	{"size", "size --rate 2/min --service-time 5min --patience 1min --max-abandon 1% --explain", "explanation"},
	{"size", "size --rate 0/s --service-time 5min --patience 1min --max-abandon 1%", ""},
	{"size", "size --load 1200 --max-blocking 1% --public 10000 --public-speed 0.34 --public-availability 35% --replicas 2", "dedicated_servers public_servers equivalent_servers"},
	{"size", "size --load 120 --max-blocking 1% --public 10000 --public-availability 35%", "dedicated_servers public_servers equivalent_servers warnings"},
	{"size", "size --load 80..100..130 --max-blocking 1% --samples 100", "uncertainty"},
	{"size", "size --load 80..130 --max-blocking 1% --samples 100 --server-cost 1 --shortfall-cost 9", "uncertainty"},
	{"size", "size --rate 1..3/s --service-time 8..12s --max-mean-response 11s --samples 100", "uncertainty"},
	{"size", "size --load-curve testdata/day.csv --service-time 4min --max-wait 20s --percentile 80%", "staffing"},
	{"size", "size --swf testdata/das2-tiny.swf --max-blocking 5%", "log"},
	{"size", "size --swf testdata/das2-tiny.swf --max-wait 1min --explain", "log explanation"},
	{"capacity", "capacity --servers 138 --max-blocking 1%", ""},
	{"capacity", "capacity --servers 14 --service-time 5min --max-wait 20s --explain", "explanation"},
	{"capacity", "capacity --servers 14 --service-time 5min --patience 1min --max-abandon 1%", ""},
	{"capacity", "capacity --servers 14 --rate 2/min --max-mean-response 5min --solve-for service-time", "max_service_time_s"},
	{"capacity", "capacity --servers 14 --rate 2/min --service-time 5min --solve-for objective --max-wait 20s", ""},
	{"capacity", "capacity --servers 0 --load 3 --model loss --solve-for objective", ""},
	{"capacity", "capacity --servers 100 --public 10000 --public-availability 70% --max-blocking 1%", "equivalent_servers"},
	{"check", "check --servers 138 --load 120 --max-blocking 1%", ""},
	{"check", "check --servers 137 --load 120 --max-blocking 1% --explain", "explanation"},
	{"check", "check --servers 100 --load 120 --max-utilization 80%", "unstable"},
	{"check", "check --servers 100 --load 120 --max-wait 0s", "unstable"},
	{"check", "check --servers 0 --load 0 --max-blocking 1%", ""},
	{"check", "check --servers 300 --load-curve testdata/day.csv --service-time 4min --max-wait 20s", ""},
	{"check", "check --servers 300 --swf testdata/das2-tiny.swf --max-blocking 5%", "log"},
	{"check", "check --servers 3 --swf testdata/das2-tiny.swf --max-utilization 50%", "log unstable"},
	{"check", "check --servers 635 --load 1200 --max-blocking 1% --public 10000 --public-speed 0.34 --public-availability 35% --replicas 2", ""},
	{"throughput", "throughput --dedicated 100 --public 10000 --public-speed 0.34 --public-availability 70% --replicas 2 --rate 12/s --service-time 100s --explain", "explanation"},
	{"throughput", "throughput --dedicated 0 --rate 0/s --service-time 100s", ""},
	{"throughput", "throughput --dedicated 1e12 --rate 1e11/s --service-time 1s", ""},
	{"queue", "queue erlang-b --servers 138 --load 120 --explain", "log10_blocking explanation"},
	{"queue", "queue erlang-b --servers 0 --load 0", "log10_blocking"},
	{"queue", "queue erlang-b --servers 3 --load 0", ""},
	{"queue", "queue erlang-b --servers 1e12 --load 1e-300", "log10_blocking"},
	{"queue", "queue erlang-c --servers 14 --rate 2/min --service-time 5min --max-wait 20s", ""},
	{"queue", "queue erlang-c --servers 14 --load 10", ""},
	{"queue", "queue erlang-a --servers 10 --rate 2/min --service-time 5min --patience 3min --max-wait 20s", ""},
	{"queue", "queue erlang-a --servers 0 --rate 2/min --service-time 5min --patience 3min", ""},
	{"queue", "queue ggc --servers 14 --rate 2/min --service-time 5min --arrival-scv 0 --service-scv 0", ""},
	{"queue", "queue ggc --servers 14 --rate 2/min --service-time 5min --arrival-scv 1e300 --service-scv 1e300", "warnings"},
	{"fit", "fit testdata/das2-tiny.swf", "log"},
	{"fit", "fit testdata/das2-small.swf.gz --from 1h --to 2h", "log"},
}

// compiled returns the published schema of a command's answer.
func compiled(t *testing.T, name string) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	stdout, stderr, code := runLine(t, "capplan schema "+name)
	if code != 0 {
		t.Fatalf("schema %s: exit code %d: %s", name, code, stderr)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
	if err != nil {
		t.Fatalf("schema %s is no JSON: %v", name, err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name+".json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name + ".json")
	if err != nil {
		t.Fatalf("schema %s: %v", name, err)
	}
	return s, document.(map[string]any)
}

// Every answer is an instance of the schema that is published for it, has the
// promised fields, none that the schema does not know, and the same figures as
// CSV.
func TestAnswersFollowSchema(t *testing.T) {
	atRoot(t)
	for _, q := range questions {
		t.Run(q.line, func(t *testing.T) {
			schema, document := compiled(t, q.schema)
			stdout, stderr, code := runLine(t, "capplan "+q.line+" -o json")
			if code != 0 && !(q.schema == "check" && code == 3) {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			instance, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
			if err != nil {
				t.Fatalf("%v in %s", err, stdout)
			}
			if err := schema.Validate(instance); err != nil {
				t.Error(err)
			}
			for _, name := range unknownFields(document, instance, "") {
				t.Errorf("the schema does not know %s", name)
			}
			answer := instance.(map[string]any)
			for _, name := range strings.Fields(promised[q.schema] + " " + q.also) {
				if _, ok := answer[name]; !ok {
					t.Errorf("no field %q", name)
				}
			}
			if alternatives, ok := answer["alternatives"].([]any); ok {
				for _, a := range alternatives {
					for _, name := range strings.Fields("servers met " + figures) {
						if _, ok := a.(map[string]any)[name]; !ok {
							t.Errorf("an alternative has no field %q", name)
						}
					}
				}
			}
			fractions(t, answer, "")
			if answer["staffing"] == nil { // there, CSV has the day
				sameAsCSV(t, q.line, document, answer)
			}
		})
	}
}

// unknownFields lists the fields of an instance that are not in its schema.
func unknownFields(schema map[string]any, instance any, at string) (names []string) {
	if either, ok := schema["anyOf"].([]any); ok { // a type, or null
		schema = either[0].(map[string]any)
	}
	switch v := instance.(type) {
	case map[string]any:
		properties, ok := schema["properties"].(map[string]any)
		if !ok {
			if schema["additionalProperties"] == nil {
				names = append(names, at+" as an object")
			}
			return names
		}
		for name, value := range v {
			inner, ok := properties[name].(map[string]any)
			if !ok {
				names = append(names, at+"."+name)
				continue
			}
			names = append(names, unknownFields(inner, value, at+"."+name)...)
		}
	case []any:
		items, ok := schema["items"].(map[string]any)
		for _, value := range v {
			if ok {
				names = append(names, unknownFields(items, value, at+"[]")...)
			}
		}
	}
	sort.Strings(names)
	return slices.Compact(names)
}

// fractions checks that what is called a probability or a share is 0..1, and
// no time or number is negative.
func fractions(t *testing.T, v any, at string) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			number, ok := inner.(json.Number)
			if !ok {
				fractions(t, inner, at+"."+name)
				continue
			}
			x, err := number.Float64()
			if err != nil {
				t.Errorf("%s.%s = %s: %v", at, name, number, err)
			}
			signed := strings.HasPrefix(name, "log") || name == "square_root_beta" || at == ".log" || strings.Contains(at, "laws") || strings.Contains(at, "error_range")
			switch {
			case strings.Contains(name, "probability") || name == "utilization" || name == "service_level" || name == "percentile":
				if x < 0 || x > 1 {
					t.Errorf("%s.%s = %s, want 0..1", at, name, number)
				}
			case x < 0 && !signed:
				t.Errorf("%s.%s = %s is negative", at, name, number)
			}
		}
	case []any:
		for _, inner := range v {
			fractions(t, inner, at+"[]")
		}
	}
}

// sameAsCSV checks the CSV of a question against its JSON: as many cells as
// names, each name a field, each cell its value.
func sameAsCSV(t *testing.T, line string, schema, answer map[string]any) {
	t.Helper()
	fields := schema["properties"].(map[string]any)
	stdout, _, _ := runLine(t, "capplan "+line+" -o csv")
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll() // cells per row are checked
	if err != nil || len(rows) != 2 {
		t.Fatalf("CSV of %d rows, %v: %s", len(rows), err, stdout)
	}
	for i, name := range rows[0] {
		if _, ok := fields[name]; !ok {
			t.Errorf("CSV column %s is no field of the schema", name)
		}
		want := "" // also where the answer has no such figure
		if v := answer[name]; v != nil {
			want = fmt.Sprint(v)
		}
		if !sameText(rows[1][i], want) {
			t.Errorf("CSV %s = %q, JSON %q", name, rows[1][i], want)
		}
	}
}

// sameText compares cells as text, and as numbers where both are.
func sameText(a, b string) bool {
	if a == b {
		return true
	}
	x, err := json.Number(a).Float64()
	y, err2 := json.Number(b).Float64()
	return err == nil && err2 == nil && x == y
}

var sweptLines = []string{
	"sweep size --max-blocking 1% --over load=0:20:5",
	"sweep size --load 10 --over max-blocking=0,1%",
	"sweep size --over swf=testdata/das2-tiny.swf --over max-blocking=1%,5%",
	"sweep capacity --max-blocking 1% --over servers=0:4:1",
	"sweep check --max-utilization 80% --load 10 --over servers=8:14:2",
	"sweep throughput --dedicated 5 --rate 1/s --over service-time=1s,1min",
	"sweep queue erlang-b --load 3 --over servers=0:3:0.5",
	"sweep queue erlang-c --servers 3 --over load=1:5:1",
	"sweep queue erlang-a --servers 3 --rate 1/s --service-time 1s --over patience=1s,10s",
	"sweep fit testdata/das2-tiny.swf --over from=0min,5min",
	"sweep availability solve testdata/kernel.json --over window=30s,1min",
	"sweep availability predict testdata/host-small.csv --day weekday --start 09:00 --window 2h --over days=5,10",
}

// A sweep is one JSON object, in which every row has the same fields, and CSV
// with the same.
func TestSweepsHaveRows(t *testing.T) {
	atRoot(t)
	for _, line := range sweptLines {
		stdout, stderr, code := runLine(t, "capplan "+line+" -o json")
		if code != 0 {
			t.Errorf("%s: exit code %d: %s", line, code, stderr)
			continue
		}
		var answer struct {
			Command string
			Over    []string
			Rows    []map[string]any
		}
		if err := json.Unmarshal([]byte(stdout), &answer); err != nil || len(answer.Rows) == 0 {
			t.Errorf("%s: %d rows, %v", line, len(answer.Rows), err)
			continue
		}
		want := fields(answer.Rows[len(answer.Rows)-1])
		for _, r := range answer.Rows {
			if got := fields(r); got != want {
				t.Errorf("%s: a row has the fields %s, another %s", line, got, want)
			}
		}
		stdout, _, _ = runLine(t, "capplan "+line+" --csv")
		rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil || len(rows) != len(answer.Rows)+1 {
			t.Errorf("%s: CSV of %d rows, %v, JSON of %d", line, len(rows), err, len(answer.Rows))
		}
	}
}

func fields(row map[string]any) string {
	var names []string
	for n := range row {
		names = append(names, n)
	}
	sort.Strings(names)
	return strings.Join(names, " ")
}
