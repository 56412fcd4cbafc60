package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// addMixTable shows the mix by type of machine, beside it the one for the most
// likely figures. What is paid stands where a narrow screen shows it. Worth is in servers of speed
// 1, replicas taken off.
func addMixTable(s *page.Section, a *planner.PlanAnswer) {
	m, counts := a.Mix, taken(a)
	// Where inputs are ranges, the mix that is taken may be another than the cheapest for the most
	// likely figures, and both are shown.
	both := differs(a)
	t := s.Table("machine", "count", "cost")
	if both {
		t.Head = append(t.Head, "likely count", "likely cost")
	}
	t.Head = append(t.Head, "price each", "worth each", "worth", "replicas", "kind")
	t.Caption = "The mix, by type of machine"
	if both {
		t.Caption += ", beside the cheapest for the most likely figures"
	}
	cost, worth := 0.0, 0.0
	for i, x := range m.Machines {
		itsCost, itsWorth := x.Price*float64(counts[i]), x.Worth*float64(counts[i])
		cost, worth = cost+itsCost, worth+itsWorth
		row := []string{x.Name, say.Count(counts[i]), say.Price(a.Money, itsCost)}
		if both {
			row = append(row, say.Count(x.Count), say.Price(a.Money, x.Cost))
		}
		t.Line(append(row, say.Price(a.Money, x.Price), say.Number(x.Worth, 4), say.Number(itsWorth, 4),
			say.Optional(x.Replicas, say.Count), string(x.Kind))...)
	}
	// A total of one row would repeat it.
	if len(m.Machines) > 1 {
		row := []string{"all", "", say.Price(a.Money, cost)}
		if both {
			row = append(row, "", say.Price(a.Money, m.Cost))
		}
		t.Rows = append(t.Rows, append(row, "", "", say.Number(worth, 4), "", ""))
	}
}

// machinesData is a row for each type of machine, by what it is worth. The CSV has base units:
// prices per hour, worth in servers of speed 1.
func machinesData(a *planner.PlanAnswer) page.Data {
	// Names of columns end in their units, as those of JSON do.
	rows := [][]string{strings.Fields("name kind price_per_h speed availability replicas equivalent_servers " +
		"price_per_equivalent_server_per_h")}
	for _, m := range a.Machines {
		rows = append(rows, []string{m.Name, string(m.Kind), say.Plain(m.Price), say.Plain(m.Speed),
			say.Optional(m.Availability, say.Plain), say.Optional(m.Replicas, exact), say.Plain(m.Worth),
			say.Plain(m.PricePerServer)})
	}
	return page.Rows("machines", rows)
}

// machinesSection compares the types where there is no load to buy them for. The price of a whole
// server makes slow and fleeting machines comparable with dedicated ones. nil where a mix is
// chosen, whose table says the same.
func machinesSection(q *planner.PlanQuestion, a *planner.PlanAnswer) *page.Section {
	if len(a.Machines) == 0 || a.Mix != nil {
		return nil
	}
	s := &page.Section{ID: "machines", Title: "What are the machines worth?", Data: []page.Data{machinesData(a)}}
	// The price of one machine says nothing where a slow one does half of the work.
	best := slices.MinFunc(a.Machines,
		func(x, y planner.MachineWorth) int { return cmp.Compare(x.PricePerServer, y.PricePerServer) })
	s.Say("a whole server is cheapest as %s: %s", best.Name, say.Price(a.Money, best.PricePerServer))
	t := s.Table("machine", "kind", "price", "speed", "availability", "replicas", "worth each",
		"price of a whole server")
	t.Caption, t.Words = "Machines by type", 2
	for _, m := range a.Machines {
		t.Row(m.Name, string(m.Kind), say.Price(a.Money, m.Price), say.Number(m.Speed, 4),
			say.Maybe(m.Availability, say.Fraction, 3), say.Optional(m.Replicas, say.Count), say.Number(m.Worth, 4),
			say.Price(a.Money, m.PricePerServer))
	}
	addShapes(s, a)
	addThere(s, q, a)
	return s
}

// addThere says how much of the time machines are there by their traces and
// predictions. A type whose availability was given as a number is left out.
func addThere(s *page.Section, q *planner.PlanQuestion, a *planner.PlanAnswer) {
	t := s.Table("machine", "by", "there", "MTTF", "MTTR")
	t.Caption, t.Words = "Share of time that machines are available", 2
	for i, m := range a.Machines {
		if of := &q.Machines[i]; of.Trace != nil || of.Fitted != nil || of.Predicted != "" {
			t.Row(m.Name, m.AvailabilityFrom, say.Maybe(m.Availability, say.Fraction, 3),
				say.Maybe(m.MTTF, say.Duration, 4), say.Maybe(m.MTTR, say.Duration, 4))
		}
	}
	addRisk(s, a)
}

