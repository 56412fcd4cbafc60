package lptest

import (
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/lp"
)

var inf = math.Inf(1)

// terms makes a row of pairs of variable and coefficient.
func terms(pairs ...float64) []lp.Term {
	var list []lp.Term
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, lp.Term{Variable: int(pairs[i]), Coefficient: pairs[i+1]})
	}
	return list
}

// models have answers known by hand.
var models = []struct {
	name      string
	model     lp.Model
	status    []lp.Status // any of these
	objective float64
	dual      []float64 // where the backend has one; nil when it is not unique
}{
	{"two rows", lp.Model{Maximize: true, Variables: []lp.Variable{{Cost: 3, Upper: inf}, {Cost: 2, Upper: inf}},
		Rows: []lp.Row{{Lower: -inf, Upper: 4, Terms: terms(0, 1, 1, 1)},
			{Lower: -inf, Upper: 7, Terms: terms(0, 1, 1, 3)}, {Lower: -inf, Upper: 3, Terms: terms(0, 1)}}},
		[]lp.Status{lp.Optimal}, 11, []float64{2, 0, 1}},
	{"minimize with an offset", lp.Model{
		Offset:    10,
		Variables: []lp.Variable{{Cost: 1, Upper: inf}, {Cost: 2, Upper: inf}},
		Rows:      []lp.Row{{Lower: 2, Upper: inf, Terms: terms(0, 1, 1, 1)}}},
		[]lp.Status{lp.Optimal},
		12,
		[]float64{1}},
	{"range", lp.Model{Maximize: true, Variables: []lp.Variable{{Cost: 1, Lower: -inf, Upper: inf}},
		Rows: []lp.Row{{Lower: -2, Upper: 5, Terms: terms(0, 2)}}}, []lp.Status{lp.Optimal}, 2.5, []float64{0.5}},
	{"free and negative", lp.Model{
		Variables: []lp.Variable{{Cost: 1, Lower: -inf, Upper: inf}, {Cost: 1, Lower: -4, Upper: -1}},
		Rows:      []lp.Row{{Lower: -6, Upper: inf, Terms: terms(0, 1, 1, -1)}}}, []lp.Status{lp.Optimal}, -14, nil},
	{"equation", lp.Model{Variables: []lp.Variable{{Cost: 1, Upper: inf}, {Cost: 3, Upper: 2}},
		Rows: []lp.Row{{Lower: 3, Upper: 3, Terms: terms(0, 1, 1, 2)}}}, []lp.Status{lp.Optimal}, 3, []float64{1}},
	{"square", lp.Model{Variables: []lp.Variable{{Cost: 1, Upper: inf}, {Cost: 1, Upper: inf}},
		Rows: []lp.Row{{Lower: 3, Upper: 3, Terms: terms(0, 1, 1, 1)},
			{Lower: 1, Upper: 1, Terms: terms(0, 1, 1, -1)}}}, []lp.Status{lp.Optimal}, 3, nil},
	{"redundant equations", lp.Model{
		Variables: []lp.Variable{{Cost: 1, Upper: inf}, {Cost: 2, Upper: inf}, {Cost: 0, Upper: inf}},
		Rows: []lp.Row{{Lower: 3, Upper: 3, Terms: terms(0, 1, 1, 1)},
			{Lower: 6, Upper: 6, Terms: terms(0, 2, 1, 2)},
			{Lower: 5, Upper: 5, Terms: terms(0, 1, 1, 1, 2, 1)}}}, []lp.Status{lp.Optimal}, 3, nil},
	{"degenerate (Beale)", lp.Model{Variables: []lp.Variable{{Cost: -0.75, Upper: inf}, {Cost: 150, Upper: inf},
		{Cost: -0.02, Upper: inf}, {Cost: 6, Upper: inf}},
		Rows: []lp.Row{{Lower: -inf, Upper: 0, Terms: terms(0, 0.25, 1, -60, 2, -0.04, 3, 9)},
			{Lower: -inf, Upper: 0, Terms: terms(0, 0.5, 1, -90, 2, -0.02, 3, 3)},
			{Lower: -inf, Upper: 1, Terms: terms(2, 1)}}}, []lp.Status{lp.Optimal}, -0.05, nil},
	{"fixed variable", lp.Model{Variables: []lp.Variable{{Cost: 2, Lower: 3, Upper: 3}, {Cost: 1, Upper: inf}},
		Rows: []lp.Row{{Lower: 5, Upper: inf, Terms: terms(0, 1, 1, 1)}}}, []lp.Status{lp.Optimal}, 8, []float64{1}},
	{"bounds only", lp.Model{Maximize: true, Variables: []lp.Variable{{Cost: 2, Lower: -1, Upper: 3},
		{Cost: -1, Lower: -2, Upper: 5}}}, []lp.Status{lp.Optimal}, 8, nil},
	{"no objective",
		lp.Model{Variables: []lp.Variable{{Upper: inf}}, Rows: []lp.Row{{Lower: 1, Upper: 2, Terms: terms(0, 1)}}},
		[]lp.Status{lp.Optimal}, 0, nil},
	{"empty", lp.Model{Offset: 4}, []lp.Status{lp.Optimal}, 4, nil},
	{"infeasible rows", lp.Model{Variables: []lp.Variable{{Cost: 1, Upper: inf}},
		Rows: []lp.Row{{Lower: 2, Upper: inf, Terms: terms(0, 1)}, {Lower: -inf, Upper: 1, Terms: terms(0, 1)}}},
		[]lp.Status{lp.Infeasible, lp.InfeasibleOrUnbounded},
		0,
		nil},
	{"infeasible equations", lp.Model{Variables: []lp.Variable{{Cost: 1, Upper: inf}, {Cost: 1, Upper: inf}},
		Rows: []lp.Row{{Lower: 3, Upper: 3, Terms: terms(0, 1, 1, 1)}, {Lower: 7, Upper: 7, Terms: terms(0, 2, 1, 2)}}},
		[]lp.Status{lp.Infeasible, lp.InfeasibleOrUnbounded},
		0,
		nil},
	{"infeasible bounds",
		lp.Model{Variables: []lp.Variable{{Cost: 1, Lower: 2, Upper: 1}}}, []lp.Status{lp.Infeasible}, 0, nil},
	{"infeasible empty row",
		lp.Model{Variables: []lp.Variable{{Cost: 1, Upper: 1}}, Rows: []lp.Row{{Lower: 1, Upper: 2}}},
		[]lp.Status{lp.Infeasible}, 0, nil},
	{"unbounded", lp.Model{Maximize: true, Variables: []lp.Variable{{Cost: 1, Upper: inf}, {Cost: 0, Upper: inf}},
		Rows: []lp.Row{{Lower: -inf, Upper: 1, Terms: terms(0, 1, 1, -1)}}},
		[]lp.Status{lp.Unbounded, lp.InfeasibleOrUnbounded},
		0,
		nil},
	{"unbounded without rows", lp.Model{Variables: []lp.Variable{{Cost: -1, Upper: inf}, {Cost: 1, Upper: 2}},
		Rows: []lp.Row{{Lower: 1, Upper: inf, Terms: terms(1, 1)}}},
		[]lp.Status{lp.Unbounded, lp.InfeasibleOrUnbounded},
		0,
		nil},
	{"knapsack", lp.Model{Maximize: true, Variables: []lp.Variable{{Cost: 10, Upper: 1, Integer: true},
		{Cost: 13, Upper: 1, Integer: true}, {Cost: 7, Upper: 1, Integer: true}, {Cost: 8, Upper: 1, Integer: true}},
		Rows: []lp.Row{{Lower: -inf, Upper: 10, Terms: terms(0, 5, 1, 7, 2, 4, 3, 3)}}},
		[]lp.Status{lp.Optimal},
		21,
		nil},
	{"general integers", lp.Model{
		Maximize:  true,
		Variables: []lp.Variable{{Cost: 5, Upper: inf, Integer: true}, {Cost: 4, Upper: inf, Integer: true}},
		Rows: []lp.Row{{Lower: -inf, Upper: 24, Terms: terms(0, 6, 1, 4)},
			{Lower: -inf, Upper: 6, Terms: terms(0, 1, 1, 2)}}}, []lp.Status{lp.Optimal}, 20, nil},
	{"mixed", lp.Model{Variables: []lp.Variable{{Cost: 1, Upper: inf, Integer: true}, {Cost: 0.4, Upper: inf}},
		Rows: []lp.Row{{Lower: 3.5, Upper: inf, Terms: terms(0, 1, 1, 0.3)}}},
		[]lp.Status{lp.Optimal},
		3 + 0.4*0.5/0.3,
		nil},
	{"no whole number", lp.Model{Variables: []lp.Variable{{Cost: 1, Upper: 10, Integer: true}},
		Rows: []lp.Row{{Lower: 2.2, Upper: 2.8, Terms: terms(0, 1)}}}, []lp.Status{lp.Infeasible}, 0, nil},
	{"no whole multiple", lp.Model{
		Variables: []lp.Variable{{Cost: 1, Upper: 1e9, Integer: true}, {Upper: 1e9, Integer: true}},
		Rows:      []lp.Row{{Lower: 1, Upper: 1, Terms: terms(0, 2, 1, -2)}}}, []lp.Status{lp.Infeasible}, 0, nil},
	{"bounds between whole numbers", lp.Model{
		Maximize:  true,
		Variables: []lp.Variable{{Cost: 1, Lower: 0.5, Upper: 2.5, Integer: true}},
		Rows:      []lp.Row{{Lower: -inf, Upper: 9, Terms: terms(0, 1)}}}, []lp.Status{lp.Optimal}, 2, nil},
}

