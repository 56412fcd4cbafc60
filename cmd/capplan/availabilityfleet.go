package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/trace"
)

// A fleetFit reads and fits machines on all cores and hands their lines out in
// the order in which they were found.
type fleetFit struct {
	in      *hostInput
	traces  *records.Hosts
	q       *machines.FleetQuestion
	out     string
	resume  bool
	streams *cmdline.Streams

	mu       sync.Mutex // of what follows
	seen     map[string]bool
	names    []string // first few that were not asked for, for a suggestion
	files    int
	leftOut  int
	firstBad error
}

// fleetBatch is the number of machines that are fitted before their lines are
// written.
const fleetBatch = 64

// run answers for one machine, whose recorder it returns, or for a fleet.
func (f *fleetFit) run(ctx context.Context, paths []string) (*machines.Recorder, *machines.FleetAnswer, error) {
	var err error
	if f.traces, err = f.in.files(f.streams); err != nil {
		return nil, nil, err
	}
	o := f.traces.Options
	if f.resume && f.out == "" {
		return nil, nil, &cmdline.UsageError{Reason: "--resume needs --out and the file to go on with"}
	}
	found, err := trace.FindMachines(ctx, paths)
	if err != nil {
		return nil, nil, err
	}
	f.seen = map[string]bool{}
	var first []*machines.Recorder
	if len(found) == 1 || f.in.host != "" {
		// It may be one machine.
		for _, u := range found {
			some, err := f.read(ctx, u, o, nil)
			if err != nil {
				return nil, nil, err
			}
			first = append(first, some...)
		}
		if err := f.traces.Unread(); err != nil {
			return nil, nil, err
		}
		if len(first) == 0 {
			return nil, nil, &ask.InputError{Field: "host", Reason: "the trace has no machine " + spell.Quote(f.in.host) + spell.Suggest(f.in.host, f.names)}
		}
		if len(first) == 1 && !f.resume {
			return first[0], nil, nil
		}
		if f.in.host != "" {
			if f.resume {
				return nil, nil, &cmdline.UsageError{Reason: "--resume is for a fleet, not for --host"}
			}
			return nil, nil, &ask.InputError{Field: "host", Reason: fmt.Sprintf("%d machines are named %s", len(first), spell.Quote(f.in.host))}
		}
	}
	if len(found) > 1 {
		o.Open.Wrap = nil // files are read at the same time: one bar counts them
	}
	a, err := f.fleet(ctx, found, first, o)
	if unread := (*ask.InputError)(nil); err == nil && errors.As(f.traces.Unread(), &unread) {
		// Known only when all is fitted, which is too late to refuse it.
		f.in.warnings = append(f.in.warnings, "--"+cmdline.FlagOf(unread.Field)+": "+unread.Reason)
	}
	return nil, a, err
}

