package frailty

import "math"

// shrunkShapes are the shapes of the laws of hours and of machines over which what is not
// known of them is averaged, by standard deviations 1/√k of a factor: even steps of these.
var shrunkShapes = func() (out []float64) {
	for s := 0.05; s < 2; s += 0.1 {
		out = append(out, 1/(s*s))
	}
	return out
}()

// shapeWeights are the chances of shrunkShapes by what was counted, where d failures came
// of l expected at factor 1: the marginal likelihood times a half-Cauchy law of the standard
// deviation with the given scale. Source: Gelman 2006, Prior distributions for variance
// parameters in hierarchical models.
func shapeWeights(d, l []float64, scale float64) []float64 {
	out := make([]float64, len(shrunkShapes))
	most := math.Inf(-1)
	for i, k := range shrunkShapes {
		out[i] = LogMarginal(d, l, k) - math.Log1p(1/(k*scale*scale))
		most = math.Max(most, out[i])
	}
	total := 0.0
	for i := range out {
		out[i] = math.Exp(out[i] - most)
		total += out[i]
	}
	for i := range out {
		out[i] /= total
	}
	return out
}

// hourSpread is the relative variance of ΔL that comes of the hours, of which share w of ΔL
// lies in each. The true shape b of their law is not known: the mean over it of
//
//	(Σ w_h (β_h(b)/β_h − 1))² + Σ w_h² D_h/(D_h + b)² + (Σ w_h √b/(D_h + b))²
//
// where the first is how far the factors would be others by that shape, the second what
// comes of the counts, each on its own, and the third what is shrunk away, which hours
// side by side, such as those of a working day, have in common.
func (m *Model) hourSpread(w []float64) float64 {
	var d, x []float64
	var at []int
	for h := range m.Hour {
		// β = (D + b)/(X + b), but for a scale near 1.
		if l := (m.HourFailures[h]+m.HourShape)/m.Hour[h] - m.HourShape; l > 1e-9*m.HourShape {
			d, x, at = append(d, m.HourFailures[h]), append(x, l), append(at, h)
		}
	}
	weights := shapeWeights(d, x, hourScale)
	v := 0.0
	for j, b := range shrunkShapes {
		if weights[j] < 1e-6 {
			continue
		}
		shift, counts, common := 0.0, 0.0, 0.0
		for i, h := range at {
			share := w[h]
			if share == 0 {
				continue
			}
			shift += share * ((d[i]+b)/(x[i]+b)/m.Hour[h] - 1)
			counts += share * share * d[i] / ((d[i] + b) * (d[i] + b))
			common += share * math.Sqrt(b) / (d[i] + b)
		}
		v += weights[j] * (shift*shift + counts + common*common)
	}
	return v
}

// Scales of the standard deviations of factors of hours and of machines; what bands cover
// hardly depends on them (0.5 to 5, 1 to 2 were tried).
const (
	hourScale    = 0.5
	machineScale = 1
)

// mostUnsure is the number of machines from which on the shape of their law is taken as
// known.
const mostUnsure = 200

// likelyShapes are shapes of the law of machines with their chances. With groups, and with
// many machines, it is that of the model alone.
func (m *Model) likelyShapes() (shapes, chance []float64) {
	if n := len(m.Machines); n < 2 || n > mostUnsure || len(m.Groups) > 0 {
		return []float64{m.Shape}, []float64{1}
	}
	d, l := make([]float64, len(m.Machines)), make([]float64, len(m.Machines))
	for i, x := range m.Machines {
		d[i], l[i] = x.Failures, x.Expected
	}
	return shrunkShapes, shapeWeights(d, l, machineScale)
}
