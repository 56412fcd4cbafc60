package report

import (
	"context"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Label says in which states a machine was. The figure is of a date, "" for the
// day of most changes; the data has a row for each stay, or for each sample. It leads with the
// share of time in which a guest could run, and lists the states. ctx ends the rows of a long
// record.
func Label(ctx context.Context, a *machines.LabelAnswer, date string, perSample bool) *page.Section {
	s := &page.Section{
		ID:       "label",
		Title:    "In which states was the machine?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
		Data: []page.Data{{Name: "states", Each: func(row func([]string) error) error {
			return labelRows(ctx, a, perSample, row)
		}}},
	}
	s.Say("%s is free for a guest %s of the time, %s to %s", a.Host, say.Fraction(a.Availability, 4), a.First, a.Last)
	// A record of ups and downs has no samples, but steps at which it is looked at.
	if a.Samples > 0 {
		s.Fact("samples", say.Count(a.Samples), "every "+say.Duration(a.Step, 5))
	} else {
		s.Fact("steps of", say.Duration(a.Step, 5), "from times up and down")
	}
	if a.Gaps > 0 {
		s.Fact("gaps", say.Count(a.Gaps))
	}
	// The time that was seen is divided by the ends that were, so that a stay which the record cuts
	// counts too.
	s.Fact("MTTF", say.Maybe(a.MeanUp, say.Duration, 4), "time up over "+say.Plural(a.Failures, "failure"))
	s.Fact("MTTR", say.Maybe(a.MeanDown, say.Duration, 4), "time down over "+say.Plural(a.Repairs, "repair"))
	t := s.Table("state", "stays", "time", "share", "mean stay")
	for _, x := range a.States {
		t.Row(x.State, say.Count(x.Stays), say.TimeCell(x.Time, 4), say.Fraction(x.Share, 4), say.TimeCell(x.Mean, 3))
	}
	s.Draws = func(context.Context) ([]page.Figure, error) {
		r, err := a.Ribbon(date)
		if err != nil {
			return nil, err
		}
		return []page.Figure{ribbon(a.Host, r)}, nil
	}
	return s
}

// labelRows hands out the stays, or the state of each step. Numbers are written exactly, to be read
// back by programs.
func labelRows(ctx context.Context, a *machines.LabelAnswer, perSample bool, row func([]string) error) error {
	if perSample {
		if err := row([]string{"time_s", "state"}); err != nil {
			return err
		}
		return a.Each(ctx, func(t float64, state string) error { return row([]string{scalars.Exactly(t), state}) })
	}
	// The header is that of the struct, so that CSV and JSON have the same names.
	names, _ := scalars.Of(machines.Sojourn{})
	if err := row(names); err != nil {
		return err
	}
	for _, s := range a.Sojourns {
		if err := row([]string{s.Start, scalars.Exactly(s.Time), s.State, scalars.Exactly(float64(s.Steps)),
			scalars.Exactly(s.Duration)}); err != nil {
			return err
		}
	}
	return nil
}

// ribbon draws the load of a day above its states. The thresholds Th1 and Th2 are drawn across the
// load, and both charts have the clock of the day below them.
func ribbon(host string, r *machines.DayRibbon) page.Figure {
	// States are drawn as the numbers 1 to 5, each with half a unit of room around it.
	zero, full, low, high, day := 0.0, 1.0, 0.5, 5.5, 24.0
	top := chart.Chart{
		Title:    "Load and states of " + host,
		Subtitle: r.Date,
		YLabel:   "CPU load",
		YMin:     &zero,
		YMax:     &full,
		XMin:     &zero,
		XMax:     &day,
		XSteps:   chart.HourSteps(),
		XClock:   true,
		HLines:   []chart.Rule{{Value: r.Light, Label: "Th1"}, {Value: r.Heavy, Label: "Th2"}},
	}
	if len(r.Hours) > 0 {
		top.Series = append(top.Series, chart.Series{Name: "load", Style: chart.Line, X: r.Hours, Y: r.Load})
	}
	bottom := chart.Chart{
		XLabel: "time of day",
		YLabel: "state S1 to S5",
		YMin:   &low,
		YMax:   &high,
		XMin:   &zero,
		XMax:   &day,
		XSteps: chart.HourSteps(),
		XClock: true,
	}
	// A state that did not occur has no colour in the legend.
	for state, name := range r.States {
		if s := stays(r, state, name); len(s.X) > 0 {
			bottom.Series = append(bottom.Series, s)
		}
	}
	// Events of up and down have no load to draw.
	if len(top.Series) == 0 {
		bottom.Title, bottom.Subtitle = "States of "+host, top.Subtitle
		return page.Figure{ID: "label", Chart: bottom}
	}
	return page.Figure{ID: "label", Top: &top, Chart: bottom}
}

// stays is a box for each stay in a state, at the height of its number. One series a state keeps
// its colour; gaps between boxes have no height, and are not seen.
func stays(r *machines.DayRibbon, state int, name string) chart.Series {
	s := chart.Series{Name: name, Style: chart.Band}
	mid := float64(state + 1)
	add := func(x, half float64) {
		// A band needs rising values of x: the four corners of a box stand so close together that they
		// draw as upright.
		if n := len(s.X); n > 0 && x <= s.X[n-1] {
			x = s.X[n-1] + 1e-6
		}
		s.X, s.YLow, s.YHigh = append(s.X, x), append(s.YLow, mid-half), append(s.YHigh, mid+half)
	}
	for i := range r.From {
		if r.State[i] == state {
			add(r.From[i], 0)
			add(r.From[i], 0.4)
			add(r.To[i], 0.4)
			add(r.To[i], 0)
		}
	}
	return s
}
