package trace

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
)

// HostTraceOptions says how to read a host trace.
type HostTraceOptions struct {
	// Percent says that the cpu column holds 0..100, not 0..1.
	Percent bool
	// Strict makes the first malformed line an error.
	Strict bool
	// Columns says what the file calls its columns, see [HostColumns]; other columns
	// of it are then passed over. Nil: each by its own name.
	Columns map[string]string
	// Time says how times are written, and Zone of which clock those without an
	// offset are; nil: UTC where Time is a form of its own, else they are refused.
	// Of an hour that it lives twice the order of a host's rows says which is meant.
	Time TimeFormat
	Zone *time.Location
	// TotalMB is the memory of a machine, of which percentages are taken.
	TotalMB float64
}

const hostTraceForm = `a header "time,cpu,free_mb" (free_mb and host optional) and rows such as "1700000000,0.25,2048": time in unix seconds or RFC 3339, cpu 0..1`

// ReadHostTrace reads samples of hosts from CSV with the columns time (unix
// seconds or RFC 3339 with an offset), cpu (0..1) and, optional, free_mb and
// host, in any order and no others, and hands them to each in file order.
// Without a host column there is one host, named name. Rows of different hosts
// may be mixed. Further columns are free_percent or used_percent in place of
// free_mb, alive (0: the machine was down, and its cpu does not matter; without a
// cpu column one that is up has load 0) and watched (0: nothing is known from
// then on to the next row).
//
// A row is malformed, and left out, if its time is not after the time of the
// host's row before it (Backward; the same time again is Overlap, and the first
// row counts), if a cell is no finite number, if cpu lies below 0 or above 100
// (10,000 with Percent). A cpu above 1 (100) counts as 1 and a free_mb below 0 as
// 0, each with a warning; with Strict they are errors. An empty cpu is a missing
// sample (Skipped), an empty free_mb leaves HasFree unset. A gap in time is no
// error: see MaxStep.
//
// More rows with a cpu above 1 than without are ErrPercent; a few, or Percent
// with no value above 1, a warning. Other errors are those of [ReadFTA], and a
// header other than the above. Time is linear in the bytes, memory in the hosts.
func ReadHostTrace(ctx context.Context, name string, r io.Reader, o HostTraceOptions,
	each func(Sample) error) (*SampleLog, error) {
	ctx = given.Context(ctx)
	t, log, err := openSamples(ctx, name, r, hostTraceForm, o.Strict, o.Percent)
	if err != nil {
		return log, err
	}
	h := &hostTraceReader{traceReader: t, o: o, samples: log, each: given.Each(each), hosts: map[string]*host{},
		back: source.BackHours{Zone: o.Zone}}
	if err := t.rows(h.sample); err != nil {
		return log, err
	}
	return log, log.finish(t.Want)
}

// A host is what is kept of a host between rows.
type host struct {
	number int // -1 before its first good row
	sampleClock
}

// A hostTraceReader is what ReadHostTrace keeps between rows.
type hostTraceReader struct {
	*traceReader
	o       HostTraceOptions
	samples *SampleLog
	each    func(Sample) error
	hosts   map[string]*host
	last    *host
	columns [columnKinds]int // where they are; -1: not there
	width   int              // 0: before the header
	back    source.BackHours
}

// head finds the columns.
func (h *hostTraceReader) head(line []byte) error {
	wanted := make([]string, len(HostColumns))
	for i, what := range HostColumns {
		wanted[i] = what
		if name := h.o.Columns[what]; name != "" {
			wanted[i] = name
		}
		// The load may be left out only where another column says that the
		// machine is up.
		if i != timeColumn && (i != cpuColumn || h.o.Columns[HostColumns[aliveColumn]] != "") {
			wanted[i] += "?"
		}
	}
	at, width, err := h.header(line, h.o.Columns != nil, wanted...)
	if err != nil {
		return err
	}
	h.width = width
	for i, what := range HostColumns {
		h.columns[i] = at[i]
		if name := h.o.Columns[what]; at[i] < 0 && name != "" {
			return h.fatal(line, 0, fmt.Sprintf("no column %q in the header", name), source.ErrMalformed)
		}
	}
	// A share of a memory of unknown size is no amount.
	if h.o.TotalMB == 0 {
		for _, what := range []int{freePercentColumn, usedPercentColumn} {
			if i := h.columns[what]; i >= 0 {
				return h.fatal(line, 0,
					fmt.Sprintf("column %d is a %s of a memory that is not said", i+1, HostColumns[what]),
					ErrMemoryTotal)
			}
		}
	}
	return nil
}

// cell returns the cell of a column, nil where there is none or it is empty.
func (h *hostTraceReader) cell(cells [][]byte, what int) []byte {
	if i := h.columns[what]; i >= 0 && len(cells[i]) > 0 {
		return cells[i]
	}
	return nil
}