// addRisk says how likely machines leave during a job, by the machines of their traces. The frailty
// model knows each machine's own risk, so that the worst tenth and the spread of worth can be told.
func addRisk(s *page.Section, a *planner.PlanAnswer) {
	t := s.Table("machine", "leaves during a job", "worst tenth", "available on average", "from", "to",
		"worth each from", "to")
	t.Caption, t.Words = "Risk by the fleet model (frailty) of the machines of a trace or a fleet file", 1
	for _, m := range a.Machines {
		if r := m.Risk; r != nil {
			t.Row(m.Name, say.Fraction(r.Leaves, 3), say.Fraction(r.LeavesWorst, 3),
				say.Maybe(r.Availability, say.Fraction, 3),
				say.Maybe(r.AvailabilityLow, say.Fraction, 3), say.Maybe(r.AvailabilityHigh, say.Fraction, 3),
				say.Maybe(r.WorthLow, say.Number, 4), say.Maybe(r.WorthHigh, say.Number, 4))
			s.Notes = append(s.Notes, fmt.Sprintf(
				"%s: a job of %s on an available machine; %d machines, frailties of shape %s: the availability and "+
					"worth of nine of ten machines lie between the two values.",
				m.Name, say.Duration(r.Span, 4), r.Machines, say.Number(r.Shape, 3)))
		}
	}
}

// loadSection says what comes in, where no fleet is asked for. nil where a fleet is sized, whose
// section says the same.
func loadSection(a *planner.PlanAnswer) *page.Section {
	l := a.Load
	if l == nil || a.Size != nil {
		return nil
	}
	s := &page.Section{ID: "load", Title: "What is the load?"}
	if l.OfferedLoad != nil {
		s.Say("the offered load is %s", loadWords(a))
	} else {
		s.Say("requests arrive at %s; a service time is needed to tell the load", say.Rate(*l.Rate, 4))
	}
	s.Fact("arrival rate", say.Maybe(l.Rate, say.Rate, 4))
	s.Fact("mean rate", say.Maybe(l.MeanRate, say.Rate, 4), "over the curve")
	s.Fact("service time", say.Maybe(l.ServiceTime, say.Duration, 4))
	if l.LoadLow != nil {
		s.Fact("range", say.Number(*l.LoadLow, 5)+" to "+say.Erlangs(*l.LoadHigh))
	}
	// A load without an objective: say what is missing for a fleet.
	s.Notes = []string{"With objectives, such as max_blocking or max_wait, the plan would size a fleet for it."}
	return s
}

// objectiveWords says what an objective asks for. They are short, to stand in a sentence.
func objectiveWords(q *planner.PlanQuestion, o *sizing.ObjectiveResult) string {
	if o.Within != nil {
		return "response ≤ " + say.Duration(*o.Within, 4) + " for " + say.Fraction(o.Limit, 4)
	}
	switch o.Name {
	case "max_blocking":
		return "blocking ≤ " + say.Fraction(o.Limit, 4)
	case "max_wait":
		return "wait ≤ " + say.Duration(float64(*q.Objectives.MaxWait), 4) + " for " + say.Fraction(o.Limit, 4)
	case "max_mean_wait", "max_mean_response":
		return strings.ReplaceAll(strings.TrimPrefix(o.Name, "max_"), "_", " ") + " ≤ " + say.Duration(o.Limit, 4)
	case "max_abandon":
		return "abandonment ≤ " + say.Fraction(o.Limit, 4)
	case "max_utilization":
		return "utilization ≤ " + say.Fraction(o.Limit, 4)
	}
	// What is left are chances: availability of public jobs and the like.
	return strings.ReplaceAll(o.Name, "_", " ") + " for " + say.Fraction(o.Limit, 4)
}

// addShapes shows how many jobs each machine holds at a time, and what bounds them. Jobs and
// machines with processors and memory fit in whole numbers; the scarcer of the two binds.
func addShapes(s *page.Section, a *planner.PlanAnswer) {
	shaped := func(m planner.MachineWorth) bool { return m.SlotsOfCPU != nil || m.SlotsOfMemory != nil }
	if !slices.ContainsFunc(a.Machines, shaped) {
		return
	}
	t := s.Table("machine", "jobs at a time", "by cpu", "by memory", "binds")
	t.Caption = "Jobs that fit on a machine"
	for _, m := range a.Machines {
		t.Row(m.Name, say.Count(m.Slots), say.Optional(m.SlotsOfCPU, say.Count),
			say.Optional(m.SlotsOfMemory, say.Count), say.Dashed(m.SlotsBy))
	}
}
