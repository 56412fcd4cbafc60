package report

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// shownMixes bounds the table of a frontier. A screen of text has room for some more; the CSV has
// all.
const shownMixes = 14 // rows of the frontier that are shown

// frontierSection says what less risk costs. A frontier has every mix that no other beats in both
// cost and risk. Risk is the chance to miss the objectives where inputs are ranges, else the share
// on public machines, which may leave at once. nil where a plan has no machines.
func frontierSection(a *planner.PlanAnswer) *page.Section {
	f := a.Frontier
	if f == nil || len(f.Points) == 0 {
		return nil
	}
	s := &page.Section{ID: "frontier",
		Title: "What does a lower risk cost?", Data: []page.Data{candidateData("frontier", a, f.Points)}}
	// Points stand by rising cost, which is falling risk.
	first, last := &f.Points[0], &f.Points[len(f.Points)-1]
	missed := f.Risk == planner.MissRisk
	switch {
	case missed && len(f.Points) == 1:
		s.Say("One mix is both cheapest and safest: %s for %s, with %s chance to miss the objectives.",
			countsWords(a, first.Counts), say.Price(a.Money, first.Cost), missing(a, first))
	case missed:
		// The two ends say what the whole curve costs.
		s.Say("From %s, which misses the objectives with %s chance, to %s, which misses them with %s.",
			say.Price(a.Money, first.Cost), missing(a, first), say.Price(a.Money, last.Cost), missing(a, last))
	case len(f.Points) == 1:
		s.Say("The cheapest mix has the least on public machines too: %s.", say.Fraction(first.PublicShare, 3))
	default:
		s.Say("From %s with %s on public machines to %s with %s.",
			say.Price(a.Money, first.Cost), say.Fraction(first.PublicShare, 3), say.Price(a.Money, last.Cost),
			say.Fraction(last.PublicShare, 3))
	}
	if missed {
		s.Notes = []string{fmt.Sprintf("Each point is the cheapest of %s mixes, all tested against the same draws.",
			say.Count(f.Searched))}
	}
	t := s.Table("machines", "cost", "public share")
	if missed {
		t.Head = []string{"machines", "cost", "chance to meet", "public share"}
	}
	t.ID, t.Caption, t.Long = "frontier", "The cheapest mix at each risk", true
	// A long frontier is thinned evenly, and its safest mix is shown in any case. The step
	// is rounded up, so that there are never more rows than fit, but for the last.
	step := max(1, int(math.Ceil(float64(len(f.Points))/shownMixes)))
	if step > 1 {
		t.Caption += fmt.Sprintf(" (some of %d; all are in frontier.csv)", len(f.Points))
	}
	for i := range f.Points {
		if i%step != 0 && i != len(f.Points)-1 {
			continue
		}
		p := &f.Points[i]
		row := []string{countsWords(a, p.Counts), say.Price(a.Money, p.Cost)}
		if missed {
			row = append(row, say.Chance(ask.Value(p.Chance), a.Uncertainty.Judged))
		}
		t.Line(append(row, say.Fraction(p.PublicShare, 3))...)
	}
	s.Draws = func(context.Context) ([]page.Figure, error) {
		if len(f.Points) < 2 {
			return nil, ask.NothingDrawn("the frontier is a single mix, so there is no curve to draw")
		}
		return s.Figures([]ask.Plot{frontierPlot(a)},
			"No other mix beats a point in both cost and risk."), nil
	}
	return s
}

// missing returns the chance that a mix misses the objectives, with as many digits as the number of
// draws supports.
func missing(a *planner.PlanAnswer, c *planner.MixCandidate) string {
	return say.Chance(1-ask.Value(c.Chance), a.Uncertainty.Judged)
}

// frontierPlot is the risk of each mix against its cost. The mixes that a plan talks of are marked.
func frontierPlot(a *planner.PlanAnswer) ask.Plot {
	f := a.Frontier
	missed := f.Risk == planner.MissRisk
	p := ask.Plot{
		Title:    "Cost against risk",
		Subtitle: "share of the mix's worth on public machines, which may leave at once",
		X:        ask.Axis{Name: "cost", Unit: a.Money.Unit()},
		Y:        ask.Axis{Name: "on public machines", Unit: "fraction"},
	}
	// Where no draw was judged, the share on public machines stands for the risk, since they may leave
	// together.
	risk := func(c *planner.MixCandidate) float64 { return c.PublicShare }
	if missed {
		p.Subtitle = fmt.Sprintf("chance to miss the objectives over %s draws, seed %d",
			say.Count(a.Uncertainty.Judged), a.Uncertainty.Seed)
		p.Y.Name = "chance to miss"
		risk = func(c *planner.MixCandidate) float64 { return 1 - ask.Value(c.Chance) }
	}
	curve := ask.Curve{Name: "cheapest mix at each risk"}
	for i := range f.Points {
		curve.Add(a.Money.Amount(f.Points[i].Cost), risk(&f.Points[i]))
	}
	p.Curves = []ask.Curve{curve}
	// The first candidate is the cheapest mix for the most likely figures.
	if u := a.Uncertainty; missed && u != nil && len(u.Candidates) > 0 {
		c := &u.Candidates[0]
		p.Marks = []ask.Mark{{X: a.Money.Amount(c.Cost), Y: risk(c), Name: "for the most likely figures:"}}
		if r := a.Recommended; differs(a) && r.Reason != ask.LeastRegret {
			p.Marks = append(p.Marks,
				ask.Mark{X: a.Money.Amount(r.Cost), Y: risk(&r.MixCandidate), Name: "recommended:"})
		}
		if r := u.LeastRegret; r != nil {
			p.Marks = append(p.Marks, ask.Mark{X: a.Money.Amount(r.Cost), Y: risk(r), Name: "least regret:"})
		}
	} else {
		p.Marks = []ask.Mark{{X: a.Money.Amount(a.Mix.Cost), Y: a.Mix.PublicShare, Name: "cheapest:"}}
	}
	return p
}
