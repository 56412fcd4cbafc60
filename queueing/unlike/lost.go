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
// TestSlackAfterLosses saw 1.5e-3 of 300 machines a kind, two of which fail in groups, else 5e-4, which is
// the error of merging states of either mix.
const mergedError = 2e-3

// farError is how far figures may be off, relative, by the states of a whole mix whose rate is far
// above the load: this share of (1 − a/rate)⁴, by TestSlackAfterFarLosses.
const farError = 0.2

// fewLost bounds the squares of the machines lost of one kind, as a share of its machines.
const fewLost = 1. / 30

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
// machines that fail in equal groups any of the N is lost with the same chance, whether it is up or not,
//
//	E[g(u) | N − 1 machines] = E[u/N·g(u − 1) + (1 − u/N)·g(u) | N machines]
//
// Groups of two sizes count as two kinds, and one of the larger groups loses the machine.
func (m *MixTable) SlackAfter(
	had, counts []float64, objectives []queueing.Objective,
) (least float64, met, missed, ok bool) {
	if m.inDomain(had) != nil || m.inDomain(counts) != nil {
		return 0, false, false, false
	}
	whole, v, ok := m.afterLoss(had, counts)
	if !ok {
		return 0, false, false, false
	}
	rate, err := v.check(0)
	if err != nil {
		return 0, false, false, false
	}
	if m.model.WhenFull == Queued && steady("Varying", rate, m.load) != nil {
		return math.Inf(-1), false, true, true
	}
	if !m.keep(had, whole) {
		return 0, false, false, false
	}
	f, ok, err := m.had.without(whole, v, rate, nil)
	if !ok {
		f, err = v.after(whole.Coming, m.had.states, rate)
	}
	if err != nil {
		return 0, false, false, false
	}
	least, met, missed = m.judged(f, objectives, rate)
	return least, met, missed, true
}

// MeetsAfterAny reports whether the objectives are met beyond the error of merged states by a mix of which
// any machines are lost, a number of them. It is asked of as many machines that are as fast as the
// fastest and always up: no loss takes more of the integrand or of the rate in any state. false tells nothing.
func (m *MixTable) MeetsAfterAny(had []float64, machines float64, objectives []queueing.Objective) bool {
	if m.inDomain(had) != nil {
		return false
	}
	whole, _, ok := m.afterLoss(had, had)
	if !ok {
		return false
	}
	fastest, servers := 0, 0.0 // of the coming kinds, and most servers that a machine is
	for j, k := range whole.Coming {
		if servers = math.Max(servers, 1/k.PerJob); k.Speed > whole.Coming[fastest].Speed {
			fastest = j
		}
	}
	for j, k := range m.kinds {
		if k.Up == 1 && had[j] > 0 && (k.Speed > whole.Coming[fastest].Speed || 1/k.PerJob > servers) {
			return false
		}
	}
	rate, err := whole.check(0)
	if err != nil {
		return false
	}
	rate -= machines * servers * whole.Coming[fastest].Speed
	if rate <= 0 || m.model.WhenFull == Queued && steady("Varying", rate, m.load) != nil || !m.keep(had, whole) {
		return false
	}
	less := make([]float64, len(m.had.groups))
	less[len(less)-len(whole.Coming)+fastest] = machines * servers
	f, ok, err := m.had.without(whole, whole, rate, less)
	if !ok || err != nil {
		return false
	}
	_, met, _ := m.judged(f, objectives, rate)
	return met
}

// keep lists the states of a mix unless they are those listed last.
func (m *MixTable) keep(had []float64, whole Varying) bool {
	if slices.Equal(m.had.counts, had) {
		return true
	}
	states, err := whole.states(0, mostStates)
	if err != nil {
		return false
	}
	m.had = lostMix{counts: slices.Clone(had), states: states}
	m.had.tabulate(whole)
	return true
}

// judged returns the least slack of figures that come from the states of a whole mix.
func (m *MixTable) judged(
	f queueing.Figures, objectives []queueing.Objective, rate float64,
) (least float64, met, missed bool) {
	least, met = math.Inf(1), true
	far := math.Max(mergedError, farError*math.Pow(1-math.Min(m.load/rate, 1), 4))
	for _, o := range objectives {
		slack, off := o.Slack(f), far
		if o.Metric == queueing.Utilization { // the served load over a rate that is exact
			off *= f.Blocking + f.Abandonment + 1e-9
		}
		least = math.Min(least, slack)
		met, missed = met && slack > off, missed || slack < -off
	}
	return least, met, missed
}

