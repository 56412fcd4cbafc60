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

// wideGroups is how many machines a group has at least for the loss of one of them to be told.
const wideGroups = 10

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
// polynomial of degree k, of which merging keeps the greatest part only if N is far above k. Of
// machines that fail in groups any of the N is lost with the same chance, whether it is up or not,
//
//	E[g(u) | N − 1 machines] = E[u/N·g(u − 1) + (1 − u/N)·g(u) | N machines]
//
// which is exact but for the machine by which groups differ that are not of equal size.
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
		if lost < 0 || lost > 1 && (k.shared() || lost*lost > fewLost*k.Machines) ||
			lost > 0 && k.shared() && k.Machines < wideGroups*k.Outages.Groups {
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
			coming[j].Servers = s.up[j] / c.PerJob
		}
	}
	for j, c := range m.Coming {
		for n := had[j].Machines; n > c.Machines; n-- {
			states = c.without(states, j, n)
		}
	}
	total := 0.0
	for _, s := range states {
		total += s.chance
	}
	evaluate := m.evaluator(all, states, set)
	var sum mixture
	for _, s := range m.inOrder(states) {
		set(s)
		f, err := evaluate()
		if err := sum.add(s.chance/total, f, err); err != nil {
			return queueing.Figures{}, err
		}
	}
	return sum.figures(m, 0, rate), nil
}

// without returns the states with one of n machines of the j-th kind lost.
func (k *Coming) without(all []state, j int, n float64) []state {
	left := make([]state, 0, 2*len(all))
	for _, s := range all {
		up, share := slices.Clone(s.up), math.Max(s.up[j]/n, 0)
		up[j]--
		if !k.shared() {
			left = append(left, state{up, s.chance * share / k.Up})
			continue
		}
		share = math.Min(share, 1)
		left = append(left, state{up, s.chance * share}, state{s.up, s.chance * (1 - share)})
	}
	return left
}
