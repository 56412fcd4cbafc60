package unlike

import (
	"math"
	"slices"

	"github.com/capplan/capplan/queueing"
)

// lostKinds is how many kinds that come and go a mix has at least for [MixTable.SlackAfter] to
// answer. Fewer may have so few states that each is evaluated, or stand in the table.
const lostKinds = 10

// mergedError is how far figures may be off, relative, that come from the states of the whole mix.
// TestSlackAfterLosses saw 5e-4, which is the error of merging states of either mix.
const mergedError = 1e-3

// fewLost bounds the squares of the machines lost of one kind, as a share of its machines.
const fewLost = 1. / 30

// A lostMix is the mix of which machines are lost, with its states.
type lostMix struct {
	counts []float64
	states []state
}

// SlackAfter returns the least slack of the objectives for what is left of a mix that had more
// machines, as [MixTable.Slack] of what is left does, but from the states of the whole mix: those
// are listed once for all losses. met and missed say whether the objectives are met beyond the error
// of merged states; neither is known in between. ok is false where there is no such answer.
//
// If u of N machines are up, each with probability p, and g is any figure of the number up, then
//
//	E[g(u) | N − 1 machines] = E[u/(N·p)·g(u − 1) | N machines]
//
// since C(N, u)·u = N·C(N − 1, u − 1). Merged states keep the means of numbers up times
// polynomials, and so those of u·g. Of k machines of one kind that are lost the weight is a
// polynomial of degree k, of which merging keeps the greatest part only if N is far above k.
// Machines that fail in groups have another law, and so no answer if they are lost.
func (m *MixTable) SlackAfter(
	had, counts []float64, objectives []queueing.Objective,
) (least float64, met, missed, ok bool) {
	if m.inDomain(had) != nil || m.inDomain(counts) != nil {
		return 0, false, false, false
	}
	whole, v := m.varying(had), m.varying(counts)
	if len(whole.Coming) < lostKinds || len(v.Coming) != len(whole.Coming) {
		return 0, false, false, false
	}
	for j, k := range v.Coming {
		lost := whole.Coming[j].Machines - k.Machines
		if lost != 0 && (k.shared() || lost < 0 || lost > 1 && lost*lost > fewLost*k.Machines) {
			return 0, false, false, false
		}
	}
	rate, err := v.check(0)
	if err != nil {
		return 0, false, false, false
	}
	if m.model.WhenFull == Queued && steady("Varying", rate, m.load) != nil {
		return math.Inf(-1), false, true, true
	}
	if !slices.Equal(m.had.counts, had) {
		states, err := whole.states(0, mostStates)
		if err != nil {
			return 0, false, false, false
		}
		m.had = lostMix{slices.Clone(had), states}
	}
	f, err := v.after(whole.Coming, m.had.states, rate)
	if err != nil {
		return 0, false, false, false
	}
	least, met = math.Inf(1), true
	for _, o := range objectives {
		slack, off := o.Slack(f), mergedError
		if o.Metric == queueing.Utilization { // the served load over a rate that is exact
			off *= f.Blocking + f.Abandonment + 1e-9
		}
		least = math.Min(least, slack)
		met, missed = met && slack > off, missed || slack < -off
	}
	return least, met, missed, true
}

// after returns the figures of the queue from the states that it has with more machines coming.
func (m Varying) after(had []Coming, states []state, rate float64) (queueing.Figures, error) {
	all := append(m.Beside[:len(m.Beside):len(m.Beside)], Group{0, m.added()})
	for _, c := range m.Coming {
		all = append(all, Group{0, c.Speed})
	}
	coming := all[len(all)-len(m.Coming):]
	set := func(s state) {
		for j, c := range m.Coming {
			coming[j].Servers = (s.up[j] - (had[j].Machines - c.Machines)) / c.PerJob
		}
	}
	chances, total := make([]float64, len(states)), 0.0
	for i, s := range states {
		chances[i] = s.chance
		for j, c := range m.Coming {
			for n := had[j].Machines; n > c.Machines; n-- {
				chances[i] *= math.Max(s.up[j]-(had[j].Machines-n), 0) / (n * c.Up)
			}
		}
		total += chances[i]
	}
	evaluate := m.evaluator(all, states, set)
	var sum mixture
	for i, s := range states {
		set(s)
		f, err := evaluate()
		if err := sum.add(chances[i]/total, f, err); err != nil {
			return queueing.Figures{}, err
		}
	}
	return sum.figures(m, 0, rate), nil
}
