package bags

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// A Point of a frontier is help that is done at a time with a chance, and than which
// none of those tried is done sooner for as few hours.
type Point struct {
	Help
	By    float64 // s, with the chance asked for
	Hours float64
}

// leastGain is by which share a point is sooner than the one before it.
const leastGain = 1e-3

// Frontier returns what more hours buy: of all starts and of numbers of workers
// that double, those that no other beats, by growing hours.
func (f *FinishLaw) Frontier(ctx context.Context, chance float64, c Cloud) ([]Point, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if !(chance > 0 && chance < 1) {
		return nil, &DomainError{"Frontier", "chance", chance, "between 0 and 1"}
	}
	var all []Point
	without := f.Quantile(chance)
	if !math.IsInf(without, 1) {
		all = append(all, Point{By: without})
	}
	f = f.within(without)
	sooner := without * (1 - leastGain)
	var helping *helping
	for _, s := range starts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !f.helps(Help{s, 1}, c) {
			continue
		}
		helping = f.helping(s, c, true, helping)
		for w := 1; w <= f.enough(s); w *= 2 {
			if helping.chance(w, sooner) < chance-1e-5 { // in vain, whatever it costs
				continue
			}
			h := helping.helped(Help{s, w})
			if by := h.Quantile(chance); !math.IsInf(by, 1) {
				all = append(all, Point{h.Help, by, h.Hours})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.Hours, b.Hours), cmp.Compare(a.By, b.By))
	})
	var out []Point
	for _, p := range all {
		if len(out) == 0 || p.By < out[len(out)-1].By*(1-leastGain) {
			out = append(out, p)
		}
	}
	return out, nil
}
