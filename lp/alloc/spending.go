package alloc

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
)

// leastSpending returns a bound from below on what the required jobs cost at their least
// levels, which every assignment pays at least: the greatest of
//
//	pooled:   the cheapest units of each dependency, as many as are demanded
//	apart:    Σ_k D_k · min π_j over the resources j that hold D_k and that job k may use
//	together: min Σ π_j D_k x_jk, Σ_j x_jk = 1, Σ_k D_k x_jk ≤ C_j, job k on such j only
//
// The third, with pools of alike resources, is at least the other two but for the limits of
// its work and of the number of pools; it is left out where the dearest such resources are
// within the budget, as then the bound on spending rules nothing out. Demands rise from level
// to level, so that no other level costs less.
func (s *System) leastSpending(ctx context.Context, pooled *dual) float64 {
	least := pooled.least().row[pooled.rows-1]
	apart, dearest := 0.0, 0.0
	for d := range s.deps {
		low, high := s.apart(d)
		apart += low
		dearest += high
	}
	if least = math.Max(least, apart); least > pooled.budget*(1+1e-12) || dearest <= pooled.budget {
		return least
	}
	return math.Max(least, s.together(ctx))
}

// apart returns what the required jobs of a dependency cost at least, and at most, at their
// least levels as if each were alone.
func (s *System) apart(at int) (low, high float64) {
	p := s.deps[at].primaryProblem()
	if p.price == nil {
		return 0, 0
	}
	// From the largest bin on, the least and the greatest price so far.
	type reach struct {
		cap       int64
		low, high float64
	}
	var reaches []reach
	line := p.byPrice()
	slices.SortStableFunc(line, func(a, b int32) int { return cmp.Compare(p.cap[b], p.cap[a]) })
	for _, j := range line {
		r := reach{p.cap[j], p.price[j], p.price[j]}
		if n := len(reaches); n > 0 {
			r.low, r.high = math.Min(r.low, reaches[n-1].low), math.Max(r.high, reaches[n-1].high)
		}
		reaches = append(reaches, r)
	}
	for k, b := range s.deps[at].job {
		if s.optional != nil && s.optional[b] {
			continue
		}
		need := p.dem[p.first[k]]
		least, most := math.Inf(1), 0.0
		if p.sites == nil || p.sites[k] == nil {
			n := sort.Search(len(reaches), func(i int) bool { return reaches[i].cap < need })
			if n > 0 {
				least, most = reaches[n-1].low, reaches[n-1].high
			}
		} else {
			for _, j := range p.sites[k] {
				if p.cap[j] >= need {
					least, most = math.Min(least, p.price[j]), math.Max(most, p.price[j])
				}
			}
		}
		if !math.IsInf(least, 1) { // that it fits nowhere is said elsewhere
			low += float64(need) * least
			high += float64(need) * most
		}
	}
	return low, high
}

// together returns the value of the linear program over the required jobs at their least
// levels, from below: a batch of these jobs and levels that earn nothing has net revenue
// −spending, and what the Lagrangian says of it is a bound however its search ends.
func (s *System) together(ctx context.Context) float64 {
	total := 0.0
	for d := range s.deps {
		p := *s.deps[d].primaryProblem()
		if p.price == nil {
			continue
		}
		p.last = make([]int32, len(p.first))
		for k, l := range p.first {
			p.last[k] = l + 1
		}
		p.rev = make([]int64, len(p.rev))
		u := newDual(s, []int{d}, []*problem{&p}, true)
		u.barred = s.optional
		if bound := u.solve(ctx, nil, dualWork/20).bound; bound < 0 {
			total -= bound * (1 - 1e-9) // rounding of its sums
		}
	}
	return total
}
