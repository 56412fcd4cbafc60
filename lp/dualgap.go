package lp

import "math"

// dualGap returns Σ |dual_i|·|a_i·x − side_i| + Σ |reduced cost_j|·|x_j − side_j|,
// where a side is the bound that the sign of its dual value or reduced cost
// speaks of; where there is none, 1 + |a_i·x| or 1 + |x_j| stands for the
// difference. No feasible vector is better than x by more than this, where all
// those bounds are there (weak duality); at an optimum it is 0. Unlike the difference
// of the two objectives it does not lose digits where great dual values cancel out.
func (m *Model) dualGap(s *Solution) float64 {
	sign, gap := 1.0, 0.0
	if m.Maximize {
		sign = -1
	}
	add := func(dual, at, lower, upper float64) {
		side := lower
		if sign*dual < 0 {
			side = upper
		}
		switch {
		case dual == 0:
		case math.IsInf(side, 0):
			gap += math.Abs(dual) * (1 + math.Abs(at))
		default:
			gap += math.Abs(dual) * math.Abs(at-side)
		}
	}
	for i, r := range m.Rows {
		at := 0.0
		for _, t := range r.Terms {
			at += t.Coefficient * s.X[t.Variable]
		}
		add(s.Dual[i], at, r.Lower, r.Upper)
	}
	for j, d := range m.reducedCost(s.Dual) {
		add(d, s.X[j], m.Variables[j].Lower, m.Variables[j].Upper)
	}
	return gap
}

// reducedCost returns for each variable its cost less the sum of coefficient ×
// dual over its rows, 0 where nothing but rounding is left.
func (m *Model) reducedCost(dual []float64) []float64 {
	cost, size := make([]float64, len(m.Variables)), make([]float64, len(m.Variables))
	for j, v := range m.Variables {
		cost[j], size[j] = v.Cost, math.Abs(v.Cost)
	}
	for i, r := range m.Rows {
		for _, t := range r.Terms {
			cost[t.Variable] -= dual[i] * t.Coefficient
			size[t.Variable] += math.Abs(dual[i] * t.Coefficient)
		}
	}
	for j, d := range cost {
		if math.Abs(d) <= 1e-13*size[j] {
			cost[j] = 0
		}
	}
	return cost
}
