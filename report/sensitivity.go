package report

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// shownSwings is how many bars a figure has room for; the table has all inputs. Inputs stand by
// effect, so that those left out matter least.
const shownSwings = 12

// sensitivitySection says what a plan depends on. Each input alone goes to both ends of its range,
// or a tenth either way where it is no range. nil where the plan varied nothing.
func sensitivitySection(a *planner.PlanAnswer) *page.Section {
	v := a.Sensitivity
	if v == nil || len(v.Inputs) == 0 {
		return nil
	}
	s := &page.Section{ID: "sensitivity", Title: "What does the answer depend on?",
		Data: []page.Data{sensitivityData(v)}}
	top := v.Inputs[0]
	// Without a range of its own an input has no ends that a reader knows of.
	ends := "between its two ends"
	if !top.Range {
		ends = "between 10% less and 10% more of it"
	}
	// Inputs stand by their effect, so that the first is what the plan depends on most.
	switch label := inputLabel(&top); {
	case top.Effect == nil:
		s.Say("%s decides: at one end of its range there is no answer.", say.Capital(top.Label))
	case *top.Effect == 0:
		s.Say("On no single input: none changes the answer at either end of its range.")
	case v.Cost != nil:
		s.Say("Most on %s: %s %s.", label, say.Price(a.Money, *top.Effect), ends)
	default:
		s.Say("Most on %s: %s servers %s.", label, say.Number(*top.Effect, 4), ends)
	}
	t := s.Table("input", "low", "high", "servers at low", "at high")
	t.ID, t.Caption, t.Long = "sensitivity", "Each input alone at both ends of its range", true
	if v.Cost != nil {
		t.Head = append(t.Head, "cost at low", "at high")
	}
	for _, w := range v.Inputs {
		row := []string{swingName(&w), inputValue(a.Money, &w, w.Low), inputValue(a.Money, &w, w.High),
			say.Maybe(w.NeededLow, say.Number, 4), say.Maybe(w.NeededHigh, say.Number, 4)}
		if v.Cost != nil {
			row = append(row, say.Optional(w.CostLow, say.PriceIn(a.Money)),
				say.Optional(w.CostHigh, say.PriceIn(a.Money)))
		}
		t.Line(row...)
	}
	s.Draws = func(context.Context) ([]page.Figure, error) { return sensitivityFigure(s, a), nil }
	if slices.ContainsFunc(v.Inputs, func(w planner.Swing) bool { return !w.Range }) {
		s.Notes = append(s.Notes,
			"Inputs marked ±10% are not ranges in the scenario; they are varied by a tenth either way.")
	}
	return s
}

// swingName names an input, and says where its range is not the scenario's. A figure has no note,
// so that the mark stands in the name.
func swingName(w *planner.Swing) string {
	if !w.Range {
		return w.Label + " ±10%"
	}
	return w.Label
}

// inputLabel is the label of an input with an article, but for an abbreviation. MTTF and MTTR stand
// without an article.
func inputLabel(w *planner.Swing) string {
	if strings.HasPrefix(w.Label, "MTT") {
		return w.Label
	}
	return "the " + w.Label
}

// sensitivityFigure is a tornado: bars from today's answer to those at the ends
// of each input. The widest bar stands on top, whence the name.
func sensitivityFigure(s *page.Section, a *planner.PlanAnswer) []page.Figure {
	v := a.Sensitivity
	c := chart.Chart{Title: "How the number of servers depends on each input",
		XLabel: "servers of speed 1", Arrange: chart.Overlaid}
	// The need is drawn where there are no prices.
	base, written := ask.Value(v.Needed), func(x float64) string { return say.Number(x, 5) }
	if v.Cost != nil {
		c.Title, c.XLabel, base, written =
			"How the cost depends on each input",
			"cost of the cheapest mix ("+a.Money.Unit()+")", a.Money.Amount(*v.Cost),
			func(x float64) string { return a.Money.Write(say.Money(units.ExactCents(x))) }
	}
	c.Subtitle = "each input alone; with all at their most likely " + written(base)
	low := chart.Series{Name: "at the low end", Style: chart.Rows}
	high := chart.Series{Name: "at the high end", Style: chart.Rows}
	// The axis covers the bars and not 0: a swing of a percent would not be seen otherwise.
	least, most := base, base
	for _, w := range v.Inputs {
		x, y := w.NeededLow, w.NeededHigh
		if v.Cost != nil {
			x, y = w.CostLow, w.CostHigh
		}
		// An input without an answer at one end has no bar, and one without effect none that could be
		// seen.
		if x == nil || y == nil || len(c.YNames) >= shownSwings || *w.Effect == 0 {
			continue
		}
		from, to := *x, *y
		if v.Cost != nil {
			from, to = a.Money.Amount(from), a.Money.Amount(to)
		}
		at := float64(len(c.YNames))
		c.YNames = append(c.YNames, swingName(&w))
		low.X, low.Y, low.Labels =
			append(low.X, from), append(low.Y, at), append(low.Labels, inputValue(a.Money, &w, w.Low))
		high.X, high.Y, high.Labels =
			append(high.X, to), append(high.Y, at), append(high.Labels, inputValue(a.Money, &w, w.High))
		least, most = min(least, from, to), max(most, from, to)
	}
	if len(c.YNames) == 0 {
		return nil
	}
	c.Base, c.Series, c.VLines = base, []chart.Series{low, high}, []chart.Rule{{Value: base}}
	// Room for the values at the ends of the bars.
	room := 0.15 * (most - least)
	least, most = least-room, most+room
	// Bars that differ by less than a millionth would have an axis whose labels are all the same.
	if most-least > 1e-6*math.Abs(most) {
		c.XMin, c.XMax = &least, &most
	}
	return []page.Figure{{
		ID:      s.ID,
		Caption: "A bar ends at the answers for the two ends of an input; the labels give the values of the input.",
		Chart:   c,
	}}
}

// sensitivityData is a row for each input. The CSV has base units and the value in between.
func sensitivityData(v *planner.Sensitivity) page.Data {
	rows := [][]string{strings.Fields("input unit range low nominal high needed_servers_at_low " +
		"needed_servers_at_high cost_at_low_per_h cost_at_high_per_h effect")}
	for _, w := range v.Inputs {
		row := []string{w.Input, w.Unit, fmt.Sprint(w.Range), say.Plain(w.Low), say.Plain(w.Nominal), say.Plain(w.High)}
		// An end without an answer leaves its cell empty.
		for _, x := range []*float64{w.NeededLow, w.NeededHigh, w.CostLow, w.CostHigh, w.Effect} {
			row = append(row, say.Optional(x, say.Plain))
		}
		rows = append(rows, row)
	}
	return page.Rows("sensitivity", rows)
}

// inputValue writes the value of an input in its unit.
func inputValue(form *units.PriceForm, w *planner.Swing, v float64) string {
	switch w.Unit {
	case "erl":
		return say.Number(v, 4) + " erl"
	case "per_s":
		return say.Rate(v, 4)
	case "per_h":
		return say.Price(form, v)
	case "s":
		return say.Duration(v, 4)
	case "fraction":
		return say.Fraction(v, 3)
	}
	return say.Number(v, 4)
}
