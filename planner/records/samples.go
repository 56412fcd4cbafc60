package records

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/trace"
)

// HoldSamples reports whether a file is for [Samples]: a trace of the load of machines, or an archive.
// A folder is in any case, whatever its files hold.
func HoldSamples(ctx context.Context, path string, open trace.OpenOptions) (bool, error) {
	ctx = given.Context(ctx)
	if folder, err := trace.IsFolder(open.Files, path); err == nil && folder {
		return true, nil
	}
	return opensSamples(ctx, path, open)
}

// opensSamples is HoldSamples of one file, "-" being the standard input. The
// beginning alone decides.
func opensSamples(ctx context.Context, path string, open trace.OpenOptions) (bool, error) {
	open.Want, open.Archive, open.Wrap = LifetimesForm, true, nil // the beginning is read: not to be counted
	src, err := source.Open(ctx, path, open)
	if err != nil {
		return false, err
	}
	defer src.Close()
	head, err := bufio.NewReaderSize(src, 64<<10).Peek(64 << 10)
	if err != nil && err != io.EOF && len(head) == 0 {
		return false, err
	}
	switch trace.SniffTrace(head) {
	case trace.HostKind, trace.CloudWatchKind, trace.PlanetLabKind, trace.ArchiveKind:
		return true, nil
	}
	return false, nil
}

// peeksSamples is HoldSamples of the standard input, which then still stands
// whole in open. What was read of it is put back before the rest, in a buffered
// reader.
func peeksSamples(ctx context.Context, open *trace.OpenOptions) (bool, error) {
	if open.Stdin == nil {
		return false, nil // said where it is opened
	}
	kept := bufio.NewReaderSize(open.Stdin, 64<<10)
	head, err := kept.Peek(64 << 10)
	if open.Stdin = kept; err != nil && err != io.EOF && len(head) == 0 {
		return false, err
	}
	begun := *open
	begun.Stdin = bytes.NewReader(head)
	return opensSamples(ctx, "-", begun)
}

// Samples labels the machines of traces as they are read, so that neither
// samples nor stays are kept for more than one unit at a time. The result is
// shares of time by state, for which each machine is counted as soon as it is
// read. A folder or an archive may hold times up and down instead, which count
// as they are.
type Samples struct {
	Tally     *machines.StateTally
	Threshold int      // instances from which on a spot trace is up; 0: 1
	Bid       *float64 // of spot prices, US dollars an hour
	Strict    bool     // a malformed row is an error, not a warning
	Open      trace.OpenOptions
	Warnings  []string

	spot   int // files that were spot traces, which have no dates
	prices int // files of spot prices
}

// Read reads a file, a folder or an archive. A trace without a date is taken to
// begin on day 0: the share of time in a state does not depend on the day.
func (in *Samples) Read(ctx context.Context, path string) error {
	ctx = given.Context(ctx)
	found, err := trace.FindMachinesIn(ctx, in.Open.Files, []string{path})
	if err != nil {
		return err
	}
	o := trace.MachineOptions{Threshold: in.Threshold, Bid: in.Bid, Strict: in.Strict, Begin: new(float64),
		Open: in.Open}
	for _, u := range found {
		log, err := in.unit(ctx, u, o)
		if err != nil {
			return err
		}
		in.spot += log.Spot
		in.prices += log.Prices
		in.Warnings = append(in.Warnings, heard(log)...)
	}
	return nil
}

// heard is what is to be said of the files of a unit.
func heard(log *trace.MachineLog) []string {
	if log == nil {
		return nil
	}
	file := ""
	if len(log.Malformed.First) > 0 && log.Malformed.First[0] != nil {
		file = log.Malformed.First[0].File
	}
	return append(log.Warnings, malformed(&log.Malformed, file)...)
}

// unit reads one unit and counts its machines.
func (in *Samples) unit(ctx context.Context, u trace.MachineUnit, o trace.MachineOptions) (*trace.MachineLog, error) {
	var seen []*labeller
	held := &holding{file: u.Files[0].Path}
	o.Machine = func(name string) (trace.MachineSink, error) {
		l := &labeller{recorder: recorder{in.Tally.NewRecorder(name), held}, name: name, tally: in.Tally}
		seen = append(seen, l)
		return l, nil
	}
	log, err := trace.ReadMachines(ctx, u, o)
	if err != nil {
		return nil, err
	}
	for _, l := range seen {
		if l.nodes != nil {
			continue
		}
		if err := in.Tally.Add(l.r); err != nil {
			return nil, err
		}
	}
	return log, nil
}

// A labeller is the sink of a machine that labels samples and counts times up and down as they are.
type labeller struct {
	recorder
	name    string
	tally   *machines.StateTally
	samples bool
	// nodes are the machines with times up and down, by their numbers in the file: several may have
	// one name.
	nodes map[int]int
}

func (l *labeller) Sample(x trace.Sample) error {
	if l.samples = true; l.nodes != nil {
		return l.mixed()
	}
	return l.recorder.Sample(x)
}

func (l *labeller) Interval(i trace.Interval, _ float64) error {
	if l.samples {
		return l.mixed()
	}
	if l.nodes == nil {
		l.nodes = map[int]int{}
	}
	node, known := l.nodes[i.Node]
	if !known {
		node = l.tally.NewMachine()
		l.nodes[i.Node] = node
	}
	i.Node, i.Name = node, l.name
	return l.tally.AddInterval(i)
}

// mixed is the error of a record that would be counted twice.
func (l *labeller) mixed() error {
	return ask.Inputf("trace", "machine %s has both samples and times up and down", l.name)
}
