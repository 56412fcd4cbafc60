package main

import (
	"context"
	"slices"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/units"
)

func labelCommand() *command {
	s := newFlags(true)
	in := &hostInput{}
	var date string
	var perSample bool
	toggle(s, "per-sample", &perSample, "with --format csv: a row for each step, not for each stay")
	s.needs("per-sample", "format=csv")
	text(s, "date", &date, "DATE", "of the day that --plot draws (default: the day with most changes of state)")
	s.needs("date", "plot")
	in.flags(s)
	return &command{
		name: "label", usage: "the states of a machine", args: "TRACE", maxArgs: 1, flags: s,
		description: `Turns the samples of a trace into the five states. --plot draws a day.

  $ capplan availability label testdata/host-small.csv --working-set 256MB
  $ capplan availability label testdata/host-small.csv --format csv`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) == 0 {
				return nil, errNoTrace()
			}
			q := &machines.LabelQuestion{Explain: s.output.explain}
			var err error
			if q.Labelling, err = in.labelling(ctx); err != nil {
				return nil, err
			}
			if err := in.read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Host = &in.hosts[0]
			a, err := machines.Label(q)
			if err != nil {
				return nil, err
			}
			if date != "" {
				if _, err := a.Ribbon(date); err != nil {
					return nil, err
				}
			}
			each := func(row func([]string) error) error { return labelRows(ctx, a, perSample, row) }
			return &result{
				value: a, warnings: slices.Concat(in.warnings, a.Warnings),
				text: func(p *page) { showLabels(p, a) },
				each: each,
				draw: func(context.Context) (*drawing, error) { return drawRibbon(a, date) },
			}, nil
		},
	}
}

func showLabels(p *page, a *machines.LabelAnswer) {
	up := a.States[0].Share + a.States[1].Share
	p.headline("%s is free for a guest %s of the time, %s to %s", a.Host, units.FormatFraction(up, 4), a.First, a.Last)
	if a.Samples > 0 {
		p.row("samples", count(int64(a.Samples)), "every "+units.FormatDuration(a.Step, 5))
	} else {
		p.row("steps of", units.FormatDuration(a.Step, 5), "from times up and down")
	}
	if a.Gaps > 0 {
		p.row("gaps", count(int64(a.Gaps)))
	}
	rows := [][]string{{"state", "stays", "time", "share", "mean stay"}}
	for _, s := range a.States {
		rows = append(rows, []string{s.State, count(int64(s.Stays)), units.FormatDuration(s.Time, 5), units.FormatFraction(s.Share, 4), units.FormatDuration(s.Mean, 4)})
	}
	p.table(rows)
	p.explain(a.Explanation)
}

// labelRows hands out the stays, or the state of each step.
func labelRows(ctx context.Context, a *machines.LabelAnswer, perSample bool, row func([]string) error) error {
	if perSample {
		if err := row([]string{"time_s", "state"}); err != nil {
			return err
		}
		return a.Each(ctx, func(t float64, state string) error { return row([]string{exactly(t), state}) })
	}
	names, _ := scalars(machines.Sojourn{})
	if err := row(names); err != nil {
		return err
	}
	for _, s := range a.Sojourns {
		if err := row([]string{s.Start, exactly(s.Time), s.State, exactly(float64(s.Steps)), exactly(s.Duration)}); err != nil {
			return err
		}
	}
	return nil
}

// drawRibbon draws the load of a day above its states.
func drawRibbon(a *machines.LabelAnswer, date string) (*drawing, error) {
	r, err := a.Ribbon(date)
	if err != nil {
		return nil, err
	}
	zero, full, low, high, day := 0.0, 1.0, 0.5, 5.5, 24.0
	top := &chart.Chart{
		Title: "Load and states of " + a.Host, Subtitle: r.Date, YLabel: "CPU load", YMin: &zero, YMax: &full, XMin: &zero, XMax: &day, XStep: 3,
		HLines: []chart.Rule{{Value: r.Light, Label: "Th1"}, {Value: r.Heavy, Label: "Th2"}},
	}
	if len(r.Hours) > 0 {
		top.Series = append(top.Series, chart.Series{Name: "load", Style: chart.Line, X: r.Hours, Y: r.Load})
	}
	bottom := chart.Chart{XLabel: "time of day (h)", YLabel: "state S1 to S5", YMin: &low, YMax: &high, XMin: &zero, XMax: &day, XStep: 3}
	for state, name := range r.States {
		s := chart.Series{Name: name, Style: chart.Band}
		mid := float64(state + 1)
		add := func(x, half float64) {
			if n := len(s.X); n > 0 && x <= s.X[n-1] {
				x = s.X[n-1] + 1e-6
			}
			s.X, s.YLow, s.YHigh = append(s.X, x), append(s.YLow, mid-half), append(s.YHigh, mid+half)
		}
		seen := false
		for i := range r.From {
			if r.State[i] == state {
				seen = true
				add(r.From[i], 0)
				add(r.From[i], 0.4)
				add(r.To[i], 0.4)
				add(r.To[i], 0)
			}
		}
		if seen {
			bottom.Series = append(bottom.Series, s)
		}
	}
	if len(top.Series) == 0 {
		bottom.Title, bottom.Subtitle = "States of "+a.Host, top.Subtitle
		return &drawing{bottom: bottom}, nil
	}
	return &drawing{top: top, bottom: bottom}, nil
}
