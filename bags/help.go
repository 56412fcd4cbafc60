package bags

import (
	"github.com/capplan/capplan/bags/internal/attempts"
	"math"
	"slices"
)

// A Cloud describes the workers that help.
type Cloud struct {
	Speed float64 // operations a second, > 0
	Boot  float64 // s from the start of a worker until it works
	Look  float64 // s between two looks at the bag, the first one so long after it is handed in
	SD    float64 // of the speed, >= 0
	Most  int     // greatest number of workers at a time, >= 0; 0: any number
	// Hourly is true if each hour that a worker begins is paid in full.
	Hourly bool
}

// Check returns a *DomainError for the first field outside its domain.
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

// begins returns when workers that are requested at a time begin: a boot after the next look.
func (c Cloud) begins(asked float64) float64 {
	if c.Look > 0 {
		asked = c.Look * (math.Floor(asked/c.Look) + 1)
	}
	return asked + c.Boot
}

// A Help is a single fork: when the share Start of the bag is done, cloud workers begin to take
// copies of the tasks that are not done, one after the other.
type Help struct {
	Start   float64 // share of the tasks done, 0 <= Start < 1
	Workers int     // 0: no help
}

// A Helped is the law of a bag's finish with help, and what the help takes.
type Helped struct {
	Help
	law attempts.Grid
	// Hours is the expected number of hours that cloud workers are paid for, from their
	// start to the end of the bag; if that is hourly, in whole hours of each.
	Hours float64
}

// Chance returns the chance that the bag is done by t.
func (h *Helped) Chance(t float64) float64 { return h.law.At(t) }

// Quantile returns the time by which the bag is done with chance p, 0 < p < 1.
func (h *Helped) Quantile(p float64) float64 { return h.law.Quantile(p) }

// With returns the law of the bag with help. In each branch of the fluid phase U(t) tasks
// are not done at t without help; of those that are not done at t1, the share U(t)/U(t1)
// would not be done at t. Workers begin at b, a boot after the first look at which the share is
// done, and take tasks that are not done at the rate W/c, where c is the time of a task on a worker:
//
//	R(t) = U(t) − ∫_b^t (W/c) U(t)/U(s) ds, until it is 0    not taken, not done
//	V(t) = R(t) + ∫_{t−c}^t (W/c) U(t)/U(s) ds              not done
//
// and P(T <= t) = (1 − V(t)/k)^k, where k is the number of tasks left when the share is done:
// it is known by then, while the time is not (see helping). Of tasks that arrive late workers
// take only those that have arrived; V includes the others. Source: the single
// fork of Wang, Joshi, Wornell, Efficient straggler replication in large-scale
// parallel computing, ACM ToMPECS 4, 2019, with a bounded number of copies at once.
// The first W tasks are taken at b, when all workers begin, and a few workers
// leave more if more tasks are left than on average (see noneleft.Whole). If tasks wait when workers
// begin, workers are given these like machines are, several of them the same task if it has
// several results, and machines go on with others: R falls by (W/c)/results (see takeHanded).
// Without workers it is the law itself.
func (f *FinishLaw) With(h Help, c Cloud) *Helped {
	if !f.helps(h, c) {
		return &Helped{Help: h, law: attempts.Grid{Step: f.law.Step, F: slices.Clone(f.law.F)}}
	}
	w := f.helping(h.Start, c, false, nil)
	defer w.leave()
	return w.helped(h, Target{})
}

// helps reports whether help has an effect: it has none if all tasks are done when it starts.
func (f *FinishLaw) helps(h Help, c Cloud) bool {
	return h.Workers > 0 && len(f.branches) > 0 && c.Check() == nil && h.Start >= 0 && f.startTask(h.Start) < f.tasks
}

// startTask returns how many tasks are done when help starts: the share rounded up.
func (f *FinishLaw) startTask(start float64) float64 { return math.Ceil(start*f.tasks - 1e-9) }
