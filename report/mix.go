package report

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// countsWords names the machines of a mix: 12 dedicated and 300 spot. counts are in the order of
// the scenario's machines; types with none are left out.
func countsWords(a *planner.PlanAnswer, counts []int64) string {
	var words []string
	for i, n := range counts {
		if n > 0 {
			words = append(words, say.Count(n)+" "+a.Machines[i].Name)
		}
	}
	if len(words) == 0 {
		return "no machine"
	}
	return say.And(words)
}

// mixSentence is the answer of a plan with machines: the safe mix where inputs
// are ranges, else the cheapest. It is the first sentence of the report. The reason decides how it
// is put: a mix may be safe, of least regret, or the safest that there is.
func mixSentence(q *planner.PlanQuestion, a *planner.PlanAnswer) string {
	// Without ranges nothing is recommended beside the cheapest mix.
	r := a.Recommended
	if r == nil {
		return fmt.Sprintf("%s for %s: %s.",
			countsWords(a, a.Mix.Counts()), say.Price(a.Money, a.Mix.Cost), cheapestWords(q, a))
	}
	limits, met := limitsWords(q, a.Mix), say.Chance(ask.Value(r.Chance), a.Uncertainty.Judged)
	text := fmt.Sprintf("%s for %s: ", countsWords(a, r.Counts), say.Price(a.Money, r.Cost))
	switch r.Reason {
	case ask.Safe:
		text += fmt.Sprintf("the cheapest mix found that keeps %s with 95%% chance over the ranges given", limits)
	case ask.LeastRegret:
		text += fmt.Sprintf("the mix of least regret. It keeps %s with %s chance, and no mix found reaches 95%%",
			limits, met)
	default:
		text += fmt.Sprintf("the safest mix found. It keeps %s with %s chance only", limits, met)
	}
	// A budget bounds the cheapest mix, and safety may cost more than it.
	if r.OverBudget != nil {
		text += fmt.Sprintf("; that is %s above the budget", say.Price(a.Money, *r.OverBudget))
	}
	return text + "."
}

// cheapestWords says what the mix for the most likely figures is. Where the search ended before its
// proof, the bound says how much cheaper a mix could be.
func cheapestWords(q *planner.PlanQuestion, a *planner.PlanAnswer) string {
	m := a.Mix
	what := "the cheapest mix"
	if !m.Optimal {
		what = "the cheapest mix found (no mix costs less than " + say.Price(a.Money, m.LowerBound) + ")"
	}
	return fmt.Sprintf("%s that keeps %s under %s", what, limitsWords(q, m), loadWords(a))
}

// loadWords describes the load that a mix was sized for: a curve by its peak, a range by its most
// likely value.
func loadWords(a *planner.PlanAnswer) string {
	if a.Load == nil || a.Load.OfferedLoad == nil {
		return "the load"
	}
	words := say.Erlangs(*a.Load.OfferedLoad)
	switch {
	// The tolerance of 1e-9 keeps rounding from making two loads of one.
	case a.Load.MeanRate != nil && a.Size != nil && a.Size.OfferedLoad < *a.Load.OfferedLoad*(1-1e-9):
		// Services that outlast an interval smooth the load that servers see.
		words = say.Erlangs(a.Size.OfferedLoad) + " at the peak (the arrivals alone " + words + ")"
	case a.Load.MeanRate != nil:
		words += " at the peak"
	case a.Load.Uncertain:
		words += " (the most likely load)"
	}
	return words
}

// mixPoints are what a planner asks next. They stand in the report below the answer: the other mix
// that somebody may have expected, least regret, and what binds.
func mixPoints(q *planner.PlanQuestion, a *planner.PlanAnswer) []string {
	var points []string
	m, r := a.Mix, a.Recommended
	if r == nil {
		return append(points, bindingWords(a, ""))
	}
	u := a.Uncertainty
	if differs(a) {
		points = append(points,
			fmt.Sprintf("For the most likely figures alone %s for %s is enough: %s. It keeps that with %s chance.",
				countsWords(a, m.Counts()), say.Price(a.Money, m.Cost), cheapestWords(q, a),
				say.Chance(ask.Value(u.Candidates[0].Chance), u.Judged)))
	} else {
		points = append(points, "The cheapest mix for the most likely figures is the same.")
	}
	// The same mix is not told twice.
	if l := u.LeastRegret; l != nil && !slices.Equal(l.Counts, r.Counts) {
		points = append(points, fmt.Sprintf("Least regret: %s for %s, with %s chance.",
			countsWords(a, l.Counts), say.Price(a.Money, l.Cost), say.Chance(ask.Value(l.Chance), u.Judged)))
	}
	return append(points, bindingWords(a, " at the most likely figures"))
}

// bindingWords says what makes the mix cost what it does. A constraint binds where the mix without
// it would be cheaper, by the saving told.
func bindingWords(a *planner.PlanAnswer, where string) string {
	var words []string
	// What binds is what somebody would talk about to pay less.
	for _, b := range a.Mix.Binding {
		w := strings.ReplaceAll(b.Constraint, "_", " ")
		if b.Saving != nil {
			w += " (without it " + say.Price(a.Money, *b.Saving) + " less)"
		}
		words = append(words, w)
	}
	if len(words) == 0 {
		return "No constraint alone makes the mix dearer" + where + "."
	}
	return "What binds" + where + ": " + say.And(words) + "."
}

