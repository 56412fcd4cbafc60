package main

import (
	"context"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

func throughputCommand() *command {
	q := &sizing.ThroughputQuestion{}
	s := newFlags(true)
	var dedicated *units.Count
	var rate *units.Rate
	var service *units.Duration
	var pool poolFlags
	value(s, "dedicated", &dedicated, "N", "dedicated servers")
	value(s, "rate", &rate, "RATE", "arrival rate such as 5.4/s")
	value(s, "service-time", &service, "TIME", "mean service time on a dedicated server, such as 90s")
	pool.flags(s)
	return &command{
		name: "throughput", usage: "what does a given fleet deliver?", flags: s,
		description: `Arrivals that find the dedicated servers and the public pool busy are lost.

The fleet of PCU figure 6, 100 dedicated servers beside 10,000 public ones:

  $ capplan throughput --dedicated 100 --public 10000 --public-speed 0.34 --public-availability 70% --replicas 2 --rate 12/s --service-time 100s`,
		ask: func(ctx context.Context, _ *streams, _ []string) (*result, error) {
			switch {
			case dedicated == nil:
				return nil, &ask.InputError{Field: "dedicated", Reason: "no fleet given, want a number of dedicated servers such as --dedicated 100"}
			case rate == nil:
				return nil, &ask.InputError{Field: "rate", Reason: "no load given, want an arrival rate such as --rate 5.4/s"}
			case service == nil || !(*service > 0):
				return nil, &ask.InputError{Field: "service-time", Reason: "want a mean service time above 0 such as --service-time 90s"}
			}
			q.Dedicated, q.Rate, q.ServiceTime, q.Explain = int64(*dedicated), float64(*rate), float64(*service), s.output.explain
			var err error
			if q.Pool, err = pool.pool(); err != nil {
				return nil, err
			}
			a, err := sizing.Throughput(ctx, q)
			if err != nil {
				return nil, err
			}
			return answered(a, report.Throughput(a)), nil
		},
	}
}
