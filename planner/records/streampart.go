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
	Says   unitSays          `json:"says"`
	Passed []string          `json:"passed"` // machines that were not asked for
	Texts  []json.RawMessage `json:"texts"`  // of the others
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
	seen := map[string]bool{}
	var passed []string
	one := func(ctx context.Context, i int) (streamPart, error) { return in.part(ctx, found[i], each) }
	work := pieces.Work{Name: "files", Count: len(found)}
	// Names that stand twice are found here, where all files come together in
	// order.
	err = pieces.Fold(ctx, work, partials.JSON[streamPart](), one, func(_ int, p streamPart) error {
		for _, name := range p.Says.Names {
			if seen[name] {
				return ask.Inputf("trace", "two machines are named %q, the second in %s", name, p.Says.Path)
			}
			seen[name] = true
		}
		passed = append(passed, p.Passed...)
		in.undated, in.spot = in.undated+p.Says.Undated, in.spot+p.Says.Spot
		in.Warnings = append(in.Warnings, p.Says.Warnings...)
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
	return in.found(len(seen), passed)
}

// part reads one file.
func (in *Stream) part(ctx context.Context, u trace.MachineUnit,
	each func(context.Context, *machines.Recorder) (json.RawMessage, error)) (streamPart, error) {
	p := streamPart{Says: unitSays{Path: u.Files[0].Path}}
	var recorders []*machines.Recorder
	here := map[string]bool{}
	o := in.Options
	o.Open.Wrap = nil
	o.Machine = func(name string) (trace.MachineSink, error) {
		if in.Host != "" && name != in.Host {
			if len(p.Passed) < 1e4 {
				p.Passed = append(p.Passed, name)
			}
			return nil, nil
		}
		if here[name] {
			return nil, ask.Inputf("trace", "two machines are named %q, the second in %s", name, p.Says.Path)
		}
		here[name] = true
		p.Says.Names = append(p.Says.Names, name)
		r := in.Labelling.NewRecorder(name)
		recorders = append(recorders, r)
		return sinkOf(r), nil
	}
	log, err := trace.ReadMachines(ctx, u, o)
	if err != nil {
		return p, undatedError(err)
	}
	if log != nil {
		p.Says.Undated, p.Says.Spot, p.Says.Warnings = log.Undated, log.Spot, heard(log)
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
