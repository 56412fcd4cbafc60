package report

import (
	"context"
	"slices"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// drawnHosts is how many machines a figure has room for. More bars than that have no room for their
// names.
const drawnHosts = 40

// Rank says which machine to take. It leads with the machine to take, and by what rule:
// reliability, or the completion time of a task.
func Rank(a *machines.RankAnswer) *page.Section {
	s := page.New("ranking", "Which machine?", a.Warnings, a.Explanation, page.RowsOf("ranking", a.Hosts))
	s.Say("take %s (by %s)", a.Choice, a.Rule)
	AddChosen(s, a.Chosen)
	t := s.Table("machine", "free throughout", "free at start", "then stays free", "MTTF", "load", "state", "days")
	// Only a task has a time of completion; a window alone has none.
	timed := slices.ContainsFunc(a.Hosts, func(h machines.RankedHost) bool { return h.JCT != nil || h.JCTF != nil })
	if timed {
		t.Head = append(t.Head, "completion", "with failures")
	}
	// The column of reasons is there only if some machine has no prediction.
	why := slices.ContainsFunc(a.Hosts, func(h machines.RankedHost) bool { return h.Reason != "" })
	if why {
		t.Head = append(t.Head, "no prediction")
	}
	for _, h := range a.Hosts {
		row := []any{
			h.Name, say.Optional(h.Free, say.Probability), say.Fraction(h.AtStart, 3),
			say.Optional(h.TemporalReliability, say.Probability),
			say.Maybe(h.MTTF, say.TimeCell, 4), say.Fraction(h.MeanLoad, 3), h.InitialState, say.Count(h.Days),
		}
		if timed {
			row = append(row, say.Maybe(h.JCT, say.TimeCell, 3), say.Maybe(h.JCTF, say.TimeCell, 3))
		}
		// A machine without a day of the window has zeros for means, which would read as figures.
		if h.Days == 0 { // nothing is known
			row[2], row[5] = "", ""
		}
		if why {
			row = append(row, h.Reason)
		}
		t.Row(row...)
	}
	s.Draws = func(context.Context) ([]page.Figure, error) { return []page.Figure{rankFigure(a)}, nil }
	return s
}

// rankFigure draws a bar for each machine, the best first. The chance is that to be free
// throughout, whatever the rule: for a task, the order is another.
func rankFigure(a *machines.RankAnswer) page.Figure {
	c := chart.Chart{
		Title:    "Chance to be free throughout the window",
		Subtitle: "machines by " + a.Rule + ", the best first",
		XLabel:   "chance to be free throughout the window (%)",
		XMin:     new(0.0),
	}
	bars := chart.Series{Style: chart.Rows}
	for i, h := range a.Hosts {
		if i == drawnHosts {
			c.Subtitle += ": the first " + say.Count(drawnHosts) + " of " + say.Count(len(a.Hosts))
			break
		}
		// A machine without a prediction has a bar of no length, and keeps its name in the list.
		chance := 0.0
		if p := h.Chance(); p != nil {
			chance = *p
		}
		c.YNames = append(c.YNames, h.Name)
		bars.X, bars.Y = append(bars.X, 100*chance), append(bars.Y, float64(i))
		bars.Labels = append(bars.Labels, say.Optional(h.Chance(), say.Probability))
	}
	c.Series = []chart.Series{bars}
	return page.Figure{ID: "ranking", Caption: "By each machine's own record.", Chart: c}
}
