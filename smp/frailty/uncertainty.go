package frailty

import (
	"math"

	"github.com/capplan/capplan/smp"
)

// mostTied is the greatest number of failures that a neighbouring age is taken to be worth
// where the uncertainty is judged: how closely ages are tied, and by how much the hazard
// falls, are fitted to the few ages that were seen.
const mostTied = 4

// Uncertainty returns the relative variance of [Model.Expected] itself, by the
// failures that each factor rests on:
//
//	v = wᵀ (diag(D_a) + c T)⁻¹ w + v_h
//
// where w are the shares of ΔL by age bin, c T is the precision of the walk of the
// hazards by age, see [Fit], and v_h is that of the hours, by what their law may be. It
// is small in a fleet of many failures, and matters where there are few machines.
func (m *Model) Uncertainty(c smp.Calendar, w Window) (float64, error) {
	if err := m.check("Model.Uncertainty", w); err != nil {
		return 0, err
	}
	if len(m.AgeFailures) != Ages || len(m.HourFailures) != Hours {
		return 0, &smp.DomainError{
			Func:  "Model.Uncertainty",
			Arg:   "len(AgeFailures)",
			Value: float64(len(m.AgeFailures)),
			Want:  "a model that Fit made",
		}
	}
	var age, hour [max(Ages, Hours)]float64
	total := 0.0
	Clock{m.Period, c}.each(w.First, w.Age, w.Steps, func(cell int, _, steps int64) bool {
		l := m.Age[cell/Hours] * m.Hour[cell%Hours] * float64(steps)
		age[cell/Hours] += l
		hour[cell%Hours] += l
		total += l
		return true
	})
	if total == 0 {
		return 0, nil
	}
	for i := range age {
		age[i] /= total
	}
	tied := math.Min(m.agePseudo(), mostTied)
	if m.seenFailures() == 0 {
		tied = m.agePseudo() // that ages differ was not seen: see neverFailed
	}
	v := 0.0
	for _, from := range []int{0, ageBins} {
		v += spread(age[from:from+ageBins], m.AgeFailures[from:from+ageBins], tied)
	}
	for i := range hour {
		hour[i] /= total
	}
	return v + m.hourSpread(hour[:Hours]), nil
}

// agePseudo is that of the model; files of before did not say it.
func (m *Model) agePseudo() float64 {
	if m.AgePseudo > 0 {
		return m.AgePseudo
	}
	return 1
}
