package lp

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// vertices returns the least objective over all vertices of a minimizing model
// by rational arithmetic, without any method of the package: each choice of as
// many sides as there are variables is solved and tried on all others.
func vertices(m *Model) (best *big.Rat) {
	type side struct {
		a    []*big.Rat
		b    *big.Rat
		less bool
		both bool
	}
	n, sides := len(m.Variables), []side{}
	add := func(a []*big.Rat, lower, upper float64) {
		if lower == upper {
			sides = append(sides, side{a, decimal(lower), false, true})
			return
		}
		if !math.IsInf(lower, -1) {
			sides = append(sides, side{a, decimal(lower), false, false})
		}
		if !math.IsInf(upper, 1) {
			sides = append(sides, side{a, decimal(upper), true, false})
		}
	}
	for j, v := range m.Variables {
		a := make([]*big.Rat, n)
		for k := range a {
			a[k] = new(big.Rat)
		}
		a[j].SetInt64(1)
		add(a, v.Lower, v.Upper)
	}
	for _, r := range m.Rows {
		a := make([]*big.Rat, n)
		for k := range a {
			a[k] = new(big.Rat)
		}
		for _, t := range r.Terms {
			a[t.Variable] = decimal(t.Coefficient)
		}
		add(a, r.Lower, r.Upper)
	}
	dot := func(a, x []*big.Rat) *big.Rat {
		sum := new(big.Rat)
		for k := range a {
			sum.Add(sum, new(big.Rat).Mul(a[k], x[k]))
		}
		return sum
	}
	chosen := make([]int, 0, n)
	var choose func(from int)
	choose = func(from int) {
		if len(chosen) < n {
			for k := from; k < len(sides); k++ {
				chosen = append(chosen, k)
				choose(k + 1)
				chosen = chosen[:len(chosen)-1]
			}
			return
		}
		a := make([][]*big.Rat, n)
		for i, k := range chosen {
			for _, v := range append(sides[k].a[:n:n], sides[k].b) {
				a[i] = append(a[i], new(big.Rat).Set(v))
			}
		}
		x := eliminated(a)
		if x == nil {
			return
		}
		for _, s := range sides {
			c := dot(s.a, x).Cmp(s.b)
			if s.both && c != 0 || !s.both && (s.less && c > 0 || !s.less && c < 0) {
				return
			}
		}
		z := new(big.Rat)
		for j, v := range m.Variables {
			z.Add(z, new(big.Rat).Mul(decimal(v.Cost), x[j]))
		}
		if best == nil || z.Cmp(best) < 0 {
			best = z
		}
	}
	choose(0)
	return best
}

// eliminated solves the system of rows with the right side at the end.
func eliminated(a [][]*big.Rat) []*big.Rat {
	n := len(a)
	for c := range n {
		p := c
		for p < n && a[p][c].Sign() == 0 {
			p++
		}
		if p == n {
			return nil
		}
		a[c], a[p] = a[p], a[c]
		inverse := new(big.Rat).Inv(a[c][c])
		for k := c; k <= n; k++ {
			a[c][k].Mul(a[c][k], inverse)
		}
		for i := range n {
			if i == c || a[i][c].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Set(a[i][c])
			for k := c; k <= n; k++ {
				a[i][k].Sub(a[i][k], new(big.Rat).Mul(f, a[c][k]))
			}
		}
	}
	x := make([]*big.Rat, n)
	for i := range x {
		x[i] = a[i][n]
	}
	return x
}

