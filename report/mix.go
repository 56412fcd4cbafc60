package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/sizing"
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
		what = "the cheapest mix found (none is below " + price(m.LowerBound) + ")"
	}
	var limits []string
	for i := range m.Objectives {
		limits = append(limits, objectiveWords(q, &m.Objectives[i]))
	}
	return fmt.Sprintf("%s for %s: %s that keeps %s under %s.", countsWords(a, mixCounts(m)), price(m.Cost), what, and(limits), loadWords(a))
}

func loadWords(a *planner.PlanAnswer) string {
	if a.Load == nil || a.Load.OfferedLoad == nil {
		return "the load"
	}
	words := erlangs(*a.Load.OfferedLoad)
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
			points = append(points, fmt.Sprintf("Dedicated machines alone would cost %s: the mix saves %s.", price(*alt.Cost), fraction(*alt.Extra / *alt.Cost, 3)))
		}
	}
	points = append(points, bindingWords(m))
	if m.PublicAway != nil {
		switch c := m.PublicAway; {
		case c.Unstable:
			points = append(points, "If all public machines left at once, the dedicated ones could not carry the load.")
		case c.Blocking != nil:
			points = append(points, fmt.Sprintf("If all public machines left at once, %s would be lost.", fraction(*c.Blocking, 3)))
		case c.MeanWait != nil:
			points = append(points, fmt.Sprintf("If all public machines left at once, the mean wait would be %s.", duration(*c.MeanWait, 3)))
		}
	}
	if u := a.Uncertainty; u != nil && len(u.Candidates) > 0 {
		first := u.Candidates[0]
		points = append(points, fmt.Sprintf("Over the ranges given, this mix meets the objectives with %s chance.", fraction(first.Chance, 3)))
		if r := u.LeastRegret; r != nil {
			points = append(points, fmt.Sprintf("Least regret: %s for %s, with %s chance.", countsWords(a, r.Counts), price(r.Cost), fraction(r.Chance, 3)))
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
			w += " (without it " + price(*b.Saving) + " less)"
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

// mixSection says which machines to take.
func mixSection(q *planner.PlanQuestion, a *planner.PlanAnswer) *Section {
	m := a.Mix
	if m == nil {
		return nil
	}
	s := &Section{
		ID:       "mix",
		Title:    "Which machines?",
		Notes:    m.Warnings,
		Formulas: a.Explanation,
		Data:     []Data{mixData(m), machinesData(a)},
	}
	s.Say("%s for %s.", countsWords(a, mixCounts(m)), price(m.Cost))
	s.Fact("needed", number(m.Needed, 6)+" servers", "of speed 1: what the objectives ask for")
	s.Fact("capacity", number(m.Equivalent, 6)+" servers", "of speed 1: all machines together")
	s.Fact("dispatch", m.Dispatch)
	for i := range m.Objectives {
		if o := &m.Objectives[i]; o.Value != nil {
			s.Fact(objectiveLabel(o.Name), objectiveValue(o.Name, *o.Value, 3), limitWords(*o, ""))
		}
	}
	if !slices.ContainsFunc(m.Objectives, func(o sizing.ObjectiveResult) bool { return o.Name == "max_utilization" }) {
		s.Fact("utilization", maybe(m.Utilization, fraction, 3))
	}
	if slices.ContainsFunc(m.Machines, func(x planner.MixMachine) bool { return x.Kind == planner.Public }) {
		s.Fact("on public machines", fraction(m.PublicShare, 3), "of the capacity")
	}
	t := s.Table("machine", "kind", "count", "price of one", "worth of one", "replicas", "worth", "cost")
	t.Caption, t.Words = "The mix, by type of machine", 2
	for _, x := range m.Machines {
		t.Row(x.Name, string(x.Kind), count(x.Count), price(x.Price), number(x.Worth, 4), optional(x.Replicas, count), number(x.Equivalent, 5), price(x.Cost))
	}
	s.there(q, a)
	alternatives := s.Table("choice", "machines", "cost", "more")
	alternatives.Caption, alternatives.Words = "Other choices", 2
	for _, x := range m.Alternatives {
		if x.Cost == nil {
			alternatives.Row(x.Name, "too few: "+x.Reason, "", "")
			continue
		}
		alternatives.Row(x.Name, countsWords(a, x.Counts), price(*x.Cost), price(*x.Extra))
	}
	more := s.Table("one more", "price", "figure", "then", "change")
	more.Caption = "What one more machine buys"
	for _, x := range m.Machines {
		if o := x.OneMore; o != nil && o.Value != nil && o.Change != nil {
			more.Row(x.Name, price(o.Price), objectiveLabel(o.Objective), objectiveValue(o.Objective, *o.Value, 3), signed(o.Objective, *o.Change))
		}
	}
	s.Draws = func(context.Context) ([]Figure, error) { return mixFigure(m), nil }
	return s
}

// objectiveLabel names the figure that an objective bounds, as facts do.
func objectiveLabel(name string) string {
	for _, f := range fleetFigures(sizing.Wait) {
		if f.limit == name {
			return f.label
		}
	}
	return "served in time" // a limit on responses
}

// mixFigure draws the share of each type in worth and cost.
func mixFigure(m *planner.MixAnswer) []Figure {
	c := chart.Chart{Title: "What the machines are worth, and cost", Subtitle: "share of the whole", XLabel: "share (%)", Arrange: chart.Grouped}
	worth, cost := chart.Series{Name: "worth", Style: chart.Rows}, chart.Series{Name: "cost", Style: chart.Rows}
	for _, x := range m.Machines {
		if x.Count == 0 || m.Cost == 0 {
			continue
		}
		at := float64(len(c.YNames))
		c.YNames = append(c.YNames, x.Name)
		worth.X, worth.Y = append(worth.X, 100*x.Equivalent/m.Equivalent), append(worth.Y, at)
		cost.X, cost.Y = append(cost.X, 100*x.Cost/m.Cost), append(cost.Y, at)
		worth.Labels = append(worth.Labels, number(x.Equivalent, 4))
		cost.Labels = append(cost.Labels, price(x.Cost))
	}
	if len(c.YNames) < 2 {
		return nil
	}
	c.Series = []chart.Series{worth, cost}
	return []Figure{{ID: "mix", Caption: "Share of each type in the worth of the mix, in servers, and in its cost.", Chart: c}}
}

// mixData is a row for each type of machine.
func mixData(m *planner.MixAnswer) Data {
	rows := [][]string{strings.Fields("name kind count price_per_h worth_of_one replicas equivalent_servers cost_per_h")}
	for _, x := range m.Machines {
		rows = append(rows, []string{x.Name, string(x.Kind), fmt.Sprint(x.Count), plain(x.Price), plain(x.Worth), optional(x.Replicas, exact), plain(x.Equivalent), plain(x.Cost)})
	}
	return Rows("mix", rows)
}

// exact writes a whole number for programs.
func exact(n int64) string { return strconv.FormatInt(n, 10) }

// signed writes a change with its sign.
func signed(objective string, v float64) string {
	if v < 0 {
		return "−" + objectiveValue(objective, -v, 3)
	}
	return "+" + objectiveValue(objective, v, 3)
}

// machinesData is a row for each type of machine, by what it is worth.
func machinesData(a *planner.PlanAnswer) Data {
	rows := [][]string{strings.Fields("name kind price_per_h speed availability replicas equivalent_servers price_per_equivalent_server_per_h")}
	for _, m := range a.Machines {
		rows = append(rows, []string{m.Name, string(m.Kind), plain(m.Price), plain(m.Speed), optional(m.Availability, plain),
			optional(m.Replicas, exact), plain(m.Worth), plain(m.PricePerServer)})
	}
	return Rows("machines", rows)
}

// machinesSection compares the types where there is no load to buy them for.
func machinesSection(q *planner.PlanQuestion, a *planner.PlanAnswer) *Section {
	if len(a.Machines) == 0 || a.Mix != nil {
		return nil
	}
	s := &Section{ID: "machines", Title: "What are the machines worth?", Data: []Data{machinesData(a)}}
	best := slices.MinFunc(a.Machines, func(x, y planner.MachineWorth) int { return cmp.Compare(x.PricePerServer, y.PricePerServer) })
	s.Say("a whole server costs least as %s: %s", best.Name, price(best.PricePerServer))
	t := s.Table("machine", "kind", "price", "speed", "availability", "replicas", "worth of one", "price of a whole server")
	t.Caption, t.Words = "Machines by type", 2
	for _, m := range a.Machines {
		t.Row(m.Name, string(m.Kind), price(m.Price), number(m.Speed, 4), maybe(m.Availability, fraction, 3), optional(m.Replicas, count), number(m.Worth, 4), price(m.PricePerServer))
	}
	s.there(q, a)
	return s
}

// there says how much of the time machines are there by their traces and
// predictions.
func (s *Section) there(q *planner.PlanQuestion, a *planner.PlanAnswer) {
	t := s.Table("machine", "by", "there", "MTTF", "MTTR")
	t.Caption, t.Words = "How much of the time machines are there", 2
	for i, m := range a.Machines {
		if q.Machines[i].Trace != nil || q.Machines[i].Predicted != "" {
			t.Row(m.Name, m.AvailabilityFrom, maybe(m.Availability, fraction, 3), maybe(m.MTTF, duration, 4), maybe(m.MTTR, duration, 4))
		}
	}
}

// loadSection says what comes in, where no fleet is asked for.
func loadSection(a *planner.PlanAnswer) *Section {
	l := a.Load
	if l == nil || a.Size != nil {
		return nil
	}
	s := &Section{ID: "load", Title: "What comes in?"}
	if l.OfferedLoad != nil {
		s.Say("the offered load is %s", loadWords(a))
	} else {
		s.Say("requests arrive at %s; with a service time they make a load", rate(*l.Rate, 4))
	}
	s.Fact("arrival rate", maybe(l.Rate, rate, 4))
	s.Fact("mean rate", maybe(l.MeanRate, rate, 4), "over the curve")
	s.Fact("service time", maybe(l.ServiceTime, duration, 4))
	if l.LoadLow != nil {
		s.Fact("range", number(*l.LoadLow, 5)+" to "+erlangs(*l.LoadHigh))
	}
	s.Notes = []string{"Objectives, such as max_blocking or max_wait, would size a fleet for it."}
	return s
}

// objectiveWords says what an objective asks for.
func objectiveWords(q *planner.PlanQuestion, o *sizing.ObjectiveResult) string {
	switch o.Name {
	case "max_blocking":
		return "blocking ≤ " + fraction(o.Limit, 4)
	case "max_wait":
		return "wait ≤ " + duration(float64(*q.Objectives.MaxWait), 4) + " for " + fraction(o.Limit, 4)
	case "max_mean_wait", "max_mean_response":
		return strings.ReplaceAll(strings.TrimPrefix(o.Name, "max_"), "_", " ") + " ≤ " + duration(o.Limit, 4)
	case "max_abandon":
		return "abandonment ≤ " + fraction(o.Limit, 4)
	}
	if o.Name == "max_utilization" {
		return "utilization ≤ " + fraction(o.Limit, 4)
	}
	return strings.ReplaceAll(o.Name, "_", " ") + " for " + fraction(o.Limit, 4)
}
