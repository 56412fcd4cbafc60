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

const shownMixes = 14 // rows of the frontier that are shown

// frontierSection says what less risk costs.
func frontierSection(a *planner.PlanAnswer) *page.Section {
	f := a.Frontier
	if f == nil || len(f.Points) == 0 {
		return nil
	}
	s := &page.Section{ID: "frontier",
		Title: "What does less risk cost?", Data: []page.Data{candidateData("frontier", a, f.Points)}}
	first, last := &f.Points[0], &f.Points[len(f.Points)-1]
	missed := f.Risk == planner.MissRisk
	switch {
	case missed && len(f.Points) == 1:
		s.Say("One mix is both cheapest and safest: %s for %s, %s chance to miss the objectives.",
			countsWords(a, first.Counts), say.Price(a.Money, first.Cost), missing(a, first))
	case missed:
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
		s.Notes = []string{fmt.Sprintf("Each point is the cheapest of %s mixes that were held against the same draws.",
			say.Count(f.Searched))}
	}
	t := s.Table("machines", "cost", "public share")
	if missed {
		t.Head = []string{"machines", "cost", "chance to meet", "public share"}
	}
	t.ID, t.Caption, t.Long = "frontier", "The cheapest mix at each risk", true
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
			return nil, page.NotDrawn("the frontier is one mix, there is no curve to draw")
		}
		return s.Figures([]ask.Plot{frontierPlot(a)},
			"Every point is a mix that no other beats in both cost and risk."), nil
	}
	return s
}

// missing is the chance that a mix misses the objectives.
func missing(a *planner.PlanAnswer, c *planner.MixCandidate) string {
	return say.Chance(1-ask.Value(c.Chance), a.Uncertainty.Judged)
}

// frontierPlot is the risk of each mix against its cost.
func frontierPlot(a *planner.PlanAnswer) ask.Plot {
	f := a.Frontier
	missed := f.Risk == planner.MissRisk
	p := ask.Plot{
		Title:    "Cost against risk",
		Subtitle: "share of the mix's worth on public machines, which may leave at once",
		X:        ask.Axis{Name: "cost", Unit: a.Money.Unit()},
		Y:        ask.Axis{Name: "on public machines", Unit: "fraction"},
	}
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

// candidateData is a row for each mix.
func candidateData(name string, a *planner.PlanAnswer, list []planner.MixCandidate) page.Data {
	head := strings.Fields("name cost_per_h probability_met expected_shortfall_servers expected_regret_per_h max_regret_per_h public_share")
	for _, m := range a.Machines {
		head = append(head, "count_"+strings.ReplaceAll(m.Name, " ", "_"))
	}
	rows := [][]string{head}
	for _, c := range list {
		row := []string{c.Name, say.Plain(c.Cost), say.Optional(c.Chance, say.Plain), say.Optional(c.Short, say.Plain), say.Optional(c.Regret,
			say.Plain),
			say.Optional(c.MaxRegret, say.Plain), say.Plain(c.PublicShare)}
		for _, n := range c.Counts {
			row = append(row, exact(n))
		}
		rows = append(rows, row)
	}
	return page.Rows(name, rows)
}

// uncertaintySection says how sure a plan is.
func uncertaintySection(a *planner.PlanAnswer) *page.Section {
	u := a.Uncertainty
	if u == nil {
		return nil
	}
	s := &page.Section{ID: "uncertainty", Title: "How sure is it?"}
	switch {
	case u.NeededP5 == nil:
		s.Say("Most draws have no answer.")
	case u.NeededP95 == nil:
		s.Say("The need is at least %s servers in 95%% of the draws, and in some no number is enough.",
			say.Number(*u.NeededP5, 4))
	default:
		s.Say("The need is %s to %s servers in 90%% of the draws.",
			say.Number(*u.NeededP5, 4), say.Number(*u.NeededP95, 4))
	}
	s.Fact("need, middle", say.Sized("", say.Maybe(u.NeededP50, say.Number, 4), " servers"))
	if u.CostP5 != nil && u.CostP95 != nil {
		note := "in 90% of the draws, had one known"
		if u.IdealGap != nil && *u.IdealGap > 1e-6 {
			note += fmt.Sprintf("; at most %s above the least, on average", say.Fraction(*u.IdealGap, 3))
		}
		s.Fact("cost of the right mix", say.Price(a.Money, *u.CostP5)+" to "+say.Price(a.Money, *u.CostP95), note)
	}
	if u.Infeasible > 0 {
		s.Fact("no answer", say.Fraction(u.Infeasible, 3), "of the draws: nothing that can be had meets the objectives")
	}
	s.Fact("draws", say.Count(u.Samples), fmt.Sprintf("seed %d", u.Seed))
	if u.Judged > 0 && u.Judged < u.Samples {
		s.Fact("mixes judged by", say.Count(u.Judged),
			fmt.Sprintf("the first of the draws: chances of up to %.1f points standard error", 100*u.ChanceError))
	}
	if len(u.Candidates) > 0 {
		addCandidates(s, a)
		s.Data = []page.Data{candidateData("candidates", a, u.Candidates)}
	}
	s.Draws = func(ctx context.Context) ([]page.Figure, error) {
		plots, err := u.Plots(ctx)
		if err != nil {
			return nil, err
		}
		if a.Mix != nil {
			worth := 0.0
			for i, n := range taken(a) {
				worth += a.Mix.Machines[i].Worth * float64(n)
			}
			plots[0].Upright = append([]ask.Rule{{Value: worth, Name: "the mix:"}}, plots[0].Upright...)
		}
		return s.Figures(plots, "How the need varies when all ranges vary at once."), nil
	}
	return s
}

// addCandidates shows the mixes that were held against the draws.
func addCandidates(s *page.Section, a *planner.PlanAnswer) {
	u := a.Uncertainty
	s.Fact("a missing server costs", say.Optional(u.Shortfall, say.PriceIn(a.Money)))
	t := s.Table("choice", "machines", "cost", "chance to meet", "missing servers")
	t.Caption, t.Words = "Mixes held against the draws", 2
	if u.Shortfall != nil {
		t.Head = append(t.Head, "regret", "worst regret")
		s.Notes = append(s.Notes,
			"Regret is what a choice costs above the choice that would have been right, missing servers included.")
	}
	for _, c := range u.Candidates {
		row := []string{c.Name, countsWords(a, c.Counts), say.Price(a.Money, c.Cost), say.Chance(ask.Value(c.Chance), u.Judged),
			say.Number(ask.Value(c.Short), 2)}
		if u.Shortfall != nil {
			row = append(row, say.Optional(c.Regret, say.PriceIn(a.Money)),
				say.Optional(c.MaxRegret, say.PriceIn(a.Money)))
		}
		t.Line(row...)
	}
}

const shownSwings = 12

// sensitivitySection says what a plan depends on.
func sensitivitySection(a *planner.PlanAnswer) *page.Section {
	v := a.Sensitivity
	if v == nil || len(v.Inputs) == 0 {
		return nil
	}
	s := &page.Section{ID: "sensitivity", Title: "What does it depend on?", Data: []page.Data{sensitivityData(v)}}
	top := v.Inputs[0]
	switch label := inputLabel(&top); {
	case top.Effect == nil:
		s.Say("%s decides: at one end of its range there is no answer.", say.Capital(top.Label))
	case v.Cost != nil:
		s.Say("Most on %s: %s between its two ends.", label, say.Price(a.Money, *top.Effect))
	default:
		s.Say("Most on %s: %s servers between its two ends.", label, say.Number(*top.Effect, 4))
	}
	t := s.Table("input", "low", "high", "servers at low", "at high")
	t.ID, t.Caption, t.Long = "sensitivity", "Each input alone at its two ends", true
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
			"Inputs marked ±10% are not ranges in the scenario; they are moved by a tenth either way.")
	}
	return s
}

