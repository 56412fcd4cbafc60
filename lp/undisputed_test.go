package lp

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
)

// hostileInteger is a badly scaled model in whole numbers of 0 to 4, some of whose
// rows hardly differ; now and then a variable is not integer.
func hostileInteger(rng *rand.Rand) *Model {
	m := badlyScaled(rng)
	point := make([]float64, len(m.Variables))
	for j := range m.Variables {
		v := &m.Variables[j]
		v.Upper, v.Integer = 4, true
		v.Cost = math.Round(v.Cost*100) / 100 * math.Pow(10, float64(rng.IntN(5)))
		if rng.IntN(2) == 0 {
			v.Cost = -v.Cost
		}
		point[j] = float64(rng.IntN(5))
	}
	for i := range m.Rows {
		r, at := &m.Rows[i], 0.0
		for _, t := range r.Terms {
			at += t.Coefficient * point[t.Variable]
		}
		at *= 1 + (2*rng.Float64()-1)*math.Pow(10, -6-6*rng.Float64())
		r.Lower, r.Upper = math.Inf(-1), at
		if rng.IntN(2) == 0 {
			r.Lower, r.Upper = at, math.Inf(1)
		}
	}
	m.Maximize = rng.IntN(2) == 0
	return m
}

// enumerated returns the best objective over all whole numbers, by rational arithmetic.
func enumerated(m *Model) (best *big.Rat) {
	x := make([]int64, len(m.Variables))
	sum := func(terms []Term) *big.Rat {
		s := new(big.Rat)
		for _, t := range terms {
			s.Add(s, new(big.Rat).Mul(decimal(t.Coefficient), big.NewRat(x[t.Variable], 1)))
		}
		return s
	}
	cost := make([]Term, len(m.Variables))
	for j, v := range m.Variables {
		cost[j] = Term{j, v.Cost}
	}
	var walk func(j int)
	walk = func(j int) {
		if j < len(x) {
			for x[j] = 0; x[j] <= 4; x[j]++ {
				walk(j + 1)
			}
			return
		}
		for _, r := range m.Rows {
			s := sum(r.Terms)
			if !math.IsInf(r.Lower, -1) && s.Cmp(decimal(r.Lower)) < 0 || !math.IsInf(r.Upper, 1) && s.Cmp(decimal(r.Upper)) > 0 {
				return
			}
		}
		if z := sum(cost); best == nil || m.Maximize == (z.Cmp(best) > 0) && z.Cmp(best) != 0 {
			best = z
		}
	}
	walk(0)
	return best
}

// What any solver calls optimal of a hostile model is the optimum of rational
// arithmetic; what it calls infeasible has no solution.
func TestNoSolverIsWrong(t *testing.T) {
	models := longtest.Of(20, longtest.Part(300, 6))
	list := []Solver{Go{}}
	for _, e := range Installed() {
		list = append(list, e)
	}
	for _, integer := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(2611, 23))
		counts := map[string]map[Status]int{}
		for n := range models {
			var m *Model
			var best *big.Rat
			if integer {
				m = hostileInteger(rng)
				best = enumerated(m)
			} else {
				m = badlyScaled(rng)
				best = vertices(m)
			}
			for _, s := range list {
				sol, err := Run(context.Background(), s, m, Settings{TimeLimit: 3 * time.Second})
				if err != nil {
					t.Logf("model %d: %s: %v", n, s.Name(), err)
					continue
				}
				if counts[s.Name()] == nil {
					counts[s.Name()] = map[Status]int{}
				}
				counts[s.Name()][sol.Status]++
				switch {
				case best == nil:
					if sol.Status == Optimal && m.Violation(sol.X) > 1e-9 || sol.Status == Unbounded {
						t.Errorf("integer %v, model %d: %s: %s at %v, by rationals nothing is feasible",
							integer, n, s.Name(), sol.Status, sol.Objective)
					}
				case sol.Status == Optimal:
					want, _ := best.Float64()
					if math.Abs(sol.Objective-want) > 1e-6*(1+math.Abs(want)) {
						t.Errorf("integer %v, model %d: %s: %v (by %s), by rationals %v",
							integer, n, s.Name(), sol.Objective, sol.Proof, want)
					}
				case sol.Status != Unknown && sol.Status != Feasible:
					t.Errorf("integer %v, model %d: %s: %s (%s), by rationals %v",
						integer, n, s.Name(), sol.Status, sol.Message, best.FloatString(6))
				case s == Go{}:
					t.Errorf("integer %v, model %d: %s: %s (%s)", integer, n, s.Name(), sol.Status, sol.Message)
				}
			}
		}
		t.Logf("integer %v: %v", integer, counts)
	}
}
