package backtest

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/frailty"
)

// A productLimit counts a fleet's times without failure by age: Kaplan and
// Meier's estimator with delayed entry. Counts add up, in any order.
type productLimit struct {
	enter, leave, failed []int64 // by age in steps
}

// mostAges bounds the ages that are distinguished; older machines count as that old.
const mostAges = 1 << 21

// at is the count of an age, for which the list grows.
func at(counts *[]int64, age int64) *int64 {
	i := int(min(max(age, 0), mostAges))
	for len(*counts) <= i {
		*counts = append(*counts, 0)
	}
	return &(*counts)[i]
}

// A limitSpell is a time without failure, by ages in steps: from Enter to Leave, with
// a failure at Failed; −1 where there is none.
type limitSpell struct {
	Enter  int64 `json:"e"`
	Leave  int64 `json:"l"`
	Failed int64 `json:"f"`
}

// limitSpells are those of the steps from ≤ s < to of a record.
func limitSpells(space smp.Space, h *smp.History, from, to int64) (all []limitSpell) {
	frailty.EachSpell(space, h, func(s frailty.Spell) bool {
		x := limitSpell{-1, -1, -1}
		first, last := max(s.First, from), min(s.End-1, to)
		// A step is at risk if it is known what followed it: for the last step of a spell only if a
		// failure did.
		if s.Failed && s.End-1 >= from && s.End-1 < to {
			last++
			x.Failed = s.End - 1 - s.First
		}
		if last > first {
			x.Enter, x.Leave = first-s.First, last-s.First
		}
		if x.Enter >= 0 || x.Failed >= 0 {
			all = append(all, x)
		}
		return s.End < to
	})
	return all
}

// add counts spells.
func (k *productLimit) add(spells []limitSpell) {
	count := func(counts *[]int64, age int64) {
		if age >= 0 {
			*at(counts, age)++
		}
	}
	for _, x := range spells {
		count(&k.failed, x.Failed)
		count(&k.enter, x.Enter)
		count(&k.leave, x.Leave)
	}
}

// A limitCurve is the logarithm of the product limit by age.
type limitCurve []float64

// curve is ln Π(1 − d/r) over the ages at which d of r at risk failed.
func (k *productLimit) curve() limitCurve {
	n := max(len(k.enter), len(k.leave), len(k.failed))
	get := func(c []int64, i int) float64 {
		if i < len(c) {
			return float64(c[i])
		}
		return 0
	}
	out := make(limitCurve, n+1)
	risk := 0.0
	for a := range n {
		risk += get(k.enter, a) - get(k.leave, a)
		out[a+1] = out[a]
		if d := get(k.failed, a); d > 0 && risk > 0 {
			// If all machines at risk failed at one age, the limit would be 0 at every greater age.
			out[a+1] += math.Log1p(-math.Min(d/risk, 1-1e-12))
		}
	}
	return out
}

// survival returns the chance that a machine of an age stays free for n steps;
// beyond the oldest age that was seen nothing fails.
func (c limitCurve) survival(age, n int64) float64 {
	last := int64(len(c) - 1)
	return math.Exp(c[min(age+n, last)] - c[min(age, last)])
}

// A FleetLimit is the product limit of a fleet by age. Machines are added one by
// one.
type FleetLimit struct {
	counts productLimit
	curve  limitCurve // of the counts; nil: they have changed since
}

// Add counts the times without failure of a machine. Errors: *ask.InputError.
func (f *FleetLimit) Add(l *machines.Labelled) error {
	if f == nil || l == nil || l.History == nil || len(l.History.Runs) == 0 {
		return ask.Missing("trace", "the record of a machine")
	}
	runs := l.History.Runs
	f.counts.add(limitSpells(smp.FiveStates(), l.History, runs[0].First, runs[len(runs)-1].End()))
	f.curve = nil
	return nil
}

// Survival returns the chance that a machine that has been free for age steps stays free for n
// more; beyond the oldest age that was seen nothing fails. The first call after Add must not run
// beside other calls.
func (f *FleetLimit) Survival(age, n int64) float64 {
	if f == nil || age < 0 || n < 0 {
		return math.NaN()
	}
	if f.curve == nil {
		f.curve = f.counts.curve()
	}
	// The sum of two such ages does not overflow.
	const far = 1 << 40
	return f.curve.survival(min(age, far), min(n, far))
}
