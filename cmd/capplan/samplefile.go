package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/trace"
)

// holdsSamples reports whether a file, or the first file of a folder, is a
// trace of the load of machines rather than of their times up and down.
func holdsSamples(ctx context.Context, path string) (bool, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return true, nil // PlanetLab days; lifetimes come in one file
	}
	src, err := source.Open(ctx, path, source.OpenOptions{Want: traceForm, Archive: true})
	if err != nil {
		return false, err
	}
	defer src.Close()
	head, err := bufio.NewReaderSize(src, 64<<10).Peek(64 << 10)
	if err != nil && err != io.EOF {
		return false, err
	}
	switch trace.SniffTrace(head) {
	case trace.HostKind, trace.CloudWatchKind, trace.PlanetLabKind, trace.ArchiveKind:
		return true, nil
	}
	return false, nil
}

// sampleInput labels the machines of traces as they are read, so that neither
// samples nor stays are kept for more than one unit at a time.
type sampleInput struct {
	tally    *machines.StateTally
	warnings []string
}

// read reads a file, a folder or an archive.
func (in *sampleInput) read(ctx context.Context, path string, s *streams) error {
	found, err := trace.FindMachines([]string{path})
	if err != nil {
		return err
	}
	for _, u := range found {
		log, err := in.unit(ctx, u, trace.MachineOptions{Open: source.OpenOptions{Stdin: s.in, Wrap: s.progress("reading")}})
		if errors.Is(err, trace.ErrNoDate) {
			// The share of time in a state does not depend on the day.
			day := 0.0
			log, err = in.unit(ctx, u, trace.MachineOptions{Begin: &day, Open: source.OpenOptions{Stdin: s.in, Wrap: s.progress("reading")}})
		}
		if err != nil {
			return err
		}
		heard := hostInput{}
		heard.warn(log)
		in.warnings = append(in.warnings, heard.warnings...)
	}
	return nil
}

// unit reads one unit and counts its machines.
func (in *sampleInput) unit(ctx context.Context, u trace.MachineUnit, o trace.MachineOptions) (*trace.MachineLog, error) {
	var machines []*machines.Recorder
	o.Machine = func(name string) (trace.MachineSink, error) {
		r := in.tally.NewRecorder(name)
		machines = append(machines, r)
		return recordSink{r}, nil
	}
	log, err := trace.ReadMachines(ctx, u, o)
	if err != nil {
		return nil, err
	}
	for _, r := range machines {
		if err := in.tally.Add(r); err != nil {
			return nil, err
		}
	}
	return log, nil
}
