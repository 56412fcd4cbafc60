package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/sizing"
)

// addMixTable shows the mix by type of machine, beside it the one for the most
// likely figures. What is paid stands where a narrow screen shows it.
func addMixTable(s *Section, a *planner.PlanAnswer) {
	m, counts := a.Mix, taken(a)
	both := differs(a)
	t := s.Table("machine", "count", "cost")
	if both {
		t.Head = append(t.Head, "likely count", "likely cost")
	}
	t.Head = append(t.Head, "price of one", "worth of one", "worth", "replicas", "kind")
	t.Caption = "The mix, by type of machine"
	if both {
		t.Caption += ", beside the cheapest for the most likely figures"
	}
	cost, worth := 0.0, 0.0
	for i, x := range m.Machines {
		itsCost, itsWorth := x.Price*float64(counts[i]), x.Worth*float64(counts[i])
		cost, worth = cost+itsCost, worth+itsWorth
		row := []string{x.Name, Count(counts[i]), price(a.Money, itsCost)}
		if both {
			row = append(row, Count(x.Count), price(a.Money, x.Cost))
		}
		t.Line(append(row, price(a.Money, x.Price), number(x.Worth, 4), number(itsWorth, 4), optional(x.Replicas, Count),
			string(x.Kind))...)
	}
	if len(m.Machines) > 1 {
		row := []string{"all", "", price(a.Money, cost)}
		if both {
			row = append(row, "", price(a.Money, m.Cost))
		}
		t.Rows = append(t.Rows, append(row, "", "", number(worth, 4), "", ""))
	}
}

// machinesData is a row for each type of machine, by what it is worth.
func machinesData(a *planner.PlanAnswer) Data {
	rows := [][]string{strings.Fields("name kind price_per_h speed availability replicas equivalent_servers price_per_equivalent_server_per_h")}
	for _, m := range a.Machines {
		rows = append(rows,
			[]string{m.Name, string(m.Kind), plain(m.Price), plain(m.Speed), optional(m.Availability, plain),
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
	best := slices.MinFunc(a.Machines,
		func(x, y planner.MachineWorth) int { return cmp.Compare(x.PricePerServer, y.PricePerServer) })
	s.Say("a whole server costs least as %s: %s", best.Name, price(a.Money, best.PricePerServer))
	t := s.Table("machine", "kind", "price", "speed", "availability", "replicas", "worth of one",
		"price of a whole server")
	t.Caption, t.Words = "Machines by type", 2
	for _, m := range a.Machines {
		t.Row(m.Name, string(m.Kind), price(a.Money, m.Price), number(m.Speed, 4), Maybe(m.Availability, fraction, 3),
			optional(m.Replicas, Count), number(m.Worth, 4), price(a.Money, m.PricePerServer))
	}
	addShapes(s, a)
	addThere(s, q, a)
	return s
}

// addThere says how much of the time machines are there by their traces and
// predictions.
func addThere(s *Section, q *planner.PlanQuestion, a *planner.PlanAnswer) {
	t := s.Table("machine", "by", "there", "MTTF", "MTTR")
	t.Caption, t.Words = "How much of the time machines are there", 2
	for i, m := range a.Machines {
		if q.Machines[i].Trace != nil || q.Machines[i].Predicted != "" {
			t.Row(m.Name, m.AvailabilityFrom, Maybe(m.Availability, fraction, 3), Maybe(m.MTTF, duration, 4),
				Maybe(m.MTTR, duration, 4))
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
	s.Fact("arrival rate", Maybe(l.Rate, rate, 4))
	s.Fact("mean rate", Maybe(l.MeanRate, rate, 4), "over the curve")
	s.Fact("service time", Maybe(l.ServiceTime, duration, 4))
	if l.LoadLow != nil {
		s.Fact("range", number(*l.LoadLow, 5)+" to "+erlangs(*l.LoadHigh))
	}
	s.Notes = []string{"Objectives, such as max_blocking or max_wait, would size a fleet for it."}
	return s
}

// objectiveWords says what an objective asks for.
func objectiveWords(q *planner.PlanQuestion, o *sizing.ObjectiveResult) string {
	if o.Within != nil {
		return "response ≤ " + duration(*o.Within, 4) + " for " + fraction(o.Limit, 4)
	}
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

// addShapes shows how many jobs each machine holds at a time, and what bounds them.
func addShapes(s *Section, a *planner.PlanAnswer) {
	shaped := func(m planner.MachineWorth) bool { return m.SlotsOfCPU != nil || m.SlotsOfMemory != nil }
	if !slices.ContainsFunc(a.Machines, shaped) {
		return
	}
	t := s.Table("machine", "jobs at a time", "by cpu", "by memory", "binds")
	t.Caption = "What fits on a machine"
	for _, m := range a.Machines {
		t.Row(m.Name, Count(m.Slots), optional(m.SlotsOfCPU, Count), optional(m.SlotsOfMemory, Count),
			dashed(m.SlotsBy))
	}
}
