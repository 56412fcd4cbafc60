package pools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim/pool"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

// Pool returns the system that the file describes; names of files are relative to
// dir, and open says how they are read. The warnings are what was left out of
// them. What is not given is as in PCU section 5.1.
func (f *File) Pool(ctx context.Context, dir string,
	open source.OpenOptions) (p pool.Pool, warnings []string, err error) {
	p = pool.Default(1)
	if f.d == nil {
		return p, nil, ask.Missing("pool", "a file")
	}
	if p.Dedicated, err = f.count("dedicated", f.d.Root, f.Dedicated, 0, mostMachines); err != nil {
		return p, nil, err
	}
	set(&p.Epoch, f.Epoch)
	// A migration is followed by a cool-down of one epoch, unless another is
	// given.
	p.CoolDown = p.Epoch
	set(&p.CoolDown, f.CoolDown)
	set(&p.Oldest, f.DropAfter)
	set(&p.Frozen, f.Precopy)
	if f.Replicas != nil {
		if p.Replicas, err = f.count("replicas", f.d.Root, *f.Replicas, 1, 1000); err != nil {
			return p, nil, err
		}
	}
	if f.Policy == "static" {
		p.Policy = pool.Static
	}
	p.FromStore = f.ReplicasFrom == "store"
	if l := f.Link; l != nil {
		set(&p.Link.Up, l.Up)
		set(&p.Link.Down, l.Down)
		set(&p.Link.Line, l.Line)
		set(&p.Link.Latency, l.Latency)
	}
	if a := f.Agreement; a != nil {
		set(&p.Agreement.Ratio, a.Ratio)
		set(&p.Agreement.Window, a.Window)
		set(&p.Agreement.MaxElongation, a.MaxElongation)
		if a.MaxLoad != nil {
			p.Agreement.MaxLoad = [2]float64{float64(a.MaxLoad.Low), float64(a.MaxLoad.High)}
		}
	}
	b := &builder{ctx: ctx, file: f, dir: dir, open: open}
	if err := b.public(&p.Public); err != nil {
		return p, nil, err
	}
	if p.Jobs, err = b.jobs(); err != nil {
		return p, nil, err
	}
	if p.Dedicated+p.Public.Machines == 0 {
		return p, nil, f.on(f.d.Root, "dedicated", "no machine at all", "dedicated or public ones")
	}
	return p, b.warnings, nil
}

// set takes over what is given.
func set[T ~float64](into *float64, v *T) {
	if v != nil {
		*into = float64(*v)
	}
}

// A builder makes the pool of a file; the files that it names are relative to dir.
type builder struct {
	ctx      context.Context
	file     *File
	dir      string
	open     source.OpenOptions
	warnings []string
}

// path is a name as the system opens it, relative to the file of the pool; "-" is
// the standard input.
func (b *builder) path(name string) string {
	if filepath.IsAbs(name) || name == "-" {
		return name
	}
	return filepath.Join(b.dir, name)
}

// mostMachines bounds machines and users: package sim/pool keeps each.
const mostMachines = 10_000_000

// count takes a number of a field below a node of the file that lies between two others.
func (f *File) count(name string, at *document.Node, n units.Count, least, most int64) (int, error) {
	if int64(n) < least || int64(n) > most {
		return 0, f.on(at, name, fmt.Sprintf("%s = %d", name, int64(n)), fmt.Sprintf("%d to %d", least, most))
	}
	return int(n), nil
}

// public reads the public machines. What is not given stays as in the PCU paper: a speed of 0.34 of a
// dedicated machine, spread by a half.
func (b *builder) public(p *pool.Public) error {
	f := b.file.Public
	if f == nil {
		return nil
	}
	at := b.file.d.Root.Field("public")
	if f.Machines != nil {
		var err error
		if p.Machines, err = b.file.count("machines", at, *f.Machines, 0, mostMachines); err != nil {
			return err
		}
	}
	speed, cv := .34, .5
	set(&speed, f.Speed)
	set(&cv, f.SpeedCV)
	p.Speed = pool.LogNormalOf(speed, cv)
	if f.Speeds != "" {
		speeds, err := b.speeds(f.Speeds)
		if err != nil {
			return err
		}
		p.Speeds = speeds
	}
	var err error
	switch {
	case f.On != "":
		if p.Coming.On, err = b.law(at.Field("on"), f.On, "exponential"); err != nil {
			return err
		}
		p.Coming.Off, err = b.law(at.Field("off"), f.Off, "exponential")
	case f.OnOff == "always":
		p.Coming = pool.Coming{}
	case f.OnOff != "":
		p.Coming, err = b.onOff(at.Field("on_off"), f.OnOff)
	case f.Trace != "":
		p.Coming = pool.Coming{}
		p.Coming.Traces, err = b.traces(at.Field("trace"), f.Trace)
	}
	return err
}

