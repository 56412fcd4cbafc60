package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/trace"
)

// maxScenario bounds a scenario file, which is kept for the report's folder.
const maxScenario = 64 << 20

// readScenario reads a scenario and all files that it names.
func readScenario(ctx context.Context, path string, st *streams) (*scenarioInput, error) {
	src, err := source.Open(ctx, path, source.OpenOptions{Stdin: st.in, Want: scenarioWant})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	content, err := io.ReadAll(io.LimitReader(src, maxScenario+1))
	if err != nil {
		return nil, err
	}
	if len(content) > maxScenario {
		return nil, &source.FileError{File: src.Name, Err: source.ErrMemory,
			Problem: fmt.Sprintf("holds more than %d MiB", maxScenario>>20), Want: "a scenario that names files for what is large",
		}
	}
	in := &scenarioInput{name: src.Name, content: content}
	if in.scenario, err = planner.ReadScenario(ctx, src.Name, bytes.NewReader(content)); err != nil {
		return nil, err
	}
	r := &scenarioReader{in: in, s: in.scenario, st: st, q: &planner.PlanQuestion{Seed: 1}}
	if path != "-" {
		r.folder = filepath.Dir(path)
	}
	in.question = r.q
	for _, part := range []func(context.Context) error{r.load, r.limits, r.machines, r.reliability, r.routing, r.allocation, r.availability} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// A scenarioReader turns a scenario into a question.
type scenarioReader struct {
	in     *scenarioInput
	s      *planner.Scenario
	st     *streams
	q      *planner.PlanQuestion
	folder string // of the scenario
}

// open names a file as the scenario does: relative to itself.
func (r *scenarioReader) open(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(r.folder, file)
}

// missing says of a file that is not there where it was looked for.
func (r *scenarioReader) missing(place, file string, err error) error {
	var at *source.FileError
	if errors.As(err, &at) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, source.ErrIsDirectory)) {
		what := "there is no such file"
		if errors.Is(err, source.ErrIsDirectory) {
			what = "this is a folder"
		}
		return r.s.At(place, fmt.Sprintf("%s: %s, looked for as %s", file, what, r.open(file)), "a file beside the scenario: names are relative to it")
	}
	return err
}

func (r *scenarioReader) load(ctx context.Context) error {
	q := r.q
	q.Name = r.s.Name
	if n := r.s.Samples; n != nil {
		q.Samples = int(*n)
	}
	if n := r.s.Seed; n != nil {
		q.Seed = uint64(*n)
	}
	if v := r.s.Service; v != nil {
		q.ServiceTime, q.ServiceSCV, q.Patience = v.Time, v.SCV, v.Patience
		q.Model, q.Staffing = sizing.ModelKind(v.Model), sizing.StaffingMethod(v.Staffing)
	}
	l := r.s.Load
	if l == nil {
		return nil
	}
	q.OfferedLoad, q.Rate, q.ArrivalSCV = l.Erlangs, l.Rate, l.ArrivalSCV
	var err error
	if l.Curve != "" {
		if q.Curve, err = readCurve(ctx, r.open(l.Curve), r.st); err != nil {
			return r.missing("load.curve", l.Curve, err)
		}
	}
	if l.Log != "" {
		w := window{from: l.From, to: l.To}
		if q.Log, err = readLog(ctx, r.open(l.Log), r.st, w.options()); err != nil {
			return r.missing("load.log", l.Log, err)
		}
	}
	return nil
}

func (r *scenarioReader) limits(context.Context) error {
	if o := r.s.Objectives; o != nil {
		r.q.Objectives = sizing.Objectives{MaxBlocking: o.MaxBlocking, MaxWait: o.MaxWait, Percentile: o.Percentile, ServiceLevelOf: sizing.ServiceLevelOf(o.ServiceLevelOf), MaxMeanWait: o.MaxMeanWait,
			MaxMeanResponse: o.MaxMeanResponse, MaxUtilization: o.MaxUtilization, MaxAbandon: o.MaxAbandon}
		r.q.Budget, r.q.MinUtilization, r.q.Target = o.Budget, o.MinUtilization, float(o.Availability)
		r.q.PublicCount = sizing.PublicCount(o.PublicCount)
	}
	if c := r.s.Costs; c != nil {
		r.q.Shortfall = c.Shortfall
	}
	return nil
}

