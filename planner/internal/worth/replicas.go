package worth

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// Replicate sets the copies of a job on a machine that is up for a share of the time:
// those given, or on a public machine as many as the target asks for. The target is
// objectives.availability. Without it a job has one. Errors: *ask.InfeasibleError and
// *ask.InputError of [reliability.Replicas].
func (m *Machine) Replicate(target *units.Fraction, up float64) error {
	m.Copies = 1
	switch {
	case m.Kind != scenario.Public:
		return nil
	case m.Replicas != nil:
		m.Copies = float64(*m.Replicas)
		return nil
	// A machine that is always there needs no second.
	case target == nil, up >= 1:
		return nil
	}
	// Only the ratio of the two times matters for the count.
	r, err := reliability.Replicas(reliability.Component{MTTF: up, MTTR: 1 - up}, float64(*target))
	if err != nil {
		return ask.FromReliability(err)
	}
	m.Copies = float64(r.Replicas)
	return nil
}

// TooFew says that a job on a public machine has too few replicas for a target, and how
// many would do; empty where they are enough. They are too few because their number is
// given, or because it is enough for the most likely figures and not for less likely
// ones.
func (m *Machine) TooFew(target units.Fraction) string {
	if m.Kind != scenario.Public {
		return ""
	}
	alive := func(up float64) float64 { return -math.Expm1(m.Copies * math.Log1p(-up)) }
	// What meets the target exactly may miss it by a rounding.
	missed := func(up float64) bool { return 1-alive(up) > (1-float64(target))*(1+1e-9) }
	up, when := m.Nominal().Up(), ""
	if !missed(up) {
		up, when = m.LeastUp(), "at the low end of its range, "
	}
	more := *m
	more.Replicas = nil
	if !missed(up) || more.Replicate(&target, up) != nil {
		return ""
	}
	return fmt.Sprintf("%s: %swith replicas %s a job has one alive %s of the time, less than "+
		"objectives.availability asks for: replicas %s would be enough for %s",
		m.Name, when, ask.Digits(m.Copies), ask.Percent(alive(up), 4),
		ask.Digits(more.Copies), ask.Percent(float64(target), 4))
}

// OutageRate returns the rate, 1/s, at which a job loses all its replicas, see
// [reliability.AllDown]. The mean times must be known. Errors: those of AllDown.
func (m *Machine) OutageRate() (float64, error) {
	down, err := reliability.AllDown(reliability.Component{MTTF: *m.MeanUp, MTTR: *m.MeanDown}, int(m.Copies))
	if err != nil {
		return 0, ask.FromReliability(err)
	}
	return down.OutageRate, nil
}
