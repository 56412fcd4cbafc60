package planner

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// mostGroups bounds the groups of one type of machine, so that their states can be
// gone through.
const mostGroups = 100

// checkGroups looks at the outages that machines of a type share.
func (m *MachineType) checkGroups() error {
	switch {
	case m.Groups == nil && m.GroupAvailability == nil:
		return nil
	case m.Kind != Public:
		return wrong("groups", "groups on machines of the kind public", "groups of the dedicated machine %q", m.Name)
	case m.GroupAvailability == nil:
		return wrong("group_availability", "a share such as 98% beside groups",
			"machine %q: %d groups, and nothing says how often one is there", m.Name, *m.Groups)
	case m.Groups == nil:
		return wrong("groups", "a number of groups such as 4 beside group_availability",
			"machine %q: how often a group is there, and not how many there are", m.Name)
	case *m.Groups < 1 || *m.Groups > mostGroups:
		return wrong("groups", fmt.Sprintf("1 to %d groups of equal size", mostGroups), "machine %q: %d groups",
			m.Name, *m.Groups)
	case *m.GroupAvailability <= 0:
		return wrong("group_availability", "more than 0 such as 98%", "machine %q: group_availability = %s", m.Name,
			*m.GroupAvailability)
	}
	return nil
}

// checkShared holds the availability of a type against that of its groups: a machine
// is there while its group is, and then for a share of the time.
func (t *machine) checkShared() error {
	if t.Groups == nil {
		return nil
	}
	if p := t.availability(t.nominal()); p > float64(*t.GroupAvailability)*(1+1e-12) {
		return wrong("group_availability", "at least the availability of a machine, which includes the outages of its group",
			"machine %q is there %s of the time, and its group %s", t.Name, units.Fraction(p), *t.GroupAvailability)
	}
	return nil
}

// grouped states the outages that machines share beside how often one is up. A draw
// above the availability of the groups leaves no outage but theirs, as rare as that.
func (t *machine) grouped(k *unlike.Coming) {
	if t.Groups != nil {
		k.Outages = unlike.Outages{
			Groups: float64(*t.Groups),
			Up:     math.Max(float64(*t.GroupAvailability), k.Up),
		}
	}
}

// checkGroups refuses outages that machines share beside parts whose bounds take
// machines to be independent.
func (q *PlanQuestion) checkGroups() error {
	for i := range q.Machines {
		m := &q.Machines[i]
		at := fmt.Sprintf("machines[%d].groups", i)
		switch {
		case m.Groups == nil:
		case q.Link != nil:
			return clash("link", at, "the link takes the machines to be independent", "no groups, or no link")
		case q.Epoch != nil:
			return clash("epoch", at, "recoveries of an epoch take the machines to be independent",
				"no groups, or no epoch")
		}
	}
	return nil
}

// warnGroups says what does not know of outages that machines share.
func (p *planning) warnGroups() {
	for i := range p.types {
		t := &p.types[i]
		if t.Groups == nil {
			continue
		}
		if t.Replicas == nil && p.objectives.Availability != nil {
			p.a.Warnings = append(p.a.Warnings, fmt.Sprintf(
				"objectives.availability: the replicas of a job on %s are taken to be in as many groups; those in one go together",
				t.Name))
		}
		if p.Log != nil {
			p.a.Warnings = append(p.a.Warnings, fmt.Sprintf(
				"groups of %s: a log is replayed on servers that are always there, so that shared outages do not count",
				t.Name))
		}
	}
}

// groupGuards lists the outages that are shared, and the choice were the machines
// independent.
func (p *planning) groupGuards() []mixGuard {
	var all []mixGuard
	for i := range p.types {
		if t := &p.types[i]; t.Groups != nil && p.mixing.Model != nil {
			all = append(all, mixGuard{"groups of " + t.Name, func(m *mixer) {
				m.Model.Kinds[i].Outages = unlike.Outages{}
			}})
		}
	}
	return all
}
