package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
)

// sizeCommand finds the fewest servers. One fewer is computed too and fails an objective: the
// answer is proven to be the least by its own figures. Where no number of servers would do, the
// exit code is 3 and the error names the objective.
func sizeCommand() *cmdline.Command {
	// The flags are shared with check, shifts and sweep; see newSizeFlags.
	q := &sizing.SizeQuestion{}
	f := newSizeFlags(q)
	return &cmdline.Command{
		Name: "size", Usage: "how many servers for this load and these objectives?", Flags: f.set,
		Description: `The load is given by --load; by --rate and --service-time; by --load-curve or --rate-query
with --service-time; or by --swf. The answer is the fewest servers that meet every
objective: capplan computes that they do, and that one server fewer does not.

Lose at most 1% of the calls offered as 120 erlangs:

  $ capplan size --load 120 --max-blocking 1%

Answer 80% of 2 calls a minute of 5 minutes each within 20 seconds:

  $ capplan size --rate 2/min --service-time 5min --max-wait 20s --percentile 80%

A load that is known only as a range:

  $ capplan size --load 80..100..130 --max-blocking 1%

A load that changes over the day:

  $ capplan size --load-curve testdata/day.csv --service-time 4min --max-wait 20s --percentile 80% --plot day.svg

Any CSV with a time and a count or rate is a load curve. --day folds many days into a
typical one, and a column of durations gives the service time:

  $ capplan size --load-curve testdata/requests.csv --day p95 --max-wait 100ms

The load and service times that a Prometheus server recorded in two weeks:

  $ capplan size --prometheus http://localhost:9090 --rate-query 'sum(rate(http_requests_total[5m]))' --service-histogram http_request_duration_seconds --day p95 --max-wait 100ms

The load of a job log:

  $ capplan size --swf testdata/das2-small.swf.gz --max-blocking 2%

The same log replayed job by job, and the smallest fleet that then meets the objective:

  $ capplan size --swf testdata/das2-small.swf.gz --max-mean-wait 60s --simulate --scheduler easy --search

The load of June 2027, even with one of three zones and one more server lost:

  $ capplan size --load 120 --growth 20%/year --as-of 2026-11-22 --until 2027-06 --max-blocking 1% --zones 3 --survive 1 --spare 1

Servers shared by all requests present, as the cores of a machine are by threads, with 99%
of the responses within 500 ms:

  $ capplan size --rate 100/s --service-time 100ms --max-response 500ms --percentile 99% --model ps

Dedicated servers beside 10,000 unreliable public ones:

  $ capplan size --load 1200 --max-blocking 1% --public 10000 --public-speed 0.34 --public-availability 35% --replicas 2`,
		Ask: func(ctx context.Context, s *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			if err := f.read(ctx, s); err != nil {
				return nil, err
			}
			defer watched(s, q.Simulate)()
			a, err := sizing.Size(ctx, q)
			if err != nil {
				return nil, err
			}
			return simulatedResult(ctx, a, report.Size(a), a.Simulation), nil
		},
	}
}
