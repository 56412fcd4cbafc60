package frailty

import "github.com/capplan/capplan/smp"

// Uncertainty returns the relative variance of [Model.Expected] itself, by the
// failures that each factor rests on:
//
//	v = Σ_a w_a²/(D_a + c) + Σ_h w_h²/(D_h + b)
//
// where w are the shares of ΔL by age bin and by hour. It is small in a fleet
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
	v := 0.0
	for i := range age {
		if age[i] > 0 {
			v += age[i] / total * age[i] / total / (m.AgeFailures[i] + 1)
		}
		if hour[i] > 0 {
			v += hour[i] / total * hour[i] / total / (m.HourFailures[i] + m.HourShape)
		}
	}
	return v, nil
}
