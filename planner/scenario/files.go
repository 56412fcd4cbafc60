package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/traffic"
)

// scenarioFiles reads the files that a question names into it.
type scenarioFiles struct {
	*Reader
	q        *Question
	warnings []string
}

// readAll reads all files that are named. A question that names files and has
// nowhere to look for them is refused by the first.
func (s *scenarioFiles) readAll(ctx context.Context) error {
	if named := s.q.files(); s.Files == nil && len(named) > 0 {
		return wrong(named[0].field, "values in its place, or a scenario that is read together with its files",
			"the file %q is named, but no files are read here", named[0].name)
	}
	for _, read := range []func(context.Context) error{s.load, s.service, s.machines, s.replicas, s.clusters, s.batch,
		s.hosts} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// missing says of a file that is not there where it was looked for.
func (s *scenarioFiles) missing(field, name string, err error) error {
	var file *source.FileError
	var what string
	switch {
	case !errors.As(err, &file):
		return err
	case errors.Is(err, fs.ErrNotExist):
		what = "there is no such file"
	case errors.Is(err, source.ErrIsDirectory):
		what = "this is a folder"
	default:
		return err
	}
	return wrong(field, "a file beside the scenario: names are relative to the scenario", "%s: %s, searched for as %s",
		name, what, s.path(name))
}

// readNamed reads a file that a field names.
func readNamed[T any](ctx context.Context, s *scenarioFiles, field, name, want string,
	read func(ctx context.Context, name string, r io.Reader) (T, error)) (none T, err error) {
	src, err := source.Open(ctx, s.path(name), s.open(name, want))
	if err != nil {
		return none, s.missing(field, name, err)
	}
	defer src.Close()
	return read(ctx, src.Name, src)
}

// load reads the record of traffic or the job log of the part load.
func (s *scenarioFiles) load(ctx context.Context) (err error) {
	l := s.q.Load
	if l == nil {
		return nil
	}
	if l.CurveFile != "" {
		read := l.recorded()
		read.Open = s.open(l.CurveFile, records.TrafficForm)
		record, err := read.Read(ctx, s.path(l.CurveFile))
		if err == nil {
			// The durations of a record say how long the service is, if nothing
			// else does.
			l.Service = record.Service
			l.Curve, err = read.Curve(record, s.path(l.CurveFile))
		}
		if err != nil {
			if none := s.missing("load.curve", l.CurveFile, err); none != err {
				return none
			}
			return ask.In("load", err)
		}
	}
	if l.LogFile == "" {
		return nil
	}
	l.Log, err = readNamed(ctx, s, "load.log", l.LogFile,
		"a job log in the Standard Workload Format, plain, .gz or .xz",
		func(ctx context.Context, name string, r io.Reader) (*joblog.Summary, error) {
			o := joblog.SWFOptions{From: float64(ask.Value(l.From)), To: float64(ask.Value(l.To))}
			sum, _, err := joblog.Summarize(ctx, name, r, o, nil) // without fitting laws
			return sum, err
		})
	return err
}

// service reads the service times of a file of their own.
func (s *scenarioFiles) service(ctx context.Context) (err error) {
	v := s.q.Service
	if v == nil || v.File == "" {
		return nil
	}
	v.Measured, err = readNamed(ctx, s, "service.file", v.File, records.ServiceForm, traffic.ReadService)
	return err
}

// machines reads a fitted fleet, or a trace, of each type.
func (s *scenarioFiles) machines(ctx context.Context) (err error) {
	for i := range s.q.Machines {
		m := &s.q.Machines[i]
		if m.FleetFile != "" {
			if m.Fitted, err = s.fitted(ctx, fmt.Sprintf("machines[%d].fleet", i), m.FleetFile); err != nil {
				return err
			}
		}
		if m.TraceFile == "" {
			continue
		}
		if err := s.recorded(ctx, fmt.Sprintf("machines[%d].trace", i), m); err != nil {
			return err
		}
	}
	return nil
}

// recorded reads the trace of a type of machine, and learns from it.
func (s *scenarioFiles) recorded(ctx context.Context, field string, m *MachineType) (err error) {
	defer s.reread(ctx, m.TraceFile)()
	if m.Trace, err = s.fleet(ctx, field, m.TraceFile); err != nil {
		return err
	}
	m.Fitted, err = s.learn(ctx, m.TraceFile)
	return err
}

// reread keeps the beginning of a pipe, which is looked at before it is read, until stop.
func (s *scenarioFiles) reread(ctx context.Context, name string) (stop func()) {
	again, end := records.Rereadable(ctx, s.Files, s.path(name))
	if again == nil {
		return end
	}
	before, with := s.Reader, *s.Reader
	with.Files, s.Reader = again, &with
	return func() { s.Reader = before; end() }
}

// replicas reads the trace of the part replicas.
func (s *scenarioFiles) replicas(ctx context.Context) (err error) {
	r := s.q.Replicas
	if r == nil || r.TraceFile == "" {
		return nil
	}
	defer s.reread(ctx, r.TraceFile)()
	r.Trace, err = s.fleet(ctx, "replicas.trace", r.TraceFile)
	return err
}

// fleet reads the up and down intervals of machines, or samples of their load,
// which are labelled by the thresholds of the part availability.
func (s *scenarioFiles) fleet(ctx context.Context, field, name string) (*tally.Fleet, error) {
	at, open := s.path(name), s.open(name, "")
	sampled, err := records.HoldSamples(ctx, at, open)
	if err != nil {
		return nil, s.missing(field, name, err)
	}
	if sampled {
		f, err := s.sampled(ctx, name, open)
		return f, s.missing(field, name, err)
	}
	l := &records.Lifetimes{Tally: tally.NewUpDown(true), Open: open}
	if err := l.Read(ctx, at); err != nil {
		return nil, s.missing(field, name, err)
	}
	if l.Durations != nil {
		return nil, wrong(field, "events of the Failure Trace Archive, a trace of spot instances, or samples of load",
			"%s holds durations, which do not say how long the times between them are", name)
	}
	s.warnings = append(s.warnings, l.Warnings...)
	return l.Tally.Fleet(), nil
}

// sampled labels the machines of a trace of samples.
func (s *scenarioFiles) sampled(ctx context.Context, name string, open trace.OpenOptions) (*tally.Fleet, error) {
	label, err := s.q.Availability.Labelling()
	if err != nil {
		return nil, ask.In("availability", err)
	}
	in := &records.Samples{Tally: machines.NewStateTally(label), Open: open}
	if err := in.Read(ctx, s.path(name)); err != nil {
		return nil, err
	}
	f, err := in.Tally.Fleet()
	if input, ok := errors.AsType[*ask.InputError](err); ok {
		return nil, ask.Inputf("", "%s: %s", s.path(name), input.Reason)
	}
	if err != nil {
		return nil, err
	}
	s.warnings = append(s.warnings, in.Warnings...)
	for _, w := range f.Warnings {
		s.warnings = append(s.warnings, name+": "+w)
	}
	return f, nil
}

// clusters reads the file of the part routing.
func (s *scenarioFiles) clusters(ctx context.Context) (err error) {
	r := s.q.Routing
	if r == nil || r.File == "" {
		return nil
	}
	r.listed, err = readNamed(ctx, s, "routing.file", r.File, "a cluster file in YAML or JSON", routes.ReadClusters)
	return err
}

// batch reads the file of the part allocation.
func (s *scenarioFiles) batch(ctx context.Context) (err error) {
	a := s.q.Allocation
	if a == nil || a.File == "" {
		return nil
	}
	a.listed, err = readNamed(ctx, s, "allocation.file", a.File, "a batch file in YAML or JSON", allocation.ReadBatch)
	return err
}

// hosts reads the records of machines.
func (s *scenarioFiles) hosts(ctx context.Context) error {
	v := s.q.Availability
	if v == nil {
		return nil
	}
	if _, err := v.Labelling(); err != nil {
		return ask.In("availability", err)
	}
	in := &records.Hosts{Options: trace.MachineOptions{Open: s.open(v.TraceFile, "")}, Many: true}
	if err := in.Read(ctx, []string{s.path(v.TraceFile)}); err != nil {
		return s.missing("availability.trace", v.TraceFile, err)
	}
	v.Hosts = in.Records
	s.warnings = append(s.warnings, in.Warnings...)
	return nil
}
