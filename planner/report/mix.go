package report

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/units"
)

// countsWords names the machines of a mix: 12 dedicated and 300 spot.
func countsWords(a *planner.PlanAnswer, counts []int64) string {
	var words []string
	for i, n := range counts {
		if n > 0 {
			words = append(words, count(n)+" "+a.Machines[i].Name)
		}
	}
	if len(words) == 0 {
		return "no machine"
	}
	return and(words)
}

func mixCounts(m *planner.MixAnswer) []int64 {
	counts := make([]int64, len(m.Machines))
	for i := range m.Machines {
		counts[i] = m.Machines[i].Count
	}
	return counts
}

// mixSentence is the answer of a plan with machines.
func mixSentence(q *planner.PlanQuestion, a *planner.PlanAnswer) string {
	m := a.Mix
	what := "the cheapest mix"
	if !m.Optimal {
		what = "the cheapest mix found (none is below " + money(m.LowerBound) + ")"
	}
	var limits []string
	for i := range m.Objectives {
		limits = append(limits, objectiveWords(q, &m.Objectives[i]))
	}
	return fmt.Sprintf("%s for %s: %s that keeps %s under %s.", countsWords(a, mixCounts(m)), money(m.Cost), what, and(limits), loadWords(a))
}

func loadWords(a *planner.PlanAnswer) string {
	if a.Load == nil || a.Load.OfferedLoad == nil {
		return "the load"
	}
	words := number(*a.Load.OfferedLoad, 5) + " erl"
	switch {
	case a.Load.MeanRate != nil:
		words += " at the peak"
	case a.Load.Uncertain:
		words += " (the most likely load)"
	}
	return words
}

// mixPoints are what a planner asks next.
func mixPoints(a *planner.PlanAnswer) []string {
	var points []string
	m := a.Mix
	for _, alt := range m.Alternatives {
		if alt.Name == "dedicated only" && alt.Cost != nil && *alt.Cost > 0 {
			points = append(points, fmt.Sprintf("Dedicated machines alone would cost %s: the mix saves %s.", money(*alt.Cost), fraction(*alt.Extra / *alt.Cost)))
		}
	}
	points = append(points, bindingWords(m))
	if m.PublicAway != nil {
		switch c := m.PublicAway; {
		case c.Unstable:
			points = append(points, "If all public machines left at once, the dedicated ones could not carry the load.")
		case c.Blocking != nil:
			points = append(points, fmt.Sprintf("If all public machines left at once, %s would be lost.", fraction(*c.Blocking)))
		case c.MeanWait != nil:
			points = append(points, fmt.Sprintf("If all public machines left at once, the mean wait would be %s.", duration(*c.MeanWait)))
		}
	}
	if u := a.Uncertainty; u != nil && len(u.Candidates) > 0 {
		first := u.Candidates[0]
		points = append(points, fmt.Sprintf("Over the ranges given, this mix meets the objectives with %s chance.", fraction(first.Chance)))
		if r := u.LeastRegret; r != nil {
			points = append(points, fmt.Sprintf("Least regret: %s for %s, with %s chance.", countsWords(a, r.Counts), money(r.Cost), fraction(r.Chance)))
		}
	}
	return points
}

// bindingWords says what makes the mix cost what it does.
func bindingWords(m *planner.MixAnswer) string {
	var words []string
	for _, b := range m.Binding {
		w := strings.ReplaceAll(b.Constraint, "_", " ")
		if b.Saving != nil {
			w += " (without it " + money(*b.Saving) + " less)"
		}
		words = append(words, w)
	}
	if len(words) == 0 {
		return "No constraint alone makes the mix dearer."
	}
	if len(words) == 1 {
		return "What binds: " + words[0] + "."
	}
	return "What binds: " + and(words) + "."
}

