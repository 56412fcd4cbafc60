package availability

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

// hostForm names the forms of a trace, for every message about a file that has none of them.
const hostForm = `a trace of machines: CSV with the columns time, cpu and optionally
free_mb and host; CSV with timestamp and value in percent (CloudWatch); PlanetLab
days, as a folder, a file DAY/HOST or a tar archive; events of the Failure Trace
Archive; a 0/1 trace of spot instances in JSON; plain, .gz or .xz`

// given says what is wrong with the traces that a command has to read. Machines come from files or
// from a server, and from one of them.
func (in *HostInput) given(args []string) error {
	switch {
	case in.live.server.Given() && len(args) > 0:
		return &cmdline.UsageError{Reason: "machines are both in " + spell.Quote(args[0]) +
			" and at --prometheus: leave one of them out"}
	case !in.live.server.Given() && len(args) == 0:
		return &cmdline.UsageError{Reason: "no trace given, want " + strings.ReplaceAll(hostForm, "\n", " ") +
			"; or --prometheus URL --cpu-query QUERY"}
	}
	return nil
}

// HostInput reads traces of machines and the thresholds of their states, as the
// flags say. An unset field is nil or empty, and the default of the labelling or of the reader
// holds. Read fills in Hosts and Warnings.
type HostInput struct {
	// kind is the form of the traces, and host the one machine of several that is wanted.
	kind             string
	host, zone, date string
	// Holidays are days that count as weekends.
	holidayFile string
	holidays    []string
	// percent says that loads go to 100 and not to 1; strict, that a bad row is an error.
	percent, strict bool
	// states are the thresholds of the states and the period; nil: those of iShare.
	states machines.Labelling
	// threshold is for spot traces: instances from which on a machine is up.
	threshold int
	// How columns are called, and how their times are written.
	columns, timeForm string
	// total is the memory of a machine in bytes, where a trace has the share in use.
	total *units.Size
	// gaps says what a gap means: that the machine was gone, or that nothing is known.
	gaps     string
	live     liveMachines
	set      *cmdline.FlagSet
	Many     bool // machines are wanted, not one
	Hosts    []machines.Trace
	Warnings []string
}