// fleet fits the machines; first holds those of a single unit that was read.
func (f *fleetFit) fleet(ctx context.Context, found []trace.MachineUnit, first []*machines.Recorder, o trace.MachineOptions) (*machines.FleetAnswer, error) {
	file, err := openFleetFile(f.out, f.resume, f.q)
	if err != nil {
		return nil, err
	}
	defer file.close()
	if file.repaired {
		f.in.warnings = append(f.in.warnings, f.out+": the last line was cut short and is done again")
	}
	if first != nil {
		first = slices.DeleteFunc(first, func(r *machines.Recorder) bool { return file.done[r.Name()] })
	} else {
		f.seen = map[string]bool{}
	}
	// What can be stopped is stopped when the first error ends the run.
	work, stop := context.WithCancel(ctx)
	defer stop()
	workers := runtime.GOMAXPROCS(0)
	add, finish := f.streams.Steps(max(len(found), len(first)), "fit")
	defer finish()
	queue := make(chan chan fleetPart, 2*workers)
	slots := make(chan struct{}, workers)
	reading := parallel.Start(func() (none struct{}) {
		defer close(queue)
		for _, u := range found {
			parts := make(chan fleetPart, 1)
			select {
			case queue <- parts:
			case <-work.Done():
				return none
			}
			slots <- struct{}{}
			parallel.Start(func() (none struct{}) {
				defer func() { <-slots; close(parts) }()
				panicked := parallel.Catch(func() { f.unit(work, u, first, o, file.done, len(found) == 1, parts) })
				if panicked != nil {
					select {
					case parts <- fleetPart{panicked: panicked}:
					case <-work.Done():
					}
				}
				return none
			})
		}
		return none
	})
	hosts := file.hosts
	for parts := range received(ctx, queue) {
		for part := range received(ctx, parts) {
			part.panicked.Again()
			if part.err != nil {
				return nil, part.err
			}
			for _, h := range part.fits {
				hosts = append(hosts, h.HostSummary)
			}
			if err := file.write(part.fits); err != nil {
				return nil, err
			}
			if first != nil {
				add(len(part.fits))
			}
		}
		if first == nil {
			add(1)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	reading.Value() // has ended: it closed the queue
	if err := file.close(); err != nil {
		return nil, err
	}
	if f.leftOut > 0 {
		if f.leftOut == f.files {
			return nil, f.firstBad
		}
		f.in.warnings = append(f.in.warnings, fmt.Sprintf("%d of %d files could not be read and are left out; the first: %s", f.leftOut, f.files, cmdline.Plainly(f.firstBad)))
	}
	return f.q.SumUp(hosts, len(file.hosts))
}

// received ranges over a channel until it is closed or ctx is done, even if who
// should send hangs in a read.
func received[T any](ctx context.Context, c <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case v, ok := <-c:
				if !ok || !yield(v) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// A fleetPart is some machines of a unit, in order.
type fleetPart struct {
	fits     []*machines.HostFit
	err      error
	panicked *parallel.Panic
}

// unit reads and fits the machines of a unit.
func (f *fleetFit) unit(ctx context.Context, u trace.MachineUnit, recorders []*machines.Recorder, o trace.MachineOptions, done map[string]bool, alone bool, to chan<- fleetPart) {
	send := func(p fleetPart) bool {
		select {
		case to <- p:
			return p.err == nil
		case <-ctx.Done():
			return false
		}
	}
	if recorders == nil {
		var err error
		recorders, err = f.read(ctx, u, o, done)
		f.mu.Lock()
		f.files++
		if err != nil && !alone && !f.in.strict && ctx.Err() == nil && leaveOut(err) {
			f.leftOut++
			if f.firstBad == nil {
				f.firstBad = err
			}
			err, recorders = nil, nil
		}
		f.mu.Unlock()
		if err != nil {
			send(fleetPart{err: err})
			return
		}
	}
	for part := range slices.Chunk(recorders, fleetBatch) {
		fits := make([]*machines.HostFit, len(part))
		err := parallel.Each(ctx, 0, len(part), func(i int) (err error) {
			fits[i], err = machines.FitHost(ctx, f.q, part[i])
			part[i] = nil // its record is used up
			return err
		})
		if err != nil {
			send(fleetPart{err: err})
			return
		}
		if !send(fleetPart{fits: fits}) {
			return
		}
	}
}

// leaveOut tells a file that is wrong from two machines of one name.
func leaveOut(err error) bool {
	_, input := err.(*ask.InputError)
	return !input
}

// read records the machines of a unit, but those that are done.
func (f *fleetFit) read(ctx context.Context, u trace.MachineUnit, o trace.MachineOptions, done map[string]bool) ([]*machines.Recorder, error) {
	var out []*machines.Recorder
	o.Machine = func(name string) (trace.MachineSink, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.in.host != "" && name != f.in.host {
			if len(f.names) < 1e4 {
				f.names = append(f.names, name)
			}
			return nil, nil
		}
		if f.seen[name] {
			return nil, &ask.InputError{Field: "trace", Reason: fmt.Sprintf("two machines are named %q, the second in %s", name, u.Files[0].Path)}
		}
		f.seen[name] = true
		if done[name] {
			return nil, nil
		}
		r := f.q.NewRecorder(name)
		out = append(out, r)
		return records.SinkOf(r), nil
	}
	log, err := trace.ReadMachines(ctx, u, o)
	if err != nil {
		return nil, records.Undated(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.traces.Hear(log)
	f.in.warnings, f.traces.Warnings = append(f.in.warnings, f.traces.Warnings...), nil
	return out, nil
}
