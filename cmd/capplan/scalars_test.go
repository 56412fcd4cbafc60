package main

import (
	"reflect"
	"strings"
	"testing"
)

type scalarRow struct {
	Name  string   `json:"name"`
	State string   `json:"state,omitempty"`
	Mean  *float64 `json:"mean"`
	Left  *float64 `json:"left,omitempty"`
	Never *int     `json:"never,omitempty"`
	Part  *struct{ X int }
	inner
}

type inner struct {
	Jobs int `json:"jobs,omitempty"`
}

// The columns are those of the type, whatever the values are.
func TestScalarRows(t *testing.T) {
	half := .5
	rows := []scalarRow{{Name: "a", Mean: &half}, {Name: "b", State: "S1", Left: &half, inner: inner{3}}}
	names := []string{"name", "state", "mean", "left", "never", "jobs"}
	want := [][]string{names, {"a", "", "0.5", "", "", ""}, {"b", "S1", "", "0.5", "", "3"}}
	if got := scalarRows(rows); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := scalarRows([]*scalarRow{&rows[0], &rows[1]}); !reflect.DeepEqual(got, want) {
		t.Errorf("of pointers: %q, want %q", got, want)
	}
	for name, got := range map[string][][]string{"none": scalarRows([]scalarRow{}), "no pointers": scalarRows([]*scalarRow{})} {
		if want := want[:1]; !reflect.DeepEqual(got, want) {
			t.Errorf("of %s: %q, want %q", name, got, want)
		}
	}
	got, cells := scalars(&rows[0])
	if !reflect.DeepEqual(got, names) || !reflect.DeepEqual(cells, want[1]) {
		t.Errorf("alone: %q %q", got, cells)
	}
	type outer struct {
		Name string `json:"name"`
		*inner
	}
	for _, v := range []outer{{"a", nil}, {"b", &inner{}}} {
		if got, _ := scalars(v); !reflect.DeepEqual(got, []string{"name", "jobs"}) {
			t.Errorf("%v: %q", v, got)
		}
	}
}

// Whether a figure is 0, or there at all, changes no header: each line holds
// questions of one command that differ in that.
func TestColumnsAreStable(t *testing.T) {
	for _, lines := range [][]string{
		{"route ../../testdata/clusters.yaml --rate 3/s", "route ../../testdata/clusters.yaml --rate 2..3/s --hedge worst", "route ../../testdata/clusters.yaml --rate 0.3/s --policy rr"},
		{"availability fit ../../testdata/hosts-small.csv --day weekday --start 09:00 --window 4h --days 4", "availability fit ../../testdata/hosts-small.csv --day weekend --start 09:00 --window 4h --days 4"},
		{"throughput --dedicated 1 --rate 1/s --service-time 1s", "throughput --dedicated 1 --public 10 --public-speed 0.5 --public-availability 70% --rate 1/s --service-time 1s"},
		{"size --load 120 --max-blocking 1%", "size --load 0 --max-blocking 1%", "size --rate 2/s --service-time 5s --max-wait 2s"},
		{"queue erlang-b --servers 3 --load 2", "queue erlang-b --servers 0 --load 2", "queue mg1 --rate 0.5/s --service-time 1s --service-law gamma --service-scv 2"},
		{"capacity --servers 10 --max-blocking 1%", "capacity --load 3 --servers 10 --solve-for objective --max-blocking 1%"},
		{"check --servers 10 --load 3 --max-blocking 1%", "check --servers 1 --load 3 --max-blocking 1%"},
		{"replicas --mttf 5min --mttr 20s --target 99.9%", "replicas --mttf 5min --mttr 20s --target 99.9% --window 1h"},
		{"sweep queue erlang-b --over servers=1,2 --load 2", "sweep queue erlang-b --over servers=0,1 --load 0"},
	} {
		header := ""
		for _, line := range lines {
			stdout, stderr, code := runLine(t, "capplan "+line+" -o csv")
			if code != exitAnswered && code != exitInfeasible {
				t.Errorf("%s: exit code %d: %s", line, code, stderr)
				continue
			}
			first, _, _ := strings.Cut(stdout, "\n")
			if header == "" {
				header = first
			}
			if first != header {
				t.Errorf("%s: columns %s, want those of %s: %s", line, first, lines[0], header)
			}
		}
	}
}
