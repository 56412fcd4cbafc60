package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// throughputCommand says what a fleet of dedicated and public machines delivers of a stream that does
// not wait. Arrivals that find all busy are lost, so that there is no wait to limit and no
// objective: the answer is the share that gets through.
func throughputCommand() *cmdline.Command {
	// Flags that must be given stand apart from the question, where a 0 could not be told from
	// none.
	q := &sizing.ThroughputQuestion{}
	s := cmdline.NewFlags(true)
	var dedicated *units.Count
	var rate *units.Rate
	var service *units.Duration
	var pool poolFlags
	cmdline.Value(s, "dedicated", &dedicated, "N", "dedicated servers")
	cmdline.Value(s, "rate", &rate, "RATE", "arrival rate such as 5.4/s")
	cmdline.Value(s, "service-time", &service, "TIME", "mean service time on a dedicated server, such as 90s")
	pool.flags(s)
	return &cmdline.Command{
		Name: "throughput", Usage: "what does a given fleet deliver?", Flags: s,
		Description: `Arrivals that find the dedicated servers and the public pool all busy are lost.

The fleet of PCU figure 6, 100 dedicated servers beside 10,000 public ones:

  $ capplan throughput --dedicated 100 --public 10000 --public-speed 0.34 --public-availability 70% --replicas 2 --rate 12/s --service-time 100s`,
		Ask: func(ctx context.Context, _ *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			// The three have no default, and are asked for one by one so that the message can show
			// a form of each.
			switch {
			case dedicated == nil:
				return nil, &ask.InputError{Field: "dedicated",
					Reason: "no fleet given, want a number of dedicated servers such as --dedicated 100"}
			case rate == nil:
				return nil, ask.Inputf("rate", "no load given, want an arrival rate such as --rate 5.4/s")
			// The condition in the negative refuses what is not a number as well.
			case service == nil || !(*service > 0):
				return nil, ask.Inputf("service-time", "want a mean service time above 0 such as --service-time 90s")
			}
			q.Dedicated, q.Rate, q.ServiceTime, q.Explain =
				int64(*dedicated), float64(*rate), float64(*service), s.Output.Explain
			var err error
			if q.Pool, err = pool.pool(); err != nil {
				return nil, err
			}
			return cmdline.Ask(ctx, q, sizing.Throughput, report.Throughput)
		},
	}
}
