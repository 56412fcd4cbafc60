package scenario

import (
	"fmt"
	"slices"

	"github.com/capplan/capplan/planner/ask"
)

// An idleField asks for something and can change nothing, since what it is of is not there.
type idleField struct{ field, without, want string }

// idle lists the fields that can change nothing for want of machines, of the kind that each of
// them is of. What only states how things are, as a backup capacity without a backup, is none.
func (q *Question) idle() (all []idleField) {
	o, v := ask.Value(q.Objectives), ask.Value(q.Service)
	fleet := len(q.Machines) > 0
	public := slices.ContainsFunc(q.Machines, func(m MachineType) bool { return m.Kind == Public })
	comes := slices.ContainsFunc(q.Machines, func(m MachineType) bool { return len(m.life()) > 0 })
	add := func(idle bool, field, without, want string) {
		if idle {
			all = append(all, idleField{field, without, want + ", or leave it out"})
		}
	}
	const aPublic = "a machine of the kind public"
	add(v.CPU != nil && !fleet, "service.cpu", "no machine has what a job takes", "machines with cpu")
	add(v.Memory != nil && !fleet, "service.memory", "no machine has what a job takes", "machines with memory")
	add(o.MinUtilization != nil && !fleet, "objectives.min_utilization", "it limits a mix of machines", "machines")
	add(o.Availability != nil && !public, "objectives.availability", "only jobs on public machines have replicas", aPublic)
	add(o.MaxPublicShare != nil && !public, "objectives.max_public_share", "no machine is public", aPublic)
	add(o.PublicCount != "" && !comes, "objectives.public_count", "no machine comes and goes",
		"a machine with mttf and mttr, an availability or a trace")
	return all
}

// Idle warns of fields that wait for machines, where the scenario has none yet. Those that find
// none of their kind among others are refused by [Question.Check].
func (q *Question) Idle() (warnings []string) {
	if len(q.Machines) == 0 {
		for _, f := range q.idle() {
			warnings = append(warnings, fmt.Sprintf("%s changes nothing: %s, want %s", f.field, f.without, f.want))
		}
	}
	return warnings
}

// checkIdle refuses fields that can change nothing.
func (q *Question) checkIdle() error {
	v, e, b := ask.Value(q.Service), ask.Value(q.Epoch), ask.Value(q.Bag)
	switch l := q.Load; {
	case v.Staffing != "" && (l == nil || l.CurveFile == "" && l.Curve == nil):
		return wrong("service.staffing", "load.curve, or leave it out", "only a load over time is staffed")
	case e.FailureRate != nil && e.PublicJobs != nil:
		return clash("epoch.failure_rate", "epoch.public_jobs", "the rate is that of all jobs together", "one of them")
	case b.By == nil && b.Cloud != "":
		return wrong("bag.cloud", "bag.by such as 6h, or leave it out", "nothing helps without a deadline")
	}
	if len(q.Machines) == 0 {
		return nil
	}
	for _, f := range q.idle() {
		return wrong(f.field, f.want, "%s", f.without)
	}
	for i := range q.Machines {
		m := &q.Machines[i]
		if m.SpeedCV != nil && *m.SpeedCV > 0 && m.Kind != Public && b.Machine != m.Name {
			return wrong(fmt.Sprintf("machines[%d].speed_cv", i), "public machines, a bag on this type, or leave it out",
				"the spread of speeds counts where the fastest of several replicas does, and %q is dedicated", m.Name)
		}
	}
	return nil
}