func (r *scenarioReader) machines(ctx context.Context) error {
	for i, m := range r.s.Machines {
		t := planner.MachineType{Name: m.Name, Kind: planner.MachineKind(m.Kind), Price: m.Price, Speed: m.Speed, Availability: m.Availability,
			MTTF: m.MTTF, MTTR: m.MTTR, Predicted: m.Predicted, Replicas: whole(m.Replicas), Limit: whole(m.Limit), Slots: whole(m.Slots)}
		if m.SpeedCV != nil {
			t.SpeedCV = float64(*m.SpeedCV)
		}
		if m.AtLeast != nil {
			t.AtLeast = int64(*m.AtLeast)
		}
		if m.Trace != "" {
			var err error
			if t.Trace, err = r.trace(ctx, fmt.Sprintf("machines[%d].trace", i), m.Trace); err != nil {
				return err
			}
		}
		r.q.Machines = append(r.q.Machines, t)
	}
	return nil
}

// trace reads the up and down intervals of machines, or samples of their load,
// which are labelled by the thresholds of the part availability.
func (r *scenarioReader) trace(ctx context.Context, place, file string) (*tally.Fleet, error) {
	open := trace.OpenOptions{Stdin: r.st.in, Wrap: r.st.progress(r.open(file))}
	sampled, err := records.HoldSamples(ctx, r.open(file), open)
	if err != nil {
		return nil, r.missing(place, file, err)
	}
	if sampled {
		f, warnings, err := r.sampled(ctx, file, open)
		if err != nil {
			return nil, r.missing(place, file, err)
		}
		r.in.warnings = append(r.in.warnings, warnings...)
		for _, w := range f.Warnings {
			r.in.warnings = append(r.in.warnings, file+": "+w)
		}
		return f, nil
	}
	t := &records.Lifetimes{Tally: tally.NewUpDown(true), Open: open}
	if err := t.Read(ctx, r.open(file)); err != nil {
		return nil, r.missing(place, file, err)
	}
	if t.Durations != nil {
		return nil, r.s.At(place, file+" holds durations, which say nothing of the time between them", "events of the Failure Trace Archive, a trace of spot instances, or samples of load")
	}
	r.in.warnings = append(r.in.warnings, t.Warnings...)
	return t.Tally.Fleet(), nil
}

// sampled labels the machines of a trace of samples.
func (r *scenarioReader) sampled(ctx context.Context, file string, open trace.OpenOptions) (*tally.Fleet, []string, error) {
	label, err := r.labelling()
	if err != nil {
		return nil, nil, err
	}
	in := &records.Samples{Tally: machines.NewStateTally(label), Open: open}
	if err := in.Read(ctx, r.open(file)); err != nil {
		return nil, nil, err
	}
	f, err := in.Tally.Fleet()
	var input *ask.InputError
	if errors.As(err, &input) {
		err = &ask.InputError{Reason: r.open(file) + ": " + input.Reason}
	}
	return f, in.Warnings, err
}

// labelling returns the thresholds that the part availability gives.
func (r *scenarioReader) labelling() (machines.Labelling, error) {
	var l machines.Labelling
	v := r.s.Free
	if v == nil {
		return l, nil
	}
	l.Period, l.Light, l.Heavy, l.Grace, l.Gap = float(v.Period), float(v.Light), float(v.Heavy), float(v.Grace), float(v.Gap)
	l.WorkingSet = float(v.WorkingSet)
	if v.Zone != "" {
		where, err := time.LoadLocation(v.Zone)
		if err != nil {
			return l, r.s.At("availability.zone", v.Zone+": no such time zone", "a name such as Europe/Berlin")
		}
		l.Location = where
	}
	return l, nil
}

