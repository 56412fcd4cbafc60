package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

const hostForm = `a trace of machines: CSV with the columns time, cpu and optionally
free_mb and host; CSV with timestamp and value in percent (CloudWatch); PlanetLab
days, as a folder, a file DAY/HOST or a tar archive; events of the Failure Trace
Archive; a 0/1 trace of spot instances in JSON; plain, .gz or .xz`

// errNoTrace says that a command has no trace to read.
func errNoTrace() error {
	return &usageError{reason: "no trace given, want " + strings.ReplaceAll(hostForm, "\n", " ")}
}

// hostInput reads traces of machines and the thresholds of their states.
type hostInput struct {
	kind               string
	host, zone, date   string
	holidayFile        string
	holidays           []string
	percent, strict    bool
	period, grace, gap *units.Duration
	light, heavy       *units.Fraction
	memory             *units.Size
	threshold          *units.Count
	many               bool // machines are wanted, not one
	hosts              []machines.Trace
	kept               source.Keeper
	warnings           []string
	undated, spot      int // files that were read for which date and threshold matter
}

func (in *hostInput) flags(s *flagSet) {
	oneOf(s, "input", &in.kind, "`KIND` of trace: host, cloudwatch, planetlab, fta or spot (default: by its content)", []string{"input-format"},
		string(trace.HostKind), string(trace.CloudWatchKind), string(trace.PlanetLabKind), string(trace.FTAKind), string(trace.SpotKind))
	text(s, "host", &in.host, "NAME", "of the machine, in a trace of several")
	toggle(s, "percent", &in.percent, "the cpu column of a host trace is in percent")
	toggle(s, "strict", &in.strict, "make a malformed row an error instead of a warning")
	value(s, "period", &in.period, "TIME", "between samples (default: the median of the gaps; 5min for events of up and down)")
	value(s, "light", &in.light, "P", "Th1: the load below it is light (default 20%)")
	value(s, "heavy", &in.heavy, "P", "Th2: above it for longer than the grace time is failure S3 (default 60%)")
	value(s, "grace", &in.grace, "TIME", "above Th2 that a guest waits before it is ended (default 1min)")
	value(s, "working-set", &in.memory, "SIZE", "of the guest: less free memory is failure S4 (default: memory is not looked at)")
	value(s, "gap", &in.gap, "TIME", "without a sample beyond which the machine was gone, failure S5 (default 3 periods)")
	text(s, "zone", &in.zone, "ZONE", "of the clock such as Europe/Berlin (default UTC)")
	text(s, "trace-date", &in.date, "DATE", "of the first sample such as 2011-03-03, where neither the trace nor its path says")
	text(s, "holidays", &in.holidayFile, "FILE", "of dates such as 2024-12-25, one a line, that count as weekend")
	s.list = append(s.list, &cli.GenericFlag{Name: "holiday", Usage: "`DATE`, repeated: a day that counts as weekend", Value: &list{&in.holidays, "a date such as 2024-12-25"}})
	value(s, "threshold", &in.threshold, "N", "instances from which on a spot trace is up (default 1)")
}

// labelling returns the thresholds and the calendar.
func (in *hostInput) labelling(ctx context.Context) (machines.Labelling, error) {
	l := machines.Labelling{Period: float(in.period), Light: float(in.light), Heavy: float(in.heavy), Grace: float(in.grace), Gap: float(in.gap), WorkingSet: float(in.memory)}
	if in.zone != "" {
		where, err := time.LoadLocation(in.zone)
		if err != nil {
			return l, &ask.InputError{Field: "zone", Reason: quote(in.zone) + ": no such time zone, want a name such as Europe/Berlin"}
		}
		l.Location = where
	}
	for _, h := range in.holidays {
		t, err := time.Parse(time.DateOnly, h)
		if err != nil {
			return l, &ask.InputError{Field: "holiday", Reason: quote(h) + ", want a date such as 2024-12-25"}
		}
		l.Holidays = append(l.Holidays, smp.DateOf(t))
	}
	if in.holidayFile != "" {
		days, err := readHolidays(ctx, in.holidayFile)
		if err != nil {
			return l, err
		}
		l.Holidays = append(l.Holidays, days...)
	}
	return l, nil
}

// readHolidays reads a file of dates.
func readHolidays(ctx context.Context, path string) ([]smp.Date, error) {
	src, err := source.Open(ctx, path, source.OpenOptions{Want: "dates such as 2024-12-25, one a line, # before a comment"})
	if errors.Is(err, source.ErrEmpty) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer src.Close()
	days, err := trace.ReadDates(ctx, src.Name, src)
	var out []smp.Date
	for _, d := range days {
		out = append(out, smp.DateOf(d))
	}
	return out, err
}

