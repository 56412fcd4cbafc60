package reliability

import (
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
)

// A Machine of a pool is up independently of the others.
type Machine struct {
	Availability float64 // 0..1
	Cost         float64 // >= 0, in any unit
}

// A Selection is the cheapest set of machines found that keeps at least one
// up with the probability asked for.
type Selection struct {
	Chosen         []int   // indices into the pool, ascending
	Cost           float64 // their cost
	Availability   float64 // 1 - Π (1-A_i) over them
	Unavailability float64 // Π (1-A_i)
	LowerBound     float64 // no set that meets the target costs less
	Gap            float64 // (Cost - LowerBound) / Cost, 0 if Exact
	Exact          bool    // Cost is proved least
}

// exactPool is the greatest pool solved exactly: 2·2^15 half sets.
const exactPool = 30

// CheapestPool chooses machines so that at least one is up with probability P
// = target at the least cost:
//
//	minimise Σ c_i x_i   subject to   Σ w_i x_i >= W,   x_i in {0, 1},
//	w_i = -log(1-A_i),   W = -log(1-P),
//
// a covering knapsack. Up to 30 machines the answer is exact, by listing the
// sets of either half and matching them (Horowitz & Sahni 1974): time
// 2^15 log 2^15. Beyond, machines are taken by falling w/c and the 30 about
// the break are settled exactly; LowerBound is then the linear relaxation and
// Gap what remains open. Equal costs are settled by fewer machines, then by
// the earliest indices, so that the answer depends on the pool alone; costs
// with up to nine decimals are compared exactly.
//
// Domain: 0 < P < 1, P = 1 returns ErrNoFiniteCount unless some machine has
// availability 1. A pool that falls short returns an *AvailabilityError with
// the greatest availability it reaches. Rounding of P, and here of the A_i, is
// treated as in [Replicas].
func CheapestPool(pool []Machine, target float64) (Selection, error) {
	const fn = "CheapestPool"
	if len(pool) == 0 {
		return Selection{}, &DomainError{fn, "pool", 0, "at least one machine"}
	}
	weights := make([]float64, len(pool))
	perfect, totalCost := false, 0.0
	for i, m := range pool {
		if err := all(fraction(fn, fmt.Sprintf("pool[%d].Availability", i), m.Availability),
			nonNegative(fn, fmt.Sprintf("pool[%d].Cost", i), m.Cost)); err != nil {
			return Selection{}, err
		}
		weights[i] = -math.Log1p(-m.Availability)
		if m.Availability < 1 {
			weights[i] += targetSlack(m.Availability)
		}
		perfect = perfect || m.Availability == 1
		totalCost += m.Cost
	}
	if math.IsInf(totalCost, 0) {
		return Selection{}, &DomainError{fn, "pool[].Cost", totalCost, "a finite sum"}
	}
	if target != 1 || !perfect {
		if err := checkTarget(fn, target); err != nil {
			return Selection{}, err
		}
	}
	need := 1.0
	if target < 1 {
		need = -math.Log1p(-target)
		need -= math.Min(targetSlack(target)+need*0x1p-48, need/100)
	}
	// A weight beyond the need counts no further: valid for covering, and it
	// keeps infinite weights finite. If P = 1 only perfect machines count.
	total := 0.0
	if target == 1 {
		for i, w := range weights {
			if !math.IsInf(w, 1) {
				weights[i] = 0
			}
		}
	}
	for i := range weights {
		weights[i] = math.Min(weights[i], need)
		total += weights[i]
	}
	if total < need {
		q := unavailabilityOf(pool, nil)
		return Selection{}, &AvailabilityError{fn, target, 1 - q, q, "the whole pool does not reach it"}
	}
	c := cover{weights: weights, costs: comparableCosts(pool), need: need}
	items := numeric.Indices[int](len(pool))
	var s Selection
	if len(pool) <= exactPool {
		s.Chosen, s.Exact = c.exact(items, nil), true
	} else {
		s.Chosen = c.bounded(items)
	}
	slices.Sort(s.Chosen)
	for _, i := range s.Chosen {
		s.Cost += pool[i].Cost
	}
	s.Unavailability = unavailabilityOf(pool, s.Chosen)
	s.Availability = 1 - s.Unavailability
	s.LowerBound = s.Cost
	if !s.Exact {
		s.LowerBound = math.Min(s.Cost, c.relaxation(items)/c.scale(pool))
		if s.Cost > 0 {
			s.Gap = (s.Cost - s.LowerBound) / s.Cost
		}
		s.Exact = s.Gap == 0
	}
	return s, nil
}

// unavailabilityOf returns Π (1-A_i) over the chosen machines, nil for all.
func unavailabilityOf(pool []Machine, chosen []int) float64 {
	q := 1.0
	if chosen == nil {
		for _, m := range pool {
			q *= 1 - m.Availability
		}
	}
	for _, i := range chosen {
		q *= 1 - pool[i].Availability
	}
	return q
}

// comparableCosts returns the costs times the least power of ten that makes
// them whole numbers with exact sums, or unscaled where there is none.
func comparableCosts(pool []Machine) []float64 {
	out := make([]float64, len(pool))
	for scale := 1.0; scale <= 1e9; scale *= 10 {
		sum, whole := 0.0, true
		for i, m := range pool {
			out[i] = math.Round(m.Cost * scale)
			sum += out[i]
			whole = whole && math.Abs(out[i]-m.Cost*scale) <= 1e-12*m.Cost*scale
		}
		if whole && sum < 1<<53 {
			return out
		}
	}
	for i, m := range pool {
		out[i] = m.Cost
	}
	return out
}
