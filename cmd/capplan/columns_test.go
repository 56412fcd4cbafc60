package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/scalars"
)

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
			if code != cmdline.ExitAnswered && code != cmdline.ExitInfeasible {
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

// A name out of a file is shown as it is, unless asked otherwise.
func TestCSVSafe(t *testing.T) {
	t.Chdir(t.TempDir())
	file := "clusters:\n- {name: '=HYPERLINK(1)', external: {service_time: 1s}}\n- {name: b, external: {service_time: 1s}}\n"
	if err := os.WriteFile("c.yaml", []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{"": "\n=HYPERLINK(1),", " --csv-safe": "\n'=HYPERLINK(1),"} {
		if stdout, stderr, code := runLine(t, "capplan route c.yaml --rate 0.5/s -o csv"+flag); code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%q: exit code %d, %s%s, want %q", flag, code, stdout, stderr, want)
		}
	}
}

// A column that stands twice in a header cannot be asked for by its name.
func TestColumnsHaveTheirOwnNames(t *testing.T) {
	for command, answer := range schemas() {
		if reflect.TypeOf(answer).Kind() != reflect.Struct {
			continue
		}
		names, _ := scalars.Of(answer)
		slices.Sort(names)
		for i := 1; i < len(names); i++ {
			if names[i] == names[i-1] {
				t.Errorf("%s has the column %s twice", command, names[i])
			}
		}
	}
}

// What a simulation found is in the CSV and in the columns of a sweep as it is in the JSON.
func TestSimulatedFiguresAreColumns(t *testing.T) {
	station := "simulate station --servers 2 --rate 1.6/s --service-time 1s --horizon 1h --replications 3"
	queue := "queue erlang-c --servers 2 --rate 1.6/s --service-time 1s --simulate --horizon 1h --replications 3"
	bag := "simulate bot --tasks 20 --task-time 20min --machines 10 --up 4h --down 1h --strategy 9C-G-R --replications 3"
	for _, c := range []struct{ line, column, field string }{
		{station + " -o csv", "simulation.mean_wait_s_low", "simulation.figures.mean_wait_s.low"},
		{"sweep " + station + " --over seed=1 -o csv", "simulation.mean_wait_s", "simulation.figures.mean_wait_s.mean"},
		{queue + " -o csv", "simulation.mean_wait_s", "simulation.figures.mean_wait_s.mean"},
		{"sweep " + bag + " --over seed=1 -o csv", "finish_mean_s_high", "finish_s.mean.high"},
		{"sweep " + bag + " --over seed=1 -o csv", "help.saving_s", "help.saving_s.mean"},
	} {
		out, stderr, code := runLine(t, "capplan "+c.line)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%s: exit code %d, %v, %d rows: %s", c.line, code, err, len(rows), stderr)
		}
		single, _, _ := strings.Cut(strings.TrimPrefix(c.line, "sweep "), " --over")
		out, _, _ = runLine(t, "capplan "+strings.TrimSuffix(single, " -o csv")+" -o json")
		var want any
		if err := json.Unmarshal([]byte(out), &want); err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(c.field, ".") {
			want = want.(map[string]any)[part]
		}
		if k := slices.Index(rows[0], c.column); k < 0 {
			t.Errorf("%s: columns %v, want %s", c.line, rows[0], c.column)
		} else if got, _ := strconv.ParseFloat(rows[1][k], 64); got != want {
			t.Errorf("%s: %s = %v, want %v", c.line, c.column, got, want)
		}
	}
}
