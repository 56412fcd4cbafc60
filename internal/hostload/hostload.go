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
	"fmt"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/mem"
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
// where no CPU time has passed since the call before.
func (m *Meter) Read(ctx context.Context) (load, free float64, ok bool, err error) {
	all, err := cpu.TimesWithContext(ctx, false)
	if err != nil || len(all) == 0 {
		return 0, 0, false, fmt.Errorf("hostload: CPU times: %w", err)
	}
	memory, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		return 0, 0, false, fmt.Errorf("hostload: memory: %w", err)
	}
	now := all[0]
	load, ok = share(m.last, now)
	ok = ok && m.started
	m.last, m.started = now, true
	return load, float64(memory.Available), ok, nil
}

// share is the busy part of the time between two readings. Guest time is part
// of user time, and waiting for disks is no work. The result is false where no time has passed.
func share(from, to cpu.TimesStat) (float64, bool) {
	idle := to.Idle + to.Iowait - from.Idle - from.Iowait
	busy := to.User + to.Nice + to.System + to.Irq + to.Softirq + to.Steal -
		(from.User + from.Nice + from.System + from.Irq + from.Softirq + from.Steal)
	// Counters of single kinds may step back a little on Linux.
	idle, busy = max(idle, 0), max(busy, 0)
	if !(idle+busy > 0) {
		return 0, false
	}
	return busy / (idle + busy), true
}
