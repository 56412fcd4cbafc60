package joblog

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// SWFOptions says which jobs to take. The zero value takes the whole log and
// counts malformed lines.
type SWFOptions struct {
	// From and To bound the submit time, in seconds from the log's start
	// (submit time 0), half-open: From <= submit < To. To = 0 is the end of
	// the log.
	From, To float64
	// Strict makes the first malformed line an error.
	Strict bool
	// OnHeader, if set, is called once, before the first job, with the header
	// comments up to it.
	OnHeader func(*Header)
}

// An SWFLog says what was read.
type SWFLog struct {
	File        string    `json:"file"`
	Header      Header    `json:"header"`
	Lines       int       `json:"lines"`          // all lines of the file
	Jobs        int       `json:"jobs"`           // usable jobs in the window
	Outside     int       `json:"outside_window"` // well-formed jobs out of the window
	Skipped     Skipped   `json:"skipped"`        // in the window
	Malformed   Malformed `json:"malformed"`      // in the whole file
	FirstSubmit float64   `json:"first_submit_s"` // of the well-formed jobs, in and out of the window
	LastSubmit  float64   `json:"last_submit_s"`
}

const (
	swfFields = 18
	swfForm   = "18 numbers per job as in the Standard Workload Format 2.2"
)

// ReadSWF reads a log in the Standard Workload Format 2.2 and hands each usable
// job of the window to each, in file order, which is that of submit times. A
// job is usable if its run time is known, its processors, allocated or else
// requested, are above 0, and it was not cancelled before it ran; the others
// are counted in Skipped. A run time of 0 s that is no cancellation is a job
// shorter than the clock's tick, and usable. Malformed lines
// are counted and the first five kept. Numbers may have decimals and exponents.
//
// An error of each ends the reading and is returned as it is. No usable job
// (ErrNoJobs), binary content (ErrBinary), 100 malformed lines before the first
// job, and with Strict any malformed line (ErrMalformed) give a *FileError. The
// log is what was read so far, with an error too.
//
// Time is linear in the bytes, memory independent of them. name is used in
// messages only. Source: Parallel Workloads Archive, Standard Workload Format.
func ReadSWF(ctx context.Context, name string, r io.Reader, o SWFOptions, each func(Job) error) (*SWFLog, error) {
	ctx = given.Context(ctx)
	log := &SWFLog{File: name}
	if !(o.From >= 0 && o.From <= math.MaxFloat64) {
		return log, source.Outside("ReadSWF", "From", o.From, "a finite time >= 0 s")
	}
	if o.To != 0 && !(o.To > o.From && o.To <= math.MaxFloat64) {
		return log, source.Outside("ReadSWF", "To", o.To,
			fmt.Sprintf("a finite time above From = %v s, or 0 for the end", o.From))
	}
	lines, err := source.NewLineReader(ctx, name, r, swfForm)
	if err != nil {
		return log, err
	}
	s := &swfReader{LineReader: lines, log: log, o: o, each: given.Each(each)}
	s.header.h = &log.Header
	err = s.run()
	log.Lines = lines.Line
	return log, err
}

type swfReader struct {
	*source.LineReader
	log      *SWFLog
	o        SWFOptions
	each     func(Job) error
	header   headerReader
	jobs     int // well-formed
	lastLine int // line of log.LastSubmit
	f        [swfFields]float64
}

func (s *swfReader) run() error {
	for {
		line, tooLong, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		i := 0
		for i < len(line) && source.IsBlank(line[i]) {
			i++
		}
		switch {
		case i == len(line):
		case line[i] == ';':
			s.header.add(line[i:], s.Line)
		default:
			if err := s.job(line, tooLong); err != nil {
				return err
			}
		}
	}
	if s.log.Jobs > 0 {
		return nil
	}
	return s.Fail(fmt.Sprintf("no usable job in %s (%d malformed, %d without run time or processors, "+
		"%d outside the window)",
		fault.Count(s.Line, "line"), s.log.Malformed.Total(), s.log.Skipped.Total(), s.log.Outside), s.noJobs())
}

// noJobs is ErrNoJobs, joined with the first malformed line, if any.
func (s *swfReader) noJobs() error {
	if first := s.log.Malformed.First; len(first) > 0 {
		return fmt.Errorf("%w: %w", ErrNoJobs, first[0])
	}
	return ErrNoJobs
}

func (s *swfReader) job(line []byte, tooLong bool) error {
	m := &s.log.Malformed
	if tooLong {
		return s.malformed(line, &m.TooLong, 0, fmt.Sprintf("a line of more than %d bytes", source.MaxLine))
	}
	n, bad, at := splitNumbers(line, &s.f)
	if n != swfFields {
		return s.malformed(line, &m.FieldCount, 0, fault.Count(n, "field"))
	}
	if bad >= 0 {
		return s.malformed(line, &m.NotNumber, at+1, fieldNames[bad]+" is not a number")
	}
	if problem := absurd(&s.f); problem != "" {
		return s.malformed(line, &m.OutOfRange, 0, problem)
	}
	if problem := fractional(&s.f); problem != "" {
		return s.malformed(line, &m.NotNumber, 0, problem)
	}
	j := makeJob(&s.f, s.Line)
	switch {
	case j.Submit < 0:
		return s.malformed(line, &m.NegativeSubmit, 0, fmt.Sprintf("submit time %v s is below 0", j.Submit))
	case j.Submit < s.log.LastSubmit:
		return s.malformed(line, &m.BackwardSubmit, 0,
			fmt.Sprintf("submit time %v s is before %v s of line %d", j.Submit, s.log.LastSubmit, s.lastLine))
	}
	return s.take(j)
}

// take counts a well-formed job and hands it on if it is usable.
func (s *swfReader) take(j Job) error {
	if s.jobs == 0 {
		s.log.FirstSubmit = j.Submit
		if s.o.OnHeader != nil {
			s.o.OnHeader(&s.log.Header)
		}
	}
	s.jobs++
	s.log.LastSubmit, s.lastLine = j.Submit, s.Line
	if j.Submit < s.o.From || s.o.To > 0 && j.Submit >= s.o.To {
		s.log.Outside++
		return nil
	}
	if s.log.Skipped.skip(&j) {
		return nil
	}
	s.log.Jobs++
	return s.each(j)
}

// malformed counts the line; it is an error with Strict, if it is binary, or if
// nothing but malformed lines has come so far.
func (s *swfReader) malformed(line []byte, count *int, column int, problem string) error {
	*count++
	m := &s.log.Malformed
	e := func(err error) *source.FileError {
		return &source.FileError{
			File:    s.Name,
			Line:    s.Line,
			Column:  column,
			Text:    source.Shown(line),
			Problem: problem,
			Want:    swfForm,
			Err:     err,
		}
	}
	if len(m.First) < source.MaxNamed {
		m.First = append(m.First, e(source.ErrMalformed))
	}
	if what := source.Sniff(line[:min(len(line), source.SniffLen)]); what != "" {
		problem = "holds " + what
		return e(source.ErrBinary)
	}
	if s.o.Strict {
		return e(source.ErrMalformed)
	}
	if total := m.Total(); s.jobs == 0 && total >= source.MaxMalformed {
		first := *m.First[0]
		first.Problem = fmt.Sprintf("the first %d lines hold no job; %s", total, first.Problem)
		return &first
	}
	return nil
}
