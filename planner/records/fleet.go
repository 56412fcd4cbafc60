package records

import (
	"context"
	"errors"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/trace"
)

// A Fleet reads and fits machines on all cores, and hands their lines out in the
// order in which they were found. A line is handed out when it is done and all
// before it are, so that a file cut short is a prefix of the whole and can be
// gone on with.
type Fleet struct {
	Traces   *Hosts // how they are read, and which machine; its Records stay empty
	Question *machines.FleetQuestion
	Out      string // file of a line for each machine, "" for none
	Resume   bool   // go on with it
	// Progress is called with the number of files or machines before the first is done; nil: nobody
	// watches.
	Progress func(n int) (add func(int), done func())

	// Unread is an option that no file had a use for: of a fleet it is known only
	// when all is fitted, which is too late to refuse it.
	Unread *ask.InputError

	machines machineNames
	files    int
	leftOut  int
	firstBad error // why the first of them is
}

// Fit answers for one machine, whose recorder it returns, or for a fleet. Its
// warnings are those of Traces. One file, or a name, may stand for one machine,
// and that is known only when the file is read: its recorder is then returned,
// else it becomes the first part of the fleet.
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
	found, err := trace.FindMachinesIn(ctx, o.Open.Files, paths)
	if err != nil {
		return nil, nil, err
	}
	f.machines = machineNames{}
	var first []*machines.Recorder
	if len(found) == 1 || f.Traces.Host != "" {
		// It may be one machine.
		for _, u := range found {
			some, says, err := f.Traces.record(ctx, u, o, nil, f.Question.NewRecorder)
			if err == nil {
				err = f.hear(says)
			}
			if err != nil {
				return nil, nil, err
			}
			first = append(first, some...)
		}
		if err := f.Traces.unread(); err != nil {
			return nil, nil, err
		}
		if len(first) == 0 {
			return nil, nil, f.Traces.noMachine(f.machines.passed)
		}
		if len(first) == 1 && !f.Resume {
			return first[0], nil, nil
		}
		if f.Traces.Host != "" {
			if f.Resume {
				return nil, nil, &ask.InputError{Field: "resume",
					With: "host", Reason: "a single machine has no fleet file to continue"}
			}
			return nil, nil, ask.Inputf("host", "%d machines are named %s", len(first), spell.Quote(f.Traces.Host))
		}
	}
	if len(found) > 1 {
		o.Open.Wrap = nil // files are read at the same time: one bar counts them
	}
	a, err := f.fleet(ctx, found, first, o)
	if err == nil {
		// Of a fleet it is known only at the end whether any file had a use for
		// an option.
		errors.As(f.Traces.unread(), &f.Unread)
	}
	return nil, a, err
}

// fleet fits the machines; first holds those of a single unit that was read. The
// lines of machines that are done stay as they are, and their machines are not
// fitted again.
func (f *Fleet) fleet(ctx context.Context, found []trace.MachineUnit, first []*machines.Recorder,
	o trace.MachineOptions) (*machines.FleetAnswer, error) {
	// A merge goes on with its file without being told to: it computes nothing, and can be asked for only so.
	file, err := openFleetFile(f.Out, f.Resume || pieces.Given(ctx), f.Question)
	if err != nil {
		return nil, err
	}
	defer file.close(context.Canceled) // of a panic
	a, err := f.into(ctx, file, found, first, o)
	if err := file.close(err); err != nil {
		return nil, err
	}
	return a, nil
}

// into fits the machines into a file.
func (f *Fleet) into(ctx context.Context, file *fleetFile, found []trace.MachineUnit, first []*machines.Recorder,
	o trace.MachineOptions) (*machines.FleetAnswer, error) {
	if file.repaired {
		f.Traces.Warnings = append(f.Traces.Warnings, f.Out+": the last line was cut short and is computed again")
	}
	// What was read already is thinned out here; of files still to be read the
	// reader skips the machines. Pieces that are given are those of all machines.
	if first != nil && !pieces.Given(ctx) {
		first = slices.DeleteFunc(first, func(r *machines.Recorder) bool { return file.done[r.Name()] })
	} else if first == nil {
		// Fit has taken the names of what it read; here all is read from the beginning.
		f.machines = machineNames{}
	}
	w := &fleetWork{Fleet: f, found: found, first: first, options: o, file: file, hosts: file.hosts}
	w.add = func(int) {}
	finish := func() {}
	if f.Progress != nil {
		w.add, finish = f.Progress(max(len(found), len(first)))
	}
	defer finish()
	// With shards the pieces are files, or the machines of one file, and others
	// fit some of them.
	do := w.here
	if pieces.Parted(ctx) {
		do = w.parted
	}
	if err := do(ctx); err != nil {
		return nil, err
	}
	if f.leftOut > 0 {
		// If no file can be read the first reason is the answer; a few bad ones
		// among many are a warning.
		if f.leftOut == f.files {
			return nil, f.firstBad
		}
		ask.Warn(&f.Traces.Warnings, "%d of %d files could not be read and are left out; the first: %s", f.leftOut,
			f.files, f.firstBad)
	}
	return f.Question.SumUp(w.hosts, len(file.hosts))
}

// hear takes in what was found in a unit. Units come in the order in which they
// were found. A unit that could not be read counts as left out, with its reason,
// unless it is the only one.
func (f *Fleet) hear(says unitSays) error {
	f.files++
	if says.Bad != "" {
		if f.leftOut++; f.leftOut == 1 {
			if f.firstBad = says.err; f.firstBad == nil { // another read it
				f.firstBad = &ask.InputError{Reason: says.Bad}
			}
		}
		return nil
	}
	if err := f.machines.take(&says); err != nil {
		return err
	}
	f.Traces.hear(&says)
	return nil
}