// mixSection says which machines to take. nil for a plan without machines, or one whose mix has no
// answer.
func mixSection(q *planner.PlanQuestion, a *planner.PlanAnswer) *page.Section {
	m := a.Mix
	if m == nil {
		return nil
	}
	s := page.New("mix", "Which machines?", m.Warnings, a.Explanation, mixData(a), machinesData(a))
	r := a.Recommended
	if r != nil {
		s.Say("%s for %s.", countsWords(a, r.Counts), say.Price(a.Money, r.Cost))
	} else {
		s.Say("%s for %s.", countsWords(a, m.Counts()), say.Price(a.Money, m.Cost))
	}
	addMixTable(s, a)
	// Where the mix that leads is another than the cheapest one, the facts of both stand below each
	// other, and the tables after them are of the cheapest.
	if differs(a) {
		if r.AtLikely != nil {
			s.Say("%s at the most likely figures:", countsWords(a, r.Counts))
			addMixFacts(s, m, r.AtLikely)
		}
		s.Say("%s at the most likely figures:", countsWords(a, m.Counts()))
	}
	s.Fact("needed", say.Servers(m.Needed), "of speed 1 to meet the objectives")
	s.Fact("capacity", say.Servers(m.Equivalent), "of speed 1: all machines together")
	s.Fact("dispatch", m.Dispatch)
	addMixFacts(s, m, &m.Figures)
	// A share of 0 is shown if it could be more.
	if slices.ContainsFunc(m.Machines, func(x planner.MixMachine) bool { return x.Kind == scenario.Public }) {
		s.Fact("on public machines", say.Fraction(m.PublicShare, 3), "of the capacity")
	}
	addGuards(s, q, a)
	addShapes(s, a)
	addThere(s, q, a)
	// Other choices, such as dedicated machines alone, show what the mix is worth; one that cannot
	// carry the load says why.
	alternatives := s.Table("choice", "machines", "cost", "more")
	alternatives.Caption, alternatives.Words = "Other choices"+likely(a), 2
	for _, x := range m.Alternatives {
		if x.Cost == nil {
			alternatives.Row(x.Name, "too few: "+x.Reason, "", "")
			continue
		}
		words := countsWords(a, x.Counts)
		// A choice that the scenario forbids is shown all the same: it shows what the limit does.
		if o := q.Objectives; o != nil && o.Budget != nil {
			if budget := 3600 * float64(o.Budget.Price); *x.Cost > budget*(1+1e-12) {
				words += ", above the budget of " + say.Price(a.Money, budget)
			}
		}
		alternatives.Row(x.Name, words, say.Price(a.Money, *x.Cost), say.Price(a.Money, *x.Extra))
	}
	// One machine more of each type, and what it does to the objective that binds, is what one
	// would buy next.
	more := s.Table("one more", "price", "figure", "then", "change")
	more.Caption = "Effect of one more machine" + likely(a)
	for _, x := range m.Machines {
		if o := x.OneMore; o != nil && o.Value != nil && o.Change != nil {
			more.Row(x.Name, say.Price(a.Money, o.Price), objectiveLabel(o.Objective, m.Objectives),
				objectiveValue(o.Objective, *o.Value, 3), objectiveChange(o.Objective, *o.Change))
		}
	}
	s.Draws = func(context.Context) ([]page.Figure, error) { return mixFigure(a), nil }
	addSimulation(s, a.Simulation)
	return s
}

// taken counts the machines of the mix that a plan leads with. The recommended mix leads where
// inputs are ranges.
func taken(a *planner.PlanAnswer) []int64 {
	if a.Recommended != nil {
		return a.Recommended.Counts
	}
	return a.Mix.Counts()
}

// differs reports whether the plan leads with another mix than the cheapest for
// the most likely figures.
func differs(a *planner.PlanAnswer) bool {
	return a.Recommended != nil && !slices.Equal(a.Recommended.Counts, a.Mix.Counts())
}

// likely says in a caption which mix it is of. It is empty where there is only one mix to speak of.
func likely(a *planner.PlanAnswer) string {
	if differs(a) {
		return ", for the most likely figures"
	}
	return ""
}

// addMixFacts shows what a mix does at the most likely figures. Without a limit the utilization is
// shown all the same, since everybody asks for it.
func addMixFacts(s *page.Section, m *planner.MixAnswer, f *sizing.Figures) {
	for _, o := range m.Objectives {
		if o.Value == nil {
			continue
		}
		value := objectiveValue(o.Name, *o.Value, 3)
		// The objectives were judged for the cheapest mix; of the other one their figures are read
		// from its own.
		if f != &m.Figures {
			if value = figureOf(&o, f); value == "" {
				continue
			}
			// The verdict on the objective is that of the cheapest mix, and says nothing of this one.
			o.Met = true
		}
		s.Fact(objectiveLabel(o.Name, m.Objectives), value, limitWords(o, ""))
	}
	if !slices.ContainsFunc(m.Objectives, func(o sizing.ObjectiveResult) bool { return o.Name == "max_utilization" }) {
		s.Fact("utilization", say.Maybe(f.Utilization, say.Fraction, 3))
	}
}