// Flags binds the flags of the trace, of the thresholds and of the calendar. Defaults that a help text
// names are those of machines.Labelling; here an unset flag stays nil.
func (in *HostInput) Flags(s *cmdline.FlagSet) {
	in.set = s
	cmdline.OneOf(s, "input", &in.kind,
		"`KIND` of trace: host, cloudwatch, planetlab, fta or spot (default: recognized by its content)",
		[]string{"input-format"},
		string(trace.HostKind), string(trace.CloudWatchKind), string(trace.PlanetLabKind), string(trace.FTAKind),
		string(trace.SpotKind))
	// The name is matched after the columns are known; a trace without names has one machine.
	s.Text("host", &in.host, "NAME", "name of the machine, in a trace of several")
	s.Text("columns", &in.columns, "LIST",
		"names of the columns of a CSV, such as time=ts,cpu=load,host=node, for the roles "+
			strings.Join(trace.HostColumns, ", ")+
			"; other columns are ignored")
	s.Text("time-format", &in.timeForm, "FORM",
		"format of the times in a CSV: unix, ms, us, ns or a pattern such as '%d.%m.%Y %H:%M' (default unix seconds "+
			"or RFC 3339); times without an offset are in --zone")
	cmdline.Value(s, "memory-total", &in.total, "SIZE", "memory of a machine, from which free_percent or "+
		"used_percent is taken")
	// A gap is a failure by default, since iShare takes a silent monitor for a machine that is
	// gone.
	cmdline.OneOf(s, "gaps", &in.gaps,
		"`MEANING` of a gap longer than --gap: gone (the machine was off) or unknown (the monitor was down)",
		nil, "gone", "unknown")
	s.Toggle("percent", &in.percent, "read the cpu column of a host trace as percent")
	s.Toggle("strict", &in.strict, "treat a malformed row as an error instead of a warning")
	// A record of ups and downs has no period of its own: 5 minutes is the step at which it is
	// sampled.
	cmdline.Number[units.Duration](s, "period",
		&in.states.Period, "TIME", "time between samples (default: the median gap; 5min for events of up and down)")
	// Th1 and Th2 of 20 % and 60 % and the minute of grace are what iShare measured on Linux: the
	// loads at which a guest slows the owner's work.
	cmdline.Number[units.Fraction](s, "light", &in.states.Light, "P", "Th1: a load below it is light (default 20%)")
	cmdline.Number[units.Fraction](s, "heavy",
		&in.states.Heavy, "P", "Th2: a load above it for longer than the grace time is failure S3 (default 60%)")
	cmdline.Number[units.Duration](s, "grace",
		&in.states.Grace, "TIME", "time that a guest waits above Th2 before it is ended (default 1min)")
	// Without a working set S4 never occurs.
	cmdline.Number[units.Size](s, "working-set",
		&in.states.WorkingSet, "SIZE", "memory of the guest: less free memory is failure S4 (default: memory is "+
			"ignored)")
	cmdline.Number[units.Duration](s, "gap",
		&in.states.Gap, "TIME", "time without a sample after which the machine counts as gone, failure S5 (default "+
			"3 periods)")
	s.Text("zone", &in.zone, "ZONE", "time zone of the clock, such as Europe/Berlin (default UTC)")
	s.Text("trace-date",
		&in.date, "DATE", "date of the first sample such as 2011-03-03, if neither the trace nor its path gives it")
	s.Text("holidays", &in.holidayFile, "FILE", "list of dates such as 2024-12-25, one per line, that count as "+
		"weekend")
	s.Repeated("holiday", &in.holidays, "a date such as 2024-12-25", "`DATE` that counts as weekend; may be repeated")
	// At a threshold of 0 a spot trace would be up at all times.
	cmdline.Into[units.Count](s, "threshold", &in.threshold, "N",
		"least number of instances with which a spot trace counts as up (default 1)",
		cmdline.Within(1, 1e9, "at least 1 instance"))
	in.live.flags(s)
}

