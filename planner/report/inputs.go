package report

import (
	"fmt"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/units"
)

// inputs echoes what was asked, with units.
func inputs(q *planner.PlanQuestion) Table {
	t := Table{ID: "inputs", Caption: "What was asked", Head: []string{"input", "value"}, Words: 2}
	add := func(name string, given bool, value func() string) {
		if given {
			t.Rows = append(t.Rows, []string{name, value()})
		}
	}
	add("offered load", q.OfferedLoad != nil, func() string { return q.OfferedLoad.String() + " erl" })
	add("arrival rate", q.Rate != nil, func() string { return q.Rate.String() })
	add("service time", q.ServiceTime != nil, func() string { return q.ServiceTime.String() })
	add("load curve", q.Curve != nil, func() string {
		return fmt.Sprintf("%d intervals, peak %s", len(q.Curve.Start), rate(q.Curve.Peak()))
	})
	add("job log", q.Log != nil, func() string { return count(int64(q.Log.Jobs)) + " jobs" })
	add("SCV of the gaps", q.ArrivalSCV != nil, func() string { return q.ArrivalSCV.String() })
	add("SCV of the service", q.ServiceSCV != nil, func() string { return q.ServiceSCV.String() })
	add("patience", q.Patience != nil, func() string { return q.Patience.String() })
	add("blocking at most", q.MaxBlocking != nil, func() string { return q.MaxBlocking.String() })
	add("wait at most", q.MaxWait != nil, func() string { return q.MaxWait.String() })
	add("for a share of", q.Percentile != nil, func() string { return q.Percentile.String() })
	add("mean wait at most", q.MaxMeanWait != nil, func() string { return q.MaxMeanWait.String() })
	add("mean response at most", q.MaxMeanResponse != nil, func() string { return q.MaxMeanResponse.String() })
	add("utilization at most", q.MaxUtilization != nil, func() string { return q.MaxUtilization.String() })
	add("utilization at least", q.MinUtilization != nil, func() string { return q.MinUtilization.String() })
	add("abandonment at most", q.MaxAbandon != nil, func() string { return q.MaxAbandon.String() })
	add("availability of public jobs", q.Target != nil, func() string { return fraction(*q.Target) })
	add("budget", q.Budget != nil, func() string { return q.Budget.String() })
	add("a missing server costs", q.Shortfall != nil, func() string { return q.Shortfall.String() })
	for _, m := range q.Machines {
		add("machine "+m.Name, true, func() string { return machineWords(&m) })
	}
	if l := q.Link; l != nil {
		add("uplink", l.Uplink != nil, func() string { return units.FormatBandwidth(*l.Uplink, 5) })
		add("downlink", l.Downlink != nil, func() string { return units.FormatBandwidth(*l.Downlink, 5) })
		add("data of a job", l.Footprint != nil, func() string { return units.FormatSize(*l.Footprint, 5) })
	}
	if e := q.Epoch; e != nil {
		add("epoch", e.Length != nil, func() string { return duration(*e.Length) })
		add("migrations in an epoch", e.Migrations != nil, func() string { return number(*e.Migrations, 5) })
		add("time of a migration", e.MigrationTime != nil, func() string { return duration(*e.MigrationTime) })
		add("jobs that lose all replicas", e.FailureRate != nil, func() string { return rate(*e.FailureRate) })
	}
	if r := q.Replicas; r != nil {
		add("replicas for", true, func() string {
			if q.ReplicasMachine != "" {
				return fraction(r.Target) + " on " + q.ReplicasMachine
			}
			return fraction(r.Target)
		})
	}
	if k := q.Checkpoint; k != nil && q.CheckpointMachine != "" && k.Cost != nil && k.Work != nil {
		add("job", true, func() string {
			return duration(*k.Work) + " of work, failures as of " + q.CheckpointMachine + ", " + duration(*k.Cost) + " to save"
		})
	}
	if k := q.Checkpoint; k != nil && k.MTBF != nil && k.Cost != nil && k.Work != nil {
		add("job", true, func() string {
			return duration(*k.Work) + " of work, a failure each " + duration(*k.MTBF) + ", " + duration(*k.Cost) + " to save"
		})
	}
	if r := q.Route; r != nil {
		add("clusters", true, func() string { return count(int64(len(r.Clusters))) })
	}
	if b := q.Allocate; b != nil && b.Batch != nil {
		add("batch", true, func() string {
			return fmt.Sprintf("%s jobs on %s resources", count(int64(len(b.Batch.Jobs))), count(int64(len(b.Batch.Resources))))
		})
	}
	return t
}

func machineWords(m *planner.MachineType) string {
	words := string(m.Kind)
	if words == "" {
		words = string(planner.Dedicated)
	}
	add := func(given bool, text func() string) {
		if given {
			words += ", " + text()
		}
	}
	add(m.Price != nil, func() string { return m.Price.String() })
	add(m.Speed != nil, func() string { return "speed " + m.Speed.String() })
	add(m.Availability != nil, func() string { return "there " + m.Availability.String() + " of the time" })
	add(m.MTTF != nil, func() string { return "MTTF " + m.MTTF.String() + ", MTTR " + m.MTTR.String() })
	add(m.Trace != nil && m.Trace.Availability != nil, func() string { return "there " + fraction(*m.Trace.Availability) + " of the time by its trace" })
	add(m.Predicted != "", func() string { return "there as predicted (" + m.Predicted + ")" })
	add(m.Replicas != nil, func() string { return plural(*m.Replicas, "replica", "replicas") + " a job" })
	add(m.AtLeast > 0, func() string { return "at least " + count(m.AtLeast) })
	add(m.Limit != nil, func() string { return "at most " + count(*m.Limit) })
	return words
}
