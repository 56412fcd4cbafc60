package planner

import (
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// replicatedAt returns the types with the times of a case, and as many replicas as the
// target asks for there: where machines are there less, a job takes more of them.
func (p *premises) replicatedAt(c *planCase) ([]machine, error) {
	types := slices.Clone(p.types)
	for i := range types {
		if at := &c.machines[i]; at.mttf > 0 {
			types[i].mttf, types[i].mttr = &at.mttf, &at.mttr
		}
		if err := types[i].replicate(p.objectives.Availability, types[i].availability(c.machines[i])); err != nil {
			return nil, err
		}
	}
	return types, nil
}

// replicate finds the replicas of a machine at an availability: those given, or as many
// as the target asks for on a public one. The target is objectives.availability.
// Without it a job has one replica.
func (t *machine) replicate(target *units.Fraction, availability float64) error {
	t.replicas = 1
	switch {
	case t.Kind != scenario.Public:
		return nil
	case t.Replicas != nil:
		t.replicas = float64(*t.Replicas)
		return nil
	// A machine that is always there needs no second.
	case target == nil, availability >= 1:
		return nil
	}
	// Only the ratio of the two times matters for the count.
	r, err := reliability.Replicas(reliability.Component{MTTF: availability, MTTR: 1 - availability}, float64(*target))
	if err != nil {
		return ask.FromReliability(err)
	}
	t.replicas = float64(r.Replicas)
	return nil
}

// warnTarget names the public machines whose jobs have too few replicas: because the number is
// given, or because it is enough for the most likely figures and not for less likely ones. Neither
// stops a plan, which would otherwise be silent about it.
func (p *premises) warnTarget() {
	target := p.objectives.Availability
	if target == nil {
		return
	}
	for i := range p.types {
		t := &p.types[i]
		if t.Kind != scenario.Public {
			continue
		}
		alive := func(p float64) float64 { return -math.Expm1(t.replicas * math.Log1p(-p)) }
		// What meets the target exactly may miss it by a rounding.
		missed := func(p float64) bool { return 1-alive(p) > (1-float64(*target))*(1+1e-9) }
		there, when := t.availability(t.nominal()), ""
		if !missed(there) {
			there, when = t.leastAvailability(), "at the low end of its range, "
		}
		more := *t
		more.Replicas = nil
		if !missed(there) || more.replicate(target, there) != nil {
			continue
		}
		p.warn(fmt.Sprintf("%s: %swith replicas %s a job has one alive %s of the time, less than "+
			"objectives.availability asks for: replicas %s would be enough for %s",
			t.Name, when, ask.Digits(t.replicas), ask.Percent(alive(there), 4),
			ask.Digits(more.replicas), ask.Percent(float64(*target), 4)))
	}
}

// leastAvailability is that of the low ends of the ranges.
func (t *machine) leastAvailability() float64 {
	c := t.nominal()
	switch {
	case t.Availability != nil:
		c.availability = float64(t.Availability.Low)
	case t.MTTF != nil:
		c.mttf, c.mttr = float64(t.MTTF.Low), float64(t.MTTR.High)
	}
	return t.availability(c)
}
