package lp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// contradicting returns rows that a whole vector keeps to, and one more that is a sum of
// some of them and asks for gap more than they leave.
func contradicting(rng *rand.Rand, rows, variables int, scale, gap float64) *Model {
	m := &Model{}
	x := make([]float64, variables)
	for j := range x {
		x[j] = float64(rng.IntN(10))
		m.Variables = append(m.Variables, Variable{Cost: float64(rng.IntN(9)), Upper: math.Inf(1)})
	}
	sum, most := make([]float64, variables), 0.0
	for i := range rows {
		r, at := Row{Lower: math.Inf(-1)}, 0.0
		factor := math.Exp2(math.Round(rng.NormFloat64() * scale))
		for j := range x {
			if rng.IntN(4) == 0 {
				a := factor * float64(rng.IntN(19)-9) / 8
				r.Terms, at = append(r.Terms, Term{j, a}), at+a*x[j]
			}
		}
		r.Upper = at + factor*float64(rng.IntN(4))
		if i%3 == 0 {
			for _, t := range r.Terms {
				sum[t.Variable] += t.Coefficient
			}
			most += r.Upper
		}
		m.Rows = append(m.Rows, r)
	}
	last := Row{Lower: most + gap, Upper: math.Inf(1)}
	for j, a := range sum {
		last.Terms = append(last.Terms, Term{j, a})
	}
	m.Rows = append(m.Rows, last)
	return m
}

// Rows that contradict each other are proven to by weights; no weights show it of rows that
// a vector keeps to, and of those that ask for a hundred-thousandth too much among
// numbers of a thousand rounding leaves it open.
func TestContradictionIsHeldByWeights(t *testing.T) {
	for _, tt := range []struct {
		gap  float64
		want func(level int) bool
	}{
		{1, func(level int) bool { return level >= likely }},
		{1e-5, func(level int) bool { return level == unproven }},
		{-1e4, func(level int) bool { return level == unproven }},
	} {
		rng := rand.New(rand.NewPCG(21, 19))
		for range 3 {
			m := contradicting(rng, 40, 40, 0, tt.gap)
			s, _, err := newStandard(m)
			if err != nil {
				t.Fatal(err)
			}
			s.reduce(t.Context())
			aided, basis := s.aided()
			y, err := s.simplex(aided.cost, aided.rows, basis)
			if err != nil {
				t.Fatal(err)
			}
			if level := s.contradiction(t.Context(), y); !tt.want(level) {
				t.Errorf("gap %g: level %d", tt.gap, level)
			}
		}
	}
}

// tiny is min x, x ≤ 9, 0 ≤ x ≤ 1, whole; its optimum is 0.
func tiny() *Model {
	return &Model{
		Variables: []Variable{{Cost: 1, Upper: 1, Integer: true}},
		Rows:      []Row{{Lower: -inf, Upper: 9, Terms: []Term{{0, 1}}}},
	}
}

// What the simplex method calls infeasible, where neither weights nor exact arithmetic
// show it, is not known.
func TestUnprovenInfeasibleIsUnknown(t *testing.T) {
	said := settled(tiny(), None(Finished, Infeasible, ""), exactAnswer{status: Unknown})
	if said.Status != Unknown || said.Reason != Numerical {
		t.Errorf("%v %v, want unknown by numerical trouble", said.Status, said.Reason)
	}
}

// Equations that contradict each other, which no basis of their own can show.
func TestContradictingEquations(t *testing.T) {
	m := &Model{Variables: []Variable{{Upper: math.Inf(1)}, {Upper: math.Inf(1)}}}
	for i := range 50 {
		f := float64(i + 1)
		m.Rows = append(m.Rows, Row{Lower: f, Upper: f, Terms: []Term{{0, f}, {1, f}}})
	}
	m.Rows = append(m.Rows, Row{Lower: 2, Upper: 2, Terms: []Term{{0, 1}, {1, 1}}})
	s, ray, err := newStandard(m)
	if err != nil || s.reduce(t.Context()) {
		t.Fatal(err, "the rows are not seen to contradict each other")
	}
	said, level := s.answer(t.Context(), func() ([]float64, Status, string) { return s.contradicted("so") }, ray)
	if said.Status != Infeasible || level != proven || said.Message != "so" {
		t.Errorf("%v %q, level %d", said.Status, said.Message, level)
	}
}