// Labelling returns the thresholds and the calendar. Errors: *ask.InputError of the flag;
// *source.FileError of the file of holidays.
func (in *HostInput) Labelling(ctx context.Context) (machines.Labelling, error) {
	l := in.states
	l.Unwatched = in.gaps == "unknown"
	var err error
	if l.Location, err = in.location(); err != nil {
		return l, err
	}
	for _, h := range in.holidays {
		t, err := time.Parse(time.DateOnly, h)
		if err != nil {
			return l, &ask.InputError{Field: "holiday", Reason: spell.Quote(h) + ", want a date such as 2024-12-25"}
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

// location is the zone of the clock, nil where none is given. Errors: *ask.InputError of the flag.
func (in *HostInput) location() (*time.Location, error) {
	if in.zone == "" {
		return nil, nil
	}
	zone, err := time.LoadLocation(in.zone)
	if err != nil {
		return nil, &ask.InputError{Field: "zone",
			Reason: spell.Quote(in.zone) + ": no such time zone, want a name such as Europe/Berlin"}
	}
	return zone, nil
}

// labels reports whether a flag says how samples become states. A fitted fleet keeps its
// own labelling and refuses another.
func (in *HostInput) labels() bool {
	l := &in.states
	return l.Period != nil || l.Grace != nil || l.Gap != nil || l.Light != nil || l.Heavy != nil ||
		l.WorkingSet != nil || in.gaps != "" ||
		in.zone != "" || in.holidayFile != "" || in.holidays != nil
}

// unread refuses flags of traces where none is read. Errors: as of cmdline.FlagSet.Misplaced.
func (in *HostInput) unread() error {
	return in.set.Misplaced("says how traces are read, and --fleet is used instead of traces: leave it out", "input",
		"columns", "time-format", "memory-total", "gaps", "percent", "strict", "period", "light", "heavy", "grace",
		"working-set", "gap", "zone", "trace-date", "holidays", "holiday", "threshold")
}

// readHolidays reads a file of dates. A # begins a comment. Errors: *source.FileError.
func readHolidays(ctx context.Context, path string) ([]smp.Date, error) {
	src, err := source.Open(ctx, path,
		source.OpenOptions{Want: "dates such as 2024-12-25, one per line, with # before a comment"})
	// No holidays is a plain thing to say, and an empty file says it.
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

// options returns how to read, but for the machines. Errors: *ask.InputError of the flag.
func (in *HostInput) options(s *cmdline.Streams) (trace.MachineOptions, error) {
	o := trace.MachineOptions{Kind: trace.TraceKind(in.kind), Percent: in.percent, Strict: in.strict,
		Threshold: in.threshold,
		Open:      source.OpenOptions{Stdin: s.In, Wrap: s.Progress("reading"), Files: in.live.files}}
	if in.date != "" {
		t, err := time.Parse(time.DateOnly, in.date)
		if err != nil {
			return o, ask.Inputf("trace-date", "%s, want a date such as 2011-03-03", spell.Quote(in.date))
		}
		// A date without a time is midnight in UTC.
		o.Begin = new(float64(t.Unix()))
	}
	return o, in.hostTrace(&o)
}

// hostTrace says how host traces in CSV are written. Errors: *ask.InputError of the flag.
func (in *HostInput) hostTrace(o *trace.MachineOptions) (err error) {
	if in.columns != "" {
		// Only CSV has columns to name; that they are named says that the file is CSV.
		if o.Kind != "" && o.Kind != trace.HostKind {
			return &ask.InputError{Field: "columns", Reason: "only used with --input host"}
		}
		o.Kind = trace.HostKind
		if o.Columns, err = trace.ParseHostColumns(in.columns); err != nil {
			return &ask.InputError{Field: "columns", Reason: err.Error()}
		}
	}
	if in.timeForm != "" {
		if o.Time, err = trace.ParseTimeFormat(in.timeForm); err != nil {
			return &ask.InputError{Field: "time_format", Reason: err.Error()}
		}
	}
	if o.Zone, err = in.location(); err != nil {
		return err
	}
	if in.total != nil {
		// A condition in the negative refuses a size that is not a number as well.
		if o.TotalMB = float64(*in.total) / 1e6; !(o.TotalMB > 0) {
			return &ask.InputError{Field: "memory_total", Reason: "want a size above 0 such as 16GB"}
		}
	}
	return nil
}

// whole refuses the name of one machine where all are taken together.
func (in *HostInput) whole() error {
	if in.host != "" {
		return &ask.InputError{Field: "host", Reason: "the machines of a fleet are taken together: leave it out"}
	}
	return nil
}

// files returns how the traces are read. With Many all machines are read; else a trace of several
// needs the name of one.
func (in *HostInput) files(st *cmdline.Streams) (*records.Hosts, error) {
	o, err := in.options(st)
	return &records.Hosts{Options: o, Host: in.host, Many: in.Many}, err
}

// Read reads the traces; "-" is stdin. Warnings are kept even where reading fails: rows that were
// left out may be why. Errors: *ask.InputError, *source.FileError.
func (in *HostInput) Read(ctx context.Context, paths []string, st *cmdline.Streams) error {
	paths, err := in.fetched(ctx, paths)
	if err != nil {
		return err
	}
	r, err := in.files(st)
	if err != nil {
		return err
	}
	err = r.Read(ctx, paths)
	in.Hosts, in.Warnings = r.Records, append(in.Warnings, r.Warnings...)
	st.Hear(in.Warnings...)
	return err
}
