package mixes

import "math"

// crossingWeights say by type how much of the work a machine takes at least, if
// it is public, beside what one takes at most, if it is dedicated:
//
//	Σ_public kᵢbᵢvᵢ/Σ bᵢvᵢ ≥ Σ_public kᵢwᵢnᵢ/(Σ wᵢnᵢ + w₀)
type crossingWeights struct {
	of     []float64 // wᵢ, of one machine
	copies []float64 // kᵢ; of all public types the least, but by worth
	more   float64   // w₀
}

// weights finds them. By worth wᵢ is the worth, w₀ is 0 and both sides are one.
//
// In the product form of unlike servers with an idle one chosen at random what a
// server of speed v serves rises with v, and v times as slowly at most: of two
// the share lies between that of their counts and that of their speeds
// ([unlike.Queue.Busy]). For any σ therefore public machines with
// min(v, σ) beside dedicated ones with max(v, σ) take too little; σ is the speed
// at which that is the least.
//
// Machines that come and go, A of the weight of the public ones up, add that to
// the mean of A/(A + D) over the numbers up: with one of type i known to be up,
//
//	E[A/(A + D)] = Σ wᵢnᵢ·E[1/(A + D) | one is up] ≥ Ā/(Ā + D + w₀),  w₀ = max wᵢ(1 − p)/p
//
// By Jensen's inequality, wᵢ being the mean p·m·min(v, σ)/k. More is served
// while more is up, and A/(A + D) then is greater too, so that weighing with
// what is served adds to it; D has all dedicated machines up.
func (l *crossingLimit) weights() *crossingWeights {
	if l.scale != nil {
		return l.scale
	}
	w := &crossingWeights{of: make([]float64, len(l.items)), copies: make([]float64, len(l.items))}
	l.scale = w
	for i := range w.of {
		w.of[i], w.copies[i] = l.items[i].Worth, l.Types[i].Replicas
	}
	if l.model == nil {
		return w
	}
	fewest, sigma := math.Inf(1), l.parting()
	for i := range l.Types {
		if l.Types[i].Public && l.items[i].Most > 0 {
			fewest = math.Min(fewest, l.Types[i].Replicas)
		}
	}
	for i := range l.Types {
		k := &l.model.Kinds[i]
		w.copies[i] = fewest
		if !l.Types[i].Public {
			w.of[i] = math.Max(k.Speed, sigma) / k.PerJob
			continue
		}
		one := math.Min(k.Speed, sigma) / k.PerJob
		w.of[i] = one * k.Up
		if l.items[i].Most > 0 {
			w.more = math.Max(w.more, one*(1-k.Up))
		}
	}
	return w
}

// parting returns the speed σ that loses least, over all pairs of a public and a
// dedicated type.
func (l *crossingLimit) parting() float64 {
	best, least := 1.0, math.Inf(1)
	for _, at := range l.model.Kinds[:len(l.Types)] {
		lost, sigma := 0.0, at.Speed
		for i, public := range l.model.Kinds[:len(l.Types)] {
			for j, dedicated := range l.model.Kinds[:len(l.Types)] {
				if l.Types[i].Public && !l.Types[j].Public {
					lost += math.Log(math.Max(dedicated.Speed, sigma) / math.Min(public.Speed, sigma) *
						math.Min(1, public.Speed/dedicated.Speed))
				}
			}
		}
		if lost < least {
			best, least = sigma, lost
		}
	}
	return best
}
