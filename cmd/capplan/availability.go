package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/units"
	"github.com/capplan/capplan/workload"
)

func availabilityCommand() *command {
	return &command{
		name: "availability", usage: "how likely is this machine free through a window?",
		description: `From the record of a machine's CPU load and free memory, by a semi-Markov
process of five states: S1 light load, S2 heavy load, and the failures S3 (a guest
has to stop), S4 (memory short) and S5 (gone).

From 9:00 a guest has the machine for two hours on a weekday:

  $ capplan availability predict testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 10`,
		children: availabilityCommands(),
	}
}

func availabilityCommands() []func() *command {
	return []func() *command{labelCommand, estimateCommand, predictCommand, rankCommand, evaluateCommand, solveCommand}
}

// sweepAvailability makes the sweep of the commands with one figure.
func sweepAvailability() *command {
	return &command{
		name: "availability", usage: "sweep availability", description: "Takes the flags of predict or solve, and --over. See capplan sweep --help.",
		children: []func() *command{
			func() *command { return sweepOf(predictCommand) },
			func() *command { return sweepOf(solveCommand) },
		},
	}
}

const (
	hostTraceFile  = "host"
	cloudWatchFile = "cloudwatch"
	hostForm       = "a trace of a machine in CSV with the columns time, cpu and optionally free_mb and host, or timestamp and value in percent; plain, .gz or .xz"
)

// hostInput reads traces of machines and the thresholds of their states.
type hostInput struct {
	kind, host, zone   string
	percent, strict    bool
	period, grace, gap *units.Duration
	light, heavy       *units.Fraction
	memory             *units.Size
	many               bool // machines are wanted, not one
	hosts              []planner.HostTrace
	warnings           []string
}

func (in *hostInput) flags(s *flagSet) {
	oneOf(s, "input", &in.kind, "`KIND` of trace: host or cloudwatch (default: by its header)", nil, hostTraceFile, cloudWatchFile)
	text(s, "host", &in.host, "NAME", "of the machine, in a trace with a host column")
	toggle(s, "percent", &in.percent, "the cpu column of a host trace is in percent")
	toggle(s, "strict", &in.strict, "make a malformed line an error instead of a warning")
	value(s, "period", &in.period, "TIME", "between samples (default: the median of the gaps)")
	value(s, "light", &in.light, "P", "Th1: the load below it is light (default 20%)")
	value(s, "heavy", &in.heavy, "P", "Th2: above it for longer than the grace time is failure S3 (default 60%)")
	value(s, "grace", &in.grace, "TIME", "above Th2 that a guest waits before it is ended (default 1min)")
	value(s, "working-set", &in.memory, "SIZE", "of the guest: less free memory is failure S4 (default: memory is not looked at)")
	value(s, "gap", &in.gap, "TIME", "without a sample beyond which the machine was gone, failure S5 (default 3 periods)")
	text(s, "zone", &in.zone, "ZONE", "of the clock such as Europe/Berlin (default UTC)")
}

// labelling returns the thresholds.
func (in *hostInput) labelling() (planner.Labelling, error) {
	l := planner.Labelling{Period: float(in.period), Light: float(in.light), Heavy: float(in.heavy), Grace: float(in.grace), Gap: float(in.gap), WorkingSet: float(in.memory)}
	if in.zone != "" {
		where, err := time.LoadLocation(in.zone)
		if err != nil {
			return l, &planner.InputError{Field: "zone", Reason: quote(in.zone) + ": no such time zone, want a name such as Europe/Berlin"}
		}
		l.Location = where
	}
	return l, nil
}

func errNoTrace() error { return &usageError{reason: "no trace given, want " + hostForm} }

// read reads the files; "-" is stdin.
func (in *hostInput) read(ctx context.Context, paths []string, s *streams) error {
	for _, path := range paths {
		if err := in.file(ctx, path, s); err != nil {
			return err
		}
	}
	var names []string
	var kept []planner.HostTrace
	for _, h := range in.hosts {
		names = append(names, h.Name)
		if in.host == "" || h.Name == in.host {
			kept = append(kept, h)
		}
	}
	if len(kept) == 0 {
		return &planner.InputError{Field: "host", Reason: "the trace has no machine " + quote(in.host) + suggest(in.host, names)}
	}
	if in.hosts = kept; !in.many && len(kept) > 1 {
		if len(names) > 10 {
			names = append(names[:10], "...")
		}
		return &planner.InputError{Field: "host", Reason: fmt.Sprintf("the trace has %d machines: name one of %s", len(kept), strings.Join(names, ", "))}
	}
	return nil
}

