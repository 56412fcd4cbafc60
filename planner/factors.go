package planner

import (
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// A factor is an input that can be varied.
type factor struct {
	input, label, unit string
	// Low and high are the ends of the range, or of the moves by convention.
	low, mode, high float64
	ranged          bool // given as a range, not varied by convention
	machine         int  // 1: an input of the first type of machine; 0: of none
	// Quantile is that of the range at u from 0 to 1, by which draws are made;
	// set puts a value into a case.
	quantile func(u float64) float64
	set      func(c *planCase, v float64)
}

// spread is how far inputs that are no range are varied for the sensitivities.
const spread = 0.1

// ranged makes a factor of a range. Most is the greatest value that makes sense,
// as 1 for an availability.
func ranged[T units.Quantity](input, label, unit string, r *units.Range[T], most float64,
	set func(*planCase, float64)) factor {
	f := factor{
		input:  input,
		label:  label,
		unit:   unit,
		low:    float64(r.Low),
		mode:   float64(r.Nominal()),
		high:   float64(r.High),
		ranged: !r.IsPoint(),
		set:    set,
	}
	if !f.ranged {
		f.low, f.high = f.mode*(1-spread), math.Min(f.mode*(1+spread), most)
	}
	f.quantile = func(u float64) float64 {
		v, _ := r.Quantile(u)
		return float64(v)
	}
	return f
}

// point makes a factor of one value.
func point(input, label, unit string, v, most float64, set func(*planCase, float64)) factor {
	return factor{input: input, label: label, unit: unit,
		low: v * (1 - spread), mode: v, high: math.Min(v*(1+spread), most),
		set: set, quantile: func(float64) float64 { return v }}
}

// factors lists what can vary, in a fixed order: those of the load, of the
// machines, of the objectives. In this order each draw takes its chances from the
// stream.
func (p *premises) factors() []factor {
	var all []factor
	none := math.Inf(1)
	if p.OfferedLoad != nil {
		all = append(all, ranged("load.erlangs", "offered load", "erl",
			p.OfferedLoad, none, func(c *planCase, v float64) { c.load = v }))
	}
	if p.Rate != nil && p.Traffic.Loaded() {
		all = append(all,
			ranged("load.rate", "arrival rate", "per_s", p.Rate, none, func(c *planCase, v float64) { c.rate = v }))
	}
	if p.Curve != nil && p.Traffic.Loaded() {
		all = append(all,
			point("load.curve", "load curve, scaled", "", 1, none, func(c *planCase, v float64) { c.scale = v }))
	}
	if p.ServiceTime != nil && p.Traffic.Loaded() {
		all = append(all, ranged("service.time", "service time", "s",
			p.ServiceTime, none, func(c *planCase, v float64) { c.service = v }))
	}
	for i := range p.types {
		t := &p.types[i]
		at := func(field string) string { return fmt.Sprintf("machines[%d].%s", i, field) }
		add := func(f factor) {
			f.machine = i + 1
			all = append(all, f)
		}
		available := func(c *planCase, v float64) { c.machines[i].Availability = v }
		if t.Price != nil && t.Price.High > 0 {
			add(ranged(at("price"), "price of "+t.Name, "per_s", t.Price, none,
				func(c *planCase, v float64) { c.machines[i].Price = v }))
		}
		// A type without a speed has speed 1 by convention, which nobody wants to
		// see moved.
		if t.Speed != nil {
			add(ranged(at("speed"), "speed of "+t.Name, "", t.Speed, none,
				func(c *planCase, v float64) { c.machines[i].Speed = v }))
		}
		switch {
		case t.Availability != nil:
			add(ranged(at("availability"), "availability of "+t.Name, "fraction", t.Availability, 1, available))
		case t.MTTF != nil:
			add(ranged(at("mttf"), "MTTF of "+t.Name, "s", t.MTTF, none,
				func(c *planCase, v float64) { c.machines[i].MTTF = v }))
			add(ranged(at("mttr"), "MTTR of "+t.Name, "s", t.MTTR, none,
				func(c *planCase, v float64) { c.machines[i].MTTR = v }))
		case t.Trace != nil:
			from := "trace"
			if t.ByFleet {
				from = "fleet"
			}
			add(point(at(from), "availability of "+t.Name, "fraction", *t.Trace.Availability, 1, available))
		case t.Foreseen != nil:
			add(point(at("predicted"), "availability of "+t.Name, "fraction", t.Foreseen.Chance, 1, available))
		}
	}
	return append(all, objectiveFactors(&p.limits)...)
}

// objectiveFactors are the limits that can be moved. They are moved for the
// sensitivities and never drawn, since nobody gives a limit as a range.
func objectiveFactors(o *sizing.Objectives) []factor {
	const time, share = "s", "fraction"
	return slices.Concat(
		limitFactor("max_blocking", "limit on blocking", share, o,
			func(o *sizing.Objectives) **units.Fraction { return &o.MaxBlocking }),
		limitFactor("max_wait", "limit on the wait", time, o,
			func(o *sizing.Objectives) **units.Duration { return &o.MaxWait }),
		limitFactor("max_mean_wait", "limit on the mean wait", time, o,
			func(o *sizing.Objectives) **units.Duration { return &o.MaxMeanWait }),
		limitFactor("max_mean_response", "limit on the mean response", time, o,
			func(o *sizing.Objectives) **units.Duration { return &o.MaxMeanResponse }),
		limitFactor("max_response", "limit on the response", time, o,
			func(o *sizing.Objectives) **units.Duration { return &o.MaxResponse }),
		limitFactor("max_utilization", "limit on utilization", share, o,
			func(o *sizing.Objectives) **units.Fraction { return &o.MaxUtilization }),
		limitFactor("max_abandon", "limit on abandonment", share, o,
			func(o *sizing.Objectives) **units.Fraction { return &o.MaxAbandon }))
}

// limitFactor is the factor of one limit, none where it is not given. A share is at most 1.
func limitFactor[T units.Fraction | units.Duration](name, label, unit string, o *sizing.Objectives,
	of func(*sizing.Objectives) **T) []factor {
	limit := *of(o)
	if limit == nil {
		return nil
	}
	most := math.Inf(1)
	if unit == "fraction" {
		most = 1
	}
	return []factor{point("objectives."+name, label, unit, float64(*limit), most,
		func(c *planCase, v float64) { *of(&c.objectives) = new(T(v)) })}
}
