package records

import (
	"context"
	"sync"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/trace"
)

// A Stream reads the records of machines and hands them on one by one, labelled,
// so that only those of the files that are being read are kept. Files are read
// on all cores.
type Stream struct {
	Hosts     // Options and Host say what to read; Records stays empty
	Labelling *machines.Labelling
	// Done reports whether a machine need not be read; nil: none.
	Done func(name string) bool
	// Progress, if set, is told how many of the files are done or, of a single file that is read, how many of its
	// machines. It is called from one goroutine at a time, first with none.
	Progress func(done, of int)
}

// Read hands out the recorder of each machine, from several goroutines at the
// same time. A file, or an archive, is handed out when it is read to its end.
func (in *Stream) Read(ctx context.Context, paths []string,
	each func(context.Context, *machines.Recorder) error) error {
	return in.ReadPlaced(ctx, paths, func(ctx context.Context, _, _ int, r *machines.Recorder) error {
		return each(ctx, r)
	})
}

// ReadPlaced is [Stream.Read] with the place of each machine: the number of its file, and its own
// in the file. The places give results an order that does not depend on which file is read first.
func (in *Stream) ReadPlaced(ctx context.Context, paths []string,
	each func(ctx context.Context, file, machine int, r *machines.Recorder) error) error {
	ctx = given.Context(ctx)
	o := in.Options
	found, err := trace.FindMachinesIn(ctx, o.Open.Files, paths)
	if err != nil {
		return err
	}
	if len(found) > 1 {
		o.Open.Wrap = nil // files are read at the same time
	}
	var mu sync.Mutex
	done, of := 0, len(found)
	add := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		if done += n; in.Progress != nil && of > 0 {
			in.Progress(done, of)
		}
	}
	if of > 1 {
		add(0)
	}
	var names machineNames
	all := make([]unitSays, len(found))
	err = parallel.All(ctx, len(found), func(i int) error {
		recorders, says, err := in.record(ctx, found[i], o, in.Done, in.Labelling.NewRecorder)
		all[i] = says
		if err != nil {
			return err
		}
		mu.Lock()
		err = names.take(&says)
		mu.Unlock()
		if err != nil {
			return err
		}
		machine, file := 0, 1
		if len(found) == 1 {
			machine, file, of = 1, 0, len(recorders)
			add(0)
		}
		err = parallel.All(ctx, len(recorders), func(k int) error {
			r := recorders[k]
			recorders[k] = nil // its record is used up
			defer add(machine)
			return each(ctx, i, k, r)
		})
		add(file)
		return err
	})
	for i := range all {
		in.hear(&all[i]) // of files that failed too: what was left out may be why
	}
	if err != nil {
		return err
	}
	return in.found(&names)
}

// found finds out whether there was a machine, and whether all options were of
// use. Whether an option had a use is known when all files are read.
func (in *Stream) found(names *machineNames) error {
	if err := in.unread(); err != nil {
		return err
	}
	if len(names.seen) > 0 {
		return nil
	}
	if len(names.passed) == 0 {
		return ask.Inputf("trace", "no file in it holds samples of a machine")
	}
	return in.noMachine(names.passed)
}
