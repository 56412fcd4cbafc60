package worth

import "github.com/capplan/capplan/planner/ask"

// A Case is one certain set of the figures of a type.
type Case struct {
	Price        float64 // per s
	Speed        float64
	Availability float64
	MTTF, MTTR   float64 // s; 0: not known
}

// Up is the share of time that a machine is there. With times it is their ratio, so
// that a draw of either moves it.
func (c Case) Up() float64 {
	if c.MTTF > 0 {
		return c.MTTF / (c.MTTF + c.MTTR)
	}
	return c.Availability
}

// PerHour is the price of one machine for an hour.
func (c Case) PerHour() float64 { return c.Price * 3600 }

// Nominal returns the most likely figures. An availability by itself leaves the times
// 0, which says that they are not known.
func (m *Machine) Nominal() Case {
	c := Case{Price: ask.Likely(m.Price, 0), Speed: ask.Likely(m.Speed, 1), Availability: 1}
	// The sources are in the order of what somebody has said himself: an availability,
	// times, a trace, a prediction.
	switch {
	case m.Availability != nil:
		c.Availability = float64(m.Availability.Nominal())
	case m.MTTF != nil:
		c.MTTF, c.MTTR = float64(m.MTTF.Nominal()), float64(m.MTTR.Nominal())
	case m.Trace != nil:
		c.Availability = *m.Trace.Availability
	case m.Foreseen != nil:
		c.Availability = m.Foreseen.Chance
	}
	return c
}

// LeastUp is the share of time that a machine is there at the low ends of the ranges.
func (m *Machine) LeastUp() float64 {
	c := m.Nominal()
	switch {
	case m.Availability != nil:
		c.Availability = float64(m.Availability.Low)
	case m.MTTF != nil:
		c.MTTF, c.MTTR = float64(m.MTTF.Low), float64(m.MTTR.High)
	}
	return c.Up()
}
