package bags

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
)

// finishAxis is the axis that the plots of an answer share, so that they stand one above the other.
const finishAxis = "done by"

// Plots returns the chance that the bag is done by each time, without help, and, where help is
// designed, the expense against the time that it buys.
func (a *FinishAnswer) Plots(context.Context) ([]ask.Plot, error) {
	var plots []ask.Plot
	if p, ok := a.lawPlot(); ok {
		plots = append(plots, p)
	}
	if len(a.Frontier) >= 2 {
		plots = append(plots, a.frontierPlot())
	}
	switch {
	case len(plots) == 0 && a.law == nil:
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its law")
	case len(plots) == 0:
		return nil, ask.NothingDrawn("the bag is hardly ever done, so there is no time to draw")
	}
	// A deadline far beyond all that is drawn would squeeze the curves into a corner, and so would a long tail.
	if first, last := ends(plots); (a.by > 2*last || last > longTail*first) && first > 0 {
		for i := range plots {
			plots[i].X.Scale = ask.Log
		}
	}
	return plots, nil
}

// longTail is how many times the first time that is drawn the last is where the axis is logarithmic.
const longTail = 6

// ends returns the least and the greatest x of the curves.
func ends(plots []ask.Plot) (first, last float64) {
	first = math.Inf(1)
	for _, p := range plots {
		for _, c := range p.Curves {
			first, last = min(first, slices.Min(c.X)), max(last, slices.Max(c.X))
		}
	}
	return first, last
}

// on says which bag is done where.
func (a *FinishAnswer) on() string {
	s := ask.Counted(a.Tasks, "task") + " on " + ask.Counted(a.Machines, "machine")
	if a.Hosts != "" && a.Hosts != lawHosts {
		s += " of " + a.Hosts
	}
	return s
}

// lawPlot returns the laws of the time, without help and with that of the design; false if half of
// such bags are never done without.
func (a *FinishAnswer) lawPlot() (p ask.Plot, ok bool) {
	if a.law == nil || a.Finish.P50 == nil {
		return p, false
	}
	p = ask.Plot{
		Title:    "When the bag is done",
		Subtitle: a.on() + ", server " + a.Server,
		X:        ask.Axis{Name: finishAxis, Unit: "s"},
		Y:        ask.Axis{Name: "chance", Unit: "fraction"},
		Curves:   []ask.Curve{lawCurve("without help", a.law.Quantile)},
		Marks:    []ask.Mark{{X: *a.Finish.P50, Y: 0.5, Name: "50%:", ByX: true}},
	}
	if a.Finish.P95 != nil {
		p.Marks = append(p.Marks, ask.Mark{X: *a.Finish.P95, Y: 0.95, Name: "95%:", ByX: true})
	}
	if a.by > 0 {
		p.Upright = []ask.Rule{{Value: a.by, Name: "wanted by"}}
	}
	if d := a.Design; d != nil && d.Workers > 0 && a.helped != nil {
		p.Curves = append(p.Curves, lawCurve("with this help", a.helped))
	}
	return p, true
}

// lawCurve draws a law from its quantiles, as far as it reaches.
func lawCurve(name string, quantile func(p float64) float64) ask.Curve {
	const steps = 250
	c := ask.Curve{Name: name}
	for i := range steps - 1 {
		p := float64(i+1) / steps
		t := quantile(p)
		if math.IsInf(t, 1) {
			break
		}
		c.Add(t, p)
	}
	return c
}

// frontierPlot returns the expense against the time that it buys.
func (a *FinishAnswer) frontierPlot() ask.Plot {
	p := ask.Plot{
		Title:    "What help buys",
		Subtitle: a.on() + ", with the chance that was asked for",
		X:        ask.Axis{Name: finishAxis, Unit: "s"},
		Y:        ask.Axis{Name: a.HoursName()},
	}
	// An expense buys a time; what is done a little sooner takes that of the point before.
	curve := ask.Curve{Name: "cheapest help", Style: ask.Held}
	for i := len(a.Frontier) - 1; i >= 0; i-- {
		f := a.Frontier[i]
		y := f.Hours
		if f.Cost != nil {
			y, p.Y.Name = *f.Cost, "cost"
			if a.Money != nil {
				p.Y.Unit = a.Money.Currency
			}
		}
		curve.Add(f.By, y)
	}
	p.Curves = []ask.Curve{curve}
	if a.by > 0 {
		p.Upright = []ask.Rule{{Value: a.by, Name: "wanted by"}}
		if d := a.Design; d != nil {
			y := d.Hours
			if d.Cost != nil {
				y = *d.Cost
			}
			p.Marks = []ask.Mark{{X: a.by, Y: y, Name: "this answer, with its margin:"}}
			switch {
			case a.byRuns:
				p.Curves[0].Name, p.Marks[0].Name = "cheapest help by runs", "this answer:"
			case d.Judged != nil && d.Judged.Tried > 1: // it may cost far less than any the formula finds
				p.Curves[0].Name, p.Marks[0].Name = "cheapest help by the formula", "this answer, found by runs:"
			}
		}
	}
	return p
}
