package records

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/trace"
)

// Hosts reads the records of machines and keeps them. What is to be seen of a few
// machines needs all of their samples; a fleet is read by Fleet or Stream, which
// keep none.
type Hosts struct {
	Options trace.MachineOptions // its Machine is not read
	Host    string               // the machine that is wanted; empty: the only one, or with Many all
	Many    bool

	Records  []machines.Trace
	Warnings []string

	undated, spot int // files that were read for which Begin and Threshold matter
}

// Read reads traces, each a file, a folder or an archive; "-" is the standard
// input of Options.Open. Without a name and without Many the trace must hold one
// machine; more are an error that lists some. All names are read even then, for
// that list.
func (in *Hosts) Read(ctx context.Context, paths []string) error {
	ctx = given.Context(ctx)
	o := in.Options
	found, err := trace.FindMachinesIn(ctx, o.Open.Files, paths)
	if err != nil {
		return err
	}
	// One bound holds for the samples of all machines together.
	keeper := source.Keeper{
		What: "samples",
		Want: "fewer machines, such as one by its name, or shorter records",
	}
	var names []string
	var kept []*sink
	for _, u := range found {
		o.Machine = func(name string) (trace.MachineSink, error) {
			names = append(names, name)
			if in.Host != "" && name != in.Host || in.Host == "" && !in.Many && len(names) > 1 {
				return nil, nil
			}
			k := &sink{host: machines.Trace{Name: name}, kept: &keeper, file: u.Files[0].Path}
			kept = append(kept, k)
			return k, nil
		}
		log, err := trace.ReadMachines(ctx, u, o)
		var says unitSays
		says.hear(log) // of one that failed too: what was left out may be why
		in.hear(&says)
		if err != nil {
			return undatedError(err)
		}
	}
	if err := in.unread(); err != nil {
		return err
	}
	switch {
	case len(names) == 0:
		return ask.Inputf("trace", "no file in it holds samples of a machine")
	case len(kept) == 0:
		return in.noMachine(names)
	case in.Host == "" && !in.Many && len(names) > 1:
		return several(names)
	}
	in.Records = slices.Grow(in.Records, len(kept))
	for _, k := range kept {
		// Of many machines, what growing left over is much.
		if n := len(k.host.Samples); n < 1<<12 {
			k.host.Samples = slices.Clone(k.host.Samples)
		}
		in.Records = append(in.Records, k.host)
		k.host.Samples = nil
	}
	return nil
}

// noMachine says that the machine which is wanted is none of names. Names that
// are near are suggested.
func (in *Hosts) noMachine(names []string) error {
	return ask.Inputf("host", "the trace has no machine %s%s: it has %s", spell.Quote(in.Host),
		spell.Suggest(in.Host, names), spell.Listed(names))
}

// unread finds an option that no file which was read has a use for. An option
// that nobody reads is refused: whoever gives a date believes that it matters.
func (in *Hosts) unread() error {
	switch {
	case in.Options.Begin != nil && in.undated == 0:
		return ask.Inputf("trace_date", "the traces have dates of their own: leave it out")
	case in.Options.Threshold != 0 && in.spot == 0:
		return ask.Inputf("threshold", "counts instances, and none of the traces is a spot trace: leave it out")
	}
	return nil
}

// several lists the first machines, which are enough to see how they are named.
func several(names []string) error {
	return ask.Inputf("host", "the trace has %d machines: name one of %s", len(names), spell.Listed(names))
}

// undatedError names the option that gives the date which a file lacks; any other
// error comes back as it is.
func undatedError(err error) error {
	if _, ok := errors.AsType[*source.FileError](err); ok && errors.Is(err, trace.ErrNoDate) {
		return ask.Inputf("trace_date", "not given: %v", err)
	}
	return err
}

// A sink keeps the record of a machine. It is what a reader of traces writes to.
type sink struct {
	host machines.Trace
	kept *source.Keeper // of all machines
	file string
}

func (k *sink) Sample(x trace.Sample) error {
	k.host.Samples = append(k.host.Samples, sampleOf(x))
	return k.kept.Keep(k.file)
}

func (k *sink) Interval(i trace.Interval, step float64) error {
	k.host.Step = step
	k.host.Spells = append(k.host.Spells, machines.Spell{Start: i.Start, End: i.End, Up: i.Up})
	return k.kept.Keep(k.file)
}

func (k *sink) Break() { k.host.Breaks = append(k.host.Breaks, len(k.host.Samples)) }

// sampleOf takes over a sample. Memory that was not measured is not 0 but NaN, so
// that no state is chosen by it.
func sampleOf(x trace.Sample) smp.Sample {
	free := math.NaN()
	if x.HasFree {
		free = x.FreeMB
	}
	return smp.Sample{Time: x.Time, Load: x.CPU, FreeMemory: free, Down: x.Down}
}

// A holding bounds what the recorders of one file keep until it ends.
type holding struct {
	file string
	n    int // as [machines.Recorder.Held] counts
}

// Of a sample or a state some 30 bytes are kept, and slices grow to twice of it at worst.
const mostHeld = 2 * source.MaxKept

// add takes a sample or a time of a recorder. What is wrong with a record is found
// again when it ends, and concerns one machine only. Errors: *source.FileError of source.ErrMemory.
func (h *holding) add(r *machines.Recorder, add func()) error {
	h.n -= r.Held()
	add()
	if h.n += r.Held(); h.n <= mostHeld {
		return nil
	}
	return &source.FileError{File: h.file, Err: source.ErrMemory,
		Problem: fmt.Sprintf("more than %d million samples of machines whose period is not known yet, or twice as many "+
			"changes of state, to keep until it ends", source.MaxKept/1_000_000),
		Want: "a file for each machine, or the period"}
}

// A recorder is the sink of a machine that is labelled at once, by which no
// sample is kept.
type recorder struct {
	r    *machines.Recorder
	held *holding
}

func (k recorder) Sample(x trace.Sample) error {
	return k.held.add(k.r, func() { k.r.Add(sampleOf(x)) })
}

func (k recorder) Interval(i trace.Interval, step float64) error {
	return k.held.add(k.r, func() { k.r.AddSpell(i.Start, i.End, i.Up, step) })
}

func (k recorder) Break() { k.r.Break() }
