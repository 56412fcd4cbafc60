package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
)

const shownPoints = 14 // rows of a long table that a page shows

func frontierSection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	f := a.Frontier
	if f == nil || len(f.Points) == 0 {
		return nil, nil
	}
	s := &Section{ID: "frontier", Title: "What does less risk cost?"}
	first, last := &f.Points[0], &f.Points[len(f.Points)-1]
	missed := f.Risk == planner.MissRisk
	t := Table{ID: "frontier", Caption: "The cheapest mix at each risk", Head: []string{"machines", "cost", "chance to meet", "public share"}, Words: 1, Long: true}
	c := chart.Chart{Title: "Cost against risk", XLabel: "cost (per h)"}
	series := chart.Series{Name: "cheapest mix at each risk", Style: chart.Line}
	zero := 0.0
	c.YMin = &zero
	if missed {
		c.Subtitle = fmt.Sprintf("chance to miss the objectives over %s draws, seed %d", count(int64(a.Uncertainty.Judged)), a.Uncertainty.Seed)
		c.YLabel = "chance to miss (%)"
		switch {
		case len(f.Points) == 1:
			s.Lead = fmt.Sprintf("One mix is both cheapest and safest: %s for %s, %s chance to miss the objectives.", countsWords(a, first.Counts), money(first.Cost), fraction(1-first.Chance))
		default:
			s.Lead = fmt.Sprintf("From %s, which misses the objectives with %s chance, to %s, which misses them with %s.", money(first.Cost), fraction(1-first.Chance), money(last.Cost), fraction(1-last.Chance))
		}
		s.Notes = []string{fmt.Sprintf("Each point is the cheapest of %s mixes that were held against the same draws.", count(int64(f.Searched)))}
	} else {
		c.Subtitle = "share of the mix's worth on public machines, which may leave at once"
		c.YLabel = "on public machines (%)"
		s.Lead = fmt.Sprintf("From %s with %s on public machines to %s with %s.", money(first.Cost), fraction(first.PublicShare), money(last.Cost), fraction(last.PublicShare))
		if len(f.Points) == 1 {
			s.Lead = fmt.Sprintf("The cheapest mix has the least on public machines too: %s.", fraction(first.PublicShare))
		}
		t.Head = []string{"machines", "cost", "public share"}
	}
	risk := func(p *planner.MixCandidate) float64 {
		if missed {
			return 100 * (1 - p.Chance)
		}
		return 100 * p.PublicShare
	}
	step := max(1, int(math.Ceil(float64(len(f.Points))/shownPoints)))
	for i := range f.Points {
		p := &f.Points[i]
		series.X, series.Y = append(series.X, p.Cost), append(series.Y, risk(p))
		if i%step != 0 && i != len(f.Points)-1 {
			continue
		}
		row := []string{countsWords(a, p.Counts), money(p.Cost)}
		if missed {
			row = append(row, fraction(p.Chance))
		}
		t.Rows = append(t.Rows, append(row, fraction(p.PublicShare)))
	}
	if step > 1 {
		t.Caption += fmt.Sprintf(" (some of %d; all are in frontier.csv)", len(f.Points))
	}
	s.Tables = []Table{t}
	if len(f.Points) < 2 {
		return s, nil
	}
	c.Series = []chart.Series{series}
	mark := func(x, y float64, label string) { c.Marks = append(c.Marks, chart.Mark{X: x, Y: y, Label: label}) }
	if u := a.Uncertainty; missed && u != nil && len(u.Candidates) > 0 {
		mark(u.Candidates[0].Cost, 100*(1-u.Candidates[0].Chance), "for the most likely figures")
		if r := u.LeastRegret; r != nil {
			mark(r.Cost, 100*(1-r.Chance), "least regret")
		}
	} else {
		mark(a.Mix.Cost, 100*a.Mix.PublicShare, "cheapest")
	}
	s.figure("frontier", "Every point is a mix that no other beats in both cost and risk.", c)
	return s, nil
}

