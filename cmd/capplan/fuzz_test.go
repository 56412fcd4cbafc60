package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/sweeps"
)

// What fuzzed command lines are made of. Files are small and only read; a
// drawing is never asked for.
var (
	fuzzCommands = []string{
		"size", "capacity", "check", "throughput", "queue erlang-b", "queue erlang-c", "queue erlang-a", "queue ggc", "queue",
		"fit", "sweep size", "sweep capacity", "sweep check", "sweep queue erlang-c", "sweep fit", "sweep throughput",
		"replicas", "epoch", "link", "checkpoint", "lifetime", "sweep replicas", "sweep lifetime", "schema", "completion", "version", "help", "help size", "sise", "",
		"availability label", "availability fit", "availability predict", "availability rank", "availability evaluate", "availability solve", "availability", "availability predikt",
		"allocate", "allocate generate", "allocate verify", "sweep availability solve", "sweep availability predict",
	}
	fuzzFlags = []string{
		"load", "rate", "service-time", "max-blocking", "max-wait", "percentile", "max-mean-wait", "max-mean-response",
		"max-utilization", "max-abandon", "patience", "model", "servers", "dedicated", "solve-for", "arrival-scv", "service-scv",
		"public", "public-speed", "public-speed-cv", "public-availability", "replicas", "staffing", "seed", "server-cost",
		"shortfall-cost", "explain", "strict", "from", "to", "over", "y", "csv", "load-curve", "swf", "samples",
		"mttf", "mttr", "target", "window", "needed", "crews", "beta", "start", "placement", "trace", "pool", "migrations", "migration-time", "failure-rate",
		"from-replicas", "public-jobs", "uplink", "downlink", "footprint", "epoch", "mtbf", "cost", "restart", "work", "unit", "state", "per-machine", "steps", "level",
		"lod", "max-bloking", "h", "help", "",
		"day", "days", "elapsed", "estimator", "resamples", "input", "host", "percent", "period", "light", "heavy", "grace", "working-set", "gap", "zone", "trace-date", "holiday", "holidays", "threshold", "bid", "date", "per-sample", "ages", "task",
		"windows", "starts", "train", "baselines", "order", "method", "backup", "fail", "time-limit", "bound-only", "jobs", "resources", "primary-factor", "backup-factor", "mix", "capacity-law",
	}
	fuzzValues = []string{
		"0", "1", "2", "3.5", "10", "120", "1e6", "1e12", "1e13", "1e300", "1e-300", "-1", "NaN", "Inf", "", " ", "x",
		"1%", "50%", "100%", "99.9%", "0.5", ".5", "05", "p99", "95", "1s", "20s", "5min", "1h", "250ms", "0s", "1e9s", "1e-9s",
		"1/s", "2/min", "0/s", "1e6/s", "100/30min", "80..130", "80..100..130", "1..2/s", "1..5min", "130..80",
		"loss", "wait", "abandon", "sipp", "mol", "load", "service-time", "objective", "true", "false", "mm1", "parallel", "steady", "up", "down", "s", "1MB", "8Mbit", "100Mbps", "name=a,unavailability=1%,capacity=3", "servers", "bash", "--", "-",
		"weekday", "weekend", "both", "09:00", "23:59", "2h", "1d", "10min", "S1", "S2", "S3", "censored", "counts", "host", "planetlab", "fta", "spot", "busy", "256MB", "Europe/Berlin", "2024-01-02", "a=2", "1h,2h", "09:00,14:00", "ar,last", "none",
		"lp-round", "max-big", "unit-best", "soft", "strict", "r1", "20,70,10", "literal", "0.6",
	}
	fuzzFiles = []string{"../../testdata/das2-tiny.swf", "../../testdata/day.csv", "../../testdata/durations.csv", "../../testdata/events.tab", "../../testdata/spot.json", "../../testdata/machines.csv", "testdata", "missing", "-", ""}
	// For the commands that read other files.
	fuzzTraces  = []string{"../../testdata/host-small.csv", "../../testdata/hosts-small.csv", "../../testdata/events.tab", "../../testdata/spot.json", "../../testdata/fta-small.tab.xz", "../../testdata/durations.csv", "testdata", "missing", "-", ""}
	fuzzKernels = []string{"../../testdata/kernel.json", "../../testdata/batch.yaml", "../../testdata/host-small.csv", "testdata", "missing", "-", ""}
	fuzzBatches = []string{"../../testdata/batch.yaml", "../../testdata/batch-answer.json", "../../testdata/kernel.json", "testdata", "missing", "-", ""}
	fuzzOver    = []string{"load=1:20:5", "load=1,2", "load=.5,05", "servers=0:4:1", "max-blocking=0,1%", "service-time=1s,1min", "model=loss,wait", "patience=1s,1min", "from=0s,10min", "dedicated=1,2", "o=json", "load", "load=", "load=1:2:0", "nothing=1,2"}
	fuzzDraws   = []string{"1", "20", "0", "1e8", "x"}
)

