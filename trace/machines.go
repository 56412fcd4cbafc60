package trace

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// ErrNoDate: the trace does not say on which day it begins.
var ErrNoDate = errors.New("no date")

// A MachineSink takes the record of one machine.
type MachineSink interface {
	// Sample takes the next sample.
	Sample(Sample) error
	// Interval takes the next time that the machine was known to be up or down;
	// step is the period of the trace, 0 where it has none.
	Interval(i Interval, step float64) error
	// Break says that nothing is known of the time to the next sample.
	Break()
}

// MachineOptions says how to read traces of machines. With the zero value the kind of each file is
// recognized by its content.
type MachineOptions struct {
	Kind TraceKind // of all files; "": told by the content
	// Percent says that the cpu column of a host trace is in percent.
	Percent bool
	// Strict makes the first malformed row, or file of a PlanetLab archive, an
	// error.
	Strict bool
	// Columns, Time, Zone and TotalMB are of host traces, see [HostTraceOptions].
	Columns map[string]string
	Time    TimeFormat
	Zone    *time.Location
	TotalMB float64
	// Begin is the day of the first sample (its beginning in unix seconds) of a
	// trace that has no dates; nil: not known.
	Begin *float64
	// Threshold is the number of instances from which on a spot trace is up.
	Threshold int
	// Bid is that of machines at a spot price, which are up while the price is at most the bid, in US
	// dollars an hour; nil: files of prices are refused.
	Bid *float64
	// Open says how to open files; its Want and Archive are not read.
	Open source.OpenOptions
	// Machine returns the sink of a machine that is seen for the first time;
	// nil passes it over.
	Machine func(name string) (MachineSink, error)
}

// A MachineLog says what was read.
type MachineLog struct {
	Files     int      // read; those within archives count
	Undated   int      // of these, without dates of their own: o.Begin dates them
	Spot      int      // of these, spot traces: o.Threshold tells up from down in them
	Prices    int      // of these, spot prices: o.Bid does
	Rows      int      // well-formed; of PlanetLab host days, of others rows
	Skipped   int      // files of an archive or folder that are no trace, such as a README
	Malformed BadRows  // over all files
	Warnings  []string // of the files
}

// add counts what a file of the unit held.
func (l *MachineLog) add(t *TraceLog) {
	l.Rows += t.Rows
	m, o := &l.Malformed, &t.Malformed
	m.Columns += o.Columns
	m.Value += o.Value
	m.Range += o.Range
	m.Backward += o.Backward
	m.Overlap += o.Overlap
	m.TooLong += o.TooLong
	for _, e := range o.First {
		if len(m.First) < source.MaxNamed {
			m.First = append(m.First, e)
		}
	}
	for _, w := range t.Warnings {
		l.Warnings = append(l.Warnings, t.File+": "+w)
	}
}

const machineForm = `a trace of machines: CSV with "time,cpu,free_mb" (free_mb and host optional) or "timestamp,value" in percent, PlanetLab days (a file of 288 percent values in a folder such as 20110303, the folder, or a tar archive), Failure Trace Archive events, or a 0/1 spot trace in JSON; plain, .gz or .xz`

// ReadMachines reads one unit of [FindMachines] and hands the record of each
// machine to the sink that o.Machine made for it:
//
//	host, cloudwatch   samples, in the order of the file
//	planetlab          samples, all days of a machine in order of time, with a
//	                   Break before the first, and before a day that does not follow
//	                   on the one before: of days without a file nothing is known
//	fta, spot          intervals; a spot trace is put on the grid of its step
//
// A tar archive holds files of any of these kinds; a file of another kind in it
// is Skipped. A machine's name is the host column, the node's name, or that of
// the file in its unit, without its suffixes; of files in several folders of an
// archive that share one, all but the first are called by their path. Two files of a unit with the same
// machine go on in one record, except PlanetLab days, which are put in order.
//
// Errors are those of the readers, and ErrNoDate for a PlanetLab file with
// neither a day in its path nor o.Begin. Memory is that of the readers, and 300
// bytes a PlanetLab host day.
func ReadMachines(ctx context.Context, u MachineUnit, o MachineOptions) (*MachineLog, error) {
	ctx = given.Context(ctx)
	if o.Machine == nil {
		o.Machine = func(string) (MachineSink, error) { return nil, nil }
	}
	r := &machineReader{ctx: ctx, o: o, log: &MachineLog{}, sinks: map[string]MachineSink{},
		buffer: bufio.NewReaderSize(nil, source.MaxLine)}
	for _, f := range u.Files {
		if err := r.file(f); err != nil {
			return r.log, err
		}
	}
	return r.log, r.days.flush(r)
}

