package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// linkFlags describe the link between a dedicated cluster and public
// resources. Replicas and epoch are flags of link itself. What is not given is what the answer
// finds. epoch has these flags too, for its joint design.
type linkFlags struct {
	question survival.LinkQuestion
	rate     *units.Rate // nil: 0
}

// flags binds the link, for link and for the joint design of epoch.
func (l *linkFlags) flags(s *cmdline.FlagSet) {
	q := &l.question
	cmdline.Number[units.Bandwidth](s, "uplink",
		&q.Uplink, "BANDWIDTH", "bandwidth of the link to the public resources, such as 100Mbps")
	cmdline.Number[units.Bandwidth](s, "downlink", &q.Downlink, "BANDWIDTH", "bandwidth of the link back from them")
	cmdline.Number[units.Size](s, "footprint", &q.Footprint, "SIZE", "data moved per job, such as 1MB or 8Mbit")
	cmdline.Number[units.Count](s, "dedicated", &q.Dedicated, "N", "dedicated servers")
	cmdline.Value(s, "rate", &l.rate, "RATE", "rate at which jobs arrive, such as 5/s (default 0)")
}

// given reports whether any of the flags is set. epoch asks it, to tell a joint design with a link
// from one without.
func (l *linkFlags) given() bool {
	return l.rate != nil || l.question != (survival.LinkQuestion{})
}

// asked is the question of the flags.
func (l *linkFlags) asked() *survival.LinkQuestion {
	l.question.Rate = float64(ask.Value(l.rate))
	return &l.question
}

// linkCommand answers, by what is left out, whether a link is enough, how many servers it serves, or
// how wide it has to be. A load that the link cannot carry is an answer with exit code 3, told with
// the most that it does carry.
func linkCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	l := &linkFlags{}
	l.flags(s)
	cmdline.Number[units.Count](s, "replicas", &l.question.Replicas, "K", "replicas of a job")
	cmdline.Number[units.Duration](s, "epoch",
		&l.question.Epoch, "TIME", "time between two rounds of migrations, such as 2min")
	return &cmdline.Command{
		Name: "link", Usage: "what does the bottleneck link allow?", Flags: s,
		Description: `Every arriving job is sent to its replicas over the uplink, and every dedicated server
swaps its job each epoch. The link of PCU section 4.6:

  $ capplan link --uplink 100Mbps --downlink 100Mbps --footprint 8Mbit --replicas 2 --dedicated 100 --epoch 120s

Without --dedicated the answer is how large a cluster the link serves; without bandwidths,
what link the cluster needs.

  $ capplan link --uplink 100Mbps --downlink 100Mbps --footprint 1MB --replicas 2 --epoch 2min --rate 1/s
  $ capplan link --footprint 1MB --replicas 2 --epoch 2min --dedicated 100 --rate 5/s`,
		Ask: func(ctx context.Context, _ *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			// Values out of their domain are refused by survival.Link, which scenarios use too.
			q := l.asked()
			q.Explain = s.Output.Explain
			return cmdline.Ask(ctx, q, survival.Link, report.Link)
		},
	}
}
