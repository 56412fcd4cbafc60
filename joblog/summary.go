package joblog

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// A Summary holds the load figures of a log. Means are over usable jobs;
// variances are sample variances, with n - 1.
type Summary struct {
	Jobs  int     `json:"jobs"`
	SpanS float64 `json:"span_s"` // first to last submit

	// ArrivalRate is (n - 1)/span, the reciprocal of the mean gap: n arrivals
	// bound n - 1 gaps, so that n/span would be too high. Where the window's
	// end is given it is n/(To - From), because the count in a window fixed
	// beforehand is unbiased, and the quiet ends belong to it.
	ArrivalRate      float64 `json:"arrival_rate_per_s"`
	RateConvention   string  `json:"arrival_rate_convention"`
	InterarrivalMean float64 `json:"interarrival_mean_s"` // of the n - 1 gaps
	InterarrivalSCV  float64 `json:"interarrival_scv"`

	ServiceMean float64 `json:"service_time_mean_s"` // run time
	ServiceSCV  float64 `json:"service_scv"`

	ProcessorsMean float64 `json:"processors_mean"`            // E[m]
	WorkMean       float64 `json:"work_mean_processor_s"`      // E[mS]
	SquareWorkMean float64 `json:"square_work_processor2_s"`   // E[m²S]
	OfferedLoad    float64 `json:"offered_load_erl"`           // ArrivalRate·E[mS], busy processors
	Peakedness     float64 `json:"peakedness"`                 // E[m²S]/E[mS] >= 1
	Classes        []Class `json:"classes"`                    // by width, ascending
	HourShare      []Hour  `json:"hour_of_day,omitempty"`      // empty without UnixStartTime
	HourZone       string  `json:"hour_of_day_zone,omitempty"` // offset at the log's start
	SkippedJobs    int     `json:"skipped_jobs"`
	MalformedLines int     `json:"malformed_lines"`
	OutsideWindow  int     `json:"outside_window"`

	// Warnings say what weakens the figures and what to do about it.
	Warnings []string `json:"warnings,omitempty"`
}

// A Class is the part of the load brought by jobs of one width.
type Class struct {
	Processors  int     `json:"processors"` // m
	Jobs        int     `json:"jobs"`
	Rate        float64 `json:"arrival_rate_per_s"`  // ArrivalRate·Jobs/n
	ServiceMean float64 `json:"service_time_mean_s"` // of this class
	OfferedLoad float64 `json:"offered_load_erl"`    // m·Rate·ServiceMean; they add up to the log's
}

// An Hour is the share of jobs submitted in one hour of the log's local day.
type Hour struct {
	Hour  int     `json:"hour"` // 0..23
	Share float64 `json:"share"`
}

// A Summarizer gathers a Summary job by job. Its memory grows with the number
// of distinct widths only. The zero value is ready.
type Summarizer struct {
	// Header, if set before the first job, gives the hours of the day.
	Header *Header

	first, last      float64
	gap, run, width  moments
	work, squareWork moments
	classes          map[int]*moments
	hours            [24]int
	localStart       float64 // Unix seconds of submit time 0 plus the zone's offset
	zone             string  // empty: no hours
}

// Add takes the next usable job, in the order of submit times.
func (s *Summarizer) Add(j Job) {
	if s.run.n == 0 {
		s.first = j.Submit
		s.classes = make(map[int]*moments)
		if s.Header != nil {
			if start, ok := s.Header.Start(); ok {
				_, offset := start.Zone()
				s.localStart = float64(start.Unix() + int64(offset))
				s.zone = start.Format("UTC-07:00")
			}
		}
	} else {
		s.gap.add(j.Submit - s.last)
	}
	s.last = j.Submit
	m := float64(j.Processors)
	s.run.add(j.Run)
	s.width.add(m)
	s.work.add(m * j.Run)
	s.squareWork.add(m * m * j.Run)
	c := s.classes[j.Processors]
	if c == nil {
		c = new(moments)
		s.classes[j.Processors] = c
	}
	c.add(j.Run)
	if s.zone != "" {
		s.hours[s.hour(j.Submit)]++
	}
}

// hour is the local hour of a submit time, with the zone's offset at the log's
// start: a change to or from summer time within the log is not followed.
func (s *Summarizer) hour(submit float64) int {
	h := math.Mod(math.Floor((s.localStart+submit)/3600), 24)
	if math.IsNaN(h) {
		return 0
	}
	return (int(h) + 24) % 24
}

