package report

import (
	"context"
	"slices"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/machines"
)

// drawnHosts is how many machines a figure has room for.
const drawnHosts = 40

// Rank says which machine to take.
func Rank(a *machines.RankAnswer) *Section {
	s := &Section{
		ID:       "ranking",
		Title:    "Which machine?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
		Data:     []Data{rowsOf("ranking", a.Hosts)},
	}
	s.Say("take %s (by %s)", a.Choice, a.Rule)
	AddChosen(s, a.Chosen)
	t := s.Table("machine", "free throughout", "free at start", "then stays free", "MTTF", "load", "state", "days",
		"completion", "with failures")
	why := slices.ContainsFunc(a.Hosts, func(h machines.RankedHost) bool { return h.Reason != "" })
	if why {
		t.Head = append(t.Head, "no prediction")
	}
	for _, h := range a.Hosts {
		row := []any{
			h.Name, optional(h.Free, Probability), fraction(h.AtStart, 3), optional(h.TemporalReliability, Probability),
			Maybe(h.MTTF, TimeCell, 4), fraction(h.MeanLoad, 3), h.InitialState, Count(h.Days),
			Maybe(h.JCT, TimeCell, 3), Maybe(h.JCTF, TimeCell, 3),
		}
		if h.Days == 0 { // nothing is known
			row[2], row[5] = "", ""
		}
		if why {
			row = append(row, h.Reason)
		}
		t.Row(row...)
	}
	s.Draws = func(context.Context) ([]Figure, error) { return []Figure{rankFigure(a)}, nil }
	return s
}

// rankFigure draws a bar for each machine, the best first.
func rankFigure(a *machines.RankAnswer) Figure {
	zero := 0.0
	c := chart.Chart{
		Title:  "Machines by " + a.Rule + ", the best first",
		XLabel: "chance to be free throughout the window (%)",
		XMin:   &zero,
	}
	bars := chart.Series{Style: chart.Rows}
	for i, h := range a.Hosts {
		if i == drawnHosts {
			c.Subtitle = "the first " + Count(drawnHosts) + " of " + Count(len(a.Hosts))
			break
		}
		chance := 0.0
		if p := h.Chance(); p != nil {
			chance = *p
		}
		c.YNames = append(c.YNames, h.Name)
		bars.X, bars.Y = append(bars.X, 100*chance), append(bars.Y, float64(i))
		bars.Labels = append(bars.Labels, optional(h.Chance(), Probability))
	}
	c.Series = []chart.Series{bars}
	return Figure{ID: "ranking", Caption: "By each machine's own record.", Chart: c}
}
