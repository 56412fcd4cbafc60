package planner

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/foreseen"
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
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
func (out *MachineWorth) risk(t *worth.Machine, service float64) error {
	if t.Fitted == nil || !(service > 0) {
		return nil
	}
	r, err := t.Fitted.Risk(service)
	if err != nil {
		return err
	}
	out.Risk = &MachineRisk{Risk: *r}
	if a := t.Nominal().Up(); r.AvailabilityLow != nil && a > 0 {
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
func (w *MachineWorth) apart(t *worth.Machine) []string {
	// Only a trace has both: what is given by hand is not doubted, and of a fleet
	// the model is the only source.
	if w.Risk == nil || w.Risk.Availability == nil || t.ByFleet || t.Availability != nil || t.MTTF != nil {
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

// resolve checks the machine types, with what was predicted of those that use it, and then states
// what one of each is worth.
func (p *premises) resolve(seen *foreseen.Machines) error {
	for i := range p.Machines {
		given := p.Machines[i]
		predicted, err := p.predict(&given, i, seen)
		if err != nil {
			return err
		}
		t, err := worth.New(given, p.Service, p.objectives.Availability, predicted)
		if err != nil {
			return ask.In(fmt.Sprintf("machines[%d]", i), err)
		}
		p.types = append(p.types, t)
	}
	nominal := p.nominalCase() // of all types: not for each of them
	load := p.scenario(nominal)
	for i := range p.types {
		t := &p.types[i]
		w, err := machineWorth(t, i)
		if err != nil {
			return err
		}
		if err := w.risk(t, nominal.service); err != nil {
			return ask.In(fmt.Sprintf("machines[%d]", i), err)
		}
		p.warn(w.apart(t)...)
		for _, w := range t.Fitted.Seldom() {
			p.warn(t.Name + ": the risk of its machines: " + w)
		}
		// A log is replayed on servers that are always there.
		if c := t.Nominal(); c.Up() < 1 && p.Log == nil {
			w.PublicCount = t.Count(p.objectives.PublicCount, c, load)
		}
		p.worths = append(p.worths, *w)
	}
	p.warnGroups()
	p.warnTarget()
	return nil
}

// machineWorth returns what one machine is worth. It refuses a type for which no fleet can be counted.
func machineWorth(t *worth.Machine, i int) (*MachineWorth, error) {
	c := t.Nominal()
	w, err := t.Worth(c)
	if err != nil {
		return nil, err
	}
	if !(w > 0 && w <= cover.MostWorth) {
		return nil, ask.Inputf(fmt.Sprintf("machines[%d].speed", i),
			"one machine is worth %s servers, want more than 0 and at most %g", ask.Digits(w), cover.MostWorth)
	}
	// A fleet of them, and a whole server made of them, must have a price.
	price := c.PerHour()
	if price > cover.MostPrice || math.IsInf(price/w, 1) {
		return nil, ask.Inputf(fmt.Sprintf("machines[%d].price", i),
			"%s an hour for a worth in servers of %s, want at most %g/h", ask.Digits(price), ask.Digits(w),
			cover.MostPrice)
	}
	out := &MachineWorth{
		Name:           t.Name,
		Kind:           t.Kind,
		Price:          price,
		Speed:          c.Speed,
		Slots:          int64(t.Holds),
		SlotsBy:        t.By,
		SlotsOfCPU:     ask.Whole(t.OfCPU),
		SlotsOfMemory:  ask.Whole(t.OfMemory),
		Worth:          w,
		PricePerServer: price / w,
		Limit:          ask.Whole(t.Limit),
	}
	// Where nothing is known of the availability the machine is taken as always
	// there, and the field stays null.
	if out.AvailabilityFrom = t.Source(); out.AvailabilityFrom != "" {
		out.Availability, out.MTTF, out.MTTR = ask.Figure(c.Up()), t.MeanUp, t.MeanDown
	}
	if t.Groups != nil {
		out.Groups, out.GroupAvailability = ask.Whole(t.Groups), ask.Figure(float64(*t.GroupAvailability))
	}
	if t.Kind == scenario.Public {
		out.Replicas = new(int64(t.Copies))
	}
	return out, nil
}
