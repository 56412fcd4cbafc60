package main

import (
	"context"

	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// linkFlags describe the link between a dedicated cluster and public
// resources. Replicas and epoch are flags of link itself.
type linkFlags struct {
	uplink, downlink *units.Bandwidth
	footprint        *units.Size
	dedicated        *units.Count
	rate             *units.Rate
}

func (l *linkFlags) flags(s *flagSet) {
	value(s, "uplink", &l.uplink, "BANDWIDTH", "of the link towards the public resources, such as 100Mbps")
	value(s, "downlink", &l.downlink, "BANDWIDTH", "back from them")
	value(s, "footprint", &l.footprint, "SIZE", "data moved per job, such as 1MB or 8Mbit")
	value(s, "dedicated", &l.dedicated, "N", "dedicated servers")
	value(s, "rate", &l.rate, "RATE", "at which jobs arrive, such as 5/s (default 0)")
}

// given reports whether any of the flags is set.
func (l *linkFlags) given() bool {
	return l.uplink != nil || l.downlink != nil || l.footprint != nil || l.dedicated != nil || l.rate != nil
}

func (l *linkFlags) question() *survival.LinkQuestion {
	q := &survival.LinkQuestion{Uplink: float(l.uplink), Downlink: float(l.downlink), Footprint: float(l.footprint), Dedicated: whole(l.dedicated)}
	if l.rate != nil {
		q.Rate = float64(*l.rate)
	}
	return q
}

func linkCommand() *command {
	s := newFlags(true)
	l := &linkFlags{}
	var replicas *units.Count
	var epoch *units.Duration
	l.flags(s)
	value(s, "replicas", &replicas, "K", "replicas of a job")
	value(s, "epoch", &epoch, "TIME", "between two rounds of migrations, such as 2min")
	return &command{
		name: "link", usage: "what does the bottleneck link allow?", flags: s,
		description: `Every arriving job goes to its replicas over the uplink, and every dedicated
server swaps its job each epoch. The link of PCU section 4.6:

  $ capplan link --uplink 100Mbps --downlink 100Mbps --footprint 8Mbit --replicas 2 --dedicated 100 --epoch 120s

Without --dedicated: how large a cluster does it serve? Without bandwidths: what
link does a cluster need?

  $ capplan link --uplink 100Mbps --downlink 100Mbps --footprint 1MB --replicas 2 --epoch 2min --rate 1/s
  $ capplan link --footprint 1MB --replicas 2 --epoch 2min --dedicated 100 --rate 5/s`,
		ask: func(ctx context.Context, _ *streams, _ []string) (*result, error) {
			q := l.question()
			q.Replicas, q.Epoch, q.Explain = whole(replicas), float(epoch), s.output.explain
			a, err := survival.Link(ctx, q)
			if err != nil {
				return nil, err
			}
			return answered(a, report.Link(a)), nil
		},
	}
}
