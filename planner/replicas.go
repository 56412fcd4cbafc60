package planner

import (
	"slices"

	"github.com/capplan/capplan/planner/internal/worth"
)

// replicatedAt returns the types with the times of a case, and as many replicas as the
// target asks for there: where machines are there less, a job takes more of them.
func (p *premises) replicatedAt(c *planCase) ([]worth.Machine, error) {
	types := slices.Clone(p.types)
	for i := range types {
		if at := &c.machines[i]; at.MTTF > 0 {
			types[i].MeanUp, types[i].MeanDown = &at.MTTF, &at.MTTR
		}
		if err := types[i].Replicate(p.objectives.Availability, c.machines[i].Up()); err != nil {
			return nil, err
		}
	}
	return types, nil
}

// warnTarget names the public machines whose jobs have too few replicas. That stops no plan, which
// would otherwise be silent about it.
func (p *premises) warnTarget() {
	target := p.objectives.Availability
	if target == nil {
		return
	}
	for i := range p.types {
		if words := p.types[i].TooFew(*target); words != "" {
			p.warn(words)
		}
	}
}
