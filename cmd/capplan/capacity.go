package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// capacityCommand answers what size leaves out: the load, the service time or the objective that a
// fleet of known size can bear.
func capacityCommand() *cmdline.Command {
	q := &sizing.CapacityQuestion{}
	s := cmdline.NewFlags(true)
	var servers *units.Count
	// These three hold flags that size has too, with the same names and checks.
	var pool poolFlags
	var growth growthFlags
	var curve trafficFile
	cmdline.Value(s, "servers", &servers, "N", "servers in the fleet; with --public, the dedicated ones")
	cmdline.OneOf(s, "solve-for", &q.SolveFor,
		"`UNKNOWN` to solve for: load, service-time (given --rate), or objective (given a load) (default load)",
		nil, "load", "service-time", "objective")
	trafficFlags(s, &q.Traffic)
	curve.flags(s)
	objectiveFlags(s, &q.Objectives)
	modelFlag(s, &q.Model)
	pool.flags(s)
	growth.flags(s)
	s.Toggle("when", &q.When, "find the day on which the growing load exceeds what the fleet can take")
	return &cmdline.Command{
		Name: "capacity", Usage: "how much load can this fleet take?", Flags: s,
		Description: `The inverse of size: the load, the service time or the objective can be the unknown.

The greatest load that 138 servers take at 1% loss:

  $ capplan capacity --servers 138 --max-blocking 1%

The longest service at 2 arrivals a minute:

  $ capplan capacity --servers 14 --rate 2/min --max-wait 20s --percentile 80% --solve-for service-time

The day on which the growing load becomes too much for them:

  $ capplan capacity --servers 138 --max-blocking 1% --when --load 100 --growth 20%/year --as-of 2026-11-22

The longest service time at the peak of a load curve; and the greatest load with service
times that a Prometheus server recorded:

  $ capplan capacity --servers 14 --load-curve testdata/requests.csv --max-wait 20s --solve-for service-time
  $ capplan capacity --servers 14 --prometheus http://localhost:9090 --service-histogram http_request_duration_seconds --max-wait 50ms

What a fleet delivers at a given load:

  $ capplan capacity --servers 14 --rate 2/min --service-time 5min --solve-for objective`,
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			// A fleet has no default: an answer for a number that nobody named would be taken for one.
			if servers == nil {
				return nil, ask.Inputf("servers", "no fleet given, want a number of servers such as --servers 138")
			}
			q.Servers, q.Explain = int64(*servers), s.Output.Explain
			// Growth multiplies the load before the fleet is held to it, as in size.
			q.Growth = growth.growth()
			var err error
			if q.Pool, err = pool.pool(); err != nil {
				return nil, err
			}
			// To find the service time only the arrivals of the file are wanted, since the time is the
			// unknown.
			curve.rateOnly = q.SolveFor == sizing.SolveServiceTime
			if err := curve.read(ctx, st, &q.Traffic); err != nil {
				return nil, err
			}
			// The day on which load outgrows the fleet is found along the whole curve; every other
			// unknown is decided by its peak.
			if q.Curve != nil && !q.When {
				atPeak(&q.Traffic)
			}
			return cmdline.Ask(ctx, q, sizing.Capacity, report.Capacity)
		},
	}
}

// atPeak puts the greatest rate of a curve in its place: a fleet that takes it
// takes the rest. The answer says so in a note: the peak of a curve is short, and the fleet may
// take more on average.
func atPeak(t *sizing.Traffic) {
	peak := units.Point(units.Rate(t.Curve.Peak()))
	t.Notes = append(append(t.Notes, t.Curve.Notes...),
		"the peak of the load curve is used, "+units.FormatRate(t.Curve.Peak(), 4)+", as if it lasted")
	t.Rate, t.Curve = &peak, nil
}
