package bags

import (
	"github.com/capplan/capplan/bags/internal/attempts"
	"math"
	"slices"
)

// A Cloud is where help comes from.
type Cloud struct {
	Speed float64 // operations a second, > 0
	Boot  float64 // s from the start of a worker until it works
	Look  float64 // s between two looks at the bag, the first one so long after it is handed in
	SD    float64 // of the speed, >= 0
	Most  int     // workers that can be had at a time, >= 0; 0: any number
}

// Check says what is wrong with it, as a *DomainError.
func (c Cloud) Check() error {
	switch {
	case !(c.Speed > 0) || math.IsInf(c.Speed, 1):
		return &DomainError{"Cloud", "Speed", c.Speed, "a finite speed > 0"}
	case !(c.SD >= 0) || math.IsInf(c.SD, 1):
		return &DomainError{"Cloud", "SD", c.SD, "a finite speed >= 0"}
	case !(c.Boot >= 0) || math.IsInf(c.Boot, 1):
		return &DomainError{"Cloud", "Boot", c.Boot, "a finite time >= 0"}
	case !(c.Look >= 0) || math.IsInf(c.Look, 1):
		return &DomainError{"Cloud", "Look", c.Look, "a finite time >= 0"}
	case c.Most < 0:
		return &DomainError{"Cloud", "Most", float64(c.Most), "a number >= 0"}
	}
	return nil
}

// begins is when workers do that are asked for at a time: a boot after the next look.
func (c Cloud) begins(asked float64) float64 {
	if c.Look > 0 {
		asked = c.Look * (math.Floor(asked/c.Look) + 1)
	}
	return asked + c.Boot
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
	law attempts.Grid
	// Hours of cloud workers that are paid, expected, from their start to the end.
	Hours float64
}

// Chance returns the chance that the bag is done by t.
func (h *Helped) Chance(t float64) float64 { return h.law.At(t) }

// Quantile returns the time by which the bag is done with chance p, 0 < p < 1.
func (h *Helped) Quantile(p float64) float64 { return h.law.Quantile(p) }

// With returns how the bag goes with help. In each branch of the fluid phase U(t)
// tasks are not done at t without help, and of those that are not at t1 U(t)/U(t1)
// would not be at t. Workers begin at b, a boot after the first look at which the share is
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
// The first W tasks are taken at b, as all workers begin then (see firstWave), and few workers
// leave more where more tasks are left than on average (see wholeLeft).
// Where tasks wait when workers begin, these are given them as machines are, of several results
// of a task several of them the same task, and machines go on with others: R falls by
// (W/c)/results (see takeHanded). Without workers it is the law itself.
func (f *FinishLaw) With(h Help, c Cloud) *Helped {
	if !f.helps(h, c) {
		return &Helped{Help: h, law: attempts.Grid{Step: f.law.Step, F: slices.Clone(f.law.F)}}
	}
	w := f.helping(h.Start, c, false, nil)
	defer w.leave()
	return w.helped(h, Target{})
}

// helps says whether help does anything: not where all tasks are done when it starts.
func (f *FinishLaw) helps(h Help, c Cloud) bool {
	return h.Workers > 0 && len(f.branches) > 0 && c.Check() == nil && h.Start >= 0 && f.startTask(h.Start) < f.tasks
}

// startTask is how many tasks are done when help starts: the share rounded up.
func (f *FinishLaw) startTask(start float64) float64 { return math.Ceil(start*f.tasks - 1e-9) }
