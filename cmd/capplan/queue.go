package main

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/units"
)

func queueCommand() *command {
	return &command{
		name: "queue", usage: "the figures of one queue",
		description: `The blocking probability of 130 lines offered 120 erlangs:

  $ capplan queue erlang-b --servers 130 --load 120`,
		children: []func() *command{
			func() *command {
				return queueModel(planner.ErlangB, "loss: who finds all servers busy is lost", `One fewer than enough:

  $ capplan queue erlang-b --servers 137 --load 120`)
			},
			func() *command {
				return queueModel(planner.ErlangC, "waiting: M/M/c", `A help desk of 14:

  $ capplan queue erlang-c --servers 14 --rate 2/min --service-time 5min --max-wait 20s`)
			},
			func() *command {
				return queueModel(planner.ErlangA, "waiting with patience: M/M/n+M", `A help desk of 10 whose callers give up after 3 minutes on average:

  $ capplan queue erlang-a --servers 10 --rate 2/min --service-time 5min --patience 3min --max-wait 20s`)
			},
			func() *command {
				return queueModel(planner.GGC, "waiting with general variability: GI/G/c by Allen-Cunneen", `Regular arrivals, very uneven service:

  $ capplan queue ggc --servers 14 --rate 2/min --service-time 5min --arrival-scv 0.5 --service-scv 2`)
			},
		},
	}
}

func queueModel(model planner.QueueModel, usage, description string) *command {
	q := &planner.QueueQuestion{Queue: model}
	s := newFlags(true)
	var servers *units.Number
	value(s, "servers", &servers, "N", "servers, also a fraction")
	value(s, "load", &q.OfferedLoad, "ERLANG", "offered load in erlangs")
	value(s, "rate", &q.Rate, "RATE", "arrival rate such as 5.4/s")
	value(s, "service-time", &q.ServiceTime, "TIME", "mean service time such as 90s")
	if model != planner.ErlangB {
		value(s, "percentile", &q.Percentile, "P", "of the wait (default 95%)")
		value(s, "max-wait", &q.MaxWait, "TIME", "asks for the chance to wait no longer")
	}
	if model == planner.ErlangA {
		value(s, "patience", &q.Patience, "TIME", "mean patience")
	}
	if model == planner.GGC {
		value(s, "arrival-scv", &q.ArrivalSCV, "SCV", "squared coefficient of variation of the gaps between arrivals")
		value(s, "service-scv", &q.ServiceSCV, "SCV", "squared coefficient of variation of the service times")
	}
	return &command{
		name: string(model), usage: usage, flags: s, description: description,
		ask: func(ctx context.Context, _ *streams, _ []string) (*result, error) {
			if servers == nil {
				return nil, &planner.InputError{Field: "servers", Reason: "no servers given, want a number such as --servers 14"}
			}
			q.Servers, q.Explain = float64(*servers), s.output.explain
			a, err := planner.Queue(ctx, q)
			if err != nil {
				return nil, err
			}
			return &result{
				value: a, warnings: a.Warnings,
				text: func(p *page) { showQueue(p, a) },
				draw: func(context.Context) (*drawing, error) { return drawQueue(q, a) },
			}, nil
		},
	}
}

func showQueue(p *page, a *planner.QueueAnswer) {
	kind := planner.Wait
	switch a.Queue {
	case planner.ErlangB:
		kind = planner.Loss
		p.headline("blocking probability %s (%s, %s servers, %s)", blocking(a), a.Queue, units.FormatNumber(a.Servers, 7), erlangs(a.OfferedLoad))
	case planner.ErlangA:
		kind = planner.Abandon
		fallthrough
	default:
		p.headline("wait probability %s (%s, %s servers, %s)", optionalFraction(a.WaitProbability), a.Queue, units.FormatNumber(a.Servers, 7), erlangs(a.OfferedLoad))
	}
	showFigures(p, kind, &a.Figures, nil, "")
	p.row("served within max-wait", optionalFraction(a.ServedLevel))
	p.row("log10 of blocking", optionalNumber(a.Log10Blocking, 6))
	p.row("carried load", withUnit(optionalNumber(a.CarriedLoad, 6), "erl"))
	p.row("lost load", withUnit(optionalNumber(a.LostLoad, 6), "erl"))
	p.row("one more server carries", withUnit(optionalNumber(a.Improvement, 4), "erl"))
	p.explain(a.Explanation)
}

// drawQueue draws blocking against the load, or the law of the wait.
func drawQueue(q *planner.QueueQuestion, a *planner.QueueAnswer) (*drawing, error) {
	c, err := q.Drawn()
	if err != nil {
		return nil, err
	}
	servers := units.FormatNumber(a.Servers, 7) + " servers"
	if !c.Tail {
		return &drawing{bottom: chart.Chart{
			Title: "Blocking against load", Subtitle: servers + ", " + modelName(planner.Loss),
			XLabel: "offered load (erlang)", YLabel: "blocking probability",
			Series: []chart.Series{{Name: "blocking probability", X: c.X, Y: c.Y, Style: chart.Line}},
			Marks:  []chart.Mark{{X: c.At, Y: *a.Blocking, Label: optionalFraction(a.Blocking)}},
		}}, nil
	}
	d := chart.Chart{
		Title: "Law of the wait", Subtitle: fmt.Sprintf("%s, %s, %s", a.Queue, servers, erlangs(a.OfferedLoad)),
		XLabel: "t (" + c.Unit + ")", YLabel: "probability to wait longer than t",
		Series: []chart.Series{{Name: "P(wait > t)", X: c.X, Y: c.Y, Style: chart.Line}},
	}
	zero := 0.0
	d.YMin = &zero
	if a.ServiceLevel != nil {
		d.VLines = []chart.Rule{{Value: c.At, Label: "max-wait"}}
		d.Marks = []chart.Mark{{X: c.At, Y: 1 - *a.ServiceLevel, Label: units.FormatFraction(1-*a.ServiceLevel, 3)}}
	}
	return &drawing{bottom: d}, nil
}

// blocking writes the probability, or its power of ten where it is too small
// for a float64.
func blocking(a *planner.QueueAnswer) string {
	if *a.Blocking == 0 && a.Log10Blocking != nil {
		return "10^" + units.FormatNumber(*a.Log10Blocking, 6)
	}
	return optionalFraction(a.Blocking)
}

func withUnit(s, unit string) string {
	if s == "" {
		return ""
	}
	return s + " " + unit
}
