package report

import (
	"fmt"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// glance answers what somebody asks who has ten seconds: how many, at what
// cost, is it safe, and what if the figures are wrong. Each fact is a question and its answer in a
// few words. nil for a plan without machines and servers.
func glance(q *planner.PlanQuestion, a *planner.PlanAnswer) []page.Fact {
	switch {
	case a.Mix != nil:
		return mixGlance(q, a)
	case a.Size != nil:
		return sizeGlance(a.Size)
	}
	return nil
}

// mixGlance answers for a mix of machines; without ranges nothing is known of its safety, and it says
// what would tell. With ranges the mix is the recommended one, and its chance is over draws of all
// ranges at once.
func mixGlance(q *planner.PlanQuestion, a *planner.PlanAnswer) []page.Fact {
	m, r := a.Mix, a.Recommended
	if r == nil {
		facts := []page.Fact{
			{Label: "How many?", Value: countsWords(a, m.Counts())},
			{Label: "What cost?", Value: say.Price(a.Money, m.Cost), Remark: dedicatedWords(a)},
			{Label: "Is it safe?", Value: "not known",
				Remark: "the answer holds for the given figures; a figure given as a range, low..high, shows the " +
					"chance"},
		}
		return append(facts, wrongFacts(a, m.PublicAway, nil)...)
	}
	cost := page.Fact{Label: "What cost?", Value: say.Price(a.Money, r.Cost)}
	switch {
	case r.OverBudget != nil:
		cost.Remark = say.Price(a.Money, *r.OverBudget) + " above the budget"
	case q.Objectives != nil && q.Objectives.Budget != nil:
		// A budget is kept by the second, and told by the hour.
		cost.Remark = "within the budget of " + say.Price(a.Money, 3600*float64(q.Objectives.Budget.Price))
	}
	return append([]page.Fact{
		{Label: "How many?", Value: countsWords(a, r.Counts)},
		cost,
		{Label: "Is it safe?", Value: chanceWords(ask.Value(r.Chance), a.Uncertainty.Judged),
			Remark: "chance to keep " + limitsWords(q, m) + ", with all ranges at once" + unsafeWords(r.Reason)},
	}, wrongFacts(a, r.PublicAway, r)...)
}

// chanceWords is a chance as a manager reads it: yes, or the chance. The bound is ask.SafeChance,
// 95 %.
func chanceWords(p float64, draws int) string {
	if p >= ask.SafeChance {
		return "yes, " + say.Chance(p, draws)
	}
	return "no, " + say.Chance(p, draws)
}

// unsafeWords says why an unsafe choice is recommended all the same. A mix that is safe needs no
// reason.
func unsafeWords(r ask.Reason) string {
	switch r {
	case ask.LeastRegret:
		return "; no choice reaches 95%, and this one costs least if missing servers are paid for"
	case ask.Safest:
		return "; no choice reaches 95%, and this one comes closest"
	}
	return ""
}

// wrongFacts say what happens if the figures turn out worse: how short the mix is if it misses,
// else what the input that matters most would cost; and in any case what is left without public
// machines.
func wrongFacts(a *planner.PlanAnswer, away *sizing.Candidate, r *planner.Recommended) []page.Fact {
	f := page.Fact{Label: "What if we are wrong?"}
	if r != nil && r.WhenShort != nil {
		f.Value = shortWords(*r.WhenShort)
		f.Remark = "on average when it misses"
	} else if v := a.Sensitivity; v != nil && len(v.Inputs) > 0 && v.Cost != nil {
		top := &v.Inputs[0]
		at := func(end float64) string { return inputLabel(top) + " at " + inputValue(a.Money, top, end) }
		switch {
		// An end without an answer comes first, and is worse than any price.
		case top.CostLow == nil:
			f.Value, f.Remark = "too few", "with "+at(top.Low)+" even all available machines are too few"
		case top.CostHigh == nil:
			f.Value, f.Remark = "too few", "with "+at(top.High)+" even all available machines are too few"
		// A high end need not be the bad one: of speed or availability it is the low end that costs.
		case *top.CostLow > max(*top.CostHigh, *v.Cost):
			f.Value = say.Price(a.Money, *top.CostLow-*v.Cost) + " more"
			f.Remark = "with " + at(top.Low) + ", the input that matters most"
		case *top.CostHigh > *v.Cost:
			f.Value = say.Price(a.Money, *top.CostHigh-*v.Cost) + " more"
			f.Remark = "with " + at(top.High) + ", the input that matters most"
		}
	}
	if text := awayWords(away); text != "" {
		if f.Value == "" {
			f.Value = text
		} else {
			f.Remark += "; " + text
		}
	}
	if f.Value == "" {
		return nil
	}
	return []page.Fact{f}
}

// shortWords writes missing servers: a tenth at least, whole from ten on. More digits would claim
// what a mean over a few draws does not know.
func shortWords(n float64) string {
	if n >= 9.5 {
		return "some " + say.Number(n, 2) + " servers short"
	}
	return say.Number(max(n, 0.1), 2) + " servers short"
}

// awayWords says what is left where all public machines leave at once. c is nil where the mix has
// no public machines.
func awayWords(c *sizing.Candidate) string {
	if text := leftAlone(c); text != "" {
		return "if all public machines left at once, " + text
	}
	return ""
}

// dedicatedWords says what the mix saves. What public machines save is why one takes their risk.
func dedicatedWords(a *planner.PlanAnswer) string {
	// Alternatives have their names from the planner, and this one is among them.
	for _, alt := range a.Mix.Alternatives {
		if alt.Name == "dedicated only" && alt.Cost != nil && *alt.Cost > 0 && *alt.Extra > 0 {
			return fmt.Sprintf("%s less than dedicated machines alone, at %s",
				say.Fraction(*alt.Extra / *alt.Cost, 2), say.Price(a.Money, *alt.Cost))
		}
	}
	return ""
}

// limitsWords are the objectives of a plan. They are joined as a sentence says them.
func limitsWords(q *planner.PlanQuestion, m *planner.MixAnswer) string {
	var limits []string
	for i := range m.Objectives {
		limits = append(limits, objectiveWords(q, &m.Objectives[i]))
	}
	return say.And(limits)
}

// sizeGlance answers for plain servers; without ranges there is nothing to add to the answer
// itself. There is no cost, since plain servers have no price.
func sizeGlance(a *sizing.SizeAnswer) []page.Fact {
	r := a.Recommended
	if r == nil {
		return nil
	}
	u := a.Uncertainty
	return []page.Fact{
		{Label: "How many?", Value: say.Plural(r.Servers, a.Noun())},
		{Label: "Is it safe?", Value: chanceWords(r.Chance, u.Samples),
			Remark: "chance to meet the objectives, with all ranges at once" + unsafeWords(r.Reason)},
		{Label: "What if we are wrong?", Value: "up to " + needMost(u), Remark: "in the worst draw"},
	}
}

// needMost is the greatest need among the draws that have an answer. A candidate with a chance of 1
// is enough in every draw.
func needMost(u *sizing.Uncertainty) string {
	// A draw that no fleet serves has no greatest need.
	if u.Infeasible > 0 {
		return "more than any number of servers"
	}
	// Candidates stand by size, so that the first of chance 1 is the least.
	for _, c := range u.Candidates {
		if c.Chance >= 1 {
			return say.Plural(c.Servers, "server")
		}
	}
	return "more servers"
}