// fuzzLine turns bytes into a command line: the first chooses the command,
// pairs of the rest a flag and its value, or an argument. raw stands in for
// some values.
func fuzzLine(program []byte, raw string) []string {
	at := func(i int) int {
		if i < len(program) {
			return int(program[i])
		}
		return 0
	}
	pick := func(from []string, i int) string { return from[i%len(from)] }
	command := pick(fuzzCommands, at(0))
	args := append([]string{"capplan"}, strings.Fields(command)...)
	reads := strings.HasSuffix(command, "fit") || strings.HasSuffix(command, "lifetime")
	files := fuzzFiles
	switch {
	case strings.HasSuffix(command, "availability solve"):
		reads, files = true, fuzzKernels
	case strings.Contains(command, "availability"):
		reads, files = true, fuzzTraces
	case strings.HasPrefix(command, "allocate"):
		reads, files = true, fuzzBatches
	}
	if reads && at(1)%4 > 0 {
		args = append(args, pick(files, at(1)/4))
	}
	if command == "allocate verify" && at(1)%4 > 1 {
		args = append(args, pick(files, at(1)/16))
	}
	format := pick([]string{"", "json", "csv", "text", "jsn"}, at(2)%7)
	if at(2)%7 > 4 {
		format = "json"
	}
	drawn := false
	for i := 3; i+1 < len(program) && i < 27; i += 2 {
		name := pick(fuzzFlags, at(i))
		var v string
		switch {
		case name == "swf" || name == "load-curve" || name == "trace" || name == "pool" || name == "holidays":
			v = pick(fuzzFiles, at(i+1))
		case name == "samples":
			v, drawn = pick(fuzzDraws, at(i+1)), true
		case name == "over" && at(i+1)%8 == 0 && fewPoints(raw):
			v = raw
		case name == "over":
			v = pick(fuzzOver, at(i+1))
		case at(i+1) >= 240 && !reads && !strings.Contains(raw, "plot") && !strings.Contains(raw, "swf") && !strings.Contains(raw, "curve"):
			v = raw
		default:
			v = pick(fuzzValues, at(i+1))
		}
		switch {
		case name == "explain" || name == "strict" || name == "csv" || name == "from-replicas" || name == "per-machine" || name == "h" || name == "help",
			name == "percent" || name == "per-sample" || name == "ages" || name == "bound-only":
			args = append(args, "--"+name)
		case name == "":
			if !reads {
				args = append(args, v)
			}
		case at(i+1)%2 == 0:
			args = append(args, "--"+name, v)
		default:
			args = append(args, "--"+name+"="+v)
		}
	}
	if format != "" {
		args = append(args, "-o", format)
	}
	if !drawn && strings.HasSuffix(command, "size") {
		args = append(args, "--samples", "20")
	}
	return args
}

// fewPoints reports whether a swept range is none, or short.
func fewPoints(s string) bool {
	a, err := sweeps.ParseAxis(context.Background(), s)
	return err != nil || len(a.Values) <= 20 && a.Flag != "swf" && a.Flag != "trace" && a.Flag != "pool" && a.Flag != "load-curve" && a.Flag != "samples" && a.Flag != "plot"
}

