package planner

import (
	"cmp"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/foreseen"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// A MachineWorth is what one machine of a type is worth. Null is not known or not
// bounded, as by a trace without ends.
type MachineWorth struct {
	Name  string               `json:"name"`
	Kind  scenario.MachineKind `json:"kind"`
	Price float64              `json:"price_per_h"`
	Speed float64              `json:"speed"`
	Slots int64                `json:"slots"` // jobs that one holds at a time
	// SlotsBy is what bounds them: cpu, memory or slots; empty where none of them
	// is given.
	SlotsBy       string `json:"slots_by,omitempty"`
	SlotsOfCPU    *int64 `json:"slots_of_cpu,omitempty"`    // jobs that its cpu holds; left out where it is not given
	SlotsOfMemory *int64 `json:"slots_of_memory,omitempty"` // jobs that its memory holds
	// PublicCount says how a machine that comes and goes enters; empty where
	// it is always there.
	PublicCount  sizing.PublicCount `json:"public_count,omitempty"`
	Availability *float64           `json:"availability"` // null: taken as always there
	// AvailabilityFrom says where the availability comes from; empty without one.
	AvailabilityFrom string   `json:"availability_from,omitempty"`
	MTTF             *float64 `json:"mttf_s,omitempty"` // null where not known
	MTTR             *float64 `json:"mttr_s,omitempty"`
	// Risk is that of a job on one, by the hazard and the frailties of the machines of
	// its trace; left out without one, and without a service time.
	Risk     *MachineRisk `json:"risk,omitempty"`
	Replicas *int64       `json:"replicas"` // of each job; null on dedicated machines
	// Groups are those of equal size that go at once, each there for a share of the
	// time; left out where machines are independent.
	Groups            *int64   `json:"groups,omitempty"`
	GroupAvailability *float64 `json:"group_availability,omitempty"`
	// Worth counts availability, speed, slots and replicas: (Tp/Td)·m·Pav/r of
	// PCU section 4.6.
	Worth float64 `json:"equivalent_servers"`
	// PricePerServer is the price of a whole server of speed 1 made of these
	// machines.
	PricePerServer float64 `json:"price_per_equivalent_server_per_h"`
	// Limit is how many of them can be had; null: any number.
	Limit *int64 `json:"limit"`
}

// A MachineRisk is how unlike machines of a type are. Of machines that are
// unlike, a job meets a good one or a bad one, which the mean does not show.
type MachineRisk struct {
	forecast.Risk
	// Worth at the least and the greatest of the availabilities of nine machines of ten.
	WorthLow *float64 `json:"equivalent_servers_low"`
	// WorthHigh is null as WorthLow, where none was seen to come back.
	WorthHigh *float64 `json:"equivalent_servers_high"`
}

// risk adds what the machines of the trace say of a job of the service's time.
// The worth at an end is in proportion to the availability, all else being the
// same.
func (t *machine) risk(out *MachineWorth, service float64) error {
	if t.Fitted == nil || !(service > 0) {
		return nil
	}
	r, err := t.Fitted.Risk(service)
	if err != nil {
		return err
	}
	out.Risk = &MachineRisk{Risk: *r}
	if a := t.availability(t.nominal()); r.AvailabilityLow != nil && a > 0 {
		out.Risk.WorthLow = ask.Figure(out.Worth * *r.AvailabilityLow / a)
		out.Risk.WorthHigh = ask.Figure(out.Worth * *r.AvailabilityHigh / a)
	}
	return nil
}

// apart warns where the share of time by the record of a trace, which the worth is by,
// and that which the model of its risk foresees lie far from each other: by two points
// and by half of the greater time away. Two points of availability are more than
// the ends of a record shift it; half of the time away is a difference that
// changes how many machines are bought.
func (t *machine) apart(w *MachineWorth) []string {
	// Only a trace has both: what is given by hand is not doubted, and of a fleet
	// the model is the only source.
	if w.Risk == nil || w.Risk.Availability == nil || t.byFleet || t.Availability != nil || t.MTTF != nil {
		return nil
	}
	seen, ahead := *t.Trace.Availability, *w.Risk.Availability
	if d := math.Abs(seen - ahead); d < 0.02 || d < max(1-seen, 1-ahead)/2 {
		return nil
	}
	return []string{fmt.Sprintf("%s: by its trace machines are available %s of the time, by the model of the risk "+
		"%s: the record is short, or some machines are seldom up; the worth follows the trace, and would follow the "+
		"model with fleet: in place of trace: and a fleet file fitted to it",
		t.Name, ask.Percent(seen, 3), ask.Percent(ahead, 3))}
}

// A machine is a checked type.
type machine struct {
	scenario.MachineType
	mttf, mttr *float64 // s, the most likely; nil: not known
	replicas   float64
	predicted  *foreseen.Prediction
	byFleet    bool // its trace is what a fitted fleet says
	scenario.Shape
}

// resolve checks the machine types and finds their replicas, with what was predicted of those that
// use it. It first checks all types and finds their replicas; the worth of each depends on both.
func (p *premises) resolve(seen *foreseen.Machines) error {
	for i := range p.Machines {
		t := machine{MachineType: p.Machines[i], replicas: 1}
		if err := p.predict(&t, i, seen); err != nil {
			return err
		}
		t.Kind = cmp.Or(t.Kind, scenario.Dedicated)
		var err error
		if t.Shape, err = t.JobsAtOnce(p.Service); err != nil {
			return ask.In(fmt.Sprintf("machines[%d]", i), err)
		}
		if t.MTTF != nil {
			t.mttf, t.mttr = ask.Figure(float64(t.MTTF.Nominal())), ask.Figure(float64(t.MTTR.Nominal()))
		}
		// A fitted fleet stands for a trace, so that both go one way
		// from here on.
		if t.byFleet = t.Trace == nil && t.Fitted != nil; t.byFleet {
			if t.Trace, err = t.Fitted.Presence(); err != nil {
				return ask.In(fmt.Sprintf("machines[%d]", i), err)
			}
		}
		if t.Trace != nil {
			if t.Trace.Availability == nil {
				return ask.Inputf(fmt.Sprintf("machines[%d].trace", i), "the trace contains no machine")
			}
			// Both times must be known: the ratio of one to an unknown says
			// nothing.
			if t.Trace.MTTF != nil && t.Trace.MTTR != nil {
				t.mttf, t.mttr = t.Trace.MTTF, t.Trace.MTTR
			}
		}
		if err := t.checkShared(); err != nil {
			return ask.In(fmt.Sprintf("machines[%d]", i), err)
		}
		if err := t.replicate(p.objectives.Availability, t.availability(t.nominal())); err != nil {
			return ask.In(fmt.Sprintf("machines[%d]", i), err)
		}
		p.types = append(p.types, t)
	}
	nominal := p.nominalCase() // of all types: not for each of them
	load := p.scenario(nominal)
	for i := range p.types {
		t := &p.types[i]
		w, err := t.present(i)
		if err != nil {
			return err
		}
		if err := t.risk(w, nominal.service); err != nil {
			return ask.In(fmt.Sprintf("machines[%d]", i), err)
		}
		p.warn(t.apart(w)...)
		for _, w := range t.Fitted.Seldom() {
			p.warn(t.Name + ": the risk of its machines: " + w)
		}
		// A log is replayed on servers that are always there.
		if c := t.nominal(); t.availability(c) < 1 && p.Log == nil {
			w.PublicCount = t.count(p.objectives.PublicCount, c, load)
		}
		p.worths = append(p.worths, *w)
	}
	p.warnGroups()
	p.warnTarget()
	return nil
}

// A machineCase is one certain set of the figures of a type.
type machineCase struct {
	price        float64 // per s
	speed        float64
	availability float64
	mttf, mttr   float64 // s; 0: not known
}

// nominal returns the most likely figures. An availability by itself leaves the
// times 0, which says that they are not known.
func (t *machine) nominal() machineCase {
	c := machineCase{price: likely(t.Price, 0), speed: likely(t.Speed, 1), availability: 1}
	// The sources are in the order of what somebody has said himself: an
	// availability, times, a trace, a prediction.
	switch {
	case t.Availability != nil:
		c.availability = float64(t.Availability.Nominal())
	case t.MTTF != nil:
		c.mttf, c.mttr = float64(t.MTTF.Nominal()), float64(t.MTTR.Nominal())
	case t.Trace != nil:
		c.availability = *t.Trace.Availability
	case t.predicted != nil:
		c.availability = t.predicted.Chance
	}
	return c
}

// availabilityFrom says where the availability of a type comes from.
func (t *machine) availabilityFrom() string {
	switch {
	case t.Availability != nil:
		return "availability"
	case t.MTTF != nil:
		return "mttf and mttr"
	case t.byFleet:
		return fmt.Sprintf("fleet: share of time that %s up, by the model frailty",
			fault.Count(t.Trace.Machines, "machine is", "machines are"))
	case t.Trace != nil && t.Trace.States != nil:
		return "trace: share of time in S1 and S2 of " + fault.Count(t.Trace.Machines, "machine")
	case t.Trace != nil:
		return "trace: share of time up of " + fault.Count(t.Trace.Machines, "machine")
	case t.predicted != nil:
		return t.predicted.From
	}
	return ""
}

// availability is the share of time that a machine is there. With times it is
// their ratio, so that a draw of either moves it.
func (t *machine) availability(c machineCase) float64 {
	if c.mttf > 0 {
		return c.mttf / (c.mttf + c.mttr)
	}
	return c.availability
}

// worth returns the servers of speed 1 that one machine stands for:
//
//	w = (Tp/Td)·m·Pav/r
//
// with m slots: its capacity, not what it does for loss and waits. Source: PCU
// section 4.6, the term of one public machine; r is 1 on dedicated ones.
func (t *machine) worth(c machineCase) (float64, error) {
	speed, err := t.fastest(c)
	return t.worthAt(speed, c), err
}

// worthAt is worth where the speed of jobs is known.
func (t *machine) worthAt(speed float64, c machineCase) float64 {
	return speed * t.Holds * t.availability(c) / t.replicas
}

// fastest returns the speed at which a job on the machine gets on. Several
// replicas of unlike speeds get on with the fastest of them, where a spread is
// given.
func (t *machine) fastest(c machineCase) (float64, error) {
	if t.SpeedCV == nil || *t.SpeedCV == 0 {
		return c.speed, nil
	}
	fastest, err := queueing.FastestSpeed(c.speed, float64(*t.SpeedCV), t.replicas)
	if err != nil {
		return 0, ask.FromQueueing("machines", err)
	}
	return fastest, nil
}

// count says how a machine that comes and goes enters: averaged over how many
// are up, but where asked for or where outages are much shorter than a service.
// Without times of the case those of a trace serve, whose mean time away is as
// good.
func (t *machine) count(asked sizing.PublicCount, c machineCase, s sizing.Load) sizing.PublicCount {
	outage := c.mttr
	if outage == 0 && t.mttr != nil {
		outage = *t.mttr
	}
	return cmp.Or(asked, sizing.CountFor(outage, s))
}

// present returns what one machine is worth. It refuses a type for which no fleet can be counted.
func (t *machine) present(i int) (*MachineWorth, error) {
	c := t.nominal()
	w, err := t.worth(c)
	if err != nil {
		return nil, err
	}
	if !(w > 0 && w <= cover.MostWorth) {
		return nil, ask.Inputf(fmt.Sprintf("machines[%d].speed", i),
			"one machine is worth %s servers, want more than 0 and at most %g", ask.Digits(w), cover.MostWorth)
	}
	// A fleet of them, and a whole server made of them, must have a price.
	if price := c.price * hour; price > cover.MostPrice || math.IsInf(price/w, 1) {
		return nil, ask.Inputf(fmt.Sprintf("machines[%d].price", i),
			"%s an hour for a worth in servers of %s, want at most %g/h", ask.Digits(price), ask.Digits(w),
			cover.MostPrice)
	}
	out := &MachineWorth{
		Name: t.Name, Kind: t.Kind, Price: c.price * hour, Speed: c.speed,
		Worth: w, PricePerServer: c.price * hour / w, Limit: ask.Whole(t.Limit),
	}
	presentShape(t.Shape, out)
	// Where nothing is known of the availability the machine is taken as always
	// there, and the field stays null.
	if out.AvailabilityFrom = t.availabilityFrom(); out.AvailabilityFrom != "" {
		out.Availability, out.MTTF, out.MTTR = ask.Figure(t.availability(c)), t.mttf, t.mttr
	}
	if t.Groups != nil {
		out.Groups, out.GroupAvailability = ask.Whole(t.Groups), ask.Figure(float64(*t.GroupAvailability))
	}
	if t.Kind == scenario.Public {
		out.Replicas = new(int64(t.replicas))
	}
	return out, nil
}

// item states the type for the choice of a mix. A type without a limit has one
// that no plan comes near.
func (t *machine) item(c machineCase) (cover.Item, error) {
	w, err := t.worth(c)
	if err != nil {
		return cover.Item{}, err
	}
	return cover.Item{
		Worth:   w,
		Price:   units.ExactCents(c.price * hour),
		Least:   int64(ask.Value(t.AtLeast)),
		Most:    ask.Or(t.Limit, int64(cover.MostCount)),
		Counted: t.Kind == scenario.Dedicated,
		// Counted are the machines that the floor of the frontier is about: the
		// dedicated ones.
	}, nil
}
