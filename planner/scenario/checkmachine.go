package scenario

// mostMachines bounds the machines of a type.
const mostMachines = 1e12

// check looks at one type of machine.
func (m *MachineType) check() error {
	life := m.life()
	switch {
	case len(life) > 1:
		return clash(life[0], life[1],
			"each gives the availability", "one of availability, mttf with mttr, trace, fleet and predicted")
	case (m.MTTF == nil) != (m.MTTR == nil):
		return wrong(life[0], "both, such as mttf: 5h and mttr: 10min", "machine %q: one of mttf and mttr", m.Name)
	case m.Kind == Public && len(life) == 0:
		return wrong("",
			"availability such as 70%, or mttf and mttr, or a trace, or a fleet, or predicted: all together with "+
				"the part availability",
			"public machine %q without an availability", m.Name)
	case m.Kind != Public && m.Replicas != nil:
		return wrong("replicas", "replicas on machines of the kind public", "replicas on the dedicated machine %q",
			m.Name)
	case m.Replicas != nil && (*m.Replicas < 1 || *m.Replicas > 1e9):
		return wrong("replicas", "1 to 1e9 copies of each job", "machine %q: replicas = %d", m.Name, *m.Replicas)
	case m.Slots != nil && (*m.Slots < 1 || *m.Slots > mostSlots):
		return wrong("slots", "1 to 1000000 jobs that a machine holds at one time", "machine %q: %d slots",
			m.Name, *m.Slots)
	case m.Speed != nil && m.Speed.Low == 0:
		return wrong("speed", "a speed above 0 such as 0.34", "machine %q: speed = %s", m.Name, m.Speed)
	case m.AtLeast != nil && m.Limit != nil && *m.AtLeast > *m.Limit:
		return clash("limit", "at_least", "at_least is above the number that can be had", "at_least up to the limit")
	case m.Limit != nil && *m.Limit > mostMachines || m.AtLeast != nil && *m.AtLeast > mostMachines:
		return wrong("limit", "at most 1e12", "machine %q: more than 1e12 machines", m.Name)
	}
	if err := m.checkGroups(); err != nil {
		return err
	}
	for _, p := range []struct {
		field string
		given bool
		low   float64
	}{
		{"mttf", m.MTTF != nil, lowOf(m.MTTF)},
		{"mttr", m.MTTR != nil, lowOf(m.MTTR)},
		{"availability", m.Availability != nil, lowOf(m.Availability)},
	} {
		if p.given && p.low <= 0 {
			return wrong(p.field, "more than 0", "machine %q: %s = 0", m.Name, p.field)
		}
	}
	return nil
}

// life lists the fields that say how long a machine is there. One of mttf and
// mttr stands for both.
func (m *MachineType) life() []string {
	var all []string
	if m.Availability != nil {
		all = append(all, "availability")
	}
	switch {
	case m.MTTF != nil:
		all = append(all, "mttf")
	case m.MTTR != nil:
		all = append(all, "mttr")
	}
	if m.TraceFile != "" || m.Trace != nil {
		all = append(all, "trace")
	}
	if m.FleetFile != "" || m.Fitted != nil && m.Trace == nil && m.TraceFile == "" {
		all = append(all, "fleet")
	}
	if m.Predicted != "" {
		all = append(all, "predicted")
	}
	return all
}