// A machineReader reads the files of one unit.
type machineReader struct {
	ctx   context.Context
	o     MachineOptions
	log   *MachineLog
	sinks map[string]MachineSink
	days  planetLabSet
	// One buffer serves the many small files of an archive, as large as readers of lines want it, so that
	// they take none of their own.
	buffer *bufio.Reader
	// members are those of all archives.
	members source.Members
	// folders of the first file of each name in an archive; clash: a second one had the name.
	folders map[string]string
	clash   bool
}

// sink asks for the sink of a machine once; nil is kept too.
func (m *machineReader) sink(name string) (MachineSink, error) {
	s, known := m.sinks[name]
	if known {
		return s, nil
	}
	s, err := m.o.Machine(name)
	if err == nil {
		m.sinks[name] = s
	}
	return s, err
}

// file reads one file. One that was named is an error if it is no trace, one that
// was found is passed over.
func (m *machineReader) file(f MachineFile) error {
	open := m.o.Open
	open.Want, open.Archive = machineForm, true
	src, err := source.Open(m.ctx, f.Path, open)
	if errors.Is(err, source.ErrEmpty) && dayOf(f.Path) != "" {
		return m.read(PlanetLabKind, f.Path, f, strings.NewReader("")) // a malformed day among others
	}
	if errors.Is(err, source.ErrEmpty) && f.Found {
		m.pass(f.Path, "holds no content")
		return nil
	}
	if err != nil {
		return err
	}
	defer src.Close()
	b := bufio.NewReaderSize(src, source.SourceBuffer)
	head, err := b.Peek(4 << 10) // an end of the file before is no error
	if err != nil && err != io.EOF {
		return err
	}
	if SniffTrace(head) == ArchiveKind || isArchive(f.Path) {
		return m.archive(src.Name, b)
	}
	what, kind := source.Sniff(head[:min(len(head), source.SniffLen)]), m.kind(f.Path, head)
	if f.Found && (what != "" || kind == "") {
		m.pass(f.Path, "is not a trace of a machine")
		return nil
	}
	if what != "" {
		return &source.FileError{File: src.Name, Problem: "holds " + what, Want: machineForm, Err: source.ErrBinary}
	}
	kind = cmp.Or(kind, HostKind) // whose reader says what is wrong with the header
	return m.read(kind, src.Name, f, b)
}

// pass leaves out a file that a folder holds beside traces.
func (m *machineReader) pass(name, why string) {
	m.log.Skipped++
	m.log.Warnings = append(m.log.Warnings, name+": "+why+": passed over")
}

// kind is that of the options, else what the content looks like. Bare numbers in the
// folder of a day are PlanetLab's.
func (m *machineReader) kind(name string, head []byte) TraceKind {
	if m.o.Kind != "" {
		return m.o.Kind
	}
	kind := SniffTrace(head)
	if (kind == DurationsKind || kind == "") && dayOf(name) != "" {
		return PlanetLabKind // whose reader says what is wrong with the values
	}
	return kind
}

