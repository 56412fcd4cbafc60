package joblog

import (
	"context"
	"io"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

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