// afterLoss returns the queue of a mix and the queue of what is left of it, both of the same kinds;
// ok is false where SlackAfter does not tell one from the other.
func (m *MixTable) afterLoss(had, counts []float64) (whole, v Varying, ok bool) {
	whole, v = m.varying(had), m.varying(counts)
	whole.Coming, v.Coming = nil, nil
	kinds := 0
	for j, k := range m.kinds {
		if k.Up == 1 || had[j] == 0 {
			continue
		}
		parts := k.Of(had[j]).even()
		lost, first := had[j]-counts[j], parts[0]
		if lost < 0 || lost > 1 && (first.shared() || lost*lost > fewLost*counts[j]) {
			return whole, v, false
		}
		first.Machines -= lost
		whole.Coming, v.Coming = append(whole.Coming, parts...), append(append(v.Coming, first), parts[1:]...)
		kinds++
	}
	return whole, v, kinds >= lostKinds
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

// without returns the figures of v, which is the queue m without at most one machine of each kind that comes and
// goes and any that are always there, from the integrands of the states of m; ok is false otherwise. Of the
// groups there may be less in all states; nil: there is not.
func (l *lostMix) without(m, v Varying, rate float64, less []float64) (f queueing.Figures, ok bool, err error) {
	if l.table == nil {
		return f, false, nil
	}
	if less == nil {
		less = make([]float64, len(l.groups))
	}
	for i, g := range v.Beside {
		less[i] = m.Beside[i].Servers - g.Servers
	}
	var lost, staying []int // kinds: those whose machine was up, and those of which it may have been down
	for j, c := range v.Coming {
		switch n := m.Coming[j].Machines - c.Machines; {
		case n == 1 && c.shared():
			staying = append(staying, j)
		case n == 1:
			lost = append(lost, j)
		case n != 0:
			return f, false, nil
		}
	}
	coming := less[len(less)-len(v.Coming):]
	for _, j := range lost {
		coming[j] += 1 / v.Coming[j].PerJob
	}
	weights, total := make([]float64, len(l.states)), 0.0
	for i, s := range l.states {
		weights[i] = s.chance
		for _, j := range lost {
			weights[i] *= math.Max(s.up[j], 0)
		}
		total += weights[i]
	}
	// Each choice of the machines that were up takes away other servers.
	choices := make([]lostChoice, 1<<len(staying))
	for k := range choices {
		c := lostChoice{less: slices.Clone(less)}
		for b, j := range staying {
			if k>>b&1 == 0 {
				c.less[len(less)-len(v.Coming)+j] += 1 / v.Coming[j].PerJob
			}
		}
		c.factor = l.table.Factor(c.less)
		choices[k] = c
	}
	at, counts, left := v.Queue, make([]float64, len(l.groups)), make([]float64, len(l.groups))
	at.Beside = l.groups
	var sum mixture
	for i, s := range l.states {
		for k, c := range choices {
			chance := weights[i] / total
			for b, j := range staying {
				up := math.Min(math.Max(s.up[j]/m.Coming[j].Machines, 0), 1)
				if k>>b&1 == 1 {
					up = 1 - up
				}
				chance *= up
			}
			if chance == 0 { // such as that of a machine that was up where none is
				continue
			}
			l.set(m, s)
			up := 0.0
			for j := range counts {
				l.groups[j].Servers -= c.less[j]
				counts[j] = l.groups[j].Servers
				up += counts[j]
			}
			if up < 0 { // of part of a machine that merged states have, one is lost
				for j := range counts {
					counts[j], l.groups[j].Servers = 0, 0
				}
			}
			m.Work.add(tableSteps(l.table, len(counts)) / 3)
			p := l.table.Fewer(l.rows[i], c.factor, counts, left)
			f, _, err := at.product(l.groups, &p, l.decays.at)
			if err := sum.add(chance, f, err); err != nil {
				return f, true, err
			}
		}
	}
	return sum.figures(v, 0, rate), true, nil
}

// A lostChoice is the servers that are gone if some of the machines that are lost were up, and their factor.
type lostChoice struct{ less, factor []float64 }

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