// badlyScaled is a small program with coefficients ten orders of magnitude apart
// and rows that nearly repeat others, at costs that have a minimum.
func badlyScaled(rng *rand.Rand) *Model {
	n, rows := 2+rng.IntN(3), 1+rng.IntN(4)
	m, point := &Model{}, make([]float64, n)
	for j := range point {
		point[j] = math.Round(50+450*rng.Float64()) / 100
		m.Variables = append(m.Variables, Variable{Cost: 3 * rng.Float64(), Upper: math.Inf(1)})
	}
	for range rows {
		r, at := Row{Lower: math.Inf(-1), Upper: math.Inf(1)}, 0.0
		if len(m.Rows) > 0 && rng.IntN(2) == 0 {
			for _, t := range m.Rows[rng.IntN(len(m.Rows))].Terms {
				t.Coefficient *= 1 + (2*rng.Float64()-1)*math.Pow(10, -6-6*rng.Float64())
				r.Terms = append(r.Terms, t)
			}
		} else {
			for j := range n {
				r.Terms = append(r.Terms, Term{j, (6*rng.Float64() - 1) * math.Pow(10, 10*rng.Float64()-5)})
			}
		}
		for _, t := range r.Terms {
			at += t.Coefficient * point[t.Variable]
		}
		switch rng.IntN(3) {
		case 0:
			r.Lower, r.Upper = at, at
		case 1:
			r.Lower = at
		default:
			r.Upper = at
		}
		m.Rows = append(m.Rows, r)
	}
	return m
}

// An optimum that is given is the one of rational arithmetic, however badly the
// model is scaled; none was found where there is none.
func TestOptimaOfBadScalesAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	given := 0
	models := longtest.Of(300, 1500)
	for n := range models {
		m := badlyScaled(rng)
		sol, err := Go{}.Solve(context.Background(), m, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		best := vertices(m)
		switch {
		case best == nil:
			if sol.Status == Optimal && m.Violation(sol.X) > 1e-9 {
				t.Errorf("model %d: optimal at %v, by rationals nothing is feasible", n, sol.Objective)
			}
		case sol.Status != Optimal:
			t.Errorf("model %d: %s (%s)", n, sol.Status, sol.Message)
		default:
			given++
			want, _ := best.Float64()
			if math.Abs(sol.Objective-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("model %d: %v, by rationals %v", n, sol.Objective, want)
			}
		}
	}
	if given < models*7/15 {
		t.Errorf("only %d of %d models have an optimum", given, models)
	}
}

// nearlyParallel is a model of which solvers in floating point find 8.54 and
// 10.76: three equations that differ in the ninth digit. By rationals it is 16.62.
const nearlyParallel = `Minimize
 cost: +2.8062881058 x0 +2.88097827496 x1 +0.526822135799 x2 +1.75605824638 x3 +1.53935480603 x4 +1.28227553298 x5
Subject To
 r0: -35.6777973920835 x0 +0.0494532042599449 x2 +7.98905572735502e-05 x3 = -77.9279582983169
 r1: -35.6777906534409 x0 +0.0494532042597199 x2 +7.98905572554984e-05 x3 = -77.9279435406906
 r2: -35.6777906534448 x0 +0.049453204259718 x2 +7.9890556574338e-05 x3 = -77.9279435407007
 r3: +643.185512021088 x1 -1058.11500959422 x3 +0.00259833066050681 x5 = -1453.51886152428
End
`

func TestNearlyParallelRows(t *testing.T) {
	m, err := Parse(context.Background(), []byte(nearlyParallel))
	if err != nil {
		t.Fatal(err)
	}
	best, _ := vertices(m).Float64()
	list := []Solver{Go{}}
	for _, e := range Installed() {
		list = append(list, e)
	}
	for _, s := range list {
		sol, err := Run(context.Background(), s, m, Settings{})
		if err != nil {
			t.Errorf("%s: %v", s.Name(), err)
			continue
		}
		if sol.Status == Optimal && math.Abs(sol.Objective-best) > 1e-6*best || s == (Go{}) && sol.Status != Optimal {
			t.Errorf("%s: %s, %v (%s), by rationals %v", s.Name(), sol.Status, sol.Objective, sol.Message, best)
		}
	}
}

