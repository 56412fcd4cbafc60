package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// What shards come to is what one process prints, on stdout and stderr, to the
// byte; with all that a format says and with the same exit code.
func TestShardedIsUnsharded(t *testing.T) {
	atRoot(t)
	// How often a line is parted.
	all, some := longtest.Of([]int{3}, []int{1, 2, 3, 7, 16}), longtest.Of([]int{2}, []int{1, 2, 16})
	for _, c := range []struct {
		line string
		of   []int
	}{
		{"capplan sweep size --max-blocking 1% --over load=1:40:1", all},
		{"capplan sweep queue erlang-c --over servers=3:6:1 --over load=1:5:1 --csv", all}, // some infeasible
		{"capplan sweep size --over load=1,2,3 --max-wait 1s --service-time 1s --patience 1min -o json", []int{2}},
		{"capplan sweep simulate station --servers 2 --service-time 1s --horizon 1h --over rate=0.5/s,1/s --replications 3", []int{2}},
		{"capplan simulate station --servers 2 --rate 1.6/s --service-time 1s --order srpt --horizon 30min --replications 8 -o json", []int{3, 16}},
		{"capplan simulate leases testdata/leases.yaml --replications 2 --horizon 2h --explain", []int{3}},
		{"capplan simulate pool testdata/pool.yaml --replications 3 --horizon 6h -o json", []int{2}},
		{"capplan simulate bot --tasks 50 --task-time 5min --machines 20 --up weibull:0.6,4h --down 1h --replications 5 -o csv", []int{2}},
		{"capplan simulate hosts --hosts g5klyo --horizon 1d --replications 4", []int{3}},
		{"capplan finish --tasks 50 --task-time 5min --machines 20 --up weibull:0.6,4h --down 1h --simulate --replications 6", some},
		{"capplan allocate study --figure 7a --seeds 3 --jobs 10 --resources 2 --over 0.3,0.75 --fallback lp-round", some},
		{"capplan allocate study --figure 8c --seeds 2 --jobs 12 --resources 3 --backup-factor 0.02 -o json", []int{2}}, // no batch can be protected
		{"capplan availability evaluate testdata/hosts-small.csv --day both --windows 1h,5h --starts 08:00,09:00 --ratios 30%,60% --noise 1,4 --repetitions 2 --explain", some},
		{"capplan availability replay testdata/hosts-small.csv --times 9 --lengths 1h,4h --speed-cv 0.3 -o csv", some},
		{"capplan availability fit testdata/hosts-small.csv --day weekday --start 09:00 --window 4h --days 4 -o json", some}, // a machine each
		{"capplan reproduce pcu-figure-4 --seeds 2 --scale 1%", []int{3}},
		{"capplan reproduce qos-graf-figure-7b --seeds 1 --resources 2,1 -o csv", []int{2}},
	} {
		want, wantErr, code := runLine(t, c.line)
		if code != 0 {
			t.Fatalf("%s: exit code %d, %s", c.line, code, wantErr)
		}
		for _, of := range c.of {
			dir := inShards(t, c.line, of)
			got, gotErr, code := runLine(t, "capplan merge "+dir)
			if got != want || gotErr != wantErr || code != 0 {
				t.Errorf("%s in %d shards: exit code %d, prints\n%s%s\nwant\n%s%s", c.line, of, code, got, gotErr, want, wantErr)
			}
		}
	}
}

