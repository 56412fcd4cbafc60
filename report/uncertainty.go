package report

import (
	"context"
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// uncertaintySection says how sure a plan is. It leads with the need in servers of speed 1 over the
// draws of all ranges at once. nil for a plan without ranges.
func uncertaintySection(a *planner.PlanAnswer) *page.Section {
	u := a.Uncertainty
	if u == nil {
		return nil
	}
	s := &page.Section{ID: "uncertainty", Title: "How sure is the answer?"}
	// Percentiles may lie among the draws without an answer: the words then say so.
	switch {
	case u.NeededP5 == nil:
		s.Say("Most draws have no answer.")
	case u.NeededP95 == nil:
		s.Say("The need is at least %s servers in 95%% of the draws, and in some draws no number is enough.",
			say.Number(*u.NeededP5, 4))
	default:
		// Nine draws in ten: the ends are the 5th and the 95th percentile.
		s.Say("The need is %s to %s servers in 90%% of the draws.",
			say.Number(*u.NeededP5, 4), say.Number(*u.NeededP95, 4))
	}
	s.Fact("need, middle", say.Sized("", say.Maybe(u.NeededP50, say.Number, 4), " servers"))
	// Had one known the figures of a draw, one would have bought the mix that is right for it.
	if u.CostP5 != nil && u.CostP95 != nil {
		note := "in 90% of the draws, with hindsight"
		if u.IdealGap != nil && *u.IdealGap > 1e-6 {
			note += fmt.Sprintf("; at most %s above the least, on average", say.Fraction(*u.IdealGap, 3))
		}
		s.Fact("cost of the right mix", say.Price(a.Money, *u.CostP5)+" to "+say.Price(a.Money, *u.CostP95), note)
	}
	if u.Infeasible > 0 {
		s.Fact("no answer", say.Fraction(u.Infeasible, 3), "of the draws: even all available machines do not meet "+
			"the objectives")
	}
	s.Fact("draws", say.Count(u.Samples), fmt.Sprintf("seed %d", u.Seed))
	// To judge a mix takes longer than to draw, so that of many draws the first ones judge; the error
	// says what that costs.
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
		// The mix that leads is drawn into the law of the need, so that one sees how much of it lies
		// above.
		if a.Mix != nil {
			worth := 0.0
			for i, n := range taken(a) {
				worth += a.Mix.Machines[i].Worth * float64(n)
			}
			plots[0].Upright = append([]ask.Rule{{Value: worth, Name: "the mix:"}}, plots[0].Upright...)
		}
		return s.Figures(plots, "The need when all ranges vary at once."), nil
	}
	return s
}

// addCandidates shows the mixes that were held against the draws. The first choice is the cheapest
// mix for the most likely figures.
func addCandidates(s *page.Section, a *planner.PlanAnswer) {
	u := a.Uncertainty
	s.Fact("a missing server costs", say.Optional(u.Shortfall, say.PriceIn(a.Money)))
	t := s.Table("choice", "machines", "cost", "chance to meet", "missing servers")
	t.Caption, t.Words = "Mixes tested against the draws", 2
	// Without a price of what is missing there is no regret.
	if u.Shortfall != nil {
		t.Head = append(t.Head, "regret", "worst regret")
		s.Notes = append(s.Notes,
			"Regret is the extra cost of a choice over the choice that would have been right, with missing servers "+
				"paid for.")
	}
	for _, c := range u.Candidates {
		row := []string{c.Name, countsWords(a, c.Counts), say.Price(a.Money, c.Cost),
			say.Chance(ask.Value(c.Chance), u.Judged), say.Number(ask.Value(c.Short), 2)}
		if u.Shortfall != nil {
			row = append(row, say.Optional(c.Regret, say.PriceIn(a.Money)),
				say.Optional(c.MaxRegret, say.PriceIn(a.Money)))
		}
		t.Line(row...)
	}
}

// candidateData is a row for each mix. Each type of machine has a column with its count; blanks in
// its name become underscores.
func candidateData(name string, a *planner.PlanAnswer, list []planner.MixCandidate) page.Data {
	head := strings.Fields("name cost_per_h probability_met expected_shortfall_servers expected_regret_per_h " +
		"max_regret_per_h public_share")
	for _, m := range a.Machines {
		head = append(head, "count_"+strings.ReplaceAll(m.Name, " ", "_"))
	}
	rows := [][]string{head}
	for _, c := range list {
		row := []string{c.Name, say.Plain(c.Cost), say.Optional(c.Chance, say.Plain), say.Optional(c.Short, say.Plain),
			say.Optional(c.Regret, say.Plain), say.Optional(c.MaxRegret, say.Plain), say.Plain(c.PublicShare)}
		for _, n := range c.Counts {
			row = append(row, exact(n))
		}
		rows = append(rows, row)
	}
	return page.Rows(name, rows)
}