// What a backend calls optimal against its own dual values is not believed.
func TestOptimumAgainstItsDuals(t *testing.T) {
	inf := math.Inf(1)
	m := &Model{Variables: []Variable{{Cost: 1, Upper: inf}, {Cost: 2, Upper: inf}},
		Rows: []Row{{Lower: 2, Upper: inf, Terms: []Term{{0, 1}, {1, 1}}}}}
	for _, c := range []struct {
		x, dual []float64
		status  Status
	}{
		{[]float64{2, 0}, []float64{1}, Optimal},
		{[]float64{2, 0}, []float64{0.3}, Optimal}, // bad duals of a good answer
		{[]float64{0, 2}, []float64{2}, Unknown},
		{[]float64{0, 2}, []float64{1}, Unknown},
	} {
		sol := Checked(m, &Solution{Status: Optimal, X: c.x, Dual: c.dual, Bound: math.NaN()}, nil)
		if sol.Status != c.status || (sol.X == nil) != (c.status == Unknown) {
			t.Errorf("%v with the duals %v: %s (%s), want %s", c.x, c.dual, sol.Status, sol.Message, c.status)
		}
	}
}

// The cube of Klee and Minty in 100 dimensions has the maximum 5^100; the simplex
// method in floating point finds no limit.
func TestCubeHasALimit(t *testing.T) {
	m, inf := &Model{Maximize: true}, math.Inf(1)
	for i := range 100 {
		m.Variables = append(m.Variables, Variable{Cost: math.Ldexp(1, 99-i), Upper: inf})
		r := Row{Lower: -inf, Upper: math.Pow(5, float64(i+1)), Terms: []Term{{i, 1}}}
		for j := range i {
			r.Terms = append(r.Terms, Term{j, math.Ldexp(1, i-j+1)})
		}
		m.Rows = append(m.Rows, r)
	}
	sol, err := Run(context.Background(), Go{}, m, Settings{})
	want := math.Pow(5, 100)
	if err != nil || sol.Status != Unknown && (sol.Status != Optimal || math.Abs(sol.Objective-want) > 1e-6*want) {
		t.Errorf("%+v, %v, want 5^100 or nothing", sol, err)
	}
}

// Sizes beyond exact arithmetic are said, not waited for.
func TestExactGivesUp(t *testing.T) {
	m := &Model{}
	for j := range 1100 {
		m.Variables = append(m.Variables, Variable{Cost: 1, Upper: 1})
		m.Rows = append(m.Rows, Row{Lower: 0.5, Upper: 9, Terms: []Term{{j, 1}, {(j + 1) % 2, 3}}})
		if j < 2 {
			m.Rows[j].Terms = []Term{{j, 1}}
		}
	}
	if a := exactly(context.Background(), m); a.status != Unknown {
		t.Errorf("%d rows: %s", len(m.Rows), a.status)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m.Variables, m.Rows = m.Variables[:4], m.Rows[:4]
	if a := exactly(ctx, m); a.status != Unknown {
		t.Errorf("ended context: %s", a.status)
	}
	if a := exactly(context.Background(), m); a.status != Optimal || fmt.Sprint(a.x) == "" {
		t.Errorf("four rows: %+v", a)
	}
}

// Variables of no row count too: what is too large for exact arithmetic is not written as
// fractions first.
func TestTooLargeIsNotBegun(t *testing.T) {
	m := &Model{Variables: make([]Variable, 300_000)}
	for j := range m.Variables {
		m.Variables[j] = Variable{Lower: -1, Upper: 7}
	}
	made := 0
	for _, b := range newExactForm(m).back {
		if b.base != nil {
			made++
		}
	}
	if made > 1000 {
		t.Errorf("%d variables were made", made)
	}
	if a := exactly(t.Context(), m); a.status != Unknown {
		t.Errorf("%v, want unknown", a.status)
	}
	m.Variables[len(m.Variables)-1].Upper = -2
	if a := exactly(t.Context(), m); a.status != Infeasible {
		t.Errorf("%v, want infeasible", a.status)
	}
}
