package main

import (
	"context"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
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
			return &result{
				value: a,
				text:  func(p *page) { showThroughput(p, a) },
				draw:  func(ctx context.Context) (*drawing, error) { return drawThroughput(ctx, q, a) },
			}, nil
		},
	}
}

func showThroughput(p *page, a *sizing.ThroughputAnswer) {
	p.headline("%s of %s offered", units.FormatRate(a.Throughput, 5), units.FormatRate(a.Rate, 5))
	p.row("equivalent servers", units.FormatNumber(a.Equivalent, 7), "dedicated and public together")
	if a.PublicCount != "" {
		p.row("public machines", a.PublicCount.Words())
	}
	p.row("blocking probability", units.FormatFraction(a.Blocking, 4))
	p.row("utilization", optionalFraction(a.Utilization))
	p.row("offered load", erlangs(a.OfferedLoad))
	p.explain(a.Explanation)
}

// drawThroughput draws throughput against the rate, as PCU figure 6 does.
func drawThroughput(ctx context.Context, q *sizing.ThroughputQuestion, a *sizing.ThroughputAnswer) (*drawing, error) {
	most := max(2*a.Rate, 1.5*a.Equivalent/q.ServiceTime)
	if most == 0 {
		return nil, &usageError{reason: "--plot: a fleet of nothing under no load has no curve to draw"}
	}
	var rates []float64
	for i := range 101 {
		rates = append(rates, most*float64(i)/100)
	}
	both, dedicated, err := sizing.ThroughputCurve(ctx, q, rates)
	if err != nil {
		return nil, err
	}
	name := "dedicated servers"
	c := chart.Chart{
		Title: "Throughput against load", Subtitle: units.FormatNumber(a.Equivalent, 7) + " equivalent servers",
		XLabel: "arrival rate (per s)", YLabel: "throughput (per s)",
		Series: []chart.Series{{Name: "all that arrives", X: rates, Y: rates, Style: chart.Line}},
		Marks:  []chart.Mark{{X: a.Rate, Y: a.Throughput, Label: units.FormatRate(a.Throughput, 4)}},
	}
	if q.Pool != nil {
		c.Series = append(c.Series, chart.Series{Name: "dedicated and public", X: rates, Y: both, Style: chart.Line})
		name = "dedicated alone"
	}
	c.Series = append(c.Series, chart.Series{Name: name, X: rates, Y: dedicated, Style: chart.Line})
	return &drawing{bottom: c}, nil
}