// Summary returns the figures so far; o is the window the jobs were read with.
// It needs three jobs (ErrTooFew), for rate and variability rest on two gaps,
// not all submitted at once (ErrDegenerate).
func (s *Summarizer) Summary(o SWFOptions) (Summary, error) {
	n := s.run.n
	if n < 3 {
		return Summary{}, fmt.Errorf("the log holds %s, want at least 3: %w", fault.Count(n, "usable job"), ErrTooFew)
	}
	span := s.last - s.first
	if !(span > 0) {
		return Summary{}, fmt.Errorf("Summary: span of %d jobs = %v s, want > 0: all were submitted at once: %w",
			n, span, ErrDegenerate)
	}
	r := Summary{
		Jobs: n, SpanS: span,
		ArrivalRate:      float64(n-1) / span,
		RateConvention:   "(jobs - 1) / (last submit - first submit)",
		InterarrivalMean: s.gap.mean, InterarrivalSCV: s.gap.scv(),
		ServiceMean: s.run.mean, ServiceSCV: s.run.scv(),
		ProcessorsMean: s.width.mean,
		WorkMean:       s.work.mean, SquareWorkMean: s.squareWork.mean,
		Peakedness: s.squareWork.mean / s.work.mean,
	}
	if o.To > 0 {
		r.ArrivalRate = float64(n) / (o.To - o.From)
		r.RateConvention = "jobs / (to - from)"
		if quiet := o.To - s.last; quiet > 10*s.gap.mean {
			r.Warnings = append(r.Warnings, fmt.Sprintf(
				"the window ends %.4g s after its last job, %.0f mean gaps; if the log ends before the window does, "+
					"the rate is too low: move the window's end",
				quiet, quiet/s.gap.mean))
		}
	}
	r.OfferedLoad = r.ArrivalRate * r.WorkMean
	for _, m := range slices.Sorted(maps.Keys(s.classes)) {
		c := s.classes[m]
		rate := r.ArrivalRate * float64(c.n) / float64(n)
		r.Classes = append(r.Classes, Class{m, c.n, rate, c.mean, float64(m) * rate * c.mean})
	}
	s.addHours(&r)
	for _, v := range []float64{r.ArrivalRate, r.InterarrivalSCV, r.ServiceSCV, r.SquareWorkMean, r.OfferedLoad,
		r.Peakedness} {
		if !(v >= 0 && v <= math.MaxFloat64) {
			return Summary{}, fmt.Errorf(
				"Summary: a figure is %v: no job ran for 1 s, or times or sizes are out of range: %w", v, ErrDegenerate,
			)
		}
	}
	return r, nil
}

func (s *Summarizer) addHours(r *Summary) {
	if s.zone == "" {
		return
	}
	r.HourZone = s.zone
	for h, c := range s.hours {
		r.HourShare = append(r.HourShare, Hour{h, float64(c) / float64(s.run.n)})
	}
}

// moments gathers count, mean and sum of squared deviations in one pass by
// Welford's recurrence, which loses no digits to cancellation.
type moments struct {
	n        int
	mean, m2 float64
}

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / float64(m.n)
	m.m2 += d * (x - m.mean)
}

// scv is the sample variance (n - 1) over the squared mean; n >= 2, mean > 0.
func (m *moments) scv() float64 {
	return m.m2 / float64(m.n-1) / m.mean / m.mean
}

// Summarize reads a job log as [ReadSWF] does and sums up its load, without
// fitting laws; each, if not nil, is handed every job. What a log lacks for a
// summary (ErrTooFew, ErrDegenerate) is a *FileError of it.
func Summarize(ctx context.Context, name string, r io.Reader, o SWFOptions,
	each func(Job) error) (*Summary, *SWFLog, error) {
	ctx = given.Context(ctx)
	var sum Summarizer
	o.OnHeader = func(h *Header) { sum.Header = h }
	log, err := ReadSWF(ctx, name, r, o, func(j Job) error {
		sum.Add(j)
		if each == nil {
			return nil
		}
		return each(j)
	})
	if err != nil {
		return nil, nil, err
	}
	s, err := sum.Summary(o)
	if err != nil {
		return nil, nil, &source.FileError{File: name, Problem: err.Error(), Err: err}
	}
	s.SkippedJobs, s.MalformedLines, s.OutsideWindow = log.Skipped.Total(), log.Malformed.Total(), log.Outside
	for _, bad := range log.Malformed.First {
		s.Warnings = append(s.Warnings, bad.Error())
	}
	return &s, log, nil
}
