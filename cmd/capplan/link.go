package main

import (
	"context"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/survival"
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
			return &result{
				value: a, warnings: a.Warnings,
				text: func(p *page) { showLink(p, a) },
				draw: func(context.Context) (*drawing, error) { return drawLink(q, a) },
			}, nil
		},
	}
}

func showLink(p *page, a *survival.LinkAnswer) {
	switch {
	case a.MaxArrivalRate != nil:
		p.headline("fewer than %s jobs arriving, with %s (%s binds servers and epoch)", units.FormatRate(*a.MaxArrivalRate, 5), plural(*a.Dedicated, "dedicated server", "dedicated servers"), *a.Binding)
	case a.MaxDedicated != nil:
		p.headline("at most %s (%s binds)", plural(*a.MaxDedicated, "dedicated server", "dedicated servers"), *a.Binding)
	default:
		p.headline("more than %s up and %s down", units.FormatBandwidth(*a.MinUplink, 5), units.FormatBandwidth(*a.MinDownlink, 5))
	}
	p.row("servers, by the uplink", withSign("<", optionalNumber(a.MaxDedicatedUplink, 7)))
	p.row("servers, by the downlink", withSign("<", optionalNumber(a.MaxDedicatedDownlink, 7)))
	if a.MinEpoch != nil {
		p.row("epoch", withSign(">", units.FormatDuration(*a.MinEpoch, 4)), "for these servers")
	}
	p.row("uplink used", optionalFraction(a.UplinkUtilization))
	p.row("downlink used", optionalFraction(a.DownlinkUtilization))
	if a.MinUplink != nil && a.Uplink != nil {
		p.row("uplink needed", withSign(">", units.FormatBandwidth(*a.MinUplink, 5)))
		p.row("downlink needed", withSign(">", units.FormatBandwidth(*a.MinDownlink, 5)))
	}
	p.explain(a.Explanation)
}

func withSign(sign, s string) string {
	if s == "" {
		return ""
	}
	return sign + " " + s
}

// drawLink draws the greatest arrival rate against the dedicated servers.
func drawLink(q *survival.LinkQuestion, a *survival.LinkAnswer) (*drawing, error) {
	v, err := q.Drawn()
	if err != nil {
		return nil, err
	}
	zero := 0.0
	c := chart.Chart{
		Title: "What the link takes", Subtitle: units.FormatBandwidth(*a.Uplink, 4) + " up, " + units.FormatBandwidth(*a.Downlink, 4) + " down, " + units.FormatSize(a.Footprint, 4) + " a job, " + plural(a.Replicas, "replica", "replicas") + ", epoch " + units.FormatDuration(*a.Epoch, 4),
		XLabel: "dedicated servers", YLabel: "greatest arrival rate (per s)", YMin: &zero,
		Series: []chart.Series{{Name: "greatest arrival rate", X: v.Dedicated, Y: v.Rate, Style: chart.Line}},
	}
	if last := v.Dedicated[len(v.Dedicated)-1]; v.Downlink <= last {
		c.VLines = []chart.Rule{{Value: v.Downlink, Label: "downlink full"}}
	}
	if a.MaxArrivalRate != nil && *a.MaxArrivalRate > 0 {
		c.Marks = append(c.Marks, chart.Mark{X: float64(*a.Dedicated), Y: *a.MaxArrivalRate, Label: units.FormatRate(*a.MaxArrivalRate, 4)})
	}
	if a.Rate > 0 {
		c.HLines = []chart.Rule{{Value: a.Rate, Label: "arrival rate"}}
	}
	return &drawing{bottom: c}, nil
}