func mixSection(q *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	m := a.Mix
	if m == nil {
		return nil, nil
	}
	s := &Section{ID: "mix", Title: "Which machines?", Lead: fmt.Sprintf("%s for %s.", countsWords(a, mixCounts(m)), money(m.Cost)), Notes: append([]string{}, m.Warnings...), Explanation: a.Explanation}
	s.row("needed", number(m.Needed, 6)+" servers", "of speed 1: what the objectives ask for")
	s.row("capacity", number(m.Equivalent, 6)+" servers", "of speed 1: all machines together")
	if m.Dispatch != "" {
		s.row("dispatch", m.Dispatch)
	}
	for i := range m.Objectives {
		o := &m.Objectives[i]
		if o.Value != nil {
			s.row(objectiveWords(q, o), objectiveValue(o.Name, *o.Value))
		}
	}
	s.row("utilization", optionalFraction(m.Utilization))
	for _, x := range m.Machines {
		if x.Kind == planner.Public {
			s.row("on public machines", fraction(m.PublicShare), "of the capacity")
			break
		}
	}
	t := Table{ID: "mix", Caption: "The mix, by type of machine", Head: []string{"machine", "kind", "count", "price of one", "worth of one", "replicas", "worth", "cost"}, Words: 2}
	more := Table{ID: "one-more", Caption: "What one more machine buys", Head: []string{"one more", "price", "figure", "then", "change"}, Words: 1}
	for _, x := range m.Machines {
		t.Rows = append(t.Rows, []string{x.Name, string(x.Kind), count(x.Count), money(x.Price), number(x.Worth, 4), dash(optional(x.Replicas, count)), number(x.Equivalent, 5), money(x.Cost)})
		if o := x.OneMore; o != nil && o.Value != nil && o.Change != nil {
			more.Rows = append(more.Rows, []string{x.Name, money(o.Price), objectiveFigure(o.Objective), objectiveValue(o.Objective, *o.Value), signed(o.Objective, *o.Change)})
		}
	}
	s.Tables = append(s.Tables, t)
	if there, ok := availabilityTable(q, a); ok {
		s.Tables = append(s.Tables, there)
	}
	if len(m.Alternatives) > 0 {
		alt := Table{ID: "alternatives", Caption: "Other choices", Head: []string{"choice", "machines", "cost", "more"}, Words: 2}
		for _, x := range m.Alternatives {
			if x.Cost == nil {
				alt.Rows = append(alt.Rows, []string{x.Name, "too few: " + x.Reason, "–", "–"})
				continue
			}
			alt.Rows = append(alt.Rows, []string{x.Name, countsWords(a, x.Counts), money(*x.Cost), money(*x.Extra)})
		}
		s.Tables = append(s.Tables, alt)
	}
	if len(more.Rows) > 0 {
		s.Tables = append(s.Tables, more)
	}
	if len(m.Machines) > 1 && m.Cost > 0 {
		c := chart.Chart{Title: "What the machines are worth, and cost", Subtitle: "share of the whole", XLabel: "share (%)", Arrange: chart.Grouped}
		worth, cost := chart.Series{Name: "worth", Style: chart.Rows}, chart.Series{Name: "cost", Style: chart.Rows}
		for _, x := range m.Machines {
			if x.Count == 0 {
				continue
			}
			at := float64(len(c.YNames))
			c.YNames = append(c.YNames, x.Name)
			worth.X, worth.Y = append(worth.X, 100*x.Equivalent/m.Equivalent), append(worth.Y, at)
			cost.X, cost.Y = append(cost.X, 100*x.Cost/m.Cost), append(cost.Y, at)
			worth.Labels = append(worth.Labels, number(x.Equivalent, 4))
			cost.Labels = append(cost.Labels, money(x.Cost))
		}
		c.Series = []chart.Series{worth, cost}
		if len(c.YNames) > 1 {
			s.figure("mix", "Share of each type in the worth of the mix, in servers, and in its cost.", c)
		}
	}
	return s, nil
}

// signed writes a change with its sign.
func signed(objective string, v float64) string {
	sign := "+"
	if v < 0 {
		sign, v = "−", -v
	}
	return sign + objectiveValue(objective, v)
}

// machinesSection compares the types where there is no load to buy them for.
func machinesSection(q *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	if len(a.Machines) == 0 || a.Mix != nil {
		return nil, nil
	}
	best := 0
	for i, m := range a.Machines {
		if m.PricePerServer < a.Machines[best].PricePerServer {
			best = i
		}
	}
	s := &Section{ID: "machines", Title: "What are the machines worth?",
		Lead: fmt.Sprintf("A whole server costs least as %s: %s.", a.Machines[best].Name, money(a.Machines[best].PricePerServer))}
	t := Table{ID: "machines", Caption: "Machines by type", Head: []string{"machine", "kind", "price", "speed", "availability", "replicas", "worth of one", "price of a whole server"}, Words: 2}
	for _, m := range a.Machines {
		t.Rows = append(t.Rows, []string{m.Name, string(m.Kind), money(m.Price), number(m.Speed, 4), dash(optionalFraction(m.Availability)), dash(optional(m.Replicas, count)), number(m.Worth, 4), money(m.PricePerServer)})
	}
	s.Tables = []Table{t}
	if there, ok := availabilityTable(q, a); ok {
		s.Tables = append(s.Tables, there)
	}
	return s, nil
}

// availabilityTable says how much of the time machines are there by their traces
// and predictions.
func availabilityTable(q *planner.PlanQuestion, a *planner.PlanAnswer) (Table, bool) {
	t := Table{ID: "there", Caption: "How much of the time machines are there", Head: []string{"machine", "by", "there", "MTTF", "MTTR"}, Words: 2}
	for i, m := range a.Machines {
		if q.Machines[i].Trace != nil || q.Machines[i].Predicted != "" {
			t.Rows = append(t.Rows, []string{m.Name, m.AvailabilityFrom, optionalFraction(m.Availability), dash(optionalTime(m.MTTF)), dash(optionalTime(m.MTTR))})
		}
	}
	return t, len(t.Rows) > 0
}

func loadSection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	l := a.Load
	if l == nil || a.Size != nil {
		return nil, nil
	}
	s := &Section{ID: "load", Title: "What comes in?"}
	switch {
	case l.OfferedLoad != nil:
		s.Lead = "The offered load is " + loadWords(a) + "."
	default:
		s.Lead = "Requests arrive at " + units.FormatRate(*l.Rate, 4) + "; with a service time they make a load."
	}
	s.row("arrival rate", optionalRate(l.Rate))
	s.row("mean rate", optionalRate(l.MeanRate), "over the curve")
	s.row("service time", optionalTime(l.ServiceTime))
	if l.LoadLow != nil {
		s.row("range", number(*l.LoadLow, 5)+" to "+number(*l.LoadHigh, 5)+" erl")
	}
	s.Notes = []string{"Objectives, such as max_blocking or max_wait, would size a fleet for it."}
	return s, nil
}
