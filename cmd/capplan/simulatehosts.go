package main

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/units"
)

func simulateHostsCommand() *command {
	s := newFlags(true)
	var machines hostsInput
	var run simulationFlags
	var horizon *units.Duration
	machines.flags(s)
	value(s, "horizon", &horizon, "TIME", "that is simulated (default 10d)")
	run.flags(s, "10")
	return &command{
		name: "hosts", usage: "how many of these machines are there, over time?", flags: s,
		description: `Machines come and go by renewal processes, or as recorded; how many are there is
counted, and set beside what SpeQuloS table 2 says of its traces.

  $ capplan simulate hosts --hosts g5klyo --horizon 2d
  $ capplan simulate hosts --hosts g5klyo --groups 1 --group-up 1d --group-down 8h --horizon 2d`,
		ask: func(ctx context.Context, st *streams, _ []string) (*result, error) {
			q := &bags.HostsQuestion{Horizon: float(horizon), Seed: run.seeded()}
			var err error
			if q.Hosts, err = machines.read(ctx, st); err != nil {
				return nil, err
			}
			if q.Replications, err = run.runs(); err != nil {
				return nil, err
			}
			var done func()
			q.Progress, done = st.runs()
			a, err := bags.Hosts(ctx, q)
			done()
			if err != nil {
				return nil, err
			}
			a.Warnings = append(machines.warnings, a.Warnings...)
			return &result{
				value: a, warnings: a.Warnings,
				text:      func(p *page) { showHosts(p, a) },
				rows:      func() [][]string { return hostsRows(a) },
				draw:      func(context.Context) (*drawing, error) { return drawHosts(a) },
				stoppable: true,
			}, nil
		},
	}
}

func showHosts(p *page, a *bags.HostsAnswer) {
	p.headline("%s of %s machines are there on average, spread %s", units.FormatNumber(a.Mean, 5), count(int64(a.Machines)), units.FormatNumber(a.SD, 3))
	p.row("availability", units.FormatFraction(a.Availability, 4))
	p.row("mean up", optionalLong(a.MeanUp))
	p.row("mean down", optionalLong(a.MeanDown))
	p.row("runs", count(int64(a.Replications)), fmt.Sprintf("of %s, seed %d", units.FormatDuration(a.Horizon, 4), a.Seed))
	table := [][]string{{"machines there", "law", "simulated", "from", "to", "published"}}
	published := func(v func(*bags.PublishedCount) float64) string {
		if a.Published == nil {
			return "-"
		}
		return units.FormatNumber(v(a.Published), 6)
	}
	add := func(label, law string, v bags.Interval, paper string) {
		table = append(table, append(append([]string{label, law}, intervalNumber(v)...), paper))
	}
	add("mean", units.FormatNumber(a.Mean, 5), a.Simulated.Mean, published(func(c *bags.PublishedCount) float64 { return c.Mean }))
	add("spread", units.FormatNumber(a.SD, 3), a.Simulated.SD, published(func(c *bags.PublishedCount) float64 { return c.SD }))
	add("least", "-", a.Simulated.Fewest, published(func(c *bags.PublishedCount) float64 { return c.Fewest }))
	add("most", "-", a.Simulated.Most, published(func(c *bags.PublishedCount) float64 { return c.Most }))
	p.table(table)
	if a.Published != nil {
		p.row("greatest spread", units.FormatNumber(a.Published.MostSD, 4), "of any number with the published mean and extremes")
	}
}

func hostsRows(a *bags.HostsAnswer) [][]string {
	out := [][]string{{"time_s", "machines"}}
	for i, t := range a.Times {
		out = append(out, []string{ask.Digits(t), ask.Digits(a.Counts[i])})
	}
	return out
}

// drawHosts draws one run, with the mean and the published extremes.
func drawHosts(a *bags.HostsAnswer) (*drawing, error) {
	unit, name := timeAxis(a.Horizon)
	c := chart.Chart{
		Title: "Machines that are there", Subtitle: fmt.Sprintf("%s, %s machines, seed %d", a.Hosts, count(int64(a.Machines)), a.Seed),
		XLabel: "time (" + name + ")", YLabel: "machines",
		HLines: []chart.Rule{{Value: a.Mean, Label: "mean"}},
	}
	line := chart.Series{Name: "one run", Style: chart.Line, Y: a.Counts}
	for _, t := range a.Times {
		line.X = append(line.X, t/unit)
	}
	c.Series = append(c.Series, line)
	if p := a.Published; p != nil {
		c.HLines = append(c.HLines, chart.Rule{Value: p.Fewest, Label: "published least"}, chart.Rule{Value: p.Most, Label: "published most"})
	}
	return &drawing{bottom: c}, nil
}
