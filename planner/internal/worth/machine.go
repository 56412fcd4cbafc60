package worth

import (
	"cmp"
	"fmt"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/foreseen"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// A Machine is a checked type of machines.
type Machine struct {
	scenario.MachineType
	scenario.Shape
	// MeanUp and MeanDown are the most likely mean times up and away, s; nil: not known.
	MeanUp, MeanDown *float64
	Copies           float64              // replicas of a job: those given, or as many as a target asks for
	Foreseen         *foreseen.Prediction // nil where the type asks for none
	ByFleet          bool                 // its trace is what a fitted fleet says
}

// New checks a type of machines for the jobs of a service, which a target asks to be
// available, with what was foreseen of it; nil: none of the three. Errors:
// *ask.InputError with the field of the type, *ask.InfeasibleError where no number of
// replicas reaches the target.
func New(given scenario.MachineType, service *scenario.Service, target *units.Fraction,
	seen *foreseen.Prediction) (m Machine, err error) {
	m = Machine{MachineType: given, Copies: 1, Foreseen: seen}
	m.Kind = cmp.Or(m.Kind, scenario.Dedicated)
	if m.Shape, err = m.JobsAtOnce(service); err != nil {
		return m, err
	}
	if m.MTTF != nil {
		m.MeanUp, m.MeanDown = ask.Figure(float64(m.MTTF.Nominal())), ask.Figure(float64(m.MTTR.Nominal()))
	}
	// A fitted fleet stands for a trace, so that both go one way from here on.
	if m.ByFleet = m.Trace == nil && m.Fitted != nil; m.ByFleet {
		if m.Trace, err = m.Fitted.Presence(); err != nil {
			return m, err
		}
	}
	if m.Trace != nil {
		if m.Trace.Availability == nil {
			return m, ask.Inputf("trace", "the trace contains no machine")
		}
		// Both times must be known: the ratio of one to an unknown says nothing.
		if m.Trace.MTTF != nil && m.Trace.MTTR != nil {
			m.MeanUp, m.MeanDown = m.Trace.MTTF, m.Trace.MTTR
		}
	}
	if err := m.checkGroups(); err != nil {
		return m, err
	}
	return m, m.Replicate(target, m.Nominal().Up())
}

// checkGroups holds the availability of a type against that of its groups: a machine
// is there while its group is, and then for a share of the time. An availability of a
// machine above that of its group would have it up while the group is away.
func (m *Machine) checkGroups() error {
	if m.Groups == nil {
		return nil
	}
	if up := m.Nominal().Up(); up > float64(*m.GroupAvailability)*(1+1e-12) {
		return &ask.InputError{
			Field: "group_availability",
			Reason: fmt.Sprintf("machine %q is available %s of the time, its group only %s", m.Name, units.Fraction(up),
				*m.GroupAvailability),
			Want: "a share of at least the machine's availability, which includes the outages of its group",
		}
	}
	return nil
}

// Source says where the availability of a type comes from; empty without one. The
// order is that of [Machine.Nominal].
func (m *Machine) Source() string {
	switch {
	case m.Availability != nil:
		return "availability"
	case m.MTTF != nil:
		return "mttf and mttr"
	case m.ByFleet:
		return fmt.Sprintf("fleet: share of time that %s up, by the model frailty",
			fault.Count(m.Trace.Machines, "machine is", "machines are"))
	case m.Trace != nil && m.Trace.States != nil:
		return "trace: share of time in S1 and S2 of " + fault.Count(m.Trace.Machines, "machine")
	case m.Trace != nil:
		return "trace: share of time up of " + fault.Count(m.Trace.Machines, "machine")
	case m.Foreseen != nil:
		return m.Foreseen.From
	}
	return ""
}

// Worth returns the servers of speed 1 that one machine stands for:
//
//	w = (Tp/Td)·m·Pav/r
//
// with m slots: its capacity, not what it does for loss and waits. Source: PCU section
// 4.6, the term of one public machine; r is 1 on dedicated ones. Errors: those of
// [Machine.Fastest].
func (m *Machine) Worth(c Case) (float64, error) {
	speed, err := m.Fastest(c)
	return m.WorthAt(speed, c), err
}

// WorthAt is [Machine.Worth] where the speed of jobs is known.
func (m *Machine) WorthAt(speed float64, c Case) float64 { return speed * m.Holds * c.Up() / m.Copies }

// Fastest returns the speed at which a job on the machine gets on. Several replicas of
// unlike speeds get on with the fastest of them, where a spread is given. Errors: those
// of [queueing.FastestSpeed], of the field machines.
func (m *Machine) Fastest(c Case) (float64, error) {
	if m.SpeedCV == nil || *m.SpeedCV == 0 {
		return c.Speed, nil
	}
	fastest, err := queueing.FastestSpeed(c.Speed, float64(*m.SpeedCV), m.Copies)
	if err != nil {
		return 0, ask.FromQueueing("machines", err)
	}
	return fastest, nil
}

// Count says how a machine that comes and goes enters: averaged over how many are up,
// but where asked for or where outages are much shorter than a service. Without times
// of the case those of a trace serve, whose mean time away is as good.
func (m *Machine) Count(asked sizing.PublicCount, c Case, s sizing.Load) sizing.PublicCount {
	outage := c.MTTR
	if outage == 0 && m.MeanDown != nil {
		outage = *m.MeanDown
	}
	return cmp.Or(asked, sizing.CountFor(outage, s))
}

// Coming states the type as the machines of a queue that come and go. A machine of m
// slots holds m jobs at a time, and r replicas take a machine each. Errors: those of
// [Machine.Fastest].
func (m *Machine) Coming(c Case) (unlike.Coming, error) {
	speed, err := m.Fastest(c)
	k := unlike.Coming{Up: c.Up(), Speed: speed, PerJob: m.Copies / m.Holds}
	// A draw above the availability of the groups leaves no outage but theirs, as rare as
	// that.
	if m.Groups != nil {
		k.Outages = unlike.Outages{Groups: float64(*m.Groups), Up: max(float64(*m.GroupAvailability), k.Up)}
	}
	return k, err
}

// Item states the type for the choice of a mix. A type without a limit has one that no
// plan comes near. Errors: those of [Machine.Fastest].
func (m *Machine) Item(c Case) (cover.Item, error) {
	w, err := m.Worth(c)
	return cover.Item{
		Worth:   w,
		Price:   units.ExactCents(c.PerHour()),
		Least:   int64(ask.Value(m.AtLeast)),
		Most:    ask.Or(m.Limit, int64(cover.MostCount)),
		Counted: m.Kind == scenario.Dedicated, // the floor of the frontier is about the dedicated ones
	}, err
}
