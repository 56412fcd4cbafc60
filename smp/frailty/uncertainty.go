package frailty

import "github.com/capplan/capplan/smp"

// Uncertainty returns the relative variance of [Model.Expected] itself, by the
// failures that each factor rests on:
//
//	v = wᵀ (diag(D_a) + c T)⁻¹ w + Σ_h w_h²/(D_h + b)
//
// where w are the shares of ΔL by age bin and by hour, and c T is the precision of
// the walk of the hazards by age, see [Fit]. It is small in a fleet
// of many failures, and matters where there are few machines.
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
	v := 0.0
	for _, from := range []int{0, ageBins} {
		v += spread(age[from:from+ageBins], m.AgeFailures[from:from+ageBins], m.agePseudo())
	}
	for i := range hour {
		if hour[i] > 0 {
			v += hour[i] / total * hour[i] / total / (m.HourFailures[i] + m.HourShape)
		}
	}
	return v, nil
}

// agePseudo is that of the model; files of before did not say it.
func (m *Model) agePseudo() float64 {
	if m.AgePseudo > 0 {
		return m.AgePseudo
	}
	return 1
}
