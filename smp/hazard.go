package smp

import (
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
)

// A Hazard says how sojourns in From go on at one age: of those that have
// lasted Age − 1 steps, the share Exit[j] goes to j at age Age, and Stay lasts
// longer. It is d_ij(l)/n_i(l) of [EstimateCensored].
type Hazard struct {
	From, Age int
	Exit      []float64 // by state
	Stay      float64   // 1 − Σ Exit, counted on its own
}

// Hazards returns what an estimated kernel knows age by age, by state and age;
// nil for a kernel that was made from its atoms alone. A kernel made from the
// same atoms and tails, [Kernel.WithHazards] added, answers the same from any
// start: where sojourns that were entered before their window are all that is
// known of high ages, atoms, which count from the entry, say less.
func (k *Kernel) Hazards() []Hazard {
	var out []Hazard
	for i, risks := range k.risks {
		for m, r := range risks {
			if m == 0 || risks[m-1].age != r.age {
				out = append(out, Hazard{From: i, Age: int(r.age), Exit: make([]float64, len(k.space.Names))})
			}
			h := &out[len(out)-1]
			h.Exit[r.to] = r.prob
			h.Stay = r.stay // of the last of an age
		}
	}
	return out
}

// WithHazards returns the kernel with what is known age by age. Hazards must
// be in order of age for each state, sum to 1 within 1e-9 with Stay, and give
// the kernel's own atoms and tails within that, q_ij(l) = Exit_j(l) Π_{m<l}
// Stay(m); else a *KernelError.
func (k *Kernel) WithHazards(hazards []Hazard) (*Kernel, error) {
	n := len(k.space.Names)
	risks := make([][]risk, n)
	alive := slices.Repeat([]float64{1}, n)
	expected := make(map[Atom]float64) // Prob 0
	for _, h := range hazards {
		if err := k.space.check("Kernel.WithHazards", "From", h.From); err != nil {
			return nil, err
		}
		bad := func(format string, a ...any) (*Kernel, error) {
			return nil, &KernelError{k.space.Names[h.From],
				fmt.Sprintf("hazard at age %d: ", h.Age) + fmt.Sprintf(format, a...)}
		}
		own := risks[h.From]
		switch {
		case h.Age < 1 || h.Age > maxSteps:
			return bad("want an age of 1..%d", maxSteps)
		case len(own) > 0 && int(own[len(own)-1].age) >= h.Age:
			return bad("not after age %d", own[len(own)-1].age)
		case len(h.Exit) != n:
			return bad("%d chances, want one for each of %d states", len(h.Exit), n)
		case !(h.Stay >= 0 && h.Stay <= 1):
			return bad("stay = %v, want within 0..1", h.Stay)
		}
		total := h.Stay
		for j, p := range h.Exit {
			if !(p >= 0 && p <= 1) {
				return bad("chance %v to %s, want within 0..1", p, k.space.Names[j])
			}
			total += p
			if p > 0 {
				own = append(own, risk{int32(h.Age), int32(j), p, 1})
				expected[Atom{From: h.From, To: j, Steps: h.Age}] = alive[h.From] * p
			}
		}
		if math.Abs(total-1) > tailSlack {
			return bad("sums to %.12g, want 1", total)
		}
		if len(own) == len(risks[h.From]) {
			return bad("no exit")
		}
		own[len(own)-1].stay = h.Stay
		risks[h.From] = own
		alive[h.From] *= h.Stay
	}
	for _, a := range k.Atoms() {
		if alive[a.From] == 1 && len(risks[a.From]) == 0 {
			continue // nothing is said of this state
		}
		p := a.Prob
		a.Prob = 0
		if math.Abs(expected[a]-p) > tailSlack {
			return nil, &KernelError{k.space.Names[a.From], fmt.Sprintf(
				"%.12g to %s after %s, where the hazards give %.12g", p, k.space.Names[a.To],
				fault.Count(a.Steps, "step"), expected[a],
			)}
		}
		delete(expected, a)
	}
	for a, p := range expected {
		if p > tailSlack {
			return nil, &KernelError{k.space.Names[a.From], fmt.Sprintf(
				"nothing to %s after %s, where the hazards give %.12g", k.space.Names[a.To],
				fault.Count(a.Steps, "step"), p,
			)}
		}
	}
	for i, t := range k.tail {
		if len(risks[i]) > 0 && math.Abs(alive[i]-t) > tailSlack {
			return nil, &KernelError{k.space.Names[i],
				fmt.Sprintf("tail %.12g, where the hazards give %.12g", t, alive[i])}
		}
	}
	out := *k
	out.risks = risks
	return &out, nil
}