// assignment puts n people to n jobs, at the cost (i+1)(j+1): best is the
// greatest with the least. All bases are degenerate.
func assignment(n int, integer bool) (m *lp.Model, least float64) {
	m = &lp.Model{Rows: make([]lp.Row, 2*n)}
	for i := range n {
		least += float64((i + 1) * (n - i))
		m.Rows[i], m.Rows[n+i] = lp.Row{Lower: 1, Upper: 1}, lp.Row{Lower: 1, Upper: 1}
	}
	for i := range n {
		for j := range n {
			v := len(m.Variables)
			m.Variables = append(m.Variables,
				lp.Variable{Cost: float64((i + 1) * (j + 1)), Upper: inf, Integer: integer})
			m.Rows[i].Terms = append(m.Rows[i].Terms, lp.Term{Variable: v, Coefficient: 1})
			m.Rows[n+j].Terms = append(m.Rows[n+j].Terms, lp.Term{Variable: v, Coefficient: 1})
		}
	}
	return m, least
}

// marketSplit is a small model that no branch and bound finishes in seconds
// (Cornuejols, Dawande 1998): split the demand of retailers in halves for
// several products at once. start is a feasible vector.
func marketSplit() (m *lp.Model, start []float64) {
	const products, retailers = 5, 40
	rng := rand.New(rand.NewPCG(3, 4))
	m = &lp.Model{Variables: make([]lp.Variable, retailers+2*products)}
	for j := range m.Variables {
		m.Variables[j] = lp.Variable{Cost: 1, Upper: inf}
		if j < retailers {
			m.Variables[j] = lp.Variable{Upper: 1, Integer: true}
		}
	}
	start = make([]float64, len(m.Variables))
	for i := range products {
		r, total := lp.Row{}, 0.0
		for j := range retailers {
			a := float64(rng.IntN(100))
			total += a
			r.Terms = append(r.Terms, lp.Term{Variable: j, Coefficient: a})
		}
		over := retailers + 2*i
		r.Terms = append(r.Terms, lp.Term{Variable: over, Coefficient: 1}, lp.Term{Variable: over + 1, Coefficient: -1})
		r.Lower = math.Floor(total / 2)
		r.Upper = r.Lower
		start[over] = r.Lower
		m.Rows = append(m.Rows, r)
	}
	return m, start
}

// Random is a small program with a known feasible point.
func Random(rng *rand.Rand, integer bool) *lp.Model {
	n, rows := 2+rng.IntN(4), 1+rng.IntN(4)
	m := &lp.Model{Maximize: rng.IntN(2) == 0}
	point := make([]float64, n)
	for j := range point {
		point[j] = float64(rng.IntN(6))
		m.Variables = append(m.Variables,
			lp.Variable{Cost: float64(rng.IntN(21) - 10), Lower: 0, Upper: 6, Integer: integer})
	}
	for range rows {
		r := lp.Row{Lower: -inf, Upper: inf}
		at := 0.0
		for j := range n {
			if a := float64(rng.IntN(9) - 4); a != 0 {
				r.Terms = append(r.Terms, lp.Term{Variable: j, Coefficient: a})
				at += a * point[j]
			}
		}
		switch rng.IntN(4) {
		case 0:
			r.Lower, r.Upper = at, at
		case 1:
			r.Lower = at - float64(rng.IntN(4))
		case 2:
			r.Upper = at + float64(rng.IntN(4))
		default:
			r.Lower, r.Upper = at-2, at+3
		}
		m.Rows = append(m.Rows, r)
	}
	return m
}