// read reads one file of a known kind.
func (m *machineReader) read(kind TraceKind, name string, f MachineFile, r io.Reader) error {
	m.log.Files++
	if kind == SpotKind {
		m.log.Spot++
		m.log.Undated++
	}
	if m.calledByFile(kind, r) {
		// A file of a machine that is not wanted need not be read.
		if s, err := m.sink(f.Name); err != nil || s == nil {
			return err
		}
	}
	var log *TraceLog
	var samples *SampleLog
	var err error
	switch kind {
	case HostKind:
		samples, err = ReadHostTrace(m.ctx, name, r, HostTraceOptions{
			Percent: m.o.Percent,
			Strict:  m.o.Strict,
			Columns: m.o.Columns,
			Time:    m.o.Time,
			Zone:    m.o.Zone,
			TotalMB: m.o.TotalMB,
		}, m.sample(name, f.Name))
		log = &samples.TraceLog
	case CloudWatchKind:
		samples, err = ReadCloudWatch(m.ctx, name, r, CloudWatchOptions{Strict: m.o.Strict}, m.sample(name, f.Name))
		log = &samples.TraceLog
	case FTAKind:
		log, err = ReadFTA(m.ctx, name, r, FTAOptions{Strict: m.o.Strict}, m.interval)
	case PriceKind:
		if m.o.Bid == nil {
			return source.Whole(name, "holds "+kind.what(), machineForm, source.ErrMalformed)
		}
		m.log.Prices++
		log, err = ReadSpotPrices(m.ctx, f.Name, r, SpotPriceOptions{Bid: *m.o.Bid, Strict: m.o.Strict}, m.interval)
	case SpotKind:
		log, err = m.spot(name, f, r)
	case PlanetLabKind:
		return m.days.file(m, name, f, r)
	default:
		return source.Whole(name, "holds "+kind.what(), machineForm, source.ErrMalformed)
	}
	m.log.add(log)
	return err
}

// interval hands an interval to the sink of its machine, if it is wanted.
func (m *machineReader) interval(i Interval) error {
	s, err := m.sink(i.Name)
	if err != nil || s == nil {
		return err
	}
	return s.Interval(i, 0)
}

// calledByFile reports whether a file holds one machine, and no column names it.
func (m *machineReader) calledByFile(kind TraceKind, r io.Reader) bool {
	return (kind != HostKind || m.o.Columns[HostColumns[hostColumn]] == "") && ownName(kind, r)
}

// ownName reports whether a file holds one machine, called like the file.
func ownName(kind TraceKind, r io.Reader) bool {
	switch kind {
	case CloudWatchKind, SpotKind, PriceKind:
		return true
	case HostKind:
		b, ok := r.(*bufio.Reader)
		if !ok {
			return false
		}
		head, _ := b.Peek(4 << 10)
		for line := range bytes.Lines(head) {
			if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
				return !bytes.Contains(line, []byte("host"))
			}
		}
	}
	return false
}

// sample hands samples on; unnamed is what the reader calls the machine of a
// file that does not name it.
func (m *machineReader) sample(unnamed, name string) func(Sample) error {
	var last string
	var sink MachineSink
	started := false
	return func(x Sample) error {
		if !started || x.Name != last {
			own := x.Name
			if own == unnamed {
				own = name
			}
			s, err := m.sink(own)
			if err != nil {
				return err
			}
			started, last, sink = true, x.Name, s
		}
		switch {
		case sink == nil:
			return nil
		case x.Unwatched:
			sink.Break()
			return nil
		}
		return sink.Sample(x)
	}
}

// spot reads a spot trace, whose intervals begin at 0, and puts it on the grid.
func (m *machineReader) spot(name string, f MachineFile, r io.Reader) (*TraceLog, error) {
	sink, err := m.sink(f.Name)
	if err != nil {
		return &TraceLog{File: name}, err
	}
	begin := 0.0
	if m.o.Begin != nil {
		begin = *m.o.Begin
	}
	var step float64
	o := SpotOptions{Threshold: m.o.Threshold, Strict: m.o.Strict, step: &step}
	log, err := ReadSpot(m.ctx, name, r, o, func(i Interval) error {
		if sink == nil {
			return nil
		}
		// Whole steps, since the first sample lies on the grid.
		first := math.Round(begin / step)
		i.Start, i.End = (first+math.Round(i.Start/step))*step, (first+math.Round(i.End/step))*step
		return sink.Interval(i, step)
	})
	if m.o.Begin == nil && sink != nil {
		log.Warnings = append(log.Warnings,
			"the trace has no dates: its first sample is taken for Thursday, 1970-01-01 00:00 UTC")
	}
	return log, err
}

// what names a kind that holds no record of machines by the clock.
func (k TraceKind) what() string {
	switch k {
	case LANLKind:
		return "failure records, which do not say when a machine was watched"
	case PriceKind:
		return "spot prices, which are up or down only against a bid"
	case DurationsKind:
		return "durations"
	}
	return "another kind of file"
}