// swingName names an input, and says where its range is not the scenario's.
func swingName(w *planner.Swing) string {
	if !w.Range {
		return w.Label + " ±10%"
	}
	return w.Label
}

// inputLabel is the label of an input with an article, but for an abbreviation.
func inputLabel(w *planner.Swing) string {
	if strings.HasPrefix(w.Label, "MTT") {
		return w.Label
	}
	return "the " + w.Label
}

// sensitivityFigure is a tornado: bars from today's answer to those at the ends
// of each input.
func sensitivityFigure(s *page.Section, a *planner.PlanAnswer) []page.Figure {
	v := a.Sensitivity
	c := chart.Chart{Title: "What the servers depend on", XLabel: "servers of speed 1", Arrange: chart.Overlaid}
	base, written := 0.0, func(x float64) string { return say.Number(x, 5) }
	if v.Needed != nil {
		base = *v.Needed
	}
	if v.Cost != nil {
		c.Title, c.XLabel, base, written =
			"What the cost depends on", "cost of the cheapest mix ("+a.Money.Unit()+")", a.Money.Amount(*v.Cost),
			func(x float64) string { return a.Money.Write(say.Money(say.ExactCents(x))) }
	}
	c.Subtitle = "each input alone; with all at their most likely " + written(base)
	low, high := chart.Series{Name: "at the low end",
		Style: chart.Rows}, chart.Series{Name: "at the high end", Style: chart.Rows}
	least, most := base, base
	for _, w := range v.Inputs {
		x, y := w.NeededLow, w.NeededHigh
		if v.Cost != nil {
			x, y = w.CostLow, w.CostHigh
		}
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
	if most-least > 1e-6*math.Abs(most) {
		c.XMin, c.XMax = &least, &most
	}
	return []page.Figure{{
		ID:      s.ID,
		Caption: "The bars end where each input alone would move the answer; the values at their ends are those of the input.",
		Chart:   c,
	}}
}

// sensitivityData is a row for each input.
func sensitivityData(v *planner.Sensitivity) page.Data {
	rows := [][]string{strings.Fields("input unit range low nominal high needed_servers_at_low needed_servers_at_high cost_at_low_per_h cost_at_high_per_h effect")}
	for _, w := range v.Inputs {
		row := []string{w.Input, w.Unit, fmt.Sprint(w.Range), say.Plain(w.Low), say.Plain(w.Nominal), say.Plain(w.High)}
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
