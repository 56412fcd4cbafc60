package trace

import (
	"context"
	"io"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// HostTraceOptions says how to read a host trace.
type HostTraceOptions struct {
	// Percent says that the cpu column holds 0..100, not 0..1.
	Percent bool
	// Strict makes the first malformed line an error.
	Strict bool
}

const hostTraceForm = `a header "time,cpu,free_mb" (free_mb and host optional) and rows such as "1700000000,0.25,2048": time in unix seconds or RFC 3339, cpu 0..1`

// ReadHostTrace reads samples of hosts from CSV with the columns time (unix
// seconds or RFC 3339 with an offset), cpu (0..1) and, optional, free_mb and
// host, in any order and no others, and hands them to each in file order.
// Without a host column there is one host, named name. Rows of different hosts
// may be mixed.
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
	h := &hostTraceReader{traceReader: t, samples: log, each: given.Each(each), hosts: map[string]*host{}}
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

type hostTraceReader struct {
	*traceReader
	samples *SampleLog
	each    func(Sample) error
	hosts   map[string]*host
	last    *host
	columns []int // of time, cpu, free_mb and host
	width   int
}

func (h *hostTraceReader) sample(line []byte) (err error) {
	if h.columns == nil {
		h.columns, h.width, err = h.header(line, false, "time", "cpu", "free_mb?", "host?")
		return err
	}
	cells, ok, err := h.row(line, h.width)
	if !ok {
		return err
	}
	s := Sample{Line: h.Line}
	if s.Time, ok, err = h.time(line, cells[h.columns[0]], nil); !ok {
		return err
	}
	host, err := h.host(cells)
	if err != nil {
		return err
	}
	if host == nil {
		return h.bad(line, &h.log.Malformed.Value, 0, "no host")
	}
	cpu := cells[h.columns[1]]
	if len(cpu) == 0 {
		h.log.Skipped++
		h.samples.empty++
		return nil
	}
	if s.CPU, ok, err = h.cpu(h.samples, line, cpu, "cpu"); !ok {
		return err
	}
	if i := h.columns[2]; i >= 0 && len(cells[i]) > 0 {
		low := -source.MaxField // memory that is promised twice: there is none
		if h.strict {
			low = 0
		}
		if s.FreeMB, ok, err = h.number(line, cells[i], "free_mb", low, source.MaxField); !ok {
			return err
		}
		if s.FreeMB < 0 {
			s.FreeMB = 0
			h.samples.over++
		}
		s.HasFree = true
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

// host finds or makes the host of a row; nil if its cell is empty.
func (h *hostTraceReader) host(cells [][]byte) (*host, error) {
	name := h.Name
	if i := h.columns[3]; i >= 0 {
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
