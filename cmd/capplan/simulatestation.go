package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/sim/station"
	"github.com/capplan/capplan/units"
)

// stationFlags are the flags of simulate station: those of the queues together.
type stationFlags struct {
	question queues.StationQuestion
	// servers have to be given; the other numbers are bound to the question.
	servers *units.Count
	curve   trafficFile
	log     string // replayed in place of a rate
	classes classInput
	run     simulateFlags
}

// flags binds the flags. The command simulates always, so that --simulate is no flag of it. Names
// and units are those of the queues, so that a question put to capplan queue is put here by its
// flags.
func (f *stationFlags) flags(s *cmdline.FlagSet) {
	q := &f.question
	cmdline.Value(s, "servers", &f.servers, "N", "servers")
	trafficFlags(s, &q.Traffic)
	f.curve.flags(s)
	s.Text("swf", &f.log, "FILE", "job log in the Standard Workload Format, plain or .gz, to replay")
	laws := "exponential, deterministic, erlang-K, empirical:1,1,8, or with an SCV gamma, hyperexponential, " +
		"lognormal (default by the SCV)"
	s.Text("arrival-law", &q.ArrivalLaw, "LAW", "law of the gaps between arrivals, or of the think times: "+laws)
	s.Text("service-law", &q.ServiceLaw, "LAW", "law of the service times: "+laws)
	s.Known("arrival-law", queueLaws)
	s.Known("service-law", queueLaws)
	cmdline.Value(s, "sources", &q.Sources, "N", "number of customers in all; each thinks for --think-time before "+
		"it comes again")
	cmdline.Value(s, "think-time", &q.ThinkTime, "TIME", "mean time from the end of a service to the next request")
	cmdline.Value(s, "capacity",
		&q.Capacity, "N", "room for customers, waiting and served; others are lost")
	// Loss and a capacity are two ways to bound who may wait: the first leaves no place but those
	// of the servers.
	s.Toggle("loss", &q.Loss, "let nobody wait: a customer who finds no free server is lost")
	cmdline.OneOf(s, "order", &q.Order,
		"`ORDER` of service: fcfs (default), sjf (shortest first), srpt (shortest remaining first, interrupts), ps "+
			"(shared), easy or conservative (backfilling of jobs of several widths)",
		nil, station.Orders...)
	s.Toggle("whole-queue", &q.WholeQueue, wholeQueueUsage)
	f.classes.flag(s, "class")
	f.classes.flag(s, "classes")
	s.Toggle("priorities", &q.Priorities, "serve each class before those after it")
	s.Toggle("preemptive", &q.Preemptive, "let a class interrupt those after it, which later resume")
	cmdline.Value(s, "percentile", &q.Percentile, "P", "percentile of waits and responses to show (default 95%)")
	cmdline.Value(s, "max-wait", &q.MaxWait, "TIME", "wait whose chance of not being exceeded is asked for")
	cmdline.OneOf(s, "service-level-of",
		&q.ServiceLevelOf, serviceLevelUsage, nil, "offered", "served", "stayed", "waits")
	// question of simulateFlags returns nil without it.
	f.run.wanted = true
	f.run.add(s)
}

// read completes the question with what stands in files. Errors: *ask.InputError,
// *source.FileError. Which flags go together is checked by queues.Station.
func (f *stationFlags) read(ctx context.Context, st *cmdline.Streams) error {
	q := &f.question
	if f.servers == nil {
		return &ask.InputError{Field: "servers", Reason: "no servers given, want a number such as --servers 14"}
	}
	q.Servers = *f.servers
	q.Simulate = *f.run.question()
	var err error
	if q.JobClasses, err = f.classes.read(ctx, st); err != nil {
		return err
	}
	if err = f.curve.read(ctx, st, &q.Traffic); err != nil {
		return err
	}
	// The whole log is replayed, for want of flags that name a part of it.
	if f.log != "" {
		var kept sizing.ReplayQuestion
		if q.Log, _, err = scanLog(ctx, f.log, st, joblog.SWFOptions{}, keptJobs(&kept)); err != nil {
			return err
		}
		q.Jobs = kept.Jobs
	}
	return nil
}

// simulateStationCommand simulates what no single queue of the closed forms has together.
func simulateStationCommand() *cmdline.Command {
	f := &stationFlags{}
	s := cmdline.NewFlags(false)
	f.flags(s)
	// Replications are the pieces of the work that shards divide.
	s.Sharded()
	return &cmdline.Command{
		Name: "station", Usage: "servers with any arrivals, service, patience, classes and order", Flags: s,
		Description: `All features of the queues of capplan queue can be combined here. Lognormal service times,
impatient callers and finite room:

  $ capplan simulate station --servers 10 --rate 2/min --service-time 5min --service-law lognormal --service-scv 2 --patience 3min --capacity 15 --replications 10

The shortest job first, on two servers:

  $ capplan simulate station --servers 2 --rate 1.6/s --service-time 1s --order sjf --replications 10

A job log under conservative backfilling:

  $ capplan simulate station --servers 320 --swf testdata/das2-small.swf.gz --order conservative`,
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			if err := f.read(ctx, st); err != nil {
				return nil, err
			}
			// The bar ends before anything is printed.
			defer watched(st, &f.question.Simulate)()
			a, err := queues.Station(ctx, &f.question)
			if err != nil {
				return nil, err
			}
			return simulatedResult(ctx, a, report.Station(a), a.Simulation), nil
		},
	}
}
