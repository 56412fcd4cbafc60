package lp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// Without the greatest common divisors of the rows branch and bound goes through as many
// values as the bounds allow on each of these; the limit is an eighth of what a run may take.
func TestDivisorsEndSearch(t *testing.T) {
	for _, c := range []struct {
		objective, row, bounds string
		want                   Status
		z                      float64
	}{
		{"min\n obj: x", "2 x - 2 y = 1", "x <= 1e9\n y <= 1e9", Infeasible, 0},
		{"min\n obj: x", "6 x - 4 y + 10 z = 3", "", Infeasible, 0},
		{"max\n obj: x - y", "0.2 x - 0.2 y = 0.1", "x <= 1e9\n y <= 1e9", Infeasible, 0},
		{"max\n obj: x", "2 x - 2 y = 99\n d: x + y <= 1e9", "", Infeasible, 0},
		{"max\n obj: x + y", "2 x + 2 y <= 3", "x free\n y free", Optimal, 1},
		{"min\n obj: x - y", "4 x - 4 y >= -7", "x free\n y free", Optimal, -1},
		{"max\n obj: x", "10 x - 2 y <= 1\n d: y <= 1e9", "", Optimal, 200_000_000},
	} {
		text := c.objective + "\nst\n c: " + c.row + "\nbounds\n " + c.bounds + "\ngeneral\n x y z\nend\n"
		m, err := ReadLP(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		s, err := (Go{}).Solve(t.Context(), m, Settings{TimeLimit: time.Second})
		if err != nil || s.Status != c.want || s.Status == Optimal && math.Abs(s.Objective-c.z) > 1e-6 {
			t.Errorf("%s: %+v, %v", text, s, err)
		}
	}
}

// Numbers at the ends of what a float64 holds are no trouble.
func TestDivisorsOfExtremes(t *testing.T) {
	numbers := []float64{math.Inf(-1), -math.MaxFloat64, -1, -5e-324, 0, 5e-324, 1e-300, 3, 1e300, math.MaxFloat64,
		math.Inf(1)}
	for _, a := range numbers[1 : len(numbers)-1] {
		for _, b := range numbers[1 : len(numbers)-1] {
			for i, lower := range numbers[:len(numbers)-1] {
				for _, upper := range numbers[max(i, 1):] {
					m := &Model{Variables: []Variable{{Integer: true}, {Integer: true}},
						Rows: []Row{{Lower: lower, Upper: upper, Terms: []Term{{0, a}, {1, b}}}}}
					for _, slack := range []float64{0, tolerance} {
						if none := m.tightened(slack); none != "" && lower <= 0 && upper >= 0 {
							t.Fatalf("%+v: %s", m, none)
						}
						if r := m.Rows[0]; !(r.Lower >= lower && r.Upper <= upper) {
							t.Fatalf("%g to %g: %+v", lower, upper, r)
						}
					}
				}
			}
		}
	}
}

// Tightened rows keep every vector of whole numbers that kept to them before, with numbers as
// they are written and as they are rounded, and the search finds the best of them.
func TestDivisorsKeepPoints(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 6))
	scales := [][2]float64{{1, 1}, {2, 1}, {3, 1}, {1, 10}, {7, 10}, {12, 1}, {1, 3}}
	seen := map[Status]int{}
	for range 2000 {
		m, rounded := &Model{}, false
		for range 1 + random.IntN(3) {
			m.Variables = append(m.Variables, Variable{Cost: float64(random.IntN(7) - 3), Lower: -3, Upper: 3, Integer: true})
		}
		for range 1 + random.IntN(2) {
			scale := scales[random.IntN(len(scales))]
			rounded = rounded || scale[1] == 3
			r := Row{Lower: scale[0] * float64(random.IntN(21)-10) / (2 * scale[1]), Upper: math.Inf(1)}
			for j := range m.Variables {
				r.Terms = append(r.Terms, Term{Variable: j, Coefficient: scale[0] * float64(random.IntN(13)-6) / scale[1]})
			}
			switch random.IntN(3) {
			case 0:
				r.Upper = r.Lower
			case 1:
				r.Lower, r.Upper = math.Inf(-1), r.Lower
			}
			m.Rows = append(m.Rows, r)
		}
		before, tight := slices.Clone(m.Rows), *m
		contradiction := tight.tightened(tolerance)
		if !slices.EqualFunc(m.Rows, before, func(a, b Row) bool { return a.Lower == b.Lower && a.Upper == b.Upper }) {
			t.Fatal("the model was changed")
		}
		best, x := math.Inf(1), make([]float64, len(m.Variables))
		for code := range 343 {
			for j := range x {
				x[j], code = float64(code%7-3), code/7
			}
			if m.Violation(x) > 1e-9 {
				continue
			}
			if best = min(best, m.Objective(x)); contradiction != "" || tight.Violation(x) > 1e-6 {
				t.Fatalf("%+v: %v is lost: %q, %+v", m, x, contradiction, tight.Rows)
			}
		}
		if rounded { // of which the search gives the best that keeps to it as it is written
			continue
		}
		s, err := (Go{}).Solve(context.Background(), m, Settings{})
		if err != nil || (s.Status == Infeasible) != math.IsInf(best, 1) ||
			s.Status == Optimal && math.Abs(s.Objective-best) > 1e-6 {
			t.Fatalf("%+v: %+v, %v, want %g", m, s, err, best)
		}
		seen[s.Status]++
	}
	if seen[Optimal] < 500 || seen[Infeasible] < 300 {
		t.Error(seen)
	}
}
