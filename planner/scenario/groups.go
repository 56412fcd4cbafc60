package scenario

import "fmt"

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
			"machine %q: %d groups, but nothing says how often a group is up", m.Name, *m.Groups)
	case m.Groups == nil:
		return wrong("groups", "a number of groups such as 4 beside group_availability",
			"machine %q: group_availability is given, but not the number of groups", m.Name)
	case *m.Groups < 1 || *m.Groups > mostGroups:
		return wrong("groups", fmt.Sprintf("1 to %d groups of equal size", mostGroups), "machine %q: %d groups",
			m.Name, *m.Groups)
	case *m.GroupAvailability <= 0:
		return wrong("group_availability", "more than 0 such as 98%", "machine %q: group_availability = %s", m.Name,
			*m.GroupAvailability)
	}
	return nil
}

// checkGroups refuses outages that machines share beside parts whose bounds take
// machines to be independent.
func (q *Question) checkGroups() error {
	for i := range q.Machines {
		m := &q.Machines[i]
		at := fmt.Sprintf("machines[%d].groups", i)
		switch {
		case m.Groups == nil:
		case q.Link != nil:
			return clash("link", at, "the link assumes that machines are independent", "no groups, or no link")
		case q.Epoch != nil:
			return clash("epoch", at, "recoveries of an epoch assume that machines are independent",
				"no groups, or no epoch")
		}
	}
	return nil
}
