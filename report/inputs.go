package report

import (
	"cmp"
	"fmt"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// inputs echoes what was asked, with units. A report is read without its scenario, so that all that
// went into the answer stands in it. What was not given is left out; defaults stand with the
// answers that take them.
func inputs(q *planner.PlanQuestion) *page.Table {
	t := &page.Table{ID: "inputs", Caption: "The question", Head: []string{"input", "value"}, Words: 2}
	// Values are made by functions, so that a part that is missing is never read.
	add := func(name string, given bool, value func() string) {
		if given {
			t.Rows = append(t.Rows, []string{name, value()})
		}
	}
	// ask.Value gives a zero struct for a part that the scenario has not. Quantities are shown in
	// the form in which they were given, ranges with both ends: String of package units keeps it.
	load, service, limits := ask.Value(q.Load), ask.Value(q.Service), ask.Value(q.Objectives)
	add("offered load", load.Erlangs != nil, func() string { return load.Erlangs.String() + " erl" })
	add("arrival rate", load.Rate != nil, func() string { return load.Rate.String() })
	add("service time", service.Time != nil, func() string { return service.Time.String() })
	add("service times from", service.File != "", func() string { return service.File })
	// A curve of many intervals is described by its peak.
	add("load curve", load.Curve != nil, func() string {
		text := fmt.Sprintf("%d intervals, peak %s", len(load.Curve.Start), say.Rate(load.Curve.Peak(), 4))
		switch {
		case load.Day != nil:
			text += ", days folded by " + load.Day.String()
		case load.Week != nil:
			text += ", weeks folded by " + load.Week.String()
		}
		return text
	})
	add("job log", load.Log != nil, func() string { return say.Plural(load.Log.Jobs, "job") })
	add("SCV of the gaps", load.ArrivalSCV != nil, func() string { return load.ArrivalSCV.String() })
	add("SCV of the service", service.SCV != nil, func() string { return service.SCV.String() })
	add("cpu of a job", service.CPU != nil, func() string { return service.CPU.String() })
	add("memory of a job", service.Memory != nil, func() string { return service.Memory.String() })
	add("patience", service.Patience != nil, func() string { return service.Patience.String() })
	add("blocking at most", limits.MaxBlocking != nil, func() string { return limits.MaxBlocking.String() })
	add("wait at most", limits.MaxWait != nil, func() string { return limits.MaxWait.String() })
	add("for a share of", limits.Percentile != nil, func() string { return limits.Percentile.String() })
	add("mean wait at most", limits.MaxMeanWait != nil, func() string { return limits.MaxMeanWait.String() })
	add("mean response at most",
		limits.MaxMeanResponse != nil, func() string { return limits.MaxMeanResponse.String() })
	add("response at most", limits.MaxResponse != nil, func() string { return limits.MaxResponse.String() })
	add("responses", len(limits.Responses) > 0, func() string { return limits.Responses.String() })
	add("utilization at most", limits.MaxUtilization != nil, func() string { return limits.MaxUtilization.String() })
	add("utilization at least", limits.MinUtilization != nil, func() string { return limits.MinUtilization.String() })
	add("abandonment at most", limits.MaxAbandon != nil, func() string { return limits.MaxAbandon.String() })
	add("availability of public jobs",
		limits.Availability != nil, func() string { return say.Fraction(float64(*limits.Availability), 3) })
	add("budget", limits.Budget != nil, func() string { return limits.Budget.String() })
	if c := q.Costs; c != nil {
		add("a missing server costs", c.Shortfall != nil, func() string { return c.Shortfall.String() })
	}
	// Every type of machine has a line of its own, whatever is known of it.
	for _, m := range q.Machines {
		add("machine "+m.Name, true, func() string { return machineWords(&m) })
	}
	if l := q.Link; l != nil {
		add("uplink", l.Uplink != nil, func() string { return units.FormatBandwidth(float64(*l.Uplink), 5) })
		add("downlink", l.Downlink != nil, func() string { return units.FormatBandwidth(float64(*l.Downlink), 5) })
		add("data per job", l.Footprint != nil, func() string { return units.FormatSize(float64(*l.Footprint), 5) })
	}
	if e := q.Epoch; e != nil {
		add("epoch", e.Length != nil, func() string { return say.Duration(float64(*e.Length), 4) })
		add("migrations in an epoch",
			e.Migrations != nil, func() string { return say.Number(float64(*e.Migrations), 5) })
		add("time of a migration",
			e.MigrationTime != nil, func() string { return say.Duration(float64(*e.MigrationTime), 4) })
		add("jobs that lose all replicas",
			e.FailureRate != nil, func() string { return say.Rate(float64(*e.FailureRate), 4) })
	}
	if r := q.Replicas; r != nil {
		add("replicas for", true, func() string {
			if r.Machine != "" {
				return say.Fraction(float64(r.Target), 3) + " on " + r.Machine
			}
			return say.Fraction(float64(r.Target), 3)
		})
	}
	if k := q.Checkpoint; k != nil {
		work, save := say.Duration(float64(k.Work), 4)+" of work", say.Duration(float64(k.Cost), 4)+" to save"
		add("job", k.Machine != "", func() string { return work + ", failures as of " + k.Machine + ", " + save })
		// A machine and an MTBF are two ways to say how often a job fails.
		add("job", k.MTBF != nil,
			func() string { return work + ", a failure each " + say.Duration(float64(*k.MTBF), 4) + ", " + save })
	}
	if b := q.Bag; b != nil {
		add("bag", true, func() string {
			return say.Plural(b.Tasks, "task") + " of " + say.Duration(float64(b.TaskTime), 4) + " each"
		})
	}
	if r := q.Routing; r != nil {
		// Clusters and batches come in files, and are counted here.
		add("clusters", true, func() string { return say.Count(len(r.Listed())) })
	}
	if v := q.Allocation; v != nil {
		b := v.Listed()
		add("batch", b != nil, func() string {
			return say.Plural(len(b.Jobs), "job") + " on " + say.Plural(len(b.Resources), "resource")
		})
	}
	return t
}

// machineWords describes a type of machine by what the scenario says of it. A type without a kind
// is dedicated.
func machineWords(m *scenario.MachineType) string {
	words := cmp.Or(string(m.Kind), string(scenario.Dedicated))
	add := func(given bool, text func() string) {
		if given {
			words += ", " + text()
		}
	}
	add(m.Price != nil, func() string { return m.Price.String() })
	add(m.Speed != nil, func() string { return "speed " + m.Speed.String() })
	add(m.Slots != nil, func() string { return say.Plural(int64(*m.Slots), "job") + " at a time" })
	add(m.CPU != nil, func() string { return m.CPU.String() + " cpu" })
	add(m.Memory != nil, func() string { return m.Memory.String() + " memory" })
	add(m.Availability != nil, func() string { return "available " + m.Availability.String() + " of the time" })
	add(m.Groups != nil, func() string {
		return "in " + say.Plural(int64(*m.Groups), "group") + " that fail together, each available " +
			m.GroupAvailability.String() + " of the time"
	})
	add(m.MTTF != nil, func() string { return "MTTF " + m.MTTF.String() + ", MTTR " + m.MTTR.String() })
	// What a trace or a fleet file said goes in as a number, so that one sees what was made of it.
	add(m.Trace != nil && m.Trace.Availability != nil,
		func() string {
			return "available " + say.Fraction(*m.Trace.Availability, 3) + " of the time by its trace"
		})
	add(m.FleetFile != "" || m.Fitted != nil && m.Trace == nil,
		func() string { return "available as a fitted fleet predicts" })
	add(m.Predicted != "", func() string { return "available as predicted (" + m.Predicted + ")" })
	add(m.Replicas != nil, func() string { return say.Plural(int64(*m.Replicas), "replica") + " a job" })
	add(ask.Value(m.AtLeast) > 0, func() string { return "at least " + say.Count(int64(*m.AtLeast)) })
	add(m.Limit != nil, func() string { return "at most " + say.Count(int64(*m.Limit)) })
	return words
}
