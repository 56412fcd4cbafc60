package bags

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// A Cloud is where help comes from.
type Cloud struct {
	Speed float64 // operations a second, > 0
	Boot  float64 // s from the start of a worker until it works
	Look  float64 // s between two looks at the bag; half of it passes before a start
}

// Check says what is wrong with it, as a *DomainError.
func (c Cloud) Check() error {
	switch {
	case !(c.Speed > 0) || math.IsInf(c.Speed, 1):
		return &DomainError{"Cloud", "Speed", c.Speed, "a finite speed > 0"}
	case !(c.Boot >= 0) || math.IsInf(c.Boot, 1):
		return &DomainError{"Cloud", "Boot", c.Boot, "a finite time >= 0"}
	case !(c.Look >= 0) || math.IsInf(c.Look, 1):
		return &DomainError{"Cloud", "Look", c.Look, "a finite time >= 0"}
	}
	return nil
}

// A Help is a single fork: when a share of the bag is done so many cloud workers
// take a copy of each task that is not, one after the other.
type Help struct {
	Start   float64 // share of the tasks done, 0 <= Start < 1
	Workers int     // 0: no help
}

// A Helped is how a bag goes with help.
type Helped struct {
	Help
	law grid
	// Hours of cloud workers that are paid, expected, from their start to the end.
	Hours float64
}

// Chance returns the chance that the bag is done by t.
func (h *Helped) Chance(t float64) float64 { return h.law.at(t) }

// Quantile returns the time by which the bag is done with chance p, 0 < p < 1.
func (h *Helped) Quantile(p float64) float64 { return h.law.quantile(p) }

// With returns how the bag goes with help. In each branch of the fluid phase U(t)
// tasks are not done at t without help, and of those that are not at t1 U(t)/U(t1)
// would not be at t. Workers begin at b, half a look and a boot after the share is
// done, and take what is not done at W/c a second, c the time of a task on them:
//
//	R(t) = U(t) − ∫_b^t (W/c) U(t)/U(s) ds, until it is 0    not taken, not done
//	V(t) = R(t) + ∫_{t−c}^t (W/c) U(t)/U(s) ds              not done
//
// and P(T <= t) = (1 − V(t)/k)^k, with k the tasks that are left when the share is done:
// their number is known then, and the time is not (see helping). Of tasks that arrive late
// workers take those that have, and V holds those that have not. Source: the single
// fork of Wang, Joshi, Wornell, Efficient straggler replication in large-scale
// parallel computing, ACM ToMPECS 4, 2019, with a bounded number of copies at once.
// Without workers it is the law itself.
func (f *FinishLaw) With(h Help, c Cloud) *Helped {
	if !f.helps(h, c) {
		return &Helped{Help: h, law: grid{f.law.step, slices.Clone(f.law.f)}}
	}
	return f.helping(h.Start, c, false).helped(h)
}

// helps says whether help does anything: not where all tasks are done when it starts.
func (f *FinishLaw) helps(h Help, c Cloud) bool {
	return h.Workers > 0 && len(f.branches) > 0 && c.Check() == nil && h.Start >= 0 && f.startTask(h.Start) < f.tasks
}

// startTask is how many tasks are done when help starts: the share rounded up.
func (f *FinishLaw) startTask(start float64) float64 { return math.Ceil(start*f.tasks - 1e-9) }

// A Target is what help is to reach.
type Target struct {
	By     float64 // s
	Chance float64 // with which the bag is done by then, 0 < Chance < 1
}

// starts are the shares of the bag at which help may begin.
var starts = []float64{0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.84, 0.87, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98,
	0.985, 0.99, 0.995, 0.998, 0.999}

// mostWorkers bounds a design.
const mostWorkers = 1 << 17

// Cheapest returns the help that reaches the target for the fewest hours, no help
// where that does; ok is false where none does, and the help is then that with the
// greatest chance. It is the cheapest of [FinishLaw.Designs]. Errors: that of ctx, and
// of [Cloud.Check]; a *DomainError for a target that is none.
func (f *FinishLaw) Cheapest(ctx context.Context, t Target, c Cloud) (best *Helped, ok bool, err error) {
	all, err := f.Designs(ctx, t, c)
	if err != nil {
		return nil, false, err
	}
	for _, h := range all {
		if best == nil || h.Hours < best.Hours {
			best = h
		}
	}
	if best != nil {
		return best, true, nil
	}
	f = f.within(t.By)
	best = f.With(Help{}, c)
	for _, s := range starts {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		if most := f.With(Help{s, f.enough(s)}, c); most.Chance(t.By) > best.Chance(t.By) {
			best = most
		}
	}
	return best, false, nil
}

// Designs returns the help that reaches the target for the fewest hours for each of
// the starts that are tried, by growing start; starts from which none does are left
// out, and where no help is needed that alone is returned. For a start the chance
// grows with the number of workers, so that the least number is found by bisection;
// the hours are those of that number and of some above it. Errors: those of
// [FinishLaw.Cheapest].
func (f *FinishLaw) Designs(ctx context.Context, t Target, c Cloud) ([]*Helped, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if !(t.By > 0) || !(t.Chance > 0 && t.Chance < 1) {
		return nil, &DomainError{"Designs", "Target", t.By, "a time > 0, and a chance between 0 and 1"}
	}
	f = f.within(t.By)
	if none := f.With(Help{}, c); none.Chance(t.By) >= t.Chance {
		return []*Helped{none}, nil
	}
	var all []*Helped
	for _, s := range starts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		most := Help{s, f.enough(s)}
		if !f.helps(most, c) {
			continue
		}
		helping := f.helping(s, c, false)
		if helping.chance(most.Workers, t.By) < t.Chance {
			continue
		}
		low, high := 0, most.Workers
		for high-low > 1 {
			w := (low + high) / 2
			if helping.chance(w, t.By) >= t.Chance {
				high = w
			} else {
				low = w
			}
		}
		var best *Helped
		for _, w := range []int{high, high + 1, high + high/10 + 2, high + high/4 + 3, high + high/2 + 4} {
			h := helping.helped(Help{s, w})
			if h.Chance(t.By) >= t.Chance && (best == nil || h.Hours < best.Hours) {
				best = h
			}
		}
		if best != nil {
			all = append(all, best)
		}
	}
	return all, nil
}

// enough is a number of workers beyond which more are no help: one for each task.
func (f *FinishLaw) enough(start float64) int {
	return int(min(max(1, math.Ceil((1-start)*f.tasks)), mostWorkers))
}

// A Point of a frontier is help that is done at a time with a chance, and than which
// none of those tried is done sooner for as few hours.
type Point struct {
	Help
	By    float64 // s, with the chance asked for
	Hours float64
}

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
	for _, s := range starts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !f.helps(Help{s, 1}, c) {
			continue
		}
		helping := f.helping(s, c, true)
		for w := 1; w <= f.enough(s); w *= 2 {
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
		if len(out) == 0 || p.By < out[len(out)-1].By*(1-1e-3) {
			out = append(out, p)
		}
	}
	return out, nil
}
