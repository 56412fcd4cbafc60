package planner

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// checkShared holds the availability of a type against that of its groups: a machine
// is there while its group is, and then for a share of the time. An availability
// of a machine above that of its group would have it up while the group is away.
func (t *machine) checkShared() error {
	if t.Groups == nil {
		return nil
	}
	if p := t.availability(t.nominal()); p > float64(*t.GroupAvailability)*(1+1e-12) {
		return &ask.InputError{
			Field: "group_availability",
			Reason: fmt.Sprintf("machine %q is available %s of the time, its group only %s", t.Name, units.Fraction(p),
				*t.GroupAvailability),
			Want: "a share of at least the machine's availability, which includes the outages of its group",
		}
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

// warnGroups names the parts that do not know of outages that machines share. Their figures are too
// good by what goes at once.
func (p *premises) warnGroups() {
	for i := range p.types {
		t := &p.types[i]
		if t.Groups == nil {
			continue
		}
		if t.Replicas == nil && p.objectives.Availability != nil {
			p.warn(fmt.Sprintf(
				"objectives.availability: the replicas of a job on %s are taken to be in different groups; replicas "+
					"in one group fail together",
				t.Name))
		}
		if p.Log != nil {
			p.warn(fmt.Sprintf(
				"groups of %s: a log is replayed on servers that are always available, so shared outages are left out",
				t.Name))
		}
	}
}

// groupGuards lists the outages that are shared, and the choice were the machines
// independent. A guard is a cost of safety: without groups fewer machines would
// do.
func (y *yardstick) groupGuards() []mixGuard {
	var all []mixGuard
	for i := range y.types {
		if t := &y.types[i]; t.Groups != nil && y.mixing.Model != nil {
			all = append(all, mixGuard{"groups of " + t.Name, func(m *mixer) {
				k := &m.Model.Kinds[i]
				k.Outages = unlike.Outages{}
				// Independent machines count as they would without groups in the file.
				if t.count(y.objectives.PublicCount, t.nominal(), m.Model.Fleet.Load) == sizing.CountMean {
					*k = mixes.AtMean(*k)
				}
			}})
		}
	}
	return all
}
