package records

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/trace"
)

// A Fleet reads and fits machines on all cores, and hands their lines out in the
// order in which they were found.
type Fleet struct {
	Traces   *Hosts // how they are read, and which machine; its Records stay empty
	Question *machines.FleetQuestion
	Out      string // file of a line for each machine, "" for none
	Resume   bool   // go on with it
	// Progress is told what is counted, files or machines, before the first is
	// done; nil: nobody watches.
	Progress func(n int) (add func(int), done func())

	// Unread is an option that no file had a use for: of a fleet it is known only
	// when all is fitted, which is too late to refuse it.
	Unread *ask.InputError

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

// Fit answers for one machine, whose recorder it returns, or for a fleet. Its
// warnings are those of Traces.
func (f *Fleet) Fit(ctx context.Context, paths []string) (*machines.Recorder, *machines.FleetAnswer, error) {
	ctx = given.Context(ctx)
	switch {
	case f == nil || f.Traces == nil:
		return nil, nil, ask.Missing("traces", "how the traces of the machines are read")
	case f.Question == nil:
		return nil, nil, ask.Missing("question", "what is asked of each machine")
	}
	if err := f.Question.Check(); err != nil {
		return nil, nil, err
	}
	o := f.Traces.Options
	found, err := trace.FindMachines(ctx, paths)
	if err != nil {
		return nil, nil, err
	}
	f.seen = map[string]bool{}
	var first []*machines.Recorder
	if len(found) == 1 || f.Traces.Host != "" {
		// It may be one machine.
		for _, u := range found {
			some, err := f.read(ctx, u, o, nil)
			if err != nil {
				return nil, nil, err
			}
			first = append(first, some...)
		}
		if err := f.Traces.unread(); err != nil {
			return nil, nil, err
		}
		if len(first) == 0 {
			return nil, nil, f.Traces.noMachine(f.names)
		}
		if len(first) == 1 && !f.Resume {
			return first[0], nil, nil
		}
		if f.Traces.Host != "" {
			if f.Resume {
				return nil, nil, &ask.InputError{Field: "resume", With: "host", Reason: "one machine has no fleet file to go on with"}
			}
			return nil, nil, &ask.InputError{Field: "host", Reason: fmt.Sprintf("%d machines are named %s", len(first), spell.Quote(f.Traces.Host))}
		}
	}
	if len(found) > 1 {
		o.Open.Wrap = nil // files are read at the same time: one bar counts them
	}
	a, err := f.fleet(ctx, found, first, o)
	if err == nil {
		errors.As(f.Traces.unread(), &f.Unread)
	}
	return nil, a, err
}

// fleet fits the machines; first holds those of a single unit that was read.
func (f *Fleet) fleet(ctx context.Context, found []trace.MachineUnit, first []*machines.Recorder, o trace.MachineOptions) (*machines.FleetAnswer, error) {
	file, err := openFleetFile(f.Out, f.Resume, f.Question)
	if err != nil {
		return nil, err
	}
	defer file.close()
	if file.repaired {
		f.Traces.Warnings = append(f.Traces.Warnings, f.Out+": the last line was cut short and is done again")
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
	add, finish := func(int) {}, func() {}
	if f.Progress != nil {
		add, finish = f.Progress(max(len(found), len(first)))
	}
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
		f.Traces.Warnings = append(f.Traces.Warnings, fmt.Sprintf("%d of %d files could not be read and are left out; the first: %s", f.leftOut, f.files, f.firstBad))
	}
	return f.Question.SumUp(hosts, len(file.hosts))
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
func (f *Fleet) unit(ctx context.Context, u trace.MachineUnit, recorders []*machines.Recorder, o trace.MachineOptions, done map[string]bool, alone bool, to chan<- fleetPart) {
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
		if err != nil && !alone && !f.Traces.Options.Strict && ctx.Err() == nil && leaveOut(err) {
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
			fits[i], err = machines.FitHost(ctx, f.Question, part[i])
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
func (f *Fleet) read(ctx context.Context, u trace.MachineUnit, o trace.MachineOptions, done map[string]bool) ([]*machines.Recorder, error) {
	var out []*machines.Recorder
	o.Machine = func(name string) (trace.MachineSink, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.Traces.Host != "" && name != f.Traces.Host {
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
		r := f.Question.NewRecorder(name)
		out = append(out, r)
		return sinkOf(r), nil
	}
	log, err := trace.ReadMachines(ctx, u, o)
	if err != nil {
		return nil, undatedError(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Traces.hear(log)
	return out, nil
}
