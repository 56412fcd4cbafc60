package planner

import (
	"math"

	"github.com/capplan/capplan/internal/cover"
)

// publicWorth returns what a mix is worth, and the share of it that is public.
func publicWorth(types []machine, items []cover.Item, counts []int64) (worth, share float64) {
	public := 0.0
	for i, n := range counts {
		w := items[i].Worth * float64(n)
		if worth += w; types[i].Kind == Public {
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
	if l.crossing.public == nil {
		return true
	}
	public, dedicated := 0.0, 0.0
	for i := range least {
		if l.types[i].public {
			public += l.items[i].Worth * float64(least[i])
		} else {
			dedicated += l.items[i].Worth * float64(most[i])
		}
	}
	return public <= *l.crossing.public*(public+dedicated)*(1+1e-12)
}

// share states the same as a linear bound,
//
//	(1 − s)·Σ_public wᵢnᵢ − s·Σ_dedicated wᵢnᵢ ≤ 0
func (l *crossingLimit) share(r *cover.Relaxed) {
	if l.crossing.public == nil {
		return
	}
	r.Weight, r.Most = make([]float64, len(l.items)), 0
	for i, it := range l.items {
		r.Most = math.Max(r.Most, 1e-9*it.Worth) // what rounding may take
		if r.Weight[i] = -*l.crossing.public * it.Worth; l.types[i].public {
			r.Weight[i] += it.Worth
		}
	}
}

// shared reports whether a mix keeps to the share that may be public, at the most
// likely figures.
func (p *planning) shared(base []cover.Item, counts []int64) bool {
	return p.crossing == nil || (&crossingLimit{crossing: p.crossing, items: base}).sharing(counts, counts)
}
