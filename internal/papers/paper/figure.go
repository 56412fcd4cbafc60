package paper

import (
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
)

// Panels draws the quantities that a figure of a paper shows, one or two above
// each other; none where there is no curve. The title of the whole stands over the first panel.
func (a *Reproduction) Panels() []page.Figure {
	var charts []chart.Chart
	for i := range a.Drawn {
		if c := a.panel(&a.Drawn[i]); len(c.Series) > 0 {
			charts = append(charts, c)
		}
	}
	if len(charts) == 0 {
		return nil
	}
	charts[0].Title = a.Source + ": " + a.Title
	f := page.Figure{ID: a.Name, Chart: charts[0]}
	if len(charts) > 1 {
		f.Top, f.Chart = &charts[0], charts[1]
	}
	return []page.Figure{f}
}

// panel draws one quantity: a line for each series, whiskers where there is
// a range, and what the paper prints as points. Rows without an x are numbers beside the curves,
// and are not drawn.
func (a *Reproduction) panel(p *Panel) chart.Chart {
	c := chart.Chart{XLabel: a.X, YLabel: p.YLabel, XLog: p.XLog, YLog: p.YLog, XNames: p.Names}
	style := chart.Line
	if p.Dots {
		style = chart.Points
	}
	// A chart that does not begin at 0 makes small differences look large.
	if !p.YLog && !p.FromData {
		c.YMin = new(0.0) // no figure of the papers is below 0
	}
	if p.Share {
		c.YMax = new(100.0)
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
		// A logarithmic axis has no place for 0 and below.
		if r.Computed == nil || p.YLog && *r.Computed <= 0 {
			continue
		}
		k, ok := at[r.Series]
		if !ok {
			k = len(c.Series)
			at[r.Series] = k
			c.Series = append(c.Series, chart.Series{Name: strings.ReplaceAll(r.Series, "_", " "), Style: style})
		}
		s := &c.Series[k]
		s.X, s.Y = append(s.X, *r.X), append(s.Y, *r.Computed)
		if r.Low != nil && r.High != nil && !p.NoRange {
			low := *r.Low
			if p.YLog && low <= 0 {
				// A tenth is a whisker that reaches one decade down.
				low = *r.Computed / 10 // of few seeds; the axis has no 0
			}
			high := *r.High
			if p.Share {
				high = min(high, 100) // an interval of the t law knows no bound
			}
			s.YLow, s.YHigh = append(s.YLow, low), append(s.YHigh, high)
		}
	}
	// Printed points have no curve of their own to be drawn without.
	c.Series = report.WholeWhiskers(c.Series)
	if len(printed.X) > 0 && len(c.Series) > 0 {
		c.Series = append(c.Series, printed)
	}
	return c
}
