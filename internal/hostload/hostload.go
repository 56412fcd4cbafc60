// Package hostload measures this machine, the share of its CPUs in use and the
// memory that a program could get, and records it into a trace.
//
// It is the half of availability record that touches the system: counters of gopsutil at
// regular times become rows that package trace reads, in the form of any other record of a
// machine. A load is of all CPUs together, 0 to 1; memory is what a program could get without
// swapping.
//
// Left out: load by process, other machines (see package prometheus), and whether a user is
// there.
package hostload

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/mem"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/spell"
)

// A Meter measures between two calls. The zero value is ready. Counters of the system only grow, so
// that a load is a difference of two readings.
type Meter struct {
	last    cpu.TimesStat
	started bool
}

// Read returns the share of all CPUs in use since the call before, 0..1, and
// the available memory in bytes: what a new program can get without swapping,
// which counts caches that can be given up. ok is false at the first call, and
// where no CPU time has passed since the call before. A system that does not answer is left alone
// once ctx ends.
func (m *Meter) Read(ctx context.Context) (load, free float64, ok bool, err error) {
	now, err := parallel.Await(ctx, func() (*reading, error) { return read(ctx) })
	if err != nil {
		return 0, 0, false, err
	}
	load, ok = share(m.last, now.times)
	ok = ok && m.started
	m.last, m.started = now.times, true
	return load, now.free, ok, nil
}

// A reading is what the system reports at a moment.
type reading struct {
	times cpu.TimesStat
	free  float64
}

// read asks the system. The words of its libraries are of no use to who reads the error.
func read(ctx context.Context) (*reading, error) {
	all, err := cpu.TimesWithContext(ctx, false)
	if err != nil || len(all) == 0 {
		return nil, told(err, "the times of its CPUs")
	}
	memory, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil || memory.Total == 0 {
		return nil, told(err, "how much memory it has")
	}
	return &reading{all[0], float64(memory.Available)}, nil
}

// told is the error of a system that does not tell something; err may be nil.
func told(err error, what string) error {
	var number *strconv.NumError
	switch {
	case errors.As(err, &number):
		return fmt.Errorf("the system does not tell %s: %s is not a number", what, spell.Quote(number.Num))
	case err != nil:
		return fmt.Errorf("the system does not tell %s: %w", what, err)
	}
	return fmt.Errorf("the system does not tell %s", what)
}

// share is the busy part of the time between two readings. Guest time is part
// of user time, and waiting for disks is no work. The result is false where no time has passed.
// Counters are subtracted one by one, so that those that stand still are nothing, and not what
// their sums lose by rounding.
func share(from, to cpu.TimesStat) (float64, bool) {
	idle := to.Idle - from.Idle + (to.Iowait - from.Iowait)
	busy := to.User - from.User + (to.Nice - from.Nice) + (to.System - from.System) +
		(to.Irq - from.Irq) + (to.Softirq - from.Softirq) + (to.Steal - from.Steal)
	// Counters of single kinds may step back a little on Linux.
	idle, busy = max(idle, 0), max(busy, 0)
	if !(idle+busy > 0) {
		return 0, false
	}
	return busy / (idle + busy), true
}
