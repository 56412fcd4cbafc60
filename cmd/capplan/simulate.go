package main

import (
	"context"
	"math"

	"github.com/capplan/capplan/cmd/capplan/internal/grid"
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/sim/station"
)

// simulateCommand is the group of what is simulated without a closed form beside it.
func simulateCommand() *cmdline.Command {
	return &cmdline.Command{
		Name: "simulate", Usage: "what does this system do, by simulation?",
		Description: `Simulates systems that closed forms cover roughly or not at all. Every figure comes with
its 95% interval, and the same --seed gives the same run. Work of more than ten seconds is
announced before it begins, and of more than a month refused; Ctrl-C ends it within a second,
with the runs done so far.

  $ capplan simulate station --servers 2 --rate 1.6/s --service-time 1s --order srpt --replications 5`,
		Children: []func() *cmdline.Command{simulateStationCommand, grid.Leases, grid.Bot,
			grid.Hosts, grid.Pool},
	}
}

// simulateFlags ask for the figures of a closed form by simulation too. The figures come with 95 %
// intervals beside those of the closed form, and with a word on whether the two agree. size, check,
// queue and plan have all of these flags; simulate station has them without the switch.
type simulateFlags struct {
	// wanted says that --simulate was given, or that the command always simulates.
	wanted bool
	asked  simulate.Question
	set    *cmdline.FlagSet
}

// newSimulateFlags adds the flags; a set that has a seed keeps it. The others say nothing without
// --simulate and are refused then.
func newSimulateFlags(s *cmdline.FlagSet) *simulateFlags {
	f := &simulateFlags{set: s}
	s.Toggle("simulate",
		&f.wanted, "also compute the figures by simulation, each with its 95% interval, and say whether the two agree")
	f.add(s)
	for _, name := range []string{"precision", "replications", "horizon", "warm-up", "timing"} {
		s.Needs(name, "simulate")
	}
	return f
}

// newQueueSimulateFlags is newSimulateFlags of a command that draws nothing but its simulation.
func newQueueSimulateFlags(s *cmdline.FlagSet) *simulateFlags {
	f := newSimulateFlags(s)
	s.Needs("seed", "simulate")
	return f
}

// add adds how long and how often to simulate. Precision and replications are two ways to say when
// to stop; which go together is checked by the question.
func (f *simulateFlags) add(s *cmdline.FlagSet) {
	cmdline.Value(s, "precision",
		&f.asked.Precision, "P", "relative half-width of the intervals at which the simulation stops (default 2%, "+
			"or 5% over a day or if machines come and go, and no further after 50 million events)")
	cmdline.Value(s, "replications", &f.asked.Replications, "N", "runs of the simulation, instead of --precision")
	cmdline.Value(s, "horizon", &f.asked.Horizon, "TIME", "simulated time of each run (default as long as the "+
		"system needs)")
	cmdline.Value(s, "warm-up", &f.asked.WarmUp, "TIME", "time at the start of each run that is not counted "+
		"(default found by MSER-5, and long enough to forget an empty start)")
	s.Toggle("timing",
		&f.asked.Timing, "show the simulated events per second; the same seed then no longer gives the same bytes")
	// size draws its uncertain loads by a --seed of its own, and the simulation takes that one.
	if !s.Has("seed") {
		cmdline.Seed(s, &f.asked.Seed, "seed of the simulation")
	}
}

// question returns what was asked, nil where nothing was. A set that had a seed before has to put it in.
func (f *simulateFlags) question() *simulate.Question {
	if !f.wanted {
		return nil
	}
	q := f.asked
	return &q
}

// replayFlags say how the log of --swf is replayed by --simulate. A closed form knows a log by its
// moments alone; only a replay has an order of jobs.
func replayFlags(s *cmdline.FlagSet, q *sizing.ReplayQuestion) {
	cmdline.OneOf(s, "scheduler", &q.Scheduler,
		"`ORDER` in which --simulate replays a log: fcfs (default), easy or conservative backfilling; uses "+
			"requested times if the log has them",
		nil, sizing.Schedulers...)
	s.Toggle("whole-queue", &q.WholeQueue, wholeQueueUsage)
	s.Toggle("search", &q.Search, "answer with the smallest fleet that meets the objectives when the log is replayed")
	s.Needs("scheduler", "simulate")
	s.Needs("search", "simulate")
	s.Needs("whole-queue", "simulate")
}

const wholeQueueUsage = "with conservative backfilling, plan the whole queue anew whenever a job ends early, however " +
	"long that takes (default: as far as some seconds of work go)"

// keptJobs collects the jobs of a log, in time from the first. Times are in s. The jobs of a log
// that is replayed are all held in memory, 32 bytes each: with the 8 million that may be, the program took .88 GB, and
// a replay of them is refused for the memory that it needs besides. Errors: *ask.InputError of one too many.
func keptJobs(q *sizing.ReplayQuestion) func(joblog.Job) error {
	q.Jobs = nil
	first := 0.0
	return func(j joblog.Job) error {
		// The clock of a replay starts at the first job that is kept, so that a window in the middle
		// of a log has no idle years before it.
		if len(q.Jobs) == 0 {
			first = j.Submit
		}
		if len(q.Jobs) >= source.MaxKept {
			return ask.Inputf("swf", "has more than %d million jobs, more than a replay holds in memory: want a part of it",
				source.MaxKept/1_000_000)
		}
		q.Jobs = append(q.Jobs,
			// A requested time of -1 says in the log that there is none, and becomes 0.
			station.Job{At: j.Submit - first, Length: j.Run, Estimate: max(0, j.RequestedTime), Width: j.Processors})
		return nil
	}
}

// watched shows a bar on a terminal while a simulation runs; done removes it. A nil question is one
// without simulation, and has no bar.
func watched(s *cmdline.Streams, q *simulate.Question) (done func()) {
	if q == nil {
		return func() {}
	}
	add, done := s.Steps(100, "simulating")
	shown := 0
	q.Progress = func(runs, of int) {
		// The bar has a hundred steps whatever the number of runs, which may still grow as a precision
		// is looked for.
		if percent := int(math.Floor(100 * float64(runs) / float64(max(1, of)))); percent > shown {
			add(percent - shown)
			shown = percent
		}
	}
	return done
}

// interruptedBy is the error of a command whose simulation was cut short: what is
// done is shown all the same. nil where it ran to its end. The exit code is then that of the
// signal.
func interruptedBy(ctx context.Context, a *simulate.Simulation) error {
	if a != nil && a.Interrupted {
		return ctx.Err()
	}
	return nil
}

// simulatedResult shows an answer that may have been simulated too. As CSV the simulated figures
// are columns after those of the answer. The answer by the closed form
// stands even where its simulation was cut short, and the exit code is then that of the signal.
func simulatedResult(ctx context.Context, a any, s *page.Section, simulation *simulate.Simulation) *cmdline.Result {
	if simulation != nil && len(s.Data) == 0 {
		s.Data = []page.Data{page.WithParts("", a)}
	}
	r := cmdline.Answered(a, s)
	r.Exit = interruptedBy(ctx, simulation)
	return r
}