func (in *hostInput) file(ctx context.Context, path string, s *streams) error {
	src, err := workload.Open(path, workload.OpenOptions{Stdin: s.in, Want: hostForm, Wrap: s.progress(path)})
	if err != nil {
		return err
	}
	defer src.Close()
	r := bufio.NewReaderSize(src, 64<<10)
	kind := in.kind
	if kind == "" {
		head, _ := r.Peek(4 << 10) // an error comes back at the first Read
		kind = hostKind(head)
	}
	at := map[string]int{}
	take := func(x workload.Sample) error {
		i, ok := at[x.Name]
		if !ok {
			i = len(in.hosts)
			at[x.Name] = i
			name := x.Name
			if name == src.Name {
				name = baseName(name)
			}
			in.hosts = append(in.hosts, planner.HostTrace{Name: name})
		}
		free := math.NaN()
		if x.HasFree {
			free = x.FreeMB
		}
		h := &in.hosts[i]
		h.Samples = append(h.Samples, smp.Sample{Time: x.Time, Load: x.CPU, FreeMemory: free})
		return nil
	}
	var log *workload.SampleLog
	if kind == cloudWatchFile {
		log, err = workload.ReadCloudWatch(ctx, src.Name, r, workload.CloudWatchOptions{Strict: in.strict}, take)
	} else {
		log, err = workload.ReadHostTrace(ctx, src.Name, r, workload.HostTraceOptions{Percent: in.percent, Strict: in.strict}, take)
	}
	if err != nil {
		return err
	}
	in.warnings = append(in.warnings, log.Warnings...)
	for _, bad := range log.Malformed.First {
		in.warnings = append(in.warnings, strip(bad))
	}
	if n := log.Malformed.Total(); n > len(log.Malformed.First) {
		in.warnings = append(in.warnings, fmt.Sprintf("%s: %d malformed rows in all are left out", src.Name, n))
	}
	return nil
}

// hostKind tells the kind of a trace by its header.
func hostKind(head []byte) string {
	for _, line := range bytes.Split(head, []byte{'\n'}) {
		line = bytes.ToLower(bytes.TrimSpace(line))
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if bytes.Contains(line, []byte("timestamp")) {
			return cloudWatchFile
		}
		break
	}
	return hostTraceFile
}

// baseName is a file's name without folder and suffixes.
func baseName(path string) string {
	name := filepath.Base(path)
	for _, suffix := range []string{".gz", ".xz", ".csv"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// dayInput is the window of a day.
type dayInput struct {
	day, start string
	window     *units.Duration
	days       *units.Count
}

func (in *dayInput) flags(s *flagSet) {
	oneOf(s, "day", &in.day, "`KIND` of days to learn from: weekday or weekend", nil, "weekday", "weekend")
	text(s, "start", &in.start, "HH:MM", "time of day at which the window begins")
	value(s, "window", &in.window, "TIME", "length of the window such as 2h")
	value(s, "days", &in.days, "N", "most recent days of that kind to learn from")
}

func (in *dayInput) question() (planner.DayWindow, error) {
	q := planner.DayWindow{Day: in.day}
	switch {
	case in.day == "":
		return q, &planner.InputError{Field: "day", Reason: "not given, want weekday or weekend"}
	case in.start == "":
		return q, &planner.InputError{Field: "start", Reason: "not given, want a time of day such as 09:00"}
	case in.window == nil:
		return q, &planner.InputError{Field: "window", Reason: "not given, want a length such as 2h"}
	case in.days == nil:
		return q, &planner.InputError{Field: "days", Reason: "not given, want a number of days such as 10"}
	case *in.days < 1 || *in.days > 1e6:
		return q, &planner.InputError{Field: "days", Reason: "want at least 1 day"}
	}
	var err error
	q.Start, err = timeOfDay("start", in.start)
	q.Window, q.Days = float64(*in.window), int(*in.days)
	return q, err
}

// timeOfDay reads a time such as 09:30 as seconds.
func timeOfDay(field, text string) (float64, error) {
	for _, layout := range []string{"15:04", "15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return float64(t.Hour()*3600 + t.Minute()*60 + t.Second()), nil
		}
	}
	return 0, &planner.InputError{Field: field, Reason: quote(text) + ", want a time of day 00:00 to 23:59"}
}

// sampleRows shows what a kernel rests on.
func sampleRows(samples []planner.StateSample) [][]string {
	rows := [][]string{{"state", "visits", "exits", "cut", "entered before", "longest"}}
	for _, s := range samples {
		rows = append(rows, []string{s.State, count(int64(s.Visits)), count(int64(s.Exits)), count(int64(s.Cut)), count(int64(s.Truncated)), plural(int64(s.Longest), "step", "steps")})
	}
	return rows
}

// withFailures adds to the scalar fields of an answer a column for each
// failure state.
func withFailures(v any, f *planner.AvailabilityFigures, down []string) [][]string {
	names, cells := scalars(v)
	for _, d := range down {
		names = append(names, "failure_probability_"+d)
		cells = append(cells, exactly(f.FailureProbability[d]))
	}
	return [][]string{names, cells}
}

// showReliability adds the figures of a window.
func showReliability(p *page, f *planner.AvailabilityFigures, down []string) {
	for _, d := range down {
		if v := f.FailureProbability[d]; v > 0 || len(down) <= 3 {
			p.row("fails by "+d, probability(v))
		}
	}
	mttf := "infinite"
	if f.MTTF != nil {
		mttf = units.FormatDuration(*f.MTTF, 5)
	}
	p.row("MTTF", mttf)
	p.row("mean up time", units.FormatDuration(f.MeanUp, 5), "within the window")
	p.row("initial state", f.InitialState, "for "+units.FormatDuration(f.Elapsed, 5)+" already")
	p.row("steps", count(int64(f.Horizon)), "of "+units.FormatDuration(f.Step, 5))
}

// probability keeps the digits near 1 and the size near 0.
func probability(v float64) string {
	if v > 0 && v < 1e-4 {
		return units.FormatNumber(v, 5)
	}
	return units.FormatFraction(v, 5)
}

// exactly writes a number for scripts, a unix time without an exponent.
func exactly(v float64) string {
	if a := math.Abs(v); a >= 1e-4 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
