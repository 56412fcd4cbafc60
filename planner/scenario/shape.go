package scenario

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
)

// mostSlots bounds the jobs that one machine holds at a time.
const mostSlots = 1e6

// A Shape is how many jobs a machine holds at a time.
type Shape struct {
	Holds           float64
	By              string   // cpu, memory or slots, whichever holds the fewest; empty: none is given
	OfCPU, OfMemory *float64 // jobs that each of them holds; nil where it is not given
}

// JobsAtOnce finds how many jobs of the service a machine holds at a time and what
// bounds them:
//
//	m = min(⌊cpu of the machine / cpu of a job⌋, ⌊memory / memory⌋, slots)
//
// over those that are given; without any of them one job. The first of cpu, memory
// and slots binds where two hold as few.
func (m *MachineType) JobsAtOnce(v *Service) (Shape, error) {
	service := ask.Value(v)
	s := Shape{Holds: math.Inf(1)}
	// cpu and memory are alike but for their names.
	for _, r := range []struct {
		field, such     string
		has, takes      *float64
		hasText, ofText string
		holds           **float64
	}{
		{"cpu", "16", ask.Number(m.CPU), ask.Number(service.CPU), written(m.CPU), written(service.CPU), &s.OfCPU},
		{"memory", "64GiB",
			ask.Number(m.Memory), ask.Number(service.Memory), written(m.Memory), written(service.Memory), &s.OfMemory},
	} {
		switch {
		case r.has == nil && r.takes == nil || r.has == nil && m.Slots != nil:
			continue
		case r.takes == nil:
			return s, wrong(r.field, "service."+r.field+", the amount that one job takes",
				"machine %q has %s, but nothing says how many jobs that holds", m.Name, r.hasText)
		case r.has == nil:
			return s, wrong("",
				fmt.Sprintf("%s such as %s, or slots: the number of jobs that it holds at one time", r.field, r.such),
				"machine %q: a job takes service.%s, %s, but nothing says how much the machine has", m.Name, r.field,
				r.ofText)
		}
		// 6.4 cores hold 64 jobs of a tenth of one, though 6.4/0.1 may round below 64.
		n := math.Floor(*r.has / *r.takes * (1 + 1e-12))
		switch {
		case n < 1:
			return s, wrong(r.field, "at least the amount that one job takes, service."+r.field+": "+r.ofText,
				"machine %q has %s, too little for a job", m.Name, r.hasText)
		case n > mostSlots:
			return s, wrong(r.field, ask.Sprintf("at most %v times the amount that one job takes, service.%s: %s",
				mostSlots, r.field, r.ofText), "machine %q has %s", m.Name, r.hasText)
		}
		if *r.holds = &n; n < s.Holds {
			s.Holds, s.By = n, r.field
		}
	}
	if m.Slots != nil && float64(*m.Slots) < s.Holds {
		s.Holds, s.By = float64(*m.Slots), "slots"
	}
	if s.By == "" {
		s.Holds = 1
	}
	return s, nil
}

// written is an optional quantity as text, empty where it is not given.
func written[T fmt.Stringer](v *T) string {
	if v == nil {
		return ""
	}
	return (*v).String()
}

// checkShape looks at what a job takes.
func (v *Service) checkShape() error {
	switch {
	case v.CPU != nil && *v.CPU == 0:
		return wrong("service.cpu", "the cores that one job takes, above 0, such as 0.5", "0")
	case v.Memory != nil && *v.Memory == 0:
		return wrong("service.memory", "the amount that one job takes, above 0, such as 2GiB", "0")
	}
	return nil
}