// figureOf writes the figure that an objective bounds, empty where there is none. Limits on
// responses are matched by time and percentile; 1e-12 covers the rounding of percentages.
func figureOf(o *sizing.ObjectiveResult, f *sizing.Figures) string {
	if o.Within != nil {
		for _, r := range f.Responses {
			if r.Within == *o.Within && math.Abs(r.Percentile-o.Limit) < 1e-12 {
				return say.Fraction(r.Level, 3)
			}
		}
	}
	// The figures of a queue that waits have every limit among them.
	for _, x := range fleetFigures(sizing.Wait, f) {
		if x.limit == o.Name {
			return say.Written(x.cell)
		}
	}
	return ""
}

// objectiveLabel names the figure that one of the objectives bounds, as facts do. Limits have the
// names of JSON, and facts those of people; several limits on responses are told apart by their time.
func objectiveLabel(name string, objectives []sizing.ObjectiveResult) string {
	for _, f := range fleetFigures(sizing.Wait, &sizing.Figures{}) {
		if f.limit == name {
			return f.label
		}
	}
	for _, o := range objectives { // a limit on responses
		if o.Name == name && o.Within != nil {
			return "served within " + say.Duration(*o.Within, 3)
		}
	}
	return "served in time"
}

// mixFigure draws the share of each type in worth and cost. Worth and cost side by side show which
// type is dear for what it does. nil where there is nothing to compare.
func mixFigure(a *planner.PlanAnswer) []page.Figure {
	m, counts := a.Mix, taken(a)
	worths, costs := 0.0, 0.0
	for i, x := range m.Machines {
		worths += x.Worth * float64(counts[i])
		costs += x.Price * float64(counts[i])
	}
	c := chart.Chart{
		Title:    "Worth and cost of the machines",
		Subtitle: "share of the whole",
		XLabel:   "share (%)",
		Arrange:  chart.Grouped,
	}
	worth, cost := chart.Series{Name: "worth", Style: chart.Rows}, chart.Series{Name: "cost", Style: chart.Rows}
	for i, x := range m.Machines {
		// Without prices the bars of cost would be of nothing.
		if counts[i] == 0 || costs == 0 {
			continue
		}
		itsWorth, itsCost := x.Worth*float64(counts[i]), x.Price*float64(counts[i])
		at := float64(len(c.YNames))
		c.YNames = append(c.YNames, x.Name)
		worth.X, worth.Y = append(worth.X, 100*itsWorth/worths), append(worth.Y, at)
		cost.X, cost.Y = append(cost.X, 100*itsCost/costs), append(cost.Y, at)
		worth.Labels = append(worth.Labels, say.Number(itsWorth, 4))
		cost.Labels = append(cost.Labels, say.Price(a.Money, itsCost))
	}
	// One type alone has all of both, which needs no drawing.
	if len(c.YNames) < 2 {
		return nil
	}
	c.Series = []chart.Series{worth, cost}
	return []page.Figure{{ID: "mix",
		Caption: "Share of each type in the worth of the mix, in servers, and in its cost.", Chart: c}}
}

// mixData is a row for each type of machine. The column recommended_count is that of the mix that
// leads.
func mixData(a *planner.PlanAnswer) page.Data {
	rows := [][]string{strings.Fields("name kind count price_per_h worth_of_one replicas equivalent_servers " +
		"cost_per_h recommended_count")}
	for i, x := range a.Mix.Machines {
		rows = append(rows, []string{x.Name, string(x.Kind), exact(x.Count), say.Plain(x.Price), say.Plain(x.Worth),
			say.Optional(x.Replicas, exact), say.Plain(x.Equivalent), say.Plain(x.Cost), exact(taken(a)[i])})
	}
	return page.Rows("mix", rows)
}

// exact writes a whole number for programs. A count may be beyond what a float64 holds exactly.
func exact(n int64) string { return strconv.FormatInt(n, 10) }

// signed writes a number with its sign, by a format of numbers that are not below 0. The sign for minus
// is U+2212, as in print, which is as wide as a plus.
func signed(v float64, write func(float64) string) string {
	if v < 0 {
		return "−" + write(-v)
	}
	return "+" + write(v)
}

// points writes the change of a share, in points of a percent: from 1 % to 2 % is one point and a
// doubling, and points cannot be misread.
func points(v float64, digits int) string {
	return signed(100*v, func(v float64) string { return say.Number(v, digits) }) + " points"
}

// objectiveChange writes a change of the figure that an objective bounds. Two objectives are times,
// all others are shares.
func objectiveChange(objective string, v float64) string {
	if objective != "max_mean_wait" && objective != "max_mean_response" {
		return points(v, 3)
	}
	return signed(v, func(v float64) string { return objectiveValue(objective, v, 3) })
}
