package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
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

// More points than a heat map has cells were computed, and then refused.
func TestSweepPlotOfMany(t *testing.T) {
	out := filepath.Join(t.TempDir(), "many.svg")
	// More values of servers than a drawing shows.
	stdout, stderr, code := runLine(t, "capplan sweep queue erlang-b --over servers=1:600:1 --over load=1:20:1 "+
		"--y blocking_probability --plot "+out)
	if code != 0 || !strings.Contains(stdout, "12,000 points") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// What rises evenly over three decades is drawn on a linear axis, as the flag swept is.
func TestSweepPlotIsLinearWhereItIsEven(t *testing.T) {
	for scale, line := range map[string]string{
		">6,000<": "size --max-blocking 1% --over load=1:5001:50",
		">1e-5<":  "queue erlang-b --load 10 --over servers=1:30:1 --y blocking_probability",
	} {
		out := filepath.Join(t.TempDir(), "even.svg")
		if _, stderr, code := runLine(t, "capplan sweep "+line+" --plot "+out); code != 0 {
			t.Fatalf("%s: exit code %d: %s", line, code, stderr)
		}
		svg, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(svg), ">servers<") || !strings.Contains(string(svg), scale) {
			t.Errorf("%s: no label %s", line, scale)
		}
	}
}
