package planner

import (
	"fmt"

	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing/unlike"
)

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
				if t.Count(y.objectives.PublicCount, t.Nominal(), m.Model.Fleet.Load) == sizing.CountMean {
					*k = mixes.AtMean(*k)
				}
			}})
		}
	}
	return all
}