// law reads a law of the file, with its place if it is none.
func (b *builder) law(at *document.Node, text, otherwise string) (pool.Law, error) {
	l, err := ParseLaw(text, otherwise)
	// Many of longer times together leave the range of numbers.
	if err == nil && !(l.Mean() > 0 && l.Mean() <= 1e300) {
		err = fmt.Errorf("%q has no mean above 0 and up to 1e300 s", text)
	}
	if err != nil {
		return nil, b.file.d.On(at, err.Error(), lawForm)
	}
	return l, nil
}

// onOff reads two means such as 5min/2min.
func (b *builder) onOff(at *document.Node, text string) (pool.Coming, error) {
	on, off, ok := strings.Cut(text, "/")
	up, err := duration(strings.TrimSpace(on))
	down, err2 := duration(strings.TrimSpace(off))
	if !ok || err != nil || err2 != nil {
		problem := fmt.Sprintf("%q", text)
		// A time of 0 is a machine that never comes on, and is refused as such.
		if t, parsed := units.Parse[units.Duration](strings.TrimSpace(on)); ok && parsed == nil && t == 0 {
			problem += ": machines that never come on"
		}
		return pool.Coming{}, b.file.d.On(at, problem,
			"laws of the times that a machine is there and away, both above 0, such as 5min/2min, or always")
	}
	return pool.Coming{On: law.Exponential{Scale: up}, Off: law.Exponential{Scale: down}}, nil
}

// speeds reads one number a line.
func (b *builder) speeds(name string) ([]float64, error) {
	const form = "a speed above 0 of a dedicated machine on each line, such as 0.34"
	open := b.open
	open.Want = form
	src, err := source.Open(b.ctx, b.path(name), open)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	lines, err := source.NewLineReader(b.ctx, src.Name, src, form)
	if err != nil {
		return nil, err
	}
	bad := func(problem string) error {
		return &FileError{File: src.Name, Line: lines.Line, Problem: problem, Want: form, Err: source.ErrMalformed}
	}
	var out []float64
	for {
		line, long, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, lines.ReadError(err)
		}
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		v, ok := source.ParseNumber([]byte(text))
		if long || !ok || !(v > 0) {
			return nil, bad(fmt.Sprintf("%.40q is not a speed", text))
		}
		if out = append(out, v); len(out) > 10_000_000 {
			return nil, bad("more than 10,000,000 speeds")
		}
	}
}

