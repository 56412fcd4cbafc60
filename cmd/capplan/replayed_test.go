package main

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/sim/station"
)

// A log of any number of jobs, as a packed file of some MB may be, is not kept beyond what memory holds.
func TestReplayedJobsAreBounded(t *testing.T) {
	var q sizing.ReplayQuestion
	each := keptJobs(&q)
	if err := each(joblog.Job{Submit: 5, Run: 1, Processors: 1}); err != nil || len(q.Jobs) != 1 {
		t.Fatalf("%d jobs, %v", len(q.Jobs), err)
	}
	q.Jobs = make([]station.Job, source.MaxKept) // of which nothing is written, and memory taken
	err := each(joblog.Job{Submit: 6, Run: 1, Processors: 1})
	if err == nil || !strings.Contains(err.Error(), "more than 8 million jobs") || len(q.Jobs) > source.MaxKept {
		t.Errorf("%d jobs, %v", len(q.Jobs), err)
	}
}
