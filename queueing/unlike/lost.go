package unlike

import (
	"math"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
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

// A lostMix is the mix of which machines are lost, with its states in ascending order of their speed.
type lostMix struct {
	counts []float64
	states []state
	groups []Group // beside, added and coming
	table  *numeric.PowerTable
	rows   []numeric.PowerRow // by state
	decays decays
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
		m.had = lostMix{counts: slices.Clone(had), states: states}
		m.had.tabulate(whole)
	}
	f, ok, err := m.had.without(whole, v, rate)
	if !ok {
		f, err = v.after(whole.Coming, m.had.states, rate)
	}
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

// tabulate keeps the integrands of the states. Of few states or alike machines there is no table.
func (l *lostMix) tabulate(m Varying) {
	l.groups = append(m.Beside[:len(m.Beside):len(m.Beside)], Group{0, m.added()})
	for _, c := range m.Coming {
		l.groups = append(l.groups, Group{0, c.Speed})
	}
	load, alike := m.ArrivalRate*m.ServiceTime, true
	for _, g := range l.groups {
		alike = alike && g.Speed == m.Coming[0].Speed
	}
	if alike || len(l.states) <= manyDecays || !(load > 0 && load <= queueing.MaxServers) {
		return
	}
	counts, left := make([]float64, len(l.groups)), make([]float64, len(l.groups))
	if l.table = powersTable(l.groups, load, l.states, func(s state) { l.set(m, s) }); l.table == nil {
		return
	}
	m.Work.add(madeSteps(l.table, len(l.groups)))
	for _, s := range l.states {
		l.set(m, s)
		for j, g := range l.groups {
			counts[j] = g.Servers
		}
		m.Work.add(tableSteps(l.table, len(counts)))
		l.table.At(counts, left)
		l.rows = append(l.rows, l.table.Row())
	}
}

// set sets the servers of the groups to those of a state.
func (l *lostMix) set(m Varying, s state) {
	copy(l.groups, m.Beside)
	for j, c := range m.Coming {
		l.groups[len(l.groups)-len(m.Coming)+j].Servers = s.up[j] / c.PerJob
	}
}

// without returns the figures of v, which is the queue m without at most one machine that comes and
// goes and any that are always there, from the integrands of the states of m; ok is false otherwise.
func (l *lostMix) without(m, v Varying, rate float64) (f queueing.Figures, ok bool, err error) {
	lost, less := -1, make([]float64, len(l.groups))
	for i, g := range v.Beside {
		less[i] = m.Beside[i].Servers - g.Servers
	}
	for j, c := range v.Coming {
		switch n := m.Coming[j].Machines - c.Machines; {
		case n == 1 && lost < 0:
			lost = j
		case n != 0:
			return f, false, nil
		}
	}
	if l.table == nil {
		return f, false, nil
	}
	at, counts, left := v.Queue, make([]float64, len(l.groups)), make([]float64, len(l.groups))
	at.Beside = l.groups
	var sum mixture
	// each adds the figures of a state without what less says.
	each := func(i int, factor []float64, chance float64) error {
		l.set(m, l.states[i])
		for j := range counts {
			l.groups[j].Servers -= less[j]
			counts[j] = l.groups[j].Servers
		}
		m.Work.add(tableSteps(l.table, len(counts)) / 3)
		p := l.table.Fewer(l.rows[i], factor, counts, left)
		f, _, err := at.product(l.groups, &p, l.decays.at)
		return sum.add(chance, f, err)
	}
	weights, total := make([]float64, len(l.states)), 0.0
	for i, s := range l.states {
		weights[i] = s.chance
		if lost >= 0 && !v.Coming[lost].shared() {
			weights[i] *= math.Max(s.up[lost], 0)
		}
		total += weights[i]
	}
	staying := l.table.Factor(less)
	if lost >= 0 {
		less[len(less)-len(v.Coming)+lost] = 1 / v.Coming[lost].PerJob
	}
	leaving := l.table.Factor(less)
	for i, s := range l.states {
		chance, gone := weights[i]/total, 1.0
		if lost >= 0 && v.Coming[lost].shared() { // gone: that the machine was up
			gone = math.Min(math.Max(s.up[lost]/m.Coming[lost].Machines, 0), 1)
		}
		if err = each(i, leaving, chance*gone); err == nil && gone < 1 {
			servers := less[len(less)-len(v.Coming)+lost]
			less[len(less)-len(v.Coming)+lost] = 0
			err = each(i, staying, chance*(1-gone))
			less[len(less)-len(v.Coming)+lost] = servers
		}
		if err != nil {
			return f, true, err
		}
	}
	return sum.figures(v, 0, rate), true, nil
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
