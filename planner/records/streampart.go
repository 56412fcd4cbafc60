package records

import (
	"context"
	"encoding/json"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/partials"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/trace"
)

// A streamPart is what a file comes to.
type streamPart struct {
	Says  unitSays          `json:"says"`
	Texts []json.RawMessage `json:"texts"` // of its machines
}

// ReadParted is [Stream.Read] for work in shards, a piece a file: each returns what
// is kept of a machine, from several goroutines at the same time, and take gets it in
// the order of the files. What is read is not kept but turned into text where it
// is read, since shards run in other processes.
func (in *Stream) ReadParted(ctx context.Context, paths []string,
	each func(context.Context, *machines.Recorder) (json.RawMessage, error), take func(json.RawMessage) error) error {
	ctx = given.Context(ctx)
	if in == nil || in.Labelling == nil || each == nil || take == nil {
		return ask.Missing("traces", "how the traces of the machines are read, and who is told of them")
	}
	found, err := trace.FindMachinesIn(ctx, in.Options.Open.Files, paths)
	if err != nil {
		return err
	}
	var names machineNames
	one := func(ctx context.Context, i int) (streamPart, error) { return in.part(ctx, found[i], each) }
	work := pieces.Work{Name: "files", Count: len(found)}
	// Names that stand twice are found here, where all files come together in
	// order.
	err = pieces.Fold(ctx, work, partials.JSON[streamPart](), one, func(_ int, p streamPart) error {
		if err := names.take(&p.Says); err != nil {
			return err
		}
		in.hear(&p.Says)
		for _, text := range p.Texts {
			if err := take(text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return in.found(&names)
}

// part reads one file.
func (in *Stream) part(ctx context.Context, u trace.MachineUnit,
	each func(context.Context, *machines.Recorder) (json.RawMessage, error)) (streamPart, error) {
	o := in.Options
	o.Open.Wrap = nil
	recorders, says, err := in.record(ctx, u, o, nil, in.Labelling.NewRecorder)
	p := streamPart{Says: says}
	if err != nil {
		return p, err
	}
	p.Texts = make([]json.RawMessage, len(recorders))
	err = parallel.All(ctx, len(recorders), func(k int) (err error) {
		r := recorders[k]
		recorders[k] = nil // its record is used up
		p.Texts[k], err = each(ctx, r)
		return err
	})
	return p, err
}