func uncertaintySection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	u := a.Uncertainty
	if u == nil {
		return nil, nil
	}
	s := &Section{ID: "uncertainty", Title: "How sure is it?"}
	switch {
	case u.NeededP5 == nil:
		s.Lead = "Most draws have no answer."
	case u.NeededP95 == nil:
		s.Lead = fmt.Sprintf("The need is at least %s servers in 95%% of the draws, and in some no number is enough.", number(*u.NeededP5, 4))
	default:
		s.Lead = fmt.Sprintf("The need is %s to %s servers in 90%% of the draws.", number(*u.NeededP5, 4), number(*u.NeededP95, 4))
	}
	s.row("need, middle", optional(u.NeededP50, func(v float64) string { return number(v, 4) + " servers" }))
	if u.CostP5 != nil && u.CostP95 != nil {
		note := "in 90% of the draws, had one known"
		if u.IdealGap != nil && *u.IdealGap > 1e-6 {
			note += fmt.Sprintf("; at most %s above the least, on average", fraction(*u.IdealGap))
		}
		s.row("cost of the right mix", money(*u.CostP5)+" to "+money(*u.CostP95), note)
	}
	if u.Infeasible > 0 {
		s.row("no answer", fraction(u.Infeasible), "of the draws: nothing that can be had meets the objectives")
	}
	s.row("draws", count(int64(u.Samples)), fmt.Sprintf("seed %d", u.Seed))
	if u.Judged > 0 && u.Judged < u.Samples {
		s.row("mixes judged by", count(int64(u.Judged)),
			fmt.Sprintf("the first of the draws: chances of up to %.1f points standard error", 100*u.ChanceError))
	}
	if len(u.Candidates) > 0 {
		t := Table{ID: "candidates", Caption: "Mixes held against the draws", Head: []string{"choice", "machines", "cost", "chance to meet", "missing servers"}, Words: 2}
		if u.Shortfall != nil {
			t.Head = append(t.Head, "regret", "worst regret")
			s.row("a missing server costs", money(*u.Shortfall))
			s.Notes = append(s.Notes, "Regret is what a choice costs above the choice that would have been right, missing servers included.")
		}
		for _, c := range u.Candidates {
			row := []string{c.Name, countsWords(a, c.Counts), money(c.Cost), fraction(c.Chance), number(c.Short, 3)}
			if u.Shortfall != nil {
				row = append(row, dash(optionalMoney(c.Regret)), dash(optionalMoney(c.MaxRegret)))
			}
			t.Rows = append(t.Rows, row)
		}
		s.Tables = append(s.Tables, t)
	}
	v := u.Drawn()
	if len(v.Needed) < 2 {
		return s, nil
	}
	low, high := 0.0, 100.0
	c := chart.Chart{Title: "Chance that so many servers are enough", Subtitle: fmt.Sprintf("over %s draws of the ranges, seed %d", count(int64(u.Samples)), u.Seed),
		XLabel: "servers of speed 1", YLabel: "share of the draws (%)", YMin: &low, YMax: &high}
	line := chart.Series{Name: "share of the draws that need no more", Style: chart.Line}
	for i := range v.Needed {
		line.X, line.Y = append(line.X, v.Needed[i]), append(line.Y, 100*v.Share[i])
	}
	c.Series = []chart.Series{line}
	if a.Mix != nil {
		c.VLines = append(c.VLines, chart.Rule{Value: a.Mix.Equivalent, Label: "the mix: " + number(a.Mix.Equivalent, 4)})
	}
	if u.NeededP95 != nil {
		c.VLines = append(c.VLines, chart.Rule{Value: *u.NeededP95, Label: "95%: " + number(*u.NeededP95, 4)})
	}
	s.figure("uncertainty", "How the need varies when all ranges vary at once.", c)
	return s, nil
}

const shownSwings = 12

