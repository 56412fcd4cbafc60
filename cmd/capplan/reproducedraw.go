package main

import (
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/internal/papers"
)

// drawReproduction draws the figure; nil where there is no curve.
func drawReproduction(a *papers.Reproduction) *drawing {
	if a.Study != nil {
		d := drawStudy(a.Study)
		if d.top != nil {
			d.top.Title = a.Source + ": " + d.top.Title
		} else {
			d.bottom.Title = a.Source + ": " + d.bottom.Title
		}
		return d
	}
	var charts []chart.Chart
	for i := range a.Drawn {
		if c := drawPanel(a, &a.Drawn[i]); len(c.Series) > 0 {
			charts = append(charts, c)
		}
	}
	switch len(charts) {
	case 0:
		return nil
	case 1:
		charts[0].Title = a.Source + ": " + a.Title
		return &drawing{bottom: charts[0]}
	}
	charts[0].Title = a.Source + ": " + a.Title
	return &drawing{top: &charts[0], bottom: charts[1]}
}

// drawPanel draws one quantity: a line for each series, whiskers where there is
// a range, and what the paper prints as points.
func drawPanel(a *papers.Reproduction, p *papers.Panel) chart.Chart {
	c := chart.Chart{XLabel: a.X, YLabel: p.YLabel, XLog: p.XLog, YLog: p.YLog}
	if !p.YLog {
		zero := 0.0
		c.YMin = &zero // no figure of the papers is below 0
	}
	at := map[string]int{}
	printed := chart.Series{Name: "printed in the paper", Style: chart.Points}
	for i := range a.Rows {
		r := &a.Rows[i]
		if r.Quantity != p.Quantity || r.X == nil {
			continue
		}
		if r.Printed != nil {
			printed.X, printed.Y = append(printed.X, *r.X), append(printed.Y, *r.Printed)
		}
		if r.Computed == nil {
			continue
		}
		k, ok := at[r.Series]
		if !ok {
			k = len(c.Series)
			at[r.Series] = k
			c.Series = append(c.Series, chart.Series{Name: strings.ReplaceAll(r.Series, "_", " "), Style: chart.Line})
		}
		s := &c.Series[k]
		s.X, s.Y = append(s.X, *r.X), append(s.Y, *r.Computed)
		if r.Low != nil && r.High != nil && !p.NoRange {
			s.YLow, s.YHigh = append(s.YLow, *r.Low), append(s.YHigh, *r.High)
		}
	}
	c.Series = wholeWhiskers(c.Series)
	if len(printed.X) > 0 && len(c.Series) > 0 {
		c.Series = append(c.Series, printed)
	}
	return c
}