var noNumber = regexp.MustCompile(`(^|[^A-Za-z])(NaN|[+-]?Inf)($|[^A-Za-z])`)

// FuzzCommandLine: whatever the command line, the program ends, with exit code
// 0, 2 or 3; an error is one line on stderr and nothing on stdout; an answer
// is JSON or CSV where that was asked for, without NaN.
func FuzzCommandLine(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		program := make([]byte, 3+2*rng.IntN(7))
		for i := range program {
			program[i] = byte(rng.IntN(256))
		}
		f.Add(program, fuzzValues[rng.IntN(len(fuzzValues))])
	}
	// Lines that have answers: command, -, format, then flag and value.
	answer := func(command int, pairs ...string) {
		program := []byte{byte(command), 1, 5}
		for i := 0; i+1 < len(pairs); i += 2 {
			v := slices.Index(fuzzValues, pairs[i+1])
			if pairs[i] == "over" {
				v = slices.Index(fuzzOver, pairs[i+1])
			}
			program = append(program, byte(slices.Index(fuzzFlags, pairs[i])), byte(v))
		}
		f.Add(program, "1e6")
	}
	answer(0, "load", "120", "max-blocking", "1%")
	answer(0, "load", "80..130", "max-blocking", "1%")
	answer(0, "rate", "2/min", "service-time", "5min", "max-wait", "20s", "patience", "1h")
	answer(1, "servers", "120", "max-blocking", "1%")
	answer(2, "servers", "120", "load", "120", "max-blocking", "1%")
	answer(3, "dedicated", "10", "rate", "1/s", "service-time", "20s")
	answer(6, "servers", "10", "rate", "1/s", "service-time", "20s", "patience", "1s")
	answer(10, "over", "load=1:20:5", "max-blocking", "1%")
	answer(10, "over", "load=.5,05", "max-blocking", "1%")
	answer(9, "from", "20s", "to", "1s")
	answer(2, "h", "0", "", "x")
	named := func(command string, pairs ...string) { answer(slices.Index(fuzzCommands, command), pairs...) }
	named("replicas", "mttf", "5min", "mttr", "20s", "target", "99.9%", "window", "1h", "needed", "2", "crews", "3")
	named("replicas", "mttf", "1h", "mttr", "1s", "target", "50%", "beta", "1%")
	named("epoch", "migrations", "1", "migration-time", "1s", "failure-rate", "100/30min")
	named("epoch", "from-replicas", "0", "mttf", "1h", "mttr", "5min", "target", "95%", "public-jobs", "10", "migrations", "1", "migration-time", "1s")
	named("link", "uplink", "100Mbps", "downlink", "100Mbps", "footprint", "1MB", "replicas", "2", "epoch", "5min", "dedicated", "10")
	named("checkpoint", "mtbf", "1h", "cost", "1s", "restart", "20s", "work", "1h")
	window := []string{"day", "weekday", "start", "09:00", "window", "2h", "days", "10"}
	for _, command := range []string{"availability predict", "availability fit", "availability rank", "sweep availability predict"} {
		named(command, window...)
		named(command, append(window, "state", "S2", "elapsed", "10min", "host", "busy")...)
	}
	named("availability label", "working-set", "256MB", "date", "2024-01-02")
	named("availability evaluate", "day", "weekday", "windows", "1h,2h", "starts", "09:00,14:00", "baselines", "ar,last")
	named("availability solve", "window", "1h", "elapsed", "1s")
	named("allocate", "method", "max-big", "backup", "soft")
	named("allocate generate", "jobs", "10", "resources", "3.5", "primary-factor", "0.6")
	f.Fuzz(func(t *testing.T, program []byte, raw string) {
		args := fuzzLine(program, raw)
		out, errs, code, stopped := runFor(t, args, 30*time.Second)
		if !stopped {
			checkRun(t, args, code, out, errs)
		}
	})
}