// options returns how to read, but for the machines.
func (in *hostInput) options(s *streams) (trace.MachineOptions, error) {
	o := trace.MachineOptions{Kind: trace.TraceKind(in.kind), Percent: in.percent, Strict: in.strict,
		Open: source.OpenOptions{Stdin: s.in, Wrap: s.progress("reading")}}
	if in.date != "" {
		t, err := time.Parse(time.DateOnly, in.date)
		if err != nil {
			return o, &ask.InputError{Field: "trace-date", Reason: quote(in.date) + ", want a date such as 2011-03-03"}
		}
		begin := float64(t.Unix())
		o.Begin = &begin
	}
	if in.threshold != nil {
		if *in.threshold < 1 || *in.threshold > 1e9 {
			return o, &ask.InputError{Field: "threshold", Reason: "want at least 1 instance"}
		}
		o.Threshold = int(*in.threshold)
	}
	return o, nil
}

// read reads the traces; "-" is stdin.
func (in *hostInput) read(ctx context.Context, paths []string, s *streams) error {
	o, err := in.options(s)
	if err != nil {
		return err
	}
	found, err := trace.FindMachines(paths)
	if err != nil {
		return err
	}
	in.kept.What, in.kept.Want = "samples", "fewer machines, such as one by --host, or shorter records; availability fit keeps none"
	var names []string
	var kept []*hostSink
	for _, u := range found {
		o.Machine = func(name string) (trace.MachineSink, error) {
			names = append(names, name)
			if in.host != "" && name != in.host || in.host == "" && !in.many && len(names) > 1 {
				return nil, nil
			}
			k := &hostSink{machines.Trace{Name: name}, &in.kept, u.Files[0].Path}
			kept = append(kept, k)
			return k, nil
		}
		log, err := trace.ReadMachines(ctx, u, o)
		if err != nil {
			return traceError(err)
		}
		in.warn(log)
	}
	if err := in.unread(); err != nil {
		return err
	}
	if len(names) == 0 {
		return &ask.InputError{Field: "trace", Reason: "no file in it holds samples of a machine: the forms that are read stand in capplan availability label --help"}
	}
	if len(kept) == 0 {
		return &ask.InputError{Field: "host", Reason: "the trace has no machine " + quote(in.host) + suggest(in.host, names)}
	}
	if in.host == "" && !in.many && len(names) > 1 {
		return severalMachines(names)
	}
	for _, k := range kept {
		in.hosts = append(in.hosts, k.host)
	}
	return nil
}

// unread finds a flag that no file which was read has a use for.
func (in *hostInput) unread() error {
	switch {
	case in.date != "" && in.undated == 0:
		return &ask.InputError{Field: "trace-date", Reason: "the traces have dates of their own: leave it out"}
	case in.threshold != nil && in.spot == 0:
		return &ask.InputError{Field: "threshold", Reason: "counts instances, and none of the traces is a spot trace: leave it out"}
	}
	return nil
}

func severalMachines(names []string) error {
	n := len(names)
	if n > 10 {
		names = append(names[:10:10], "...")
	}
	return &ask.InputError{Field: "host", Reason: fmt.Sprintf("the trace has %d machines: name one of %s", n, strings.Join(names, ", "))}
}

// warn keeps what is to be said of a file: the first malformed rows and how
// many there are.
func (in *hostInput) warn(log *trace.MachineLog) {
	in.undated, in.spot = in.undated+log.Undated, in.spot+log.Spot
	in.warnings = append(in.warnings, log.Warnings...)
	for _, bad := range log.Malformed.First {
		in.warnings = append(in.warnings, strip(bad))
	}
	if n := log.Malformed.Total(); n > len(log.Malformed.First) {
		in.warnings = append(in.warnings, fmt.Sprintf("%s: %d malformed rows in all are left out", log.Malformed.First[0].File, n))
	}
}

// traceError names the flag that gives what a file lacks.
func traceError(err error) error {
	var file *source.FileError
	if errors.As(err, &file) && errors.Is(err, trace.ErrNoDate) {
		return &ask.InputError{Field: "trace-date", Reason: "not given: " + strip(err)}
	}
	return err
}

// A hostSink keeps the record of a machine.
type hostSink struct {
	host machines.Trace
	kept *source.Keeper // of all machines
	file string
}

func (k *hostSink) Sample(x trace.Sample) error {
	k.host.Samples = append(k.host.Samples, smpSample(x))
	return k.kept.Keep(k.file)
}

func smpSample(x trace.Sample) smp.Sample {
	free := math.NaN()
	if x.HasFree {
		free = x.FreeMB
	}
	return smp.Sample{Time: x.Time, Load: x.CPU, FreeMemory: free}
}

func (k *hostSink) Interval(i trace.Interval, step float64) error {
	k.host.Step = step
	k.host.Spells = append(k.host.Spells, machines.Spell{Start: i.Start, End: i.End, Up: i.Up})
	return k.kept.Keep(k.file)
}

func (k *hostSink) Break() { k.host.Breaks = append(k.host.Breaks, len(k.host.Samples)) }
