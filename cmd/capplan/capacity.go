package main

import (
	"context"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

func capacityCommand() *command {
	q := &sizing.CapacityQuestion{}
	s := newFlags(true)
	var servers *units.Count
	var pool poolFlags
	value(s, "servers", &servers, "N", "servers that are there; beside --public the dedicated ones")
	oneOf(s, "solve-for", &q.SolveFor, "`UNKNOWN`: load, service-time (given --rate), or objective (given a load) (default load)", nil, "load", "service-time", "objective")
	trafficFlags(s, &q.Traffic)
	objectiveFlags(s, &q.Objectives)
	modelFlag(s, &q.Model)
	pool.flags(s)
	return &command{
		name: "capacity", usage: "how much load can this fleet take?", flags: s,
		description: `The inverse of size: any one of load, service time and objective can be the
unknown.

The greatest load that 138 servers take at 1% loss:

  $ capplan capacity --servers 138 --max-blocking 1%

The longest service at 2 arrivals a minute:

  $ capplan capacity --servers 14 --rate 2/min --max-wait 20s --percentile 80% --solve-for service-time

What a fleet delivers at a given load:

  $ capplan capacity --servers 14 --rate 2/min --service-time 5min --solve-for objective`,
		ask: func(ctx context.Context, _ *streams, _ []string) (*result, error) {
			if servers == nil {
				return nil, &ask.InputError{Field: "servers", Reason: "no fleet given, want a number of servers such as --servers 138"}
			}
			q.Servers, q.Explain = int64(*servers), s.output.explain
			var err error
			if q.Pool, err = pool.pool(); err != nil {
				return nil, err
			}
			a, err := sizing.Capacity(ctx, q)
			if err != nil {
				return nil, err
			}
			return &result{
				value: a, warnings: a.Warnings,
				text: func(p *page) { showCapacity(p, a) },
				draw: func(ctx context.Context) (*drawing, error) { return drawCapacity(ctx, q, a) },
			}, nil
		},
	}
}

func showCapacity(p *page, a *sizing.CapacityAnswer) {
	fleet := plural(a.Servers, "server", "servers")
	switch {
	case a.MaxServiceTime != nil:
		p.headline("service times up to %s with %s (%s)", units.FormatDuration(*a.MaxServiceTime, 5), fleet, modelName(a.Model))
	case a.SolveFor == sizing.SolveObjective:
		p.headline("%s at %s (%s)", fleet, erlangs(a.OfferedLoad), modelName(a.Model))
	case a.MaxRate != nil:
		p.headline("%s, up to %s, with %s (%s)", erlangs(a.OfferedLoad), units.FormatRate(*a.MaxRate, 5), fleet, modelName(a.Model))
	default:
		p.headline("%s with %s (%s)", erlangs(a.OfferedLoad), fleet, modelName(a.Model))
	}
	showFigures(p, a.Model, &a.Figures, a.Objectives, a.Binding)
	p.row("equivalent servers", optionalNumber(a.Equivalent, 7))
	if a.PublicCount != "" {
		p.row("public machines", a.PublicCount.Words())
	}
	p.explain(a.Explanation)
}

// drawCapacity draws the greatest load against the number of servers.
func drawCapacity(ctx context.Context, q *sizing.CapacityQuestion, a *sizing.CapacityAnswer) (*drawing, error) {
	if a.SolveFor == sizing.SolveObjective {
		return nil, &usageError{reason: "--plot: with --solve-for objective there is no curve to draw"}
	}
	answer := func(a *sizing.CapacityAnswer) float64 {
		if a.MaxServiceTime != nil {
			return *a.MaxServiceTime
		}
		return *a.MaxLoad
	}
	label := "greatest load (erlang)"
	if a.MaxServiceTime != nil {
		label = "longest service time (s)"
	}
	var x, y []float64
	step := max(a.Servers/40, 1)
	for n := max(a.Servers-40*step, 1); n <= a.Servers+40*step; n += step {
		one := *q
		one.Servers, one.Explain = n, false
		b, err := sizing.Capacity(ctx, &one)
		if err != nil {
			continue // too few servers for any load: the curve starts further right
		}
		x, y = append(x, float64(n)), append(y, answer(b))
	}
	return &drawing{bottom: chart.Chart{
		Title:    "What a fleet can take",
		Subtitle: "within the objectives, " + modelName(a.Model),
		XLabel:   "servers", YLabel: label,
		Series: []chart.Series{{Name: label, X: x, Y: y, Style: chart.Line}},
		Marks:  []chart.Mark{{X: float64(a.Servers), Y: answer(a), Label: plural(a.Servers, "server", "servers") + ": " + units.FormatNumber(answer(a), 5)}},
	}}, nil
}