// runFor runs a command line that has to end within a time. Simulations and
// studies last as long as they are asked to: they are interrupted after a
// thirtieth of it, and then have to end at once with exit code 1.
func runFor(t *testing.T, args []string, within time.Duration) (stdout, stderr string, code int, stopped bool) {
	t.Helper()
	asked := slices.ContainsFunc(args, func(a string) bool {
		return a == "simulate" || a == "reproduce" || strings.HasPrefix(a, "--simulate")
	})
	patience := within
	if asked {
		patience = within / 30
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var interrupted atomic.Int64 // when, in Unix nanoseconds
	timer := time.AfterFunc(patience, func() {
		interrupted.Store(time.Now().UnixNano())
		cancel()
	})
	defer timer.Stop()
	var out, errs bytes.Buffer
	code = run(ctx, args, strings.NewReader(""), &out, &errs)
	at := interrupted.Load()
	if at == 0 {
		return out.String(), errs.String(), code, false
	}
	if !asked {
		t.Errorf("%q does not end", args)
	}
	if took := time.Since(time.Unix(0, at)); took > within/3 {
		t.Errorf("%q ends only %v after an interrupt", args, took)
	}
	// A run that was at its very end answers all the same.
	if code != cmdline.ExitFailure && code != cmdline.ExitAnswered && code != cmdline.ExitInfeasible {
		t.Errorf("%q, interrupted: exit code %d, stderr %q", args, code, errs.String())
	}
	return out.String(), errs.String(), code, true
}

// wordsLine begins the line after messages that says where their words are explained.
const wordsLine = "what words mean: capplan terms "

// checkRun checks what holds for every run.
func checkRun(t *testing.T, args []string, code int, stdout, stderr string) {
	t.Helper()
	bad := func(what string) {
		t.Errorf("%s\n%q\nexit code %d\nstdout %q\nstderr %q", what, args, code, stdout, stderr)
	}
	gate := len(args) > 1 && args[1] == "check" && code == cmdline.ExitInfeasible && stdout != ""
	switch {
	case code == cmdline.ExitFailure:
		bad("a failure where nothing can fail")
		return
	case code < 0 || code > 3:
		bad("an exit code that is none")
		return
	case code != cmdline.ExitAnswered && !gate:
		if stdout != "" {
			bad("an error with an answer")
		}
		// What was left out of the input comes before it, where words are explained after.
		for strings.HasPrefix(stderr, "warning: ") {
			_, stderr, _ = strings.Cut(stderr, "\n")
		}
		if before, last, ok := strings.Cut(stderr, wordsLine); ok && strings.Count(last, "\n") == 1 {
			stderr = before
		}
		if strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "capplan") || !strings.HasSuffix(stderr, "\n") || len(stderr) < 15 {
			bad("an error is not one line")
		}
		return
	}
	if code == cmdline.ExitAnswered && stdout == "" {
		bad("no answer")
	}
	if noNumber.MatchString(stdout) && args[1] != "completion" {
		bad("an answer with NaN or Inf")
	}
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "warning: ") && !strings.HasPrefix(line, wordsLine) {
			bad("an answer with an error")
		}
	}
	if strings.Contains(stdout, "USAGE:") || len(args) > 1 && args[1] == "cluster" { // help, or a script
		return
	}
	switch format := args[slices.Index(args, "-o")+1]; {
	case slices.Contains(args, "--csv") || format == "csv":
		if rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll(); err != nil || len(rows) < 2 {
			bad("no CSV with a header and rows")
		}
	case format == "json":
		var v map[string]any
		if err := json.Unmarshal([]byte(stdout), &v); err != nil {
			bad("no JSON: " + err.Error())
		}
		if field := outOfRange("", v); field != "" {
			bad("an answer that cannot be: " + field)
		}
	}
}