func (r *scenarioReader) reliability(ctx context.Context) error {
	q := r.q
	if l := r.s.Link; l != nil {
		q.Link = &planner.PlanLink{Uplink: float(l.Uplink), Downlink: float(l.Downlink), Footprint: float(l.Footprint), Replicas: whole(l.Replicas),
			Dedicated: whole(l.Dedicated), Epoch: float(l.Epoch), Rate: float(l.Rate)}
	}
	if e := r.s.Epoch; e != nil {
		q.Epoch = &planner.PlanEpoch{Length: float(e.Length), Migrations: float(e.Migrations), MigrationTime: float(e.MigrationTime),
			FailureRate: float(e.FailureRate), PublicJobs: float(e.PublicJobs), Model: survival.EpochModel(e.Model)}
	}
	if k := r.s.Checkpoint; k != nil {
		q.Checkpoint = &survival.CheckpointQuestion{MTBF: float(k.MTBF), Cost: float(&k.Cost), Work: float(&k.Work), Restart: float(k.Restart), MTTR: float(k.MTTR)}
	}
	if k := r.s.Checkpoint; k != nil {
		q.CheckpointMachine = k.Machine
	}
	p := r.s.Replicas
	if p == nil {
		return nil
	}
	q.Replicas = &survival.ReplicasQuestion{MTTF: float(p.MTTF), MTTR: float(p.MTTR), Target: float64(p.Target), Crews: whole(p.Crews), Window: float(p.Window)}
	q.ReplicasMachine = p.Machine
	if p.Needed != nil {
		q.Replicas.Needed = int64(*p.Needed)
	}
	if p.Trace != "" {
		var err error
		if q.Replicas.Trace, err = r.trace(ctx, "replicas.trace", p.Trace); err != nil {
			return err
		}
	}
	return nil
}

func (r *scenarioReader) routing(ctx context.Context) error {
	v := r.s.Routing
	if v == nil {
		return nil
	}
	q := &routes.Question{Clusters: v.Clusters, Types: v.Types, Rate: v.Rate, Policy: routes.Policy(v.Policy), Hedge: routes.Hedge(v.Hedge)}
	if v.File != "" {
		src, err := source.Open(ctx, r.open(v.File), source.OpenOptions{Want: "a cluster file in YAML or JSON"})
		if err != nil {
			return r.missing("routing.file", v.File, err)
		}
		defer src.Close()
		f, err := routes.ReadClusters(ctx, src.Name, src)
		if err != nil {
			return err
		}
		q.Clusters, q.Types = f.Clusters, append(f.Types, v.Types...)
	}
	r.q.Route = q
	return nil
}

func (r *scenarioReader) allocation(ctx context.Context) error {
	v := r.s.Allocation
	if v == nil {
		return nil
	}
	q := &allocation.Question{Batch: v.Batch, Method: alloc.Method(v.Method), Backup: alloc.BackupMode(v.Backup), Fail: v.Fail}
	if v.File != "" {
		src, err := source.Open(ctx, r.open(v.File), source.OpenOptions{Want: "a batch file in YAML or JSON"})
		if err != nil {
			return r.missing("allocation.file", v.File, err)
		}
		defer src.Close()
		if q.Batch, err = allocation.ReadBatch(ctx, src.Name, bufio.NewReader(src)); err != nil {
			return err
		}
	}
	if q.Method == alloc.Exact {
		var err error
		if q.Solver, err = allocation.IntegerSolver(""); err != nil {
			return err
		}
	}
	r.q.Allocate = q
	return nil
}

func (r *scenarioReader) availability(ctx context.Context) error {
	v := r.s.Free
	if v == nil {
		return nil
	}
	day := machines.DayWindow{Day: v.Day, Window: float64(v.Window), Days: int(min(v.Days, 1_000_000))}
	var err error
	if day.Start, err = timeOfDay("start", v.Start); err != nil {
		return r.s.At("availability.start", "availability.start = "+v.Start, "a time of day 00:00 to 23:59")
	}
	if v.Days < 1 {
		return r.s.At("availability.days", "no days to learn from", "a number of days such as 10")
	}
	label, err := r.labelling()
	if err != nil {
		return err
	}
	hosts, err := r.hosts(ctx, v.Trace)
	if err != nil {
		return err
	}
	if len(hosts) == 1 && v.Task == nil {
		r.q.Predict = &machines.PredictQuestion{Host: &hosts[0], Labelling: label, DayWindow: day}
		return nil
	}
	r.q.Rank = &machines.RankQuestion{Hosts: hosts, Labelling: label, DayWindow: day, Task: float(v.Task)}
	return nil
}

// hosts reads the records of machines.
func (r *scenarioReader) hosts(ctx context.Context, file string) ([]machines.Trace, error) {
	in := &hostInput{many: true}
	if err := in.read(ctx, []string{r.open(file)}, r.st); err != nil {
		return nil, r.missing("availability.trace", file, err)
	}
	r.in.warnings = append(r.in.warnings, in.warnings...)
	return in.hosts, nil
}