// A fleet of files, one of which cannot be read: shards of a file each come to the
// answer and the fleet file of one process.
func TestShardedFleet(t *testing.T) {
	root := atRoot(t)
	trace, err := os.ReadFile(filepath.Join(root, "testdata", "host-small.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("fleet", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a": string(trace), "b<&>": string(trace), "c": "\x1f\x8b\x08 cut", "d": string(trace[:len(trace)/2]), "e": string(trace)} {
		if err := os.WriteFile(filepath.Join("fleet", name+".csv"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	line := "capplan availability fit fleet --day weekday --start 09:00 --window 2h --days 4 -o json"
	want, wantErr, code := runLine(t, line+" --out plain.jsonl")
	if code != 0 || !strings.Contains(wantErr, "1 of 5 files could not be read") {
		t.Fatalf("exit code %d, %s", code, wantErr)
	}
	wantLines, err := os.ReadFile("plain.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range longtest.Of([]int{2, 7}, []int{1, 2, 3, 7, 16}) {
		dir := inShards(t, line, of)
		out := filepath.Join(t.TempDir(), "merged.jsonl")
		got, gotErr, code := runLine(t, "capplan merge "+dir+" --out "+out)
		lines, _ := os.ReadFile(out)
		if got != want || gotErr != wantErr || code != 0 || string(lines) != string(wantLines) {
			t.Errorf("in %d shards: exit code %d, prints\n%s%s\nwant\n%s%s", of, code, got, gotErr, want, wantErr)
		}
		if err := os.WriteFile(filepath.Join("fleet", "f.csv"), trace, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := runLine(t, "capplan merge "+dir); code != 2 || !strings.Contains(stderr, `of another "fleet"`) {
			t.Errorf("with a file more: exit code %d, %s", code, stderr)
		}
		if err := os.Remove(filepath.Join("fleet", "f.csv")); err != nil {
			t.Fatal(err)
		}
	}
	// The same fleet, without the file that cannot be read, scored by models that
	// learn from all machines.
	if err := os.Remove(filepath.Join("fleet", "c.csv")); err != nil {
		t.Fatal(err)
	}
	line = "capplan availability evaluate fleet --day weekday --windows 1h,4h --model frailty,smp,km,exponential,always --explain"
	want, wantErr, code = runLine(t, line)
	if code != 0 {
		t.Fatal(wantErr)
	}
	for _, of := range longtest.Of([]int{2, 7}, []int{1, 2, 3, 7, 16}) {
		if got, gotErr, code := runLine(t, "capplan merge "+inShards(t, line, of)); got != want || gotErr != wantErr || code != 0 {
			t.Errorf("in %d shards: exit code %d, prints\n%s%s\nwant\n%s%s", of, code, got, gotErr, want, wantErr)
		}
	}
}

// inShards runs all shards of a command line and returns their folder.
func inShards(t *testing.T, line string, of int) string {
	t.Helper()
	dir := t.TempDir()
	for i := 1; i <= of; i++ {
		if _, stderr, code := runLine(t, fmt.Sprintf("%s --shard %d/%d --out %s", line, i, of, dir)); code != 0 {
			t.Fatalf("%s, shard %d of %d: exit code %d, %s", line, i, of, code, stderr)
		}
	}
	return dir
}

// A merge may ask for another form of the answer, and writes to a file what the
// command itself would write there, or its answer.
func TestMergeForms(t *testing.T) {
	atRoot(t)
	line := "capplan sweep size --max-blocking 1% --over load=1:9:1"
	dir := inShards(t, line+" --csv", 2)
	for _, form := range []string{" --format json", " --format text --explain", " --csv-safe", " --plot p.svg", " --out rows.csv --force"} {
		want, wantErr, _ := runLine(t, line+strings.Replace(form, " --csv-safe", " --csv --csv-safe", 1)+csvFor(form))
		wantRows, _ := os.ReadFile("rows.csv")
		got, gotErr, code := runLine(t, "capplan merge "+dir+form)
		rows, _ := os.ReadFile("rows.csv")
		if got != want || gotErr != wantErr || code != 0 || string(rows) != string(wantRows) {
			t.Errorf("merge%s: exit code %d, prints\n%s%s\nwant\n%s%s", form, code, got, gotErr, want, wantErr)
		}
	}
	line = "capplan simulate hosts --hosts g5klyo --horizon 1d --replications 4"
	want, _, _ := runLine(t, line)
	if out, stderr, code := runLine(t, "capplan merge "+inShards(t, line, 2)+" --out answer.txt"); out != "" || code != 0 {
		t.Errorf("exit code %d, %s%s, want the answer in the file", code, out, stderr)
	}
	if got, _ := os.ReadFile("answer.txt"); string(got) != want {
		t.Errorf("the file holds %q, want %q", got, want)
	}
}

// csvFor is what the shards of TestMergeForms have and the form leaves as it is.
func csvFor(form string) string {
	if strings.Contains(form, "--format") || strings.Contains(form, "--csv") {
		return ""
	}
	return " --csv"
}

// A file that was changed between the shards and the merge is found.
func TestMergeFindsChangedInput(t *testing.T) {
	root := atRoot(t)
	text, err := os.ReadFile(filepath.Join(root, "testdata", "leases.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"", "# and a remark\n"} {
		if err := os.WriteFile("own.yaml", append([]byte(more), text...), 0o666); err != nil {
			t.Fatal(err)
		}
		line := "capplan simulate leases own.yaml --replications 2 --horizon 1h"
		dir := "shards"
		if more == "" {
			for i := 1; i <= 2; i++ {
				runLine(t, fmt.Sprintf("%s --shard %d/2 --out %s", line, i, dir))
			}
		}
		_, stderr, code := runLine(t, "capplan merge "+dir)
		if changed := more != ""; changed != (code == 2 && strings.Contains(stderr, `of another "own.yaml"`)) {
			t.Errorf("with %q before it: exit code %d, %s", more, code, stderr)
		}
	}
}