// mutated are lines with answers beside questions and sweeps.
var mutated = []string{
	"availability label testdata/hosts-small.csv --host busy --working-set 256MB --gap 1h",
	"availability label testdata/events.tab --host node1 --period 1h --explain",
	"availability label testdata/spot.json --threshold 1 --trace-date 2024-01-01 --zone Europe/Berlin --per-sample",
	"availability fit testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 10 --ages",
	"availability fit testdata/hosts-small.csv --day weekday --start 09:00 --window 4h --days 4 --estimator counts",
	"availability predict testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 10 --state S2 --elapsed 10min --seed 2",
	"availability predict testdata/host-small.csv --day weekend --start 23:00 --window 2h --days 3 --holiday 2024-01-02 --explain",
	"availability rank testdata/hosts-small.csv --day weekday --start 09:00 --window 6h --days 4 --task 1h --rate busy=2",
	"availability evaluate testdata/host-small.csv --day weekday --windows 1h,2h --starts 09:00,14:00 --baselines ar,last --order 2 --train 50%",
	"availability solve testdata/kernel.json --window 1min --elapsed 6s --state S1 --explain",
	"allocate testdata/batch.yaml --method lp-round --backup soft --seed 3",
	"allocate testdata/batch.yaml --method unit-best --fail r1",
	"allocate testdata/batch.yaml --bound-only",
	"allocate generate --jobs 10 --resources 3 --primary-factor 0.6 --mix 20,70,10 --seed 4",
	"allocate verify testdata/batch.yaml testdata/batch-answer.json",
}

// Command lines that have an answer, with one to three things changed: a value
// replaced, a word dropped, doubled or moved, a character lost or added. They
// come from one seed, so that a failure comes back.
func TestMutatedCommandLines(t *testing.T) {
	longtest.Skip(t)
	atRoot(t)
	rng := rand.New(rand.NewPCG(3, 4))
	lines := slices.Clone(sweptLines)
	for _, q := range questions {
		lines = append(lines, q.line)
	}
	lines = append(append(lines, mutated...), fuzzedExamples()...)
	codes := map[int]int{}
	for range 800 {
		line := lines[rng.IntN(len(lines))]
		if strings.Contains(line, "das2-small") {
			continue // takes long
		}
		args := append([]string{"capplan"}, strings.Fields(line)...)
		for range 1 + rng.IntN(3) {
			args = mutate(rng, args)
		}
		if rng.IntN(2) == 0 {
			args = append(args, "-o", []string{"json", "csv"}[rng.IntN(2)])
		}
		out, errs, code, stopped := runFor(t, args, 30*time.Second)
		if !stopped {
			checkRun(t, args, code, out, errs)
		}
		codes[code]++
	}
	// Few examples are infeasible, and fewer of the draws fall on them with each new one.
	if codes[0] < 80 || codes[2] < 80 || codes[3] < 4 {
		t.Errorf("exit codes %v: the lines are not mixed enough to show anything", codes)
	}
}

func mutate(rng *rand.Rand, args []string) []string {
	i := 1 + rng.IntN(len(args)-1)
	if len(args) < 3 || i > 1 && slices.Contains(amounts, args[i-1]) || slices.Contains(amounts, args[i]) {
		return args
	}
	out := slices.Clone(args)
	switch rng.IntN(12) {
	case 0:
		return slices.Delete(out, i, i+1)
	case 1:
		return slices.Insert(out, i, out[i])
	case 2:
		j := 2 + rng.IntN(len(out)-2)
		out[max(i, 2)], out[j] = out[j], out[max(i, 2)]
		return out
	case 3:
		if s := out[i]; len(s) > 1 {
			k := rng.IntN(len(s))
			out[i] = s[:k] + s[k+1:]
		}
		return out
	case 4:
		k := rng.IntN(len(out[i]) + 1)
		out[i] = out[i][:k] + string("0.e-%/s=: "[rng.IntN(10)]) + out[i][k:]
		return out
	case 5, 6, 7, 8:
		if i > 1 && !strings.HasPrefix(out[i], "--") && !strings.Contains(out[i], "testdata/") {
			out[i] = extreme(rng, out[i])
		}
		return out
	}
	// Mostly another value.
	if !strings.HasPrefix(out[i], "--") && i > 2 {
		out[i] = fuzzValues[rng.IntN(len(fuzzValues))]
	}
	return out
}
