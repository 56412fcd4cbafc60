package mixes

import (
	"math"

	"github.com/capplan/capplan/internal/cover"
)

// PublicWorth returns what a mix is worth, and the share of it that is public.
func PublicWorth(items []cover.Item, counts []int64) (worth, share float64) {
	public := 0.0
	for i, n := range counts {
		w := items[i].Worth * float64(n)
		if worth += w; !items[i].Counted {
			public += w
		}
	}
	if worth == 0 {
		return 0, 0
	}
	return worth, public / worth
}

// sharing reports whether mixes between two ends may keep to the share of the
// worth that may be public: the least public machines beside the most others do.
func (l *crossingLimit) sharing(least, most []int64) bool {
	if l.Crossing.Public == nil {
		return true
	}
	public, dedicated := 0.0, 0.0
	for i := range least {
		if l.Types[i].Public {
			public += l.items[i].Worth * float64(least[i])
		} else {
			dedicated += l.items[i].Worth * float64(most[i])
		}
	}
	return public <= *l.Crossing.Public*(public+dedicated)*(1+1e-12)
}

// share states the same as a linear bound,
//
//	(1 − s)·Σ_public wᵢnᵢ − s·Σ_dedicated wᵢnᵢ ≤ 0
func (l *crossingLimit) share(r *cover.Relaxed) {
	if l.Crossing.Public == nil {
		return
	}
	r.Weight, r.Most = make([]float64, len(l.items)), 0
	for i, it := range l.items {
		r.Most = math.Max(r.Most, 1e-9*it.Worth) // what rounding may take
		if r.Weight[i] = -*l.Crossing.Public * it.Worth; l.Types[i].Public {
			r.Weight[i] += it.Worth
		}
	}
}
