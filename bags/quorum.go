package bags

import "math"

// quorum is the law under BOINC.
func (m *model) quorum(step float64) *FinishLaw {
	f := &FinishLaw{law: grid{step, make([]float64, gridCells)}}
	done, comes := m.rate()
	copies := float64(m.rules.Results)
	fresh := 0.0
	if m.n*copies > m.there { // those that come while there is something to hand out
		fresh = min(1, comes*(m.n*copies-m.there/2)/done/(m.n*copies))
	}
	unit := m.unit(waiting(m.course, m.times, fresh, step, gridCells))
	if m.s.Bag.Arrival != nil || len(m.s.Bag.Tasks) > 0 {
		m.arrivals(f, unit)
		return f
	}
	start := func(share float64) float64 {
		handed := share * m.n * copies
		if handed <= m.there {
			return asked(handed/m.there, m.rules.Ask)
		}
		return m.firstAsk() + max(0, (handed-m.there/2)/done)
	}
	if m.n*copies > m.there {
		f.Waves = true
		f.Fluid = start(1)
	}
	sd := m.fluidSpread(f.Fluid)
	var starts, weights []float64
	const parts = 60 // finer towards the last
	for k := range parts {
		a, b := math.Pow(10, -4*float64(k)/parts), math.Pow(10, -4*float64(k+1)/parts)
		starts, weights = append(starts, start(1-(a+b)/2)), append(weights, a-b)
	}
	starts, weights = append(starts, start(1)), append(weights, 1e-4)
	for _, z := range normalNodes {
		stretch := 1.0
		if f.Fluid > 0 {
			stretch = max(0.1, 1+z.speed*sd/f.Fluid)
		}
		undone := make([]float64, gridCells)
		for i := range f.law.f {
			sum := 0.0
			for k, s := range starts {
				v := unit.at(float64(i)*step - s*stretch)
				sum += weights[k] * logOf(v)
				undone[i] += m.n * weights[k] * (1 - v)
			}
			f.law.f[i] += z.share * math.Exp(m.n*sum)
		}
		f.branches = append(f.branches, branch{z.share, undone})
	}
	mean := invert(unit, 0.5)
	f.Half, f.Ideal = start(0.5)+mean, (start(0.9)+mean)/0.9
	return f
}

// unit is the law of the quorum-th of a unit's results, each given out once more
// after the deadline if it is missing.
func (m *model) unit(result grid) grid {
	g := grid{result.step, make([]float64, len(result.f))}
	n, q := m.rules.Results, m.rules.Quorum
	again := m.rules.Deadline + m.rules.Backoff/(1+m.there)
	for i := range g.f {
		t := float64(i) * g.step
		missing := 1.0
		for k := 0; t-float64(k)*again > 0 && k < 50; k++ {
			missing *= 1 - result.at(t-float64(k)*again)
		}
		p := 1 - missing
		for k := q; k <= n; k++ {
			g.f[i] += binomial(n, k) * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
		}
	}
	return g
}

func binomial(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return math.Round(math.Exp(a - b - c))
}
