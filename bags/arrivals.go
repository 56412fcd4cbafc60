package bags

import "math"

// even are the times that are left of tasks of which an even share has passed.
func even(w times) times {
	const parts = 16
	rest := make(times, 0, parts*len(w))
	for k := range parts {
		for _, n := range w {
			rest = append(rest, node{n.share / parts, n.speed * (float64(k) + 0.5) / parts})
		}
	}
	return rest
}

// delayed is the law of a time even within a delay, and then another.
func delayed(g grid, most float64) grid {
	const parts = 20
	out := grid{g.step, make([]float64, len(g.f))}
	for k := range parts {
		wait := most * (float64(k) + 0.5) / parts
		for i := range out.f {
			out.f[i] += g.at(float64(i)*g.step-wait) / parts
		}
	}
	return out
}

// arrivals is the law of a bag whose tasks come over time, to machines of which some
// are idle: each task is done by t with the chance that its arrival and its time
// are; their number spreads.
func (m *model) arrivals(f *FinishLaw, attempt grid) {
	var at []float64
	if len(m.s.Bag.Tasks) > 0 {
		for _, t := range m.s.Bag.Tasks {
			at = append(at, t.Arrival)
		}
	} else {
		// Finer towards the end, by which the last arrivals are told apart.
		const parts = 120
		for k := range parts {
			q, err := m.s.Bag.Arrival.Quantile(1 - math.Pow(10, -6*(float64(k)+0.5)/parts))
			if err == nil {
				at = append(at, q)
			}
		}
	}
	weights := m.arrivalWeights(len(at))
	single := func(t float64) float64 {
		sum := 0.0
		for i, a := range at {
			sum += weights[i] * attempt.at(t-a-m.rules.Ask/(1+m.there))
		}
		return sum
	}
	sizes := []node{{1, m.n}}
	if len(m.s.Bag.Tasks) == 0 && m.s.Bag.Size.SD > 0 {
		sizes = nil
		for _, z := range normalNodes {
			sizes = append(sizes, node{z.share, max(1, m.n+z.speed*m.s.Bag.Size.SD)})
		}
	}
	one := grid{f.law.step, make([]float64, len(f.law.f))}
	for _, z := range sizes {
		f.branches = append(f.branches, branch{z.share, make([]float64, gridCells)})
	}
	for i := range f.law.f {
		p := single(float64(i) * f.law.step)
		one.f[i] = p
		for k, z := range sizes {
			f.law.f[i] += z.share * math.Exp(z.speed*logOf(p))
			f.branches[k].undone[i] = z.speed * (1 - p)
		}
	}
	f.Half, f.Ideal = invert(one, 0.5), invert(one, 0.9)/0.9
}

// arrivalWeights are those of the nodes of arrivals: of a law the mass between
// 10^(−6k/120) and the next.
func (m *model) arrivalWeights(n int) []float64 {
	w := make([]float64, n)
	for k := range w {
		if len(m.s.Bag.Tasks) > 0 {
			w[k] = 1 / float64(n)
			continue
		}
		w[k] = math.Pow(10, -6*float64(k)/float64(n)) - math.Pow(10, -6*float64(k+1)/float64(n))
	}
	return w
}