func sensitivitySection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	v := a.Sensitivity
	if v == nil || len(v.Inputs) == 0 {
		return nil, nil
	}
	cost := v.Cost != nil
	s := &Section{ID: "sensitivity", Title: "What does it depend on?"}
	t := Table{ID: "sensitivity", Caption: "Each input alone at its two ends", Head: []string{"input", "low", "high", "servers at low", "at high"}, Words: 1, Long: true}
	if cost {
		t.Head = append(t.Head, "cost at low", "at high")
	}
	c := chart.Chart{Title: "What the servers depend on", Subtitle: "each input alone, the others at their most likely", XLabel: "servers of speed 1", Arrange: chart.Overlaid}
	base := 0.0
	if v.Needed != nil {
		base = *v.Needed
	}
	if cost {
		c.Title, c.XLabel, base = "What the cost depends on", "cost of the cheapest mix (per h)", *v.Cost
	}
	low, high := chart.Series{Name: "at the low end", Style: chart.Rows}, chart.Series{Name: "at the high end", Style: chart.Rows}
	assumed := false
	shown := 0
	for _, w := range v.Inputs {
		row := []string{w.Label, inputValue(&w, w.Low), inputValue(&w, w.High), dash(optional(w.NeededLow, four)), dash(optional(w.NeededHigh, four))}
		if !w.Range {
			row[0] += " ±10%"
		}
		x, y := w.NeededLow, w.NeededHigh
		if cost {
			row = append(row, dash(optionalMoney(w.CostLow)), dash(optionalMoney(w.CostHigh)))
			x, y = w.CostLow, w.CostHigh
		}
		t.Rows = append(t.Rows, row)
		if x == nil || y == nil || shown >= shownSwings || *w.Effect == 0 {
			continue
		}
		shown++
		at := float64(len(c.YNames))
		name := w.Label
		if !w.Range {
			name += " ±10%"
			assumed = true
		}
		c.YNames = append(c.YNames, name)
		low.X, low.Y, low.Labels = append(low.X, *x), append(low.Y, at), append(low.Labels, inputValue(&w, w.Low))
		high.X, high.Y, high.Labels = append(high.X, *y), append(high.Y, at), append(high.Labels, inputValue(&w, w.High))
	}
	top := v.Inputs[0]
	switch {
	case top.Effect == nil:
		s.Lead = fmt.Sprintf("%s decides: at one end of its range there is no answer.", capital(top.Label))
	case cost:
		s.Lead = fmt.Sprintf("Most on %s: %s between its two ends.", article(top.Label), money(*top.Effect))
	default:
		s.Lead = fmt.Sprintf("Most on %s: %s servers between its two ends.", article(top.Label), number(*top.Effect, 4))
	}
	if assumed {
		s.Notes = append(s.Notes, "Inputs marked ±10% are not ranges in the scenario; they are moved by a tenth either way.")
	}
	s.Tables = []Table{t}
	if shown > 0 {
		c.Base, c.Series = base, []chart.Series{low, high}
		c.VLines = []chart.Rule{{Value: base}}
		c.Subtitle = "each input alone; with all at their most likely " + number(base, 5)
		if cost {
			c.Subtitle = "each input alone; with all at their most likely " + money(base)
		}
		// Room for the values at the ends of the bars.
		least, most := base, base
		for _, x := range slices.Concat(low.X, high.X) {
			least, most = math.Min(least, x), math.Max(most, x)
		}
		room := 0.15 * (most - least)
		least, most = least-room, most+room
		if most-least > 1e-6*math.Abs(most) {
			c.XMin, c.XMax = &least, &most
		}
		s.figure("sensitivity", "The bars end where each input alone would move the answer; the values at their ends are those of the input.", c)
	}
	return s, nil
}

func four(v float64) string { return number(v, 4) }

// inputValue writes the value of an input in its unit.
func inputValue(w *planner.Swing, v float64) string {
	switch w.Unit {
	case "erl":
		return number(v, 4) + " erl"
	case "per_s":
		return rate(v)
	case "per_h":
		return money(v)
	case "s":
		return duration(v)
	case "fraction":
		return fraction(v)
	}
	return number(v, 4)
}