// sample reads a row; the first one is the header.
func (h *hostTraceReader) sample(line []byte) (err error) {
	if h.width == 0 {
		return h.head(line)
	}
	cells, ok, err := h.row(line, h.width)
	if !ok {
		return err
	}
	s := Sample{Line: h.Line}
	if s.Time, ok, err = h.moment(line, cells[h.columns[timeColumn]]); !ok {
		return err
	}
	host, err := h.host(cells)
	if err != nil {
		return err
	}
	if host == nil {
		return h.bad(line, &h.log.Malformed.Value, 0, "no host")
	}
	s.Time = h.pass(&host.sampleClock, cells[h.columns[timeColumn]], s.Time)
	alive, watched := true, true
	for _, f := range []struct {
		what int
		into *bool
	}{{aliveColumn, &alive}, {watchedColumn, &watched}} {
		if c := h.cell(cells, f.what); c != nil {
			if *f.into, ok = truth(c); !ok {
				return h.bad(line, &h.log.Malformed.Value, table.CellColumn(line, c),
					fmt.Sprintf("%s = %q, want 0 or 1", HostColumns[f.what], source.Shown(c)))
			}
		}
	}
	s.Down, s.Unwatched = !alive, !watched
	// What a machine that is down measures does not matter.
	if alive && watched {
		if ok, err = h.measures(line, cells, &s); !ok {
			return err
		}
	}
	last, started := host.last, host.started
	if ok, err = h.inOrder(line, &host.sampleClock, s.Time); !ok {
		return err
	}
	if !started {
		host.number = h.log.Nodes
		h.log.Nodes++
	}
	s.Host, s.Name = host.number, host.name
	h.samples.sampled(started, last, s.Time)
	return h.each(s)
}

// measures reads load and memory of a machine that is up; ok is false if the row is
// no sample.
func (h *hostTraceReader) measures(line []byte, cells [][]byte, s *Sample) (ok bool, err error) {
	if h.columns[cpuColumn] >= 0 {
		cpu := h.cell(cells, cpuColumn)
		if cpu == nil {
			h.log.Skipped++
			h.samples.empty++
			return false, nil
		}
		if s.CPU, ok, err = h.cpu(h.samples, line, cpu, HostColumns[cpuColumn]); !ok {
			return false, err
		}
	}
	low := -source.MaxField // memory that is promised twice: there is none
	if h.strict {
		low = 0
	}
	for _, m := range []struct {
		what int
		high float64
		free func(float64) float64
	}{
		{freeColumn, source.MaxField, func(v float64) float64 { return v }},
		{freePercentColumn, 100, func(v float64) float64 { return v / 100 * h.o.TotalMB }},
		{usedPercentColumn, source.MaxField, func(v float64) float64 { return (1 - v/100) * h.o.TotalMB }},
	} {
		c := h.cell(cells, m.what)
		if c == nil {
			continue
		}
		v, ok, err := h.number(line, c, HostColumns[m.what], low, m.high)
		if !ok {
			return false, err
		}
		if s.FreeMB, s.HasFree = m.free(v), true; s.FreeMB < 0 {
			s.FreeMB = 0
			h.samples.over++
		}
	}
	return true, nil
}

// moment reads the time of a row.
func (h *hostTraceReader) moment(line, cell []byte) (v float64, ok bool, err error) {
	if h.o.Time == (TimeFormat{}) {
		return h.time(line, cell, h.o.Zone)
	}
	v, ok = h.o.Time.read(cell, h.o.Zone)
	if !ok || v < -source.MaxSeconds || v > source.MaxSeconds {
		return 0, false, h.bad(line, &h.log.Malformed.Value, table.CellColumn(line, cell),
			fmt.Sprintf("time = %q is not of the form that was given", source.Shown(cell)))
	}
	return v, true, nil
}

// pass distinguishes the two passes of an hour that the zone lives twice. A time without an offset
// names both, and the first is meant unless the host's row before lies beyond it. A time that the
// row before has too belongs to the second pass if the host's samples are that far apart; else it
// is the same row again.
func (h *hostTraceReader) pass(c *sampleClock, cell []byte, now float64) float64 {
	if h.o.Zone == nil || h.o.Zone == time.UTC {
		return now
	}
	first, second, twice := h.back.Times(now)
	if !twice {
		return now
	}
	// A time with an offset, or since 1970, is the same in all zones.
	if utc, ok := h.o.Time.read(cell, time.UTC); !ok || utc == now {
		return now
	}
	if !c.started || c.last < first || c.last == first && c.step < second-first {
		return first
	}
	return second
}

// host finds or makes the host of a row; nil if its cell is empty.
func (h *hostTraceReader) host(cells [][]byte) (*host, error) {
	name := h.Name
	if i := h.columns[hostColumn]; i >= 0 {
		cell := cells[i]
		if len(cell) == 0 {
			return nil, nil
		}
		if h.last != nil && h.last.name == string(cell) {
			return h.last, nil
		}
		if h.last = h.hosts[string(cell)]; h.last != nil {
			return h.last, nil
		}
		name = string(cell)
	} else if h.last != nil {
		return h.last, nil
	}
	if err := h.enrol(name); err != nil {
		return nil, err
	}
	h.last = &host{number: -1, sampleClock: sampleClock{name: name}}
	h.hosts[name] = h.last
	return h.last, nil
}
