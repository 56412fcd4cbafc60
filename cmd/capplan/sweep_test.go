package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// A sweep gives, at each point, what the command gives alone.
func TestSweepIsTheCommand(t *testing.T) {
	stdout, stderr, code := runLine(t, "capplan sweep size --max-blocking 1% --over load=10:200:10 --csv")
	if code != 0 {
		t.Fatal(stderr)
	}
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || len(rows) != 21 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		load := strconv.Itoa(10 * (i + 1))
		alone, _, _ := runLine(t, "capplan size --max-blocking 1% --format csv --load "+load)
		if want := strings.Split(strings.TrimSpace(alone), "\n")[1]; row[0] != load || strings.Join(row[1:len(row)-1], ",") != want {
			t.Errorf("at %s the sweep has %v, the command %s", load, row, want)
		}
	}
}

func TestSweepTwoFlags(t *testing.T) {
	stdout, stderr, code := runLine(t, "capplan sweep size --over service-time=1min,2min --over rate=1:3:1/min --max-wait 20s -o csv")
	if code != 0 {
		t.Fatal(stderr)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(lines) != 7 || !strings.HasPrefix(lines[0], "over_service-time,over_rate,servers,") ||
		!strings.HasPrefix(lines[1], "1min,1/min,") || !strings.HasPrefix(lines[6], "2min,3/min,") {
		t.Errorf("got %s", stdout)
	}
}

func TestSweepInfeasiblePoints(t *testing.T) {
	stdout, stderr, code := runLine(t, "capplan sweep size --load 10 --service-time 10s --over max-mean-response=8s:12s:2s --format json")
	if code != 0 {
		t.Fatal(stderr)
	}
	if strings.Count(stdout, `"infeasible": null`) != 1 || strings.Count(stdout, "no number of servers shortens it") != 2 {
		t.Errorf("two points of three are infeasible: %s", stdout)
	}
}

func TestSweepSteps(t *testing.T) {
	for spec, want := range map[string]string{
		"load=1:3:1":              "1 2 3",
		"load=0.1:0.5:0.1":        "0.1 0.2 0.3 0.4 0.5",
		"load=3:1:-1":             "3 2 1",
		"rate=2/min:6/min:2/min":  "2/min 4/min 6/min",
		"service-time=1:2:0.5min": "1min 1.5min 2min",
		"max-blocking=1%,2%":      "1% 2%",
		"load=5:5:1":              "5",
	} {
		a, err := parseOver(context.Background(), spec)
		if err != nil || strings.Join(a.values, " ") != want {
			t.Errorf("%s: %v, %v; want %s", spec, a.values, err, want)
		}
	}
	for _, spec := range []string{"", "load", "load=", "=1", "load=1:2", "load=1:2:0", "load=1:2:-1", "load=1:2:3:4", "load=a:b:c", "load=1,,2", "load=0:1e9:1", "t=1min:2h:1s"} {
		if a, err := parseOver(context.Background(), spec); err == nil {
			t.Errorf("%q: accepted as %v", spec, a.values)
		}
	}
}

func BenchmarkSweep(b *testing.B) {
	b.Run("points=10000", func(b *testing.B) {
		for b.Loop() {
			var out, errs bytes.Buffer
			if code := run(context.Background(), strings.Fields("capplan sweep size --max-blocking 1% --over load=1:10000:1 --csv"), nil, &out, &errs); code != 0 {
				b.Fatal(fmt.Sprint(code, errs.String()))
			}
		}
	})
}
