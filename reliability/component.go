package reliability

import (
	"fmt"
	"math"
)

// A Component alternates between up periods of mean MTTF and down periods of
// mean MTTR, both > 0, finite and in one unit of time. The availability
// depends on the two laws only through their means; the Markov models of this
// package ([ReplicaSet], [Unit]) say where they need exponential laws.
type Component struct {
	MTTF float64 // mean time to failure, from up to down
	MTTR float64 // mean time to repair, from down to up
}

func (c Component) check(fn string) error {
	return all(positive(fn, "MTTF", c.MTTF), positive(fn, "MTTR", c.MTTR))
}

// Availability returns the long-run fraction of time the component is up:
//
//	p = MTTF / (MTTF + MTTR)
//
// Source: PCU 4.6 (number of replicas), renewal reward theorem.
func (c Component) Availability() (float64, error) {
	if err := c.check("Component.Availability"); err != nil {
		return 0, err
	}
	return c.up(), nil
}

// Unavailability returns 1 - p = MTTR / (MTTF + MTTR), without cancellation
// where p is near 1.
func (c Component) Unavailability() (float64, error) {
	if err := c.check("Component.Unavailability"); err != nil {
		return 0, err
	}
	return c.down(), nil
}

// LogUnavailability returns log(MTTR / (MTTF + MTTR)), finite also where the
// unavailability is below the least positive float.
func (c Component) LogUnavailability() (float64, error) {
	if err := c.check("Component.LogUnavailability"); err != nil {
		return 0, err
	}
	return c.logDown(), nil
}

// MTBF returns the mean time between failures, the mean length of a whole
// cycle:
//
//	MTBF = MTTF + MTTR
//
// The word is also used for MTTF alone; here it is the sum. A sum beyond the
// greatest float returns a *DomainError.
func (c Component) MTBF() (float64, error) {
	if err := c.check("Component.MTBF"); err != nil {
		return 0, err
	}
	s := c.MTTF + c.MTTR
	if math.IsInf(s, 0) {
		return 0, &DomainError{"Component.MTBF", "MTTF + MTTR", s, "finite MTTF + MTTR"}
	}
	return s, nil
}

func (c Component) up() float64   { return 1 / (1 + c.MTTR/c.MTTF) }
func (c Component) down() float64 { return 1 / (1 + c.MTTF/c.MTTR) }

func (c Component) logDown() float64 {
	if r := c.MTTF / c.MTTR; !math.IsInf(r, 0) {
		return -math.Log1p(r)
	}
	return math.Log(c.MTTR) - math.Log(c.MTTF)
}

func (c Component) String() string { return fmt.Sprintf("MTTF %g, MTTR %g", c.MTTF, c.MTTR) }