// jobs returns the workload.
func (b *builder) jobs() (pool.Workload, error) {
	j := &b.file.Jobs
	footprint := 1e6
	set(&footprint, j.Footprint)
	if j.SWF != "" {
		return b.log(footprint)
	}
	// Footprints are in bytes in the file and in bits in the model.
	w := pool.Poisson{Rate: float64(*j.Rate), Work: pool.Constant(5000), Footprint: 8 * footprint, Users: 100}
	at := b.file.d.Root.Field("jobs")
	if j.Work != "" {
		var err error
		if w.Work, err = b.law(at.Field("work"), j.Work, "deterministic"); err != nil {
			return nil, err
		}
	}
	if j.Users != nil {
		var err error
		if w.Users, err = b.file.count("users", at, *j.Users, 1, mostMachines); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// log reads the jobs of a log.
func (b *builder) log(footprint float64) (pool.Workload, error) {
	j := &b.file.Jobs
	o := LogOptions{Speed: 1, Footprint: footprint, Factor: 3}
	set(&o.Speed, j.ReferenceSpeed)
	set(&o.Factor, j.FootprintFactor)
	set(&o.Window.From, j.From)
	set(&o.Window.To, j.To)
	if o.Speed == 0 {
		return nil, b.file.d.On(b.file.d.Root.Field("jobs").Field("reference_speed"),
			"reference_speed = 0", "a speed above 0 such as 0.43")
	}
	jobs, unknown, err := ReadLog(b.ctx, b.path(j.SWF), b.open, o)
	if err != nil {
		return nil, err
	}
	if unknown > 0 {
		ask.Warn(&b.warnings, "%s %s",
			fault.Count(unknown, "job of the log has no memory and moves", "jobs of the log have no "+
				"memory and move"),
			units.FormatSize(footprint, 3))
	}
	return jobs, nil
}

// LogOptions say what of a log is taken.
type LogOptions struct {
	Window    joblog.SWFOptions
	Speed     float64 // of its machines, of a dedicated one, > 0
	Factor    float64 // data that a migration moves over the memory
	Footprint float64 // bytes that it moves where the memory is not known
}

// ReadLog reads a log in Standard Workload Format, each processor of a job a job by
// itself: the paper has threads that do not depend on each other. unknown is how
// many do not say their memory.
func ReadLog(ctx context.Context, path string, open source.OpenOptions,
	o LogOptions) (jobs pool.Log, unknown int, err error) {
	open.Want = "a job log in Standard Workload Format"
	src, err := source.Open(ctx, path, open)
	if err != nil {
		return nil, 0, err
	}
	defer src.Close()
	users := map[int64]int{}
	first := math.NaN()
	_, err = joblog.ReadSWF(ctx, src.Name, src, o.Window, func(one joblog.Job) error {
		// Times begin with the first job.
		if math.IsNaN(first) {
			first = one.Submit
		}
		if !(one.Run > 0) || one.Processors < 1 {
			return nil
		}
		user, known := users[one.User]
		if !known {
			user = len(users)
			users[one.User] = user
		}
		// The format has memory in kB a processor, and a migration moves several
		// times as much.
		bits := 8 * o.Footprint
		if one.Memory > 0 { // in kB a processor
			bits = 8 * 1024 * one.Memory * o.Factor
		} else {
			unknown++
		}
		// Two lines of a log can ask for any number of jobs, 32 bytes each, and the old list stands beside the new one
		// while it grows: 7.8 million took the program to .86 GB.
		if len(jobs)+one.Processors > source.MaxKept {
			return source.Whole(src.Name,
				fmt.Sprintf("more than %d million jobs of one processor", source.MaxKept/1_000_000),
				"a window of it, with from and to", source.ErrMemory)
		}
		for range one.Processors {
			jobs = append(jobs,
				pool.Arrival{At: one.Submit - first, Work: one.Run * o.Speed, Footprint: bits, User: user})
		}
		return nil
	})
	if err == nil && len(jobs) == 0 {
		err = source.Whole(src.Name, "no job with a run time and processors", open.Want, source.ErrMalformed)
	}
	return jobs, unknown, err
}

// traces reads the courses of nodes. Times up and away alternate in a course,
// which begins with a time up.
func (b *builder) traces(at *document.Node, name string) ([]pool.Trace, error) {
	open := b.open
	open.Want = "events of the Failure Trace Archive"
	src, err := source.Open(b.ctx, b.path(name), open)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	var nodes []pool.Trace
	_, err = trace.ReadFTA(b.ctx, src.Name, src, trace.FTAOptions{}, func(i trace.Interval) error {
		for len(nodes) <= i.Node {
			nodes = append(nodes, nil)
		}
		n := nodes[i.Node]
		d := i.End - i.Start
		switch up := len(n)%2 == 0; { // what the next interval is to be
		case !(d > 0) || len(n) == 0 && !i.Up: // it is to begin up
		case up == i.Up:
			n = append(n, d)
		default: // a gap in the trace: what holds on both its sides holds in it
			n[len(n)-1] += d
		}
		nodes[i.Node] = n
		return nil
	})
	if err != nil {
		return nil, err
	}
	kept, never := nodes[:0], 0
	for _, n := range nodes {
		if len(n)%2 != 0 {
			n = n[:len(n)-1] // goes round: its end is not known
		}
		// A node that is never seen to come and go has no course to follow.
		if len(n) == 0 {
			never++
			continue
		}
		kept = append(kept, n)
	}
	if len(kept) == 0 {
		return nil, b.file.d.On(at, fmt.Sprintf("%s: machines that never come on and go again", name),
			"a trace of at least one machine that comes and goes")
	}
	if never > 0 {
		ask.Warn(&b.warnings, "%s: %s left out", name,
			fault.Count(never, "node without both a time up and a time down is", "nodes without both a time up and a "+
				"time down are"))
	}
	return kept, nil
}
