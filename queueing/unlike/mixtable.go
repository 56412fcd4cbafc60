package unlike

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// A MixTable evaluates the figures of many mixes of the same kinds of machines under one load, as
// [Varying] does for a single mix. It computes once what all mixes share: the nodes of the
// integrals, for each count of each kind the numbers up and their factors, and the integrals of
// jobs that give up (BenchmarkMixTable). It computes all figures for any [WhenFull]; [LossMix] is
// faster if only the loss is asked for. It is not safe for concurrent use.
type MixTable struct {
	model   Queue
	kinds   []Coming
	load    float64
	floor   float64   // ln of the least chance that is computed exactly
	stretch float64   // servers that the table covers, over those with the floor's chance
	wide    *MixTable // a table that covers twice as many; nil: not needed so far
	widest  bool      // no wider table can be made
	ends    []float64 // by kind, the servers up to which the nodes suffice
	plane   *numeric.PowerPlane
	nodes   float64 // of the plane
	ups     []map[float64]*upTable
	kept    int
	decays  decays
	had     lostMix // of which losses were asked last

	first  []float64 // by kind, the servers of the fewest machines up
	counts []float64
	left   []float64
	groups []Group
	weight numeric.PowerWeights
	one    float64 // 1 in the units of the weights, e^−Top
	states []mixState

	few    []map[float64]mixAsked // numbers up by Gauss rules
	within float64                // longest time of an objective for which they were made, s
	used   []*upTable             // by kind, for the counts that are asked for
	room   [][]float64            // scratch: an integrand for each kind, and one for a callback
	sum    mixSum
	// By objective on a wait, if arrivals wait.
	declines []mixDecline
}

// A mixState is one number up of each kind, with what the queue then does.
type mixState struct {
	rate, chance float64
	figures      queueing.Figures
	err          error
}

// mixRare is the logarithm of the chance, relative to the floor, below which numbers up are left
// out.
const mixRare = -25

// mostMixStates bounds the number of states that a table evaluates.
const mostMixStates = 20_000

// NewMixTable returns a table for the kinds under the load of a model. Beside of the model and
// Machines of the kinds are ignored. A kind with Up = 1 is always there. Chances far below the
// floor, which must lie within 1e-100 and 1, are reported as some value below the floor, not
// exactly. Domain as [Varying], and load > 0.
func NewMixTable(model Queue, kinds []Coming, floor float64) (*MixTable, error) {
	return newMixTable(model, kinds, floor, 1)
}

// newMixTable makes a table that covers stretch times as many servers as have the floor's chance.
func newMixTable(model Queue, kinds []Coming, floor, stretch float64) (*MixTable, error) {
	m := &MixTable{
		model:   model,
		kinds:   kinds,
		load:    model.ArrivalRate * model.ServiceTime,
		floor:   math.Log(floor),
		stretch: stretch,
	}
	if !(floor >= 1e-100 && floor <= 1) {
		return nil, &queueing.DomainError{Func: "MixTable", Arg: "floor", Value: floor, Want: "1e-100 to 1"}
	}
	m.model.Beside = nil
	if _, err := (Varying{m.model, kinds}).check(0); err != nil {
		return nil, err
	}
	if !(m.load > 0 && m.load <= queueing.MaxServers) {
		return nil, &queueing.DomainError{Func: "MixTable", Arg: "load", Value: m.load, Want: "0 < load <= 1e12"}
	}
	ends := make([]numeric.Power, len(kinds))
	for j, k := range kinds {
		a := m.load / k.Speed
		ends[j] = numeric.Power{Scale: a, Count: stretch * serversBelow(a, -m.floor)}
		m.ends = append(m.ends, ends[j].Count)
		m.ups = append(m.ups, map[float64]*upTable{})
		m.few = append(m.few, map[float64]mixAsked{})
	}
	var ok bool
	if m.plane, ok = numeric.NewPowerPlane(ends); !ok {
		return nil, &queueing.DomainError{Func: "MixTable", Arg: "load", Value: m.load, Want: "a load and speeds whose integrals floats resolve"}
	}
	m.nodes = float64(m.plane.Nodes())
	m.model.Work.add(panelSteps * m.nodes * float64(len(kinds)))
	m.first, m.counts, m.left = make([]float64, len(kinds)), make([]float64, len(kinds)), make([]float64, len(kinds))
	m.groups, m.used, m.room = make([]Group, len(kinds)), make([]*upTable, len(kinds)), make([][]float64, len(kinds)+1)
	return m, nil
}

// Forget frees the memory that the counts seen so far occupy.
func (m *MixTable) Forget() {
	for i := range m.ups {
		clear(m.ups[i])
		clear(m.few[i])
	}
	// The rows of the last mix take as much memory again, and a plan keeps a table for each draw.
	clear(m.used)
	m.kept, m.wide, m.had = 0, nil, lostMix{}
}

// mostStretch bounds how far beyond what the load needs a table covers counts. mostWide is the load
// in erlangs above which no wider table is made: it would need many nodes, and mixes that far
// beyond the load are few.
const (
	mostStretch = 4
	mostWide    = 20_000
)

// below returns how far out the counts lie: at most 1 within the plane of ends that the nodes
// cover.
func (m *MixTable) below(counts []float64) (height float64) {
	for j := range m.ends {
		if j < len(counts) {
			height += counts[j] / m.kinds[j].PerJob / m.ends[j]
		}
	}
	return height
}

// reaching returns a table that covers the counts, or the widest one.
func (m *MixTable) reaching(counts []float64) *MixTable {
	if m.plane == nil || m.widest || m.load > mostWide || !(m.below(counts) > 1) {
		return m
	}
	if m.wide == nil {
		wide, err := newMixTable(m.model, m.kinds, math.Exp(m.floor), 2*m.stretch)
		if m.widest = err != nil; m.widest {
			return m
		}
		wide.widest = wide.stretch >= mostStretch
		m.wide = wide
	}
	return m.wide.reaching(counts)
}

// At returns the figures for the given count of each kind; counts of kinds that come and go must be
// whole. Counts far beyond what the load needs are not in the table and are computed by
// [Varying.At]. The others agree with it to about 1e-9 relative (TestMixTable), except for chances
// below a thousandth of the floor. Errors as [Varying.At].
func (m *MixTable) At(counts []float64) (queueing.Figures, error) {
	m = m.reaching(counts)
	v, ok, err := m.evaluate(counts)
	if err != nil {
		return queueing.Figures{}, err
	}
	if !ok {
		return v.At(0)
	}
	rate, err := v.check(0)
	if err != nil {
		return queueing.Figures{}, err
	}
	if m.model.WhenFull == Queued {
		if err := steady("Varying", rate, m.load); err != nil {
			return queueing.Figures{}, err
		}
	}
	rates := make([]float64, len(m.states)) // states are large: their places are sorted
	for i := range m.states {
		rates[i] = m.states[i].rate
	}
	var sum mixture
	for _, i := range rising(rates) {
		s := &m.states[i]
		if err := sum.add(s.chance, s.figures, s.err); err != nil {
			return queueing.Figures{}, err
		}
	}
	return sum.figures(v, 0, rate), nil
}

// varying returns the model of one mix.
func (m *MixTable) varying(counts []float64) Varying {
	v := Varying{Queue: m.model}
	for j, k := range m.kinds {
		switch {
		case k.Up == 1:
			v.Beside = append(v.Beside, Group{counts[j] / k.PerJob, k.Speed})
		case counts[j] > 0:
			v.Coming = append(v.Coming, k.Of(counts[j]))
		}
	}
	return v
}

// evaluate fills in m.states; ok is false if the table does not cover the counts.
func (m *MixTable) evaluate(counts []float64) (v Varying, ok bool, err error) {
	m.states = m.states[:0]
	if v, ok, err = m.rule(counts, false); !ok {
		return v, ok, err
	}
	m.each(0, m.weight.Value, 1, counts, m.state)
	return v, true, nil
}

// inDomain refuses counts that are invalid for any table.
func (m *MixTable) inDomain(counts []float64) error {
	if m.plane == nil {
		return &queueing.DomainError{Func: "MixTable", Arg: "kinds", Value: 0, Want: "a table that NewMixTable returned"}
	}
	if len(counts) != len(m.kinds) {
		want := fmt.Sprintf("%d counts, one of each kind", len(m.kinds))
		return &queueing.DomainError{Func: "MixTable", Arg: "counts", Value: float64(len(counts)), Want: want}
	}
	for _, n := range counts {
		if !(n >= 0 && n <= queueing.MaxServers) {
			return &queueing.DomainError{Func: "MixTable", Arg: "count", Value: n, Want: "0 to 1e12"}
		}
	}
	return nil
}

// holds reports whether the table covers the counts, and returns their model.
func (m *MixTable) holds(counts []float64) (v Varying, ok bool, err error) {
	if err := m.inDomain(counts); err != nil {
		return v, false, err
	}
	v = m.varying(counts)
	if m.kept > mostKept {
		m.Forget()
	}
	speed, alike := 0.0, true
	for j, k := range m.kinds {
		if counts[j] > 0 {
			alike, speed = alike && (speed == 0 || speed == k.Speed), k.Speed
		}
	}
	arrival, service := m.model.scvs()
	// ok is false beyond the nodes, and where closed forms give the answer.
	return v, m.below(counts) <= 1 && !(alike && (arrival != 1 || service != 1)), nil
}

// up returns the numbers up of a count of a kind; nil if they are too far apart for the nodes. Their
// factors are those of [MixTable.fill].
func (m *MixTable) up(j int, count float64) *upTable {
	if r, ok := m.ups[j][count]; ok {
		return r
	}
	k := &m.kinds[j]
	all := k.ups(count, m.floor+mixRare)
	var r *upTable
	if spread := (all[len(all)-1].up[0] - all[0].up[0]) / k.PerJob; spread*m.plane.Longest(j) < 600 {
		total := 0.0
		for _, s := range all {
			total += math.Exp(s.chance)
		}
		r = &upTable{first: all[0].up[0] / k.PerJob}
		for _, s := range all {
			r.chance, r.servers = append(r.chance, math.Exp(s.chance)/total), append(r.servers, s.up[0]/k.PerJob)
			r.machines = append(r.machines, s.up[0])
		}
		m.kept += int(m.nodes) * len(all)
		m.model.Work.add(rowSteps*m.nodes + 2*factorSteps*m.nodes*float64(len(all)))
	}
	m.ups[j][count] = r
	return r
}

// fill computes the factors of numbers up: most of the work for them, which mixes of so many states
// that the table does not evaluate them can do without.
func (m *MixTable) fill(j int, r *upTable) {
	if len(r.factor) > 0 {
		return
	}
	gap, factor, step := 0.0, m.plane.Factor(j, 0), []float64(nil)
	for i, u := range r.machines {
		if i > 0 { // equal steps, except between the numbers of different groups
			if wide := u - r.machines[i-1]; wide != gap {
				gap, step = wide, m.plane.Factor(j, wide/m.kinds[j].PerJob)
			}
			factor = floats.MulTo(make([]float64, len(factor)), factor, step)
		}
		r.factor = append(r.factor, factor)
	}
}

// state evaluates the queue with m.counts servers and appends it to m.states.
func (m *MixTable) state(value, factor []float64, chance float64) {
	s := mixState{chance: chance}
	m.model.Work.add(stateSteps + factorSteps*m.nodes*m.asked(m.counts))
	w := numeric.PowerWeights{Top: m.weight.Top, Value: m.times(value, factor)}
	p := m.plane.Powers(&w, m.counts, m.left)
	groups := m.groups[:0] // of 60 kinds a mix has few
	for j, k := range m.kinds {
		if m.counts[j] != 0 {
			m.left[len(groups)] = m.left[j]
			groups = append(groups, Group{m.counts[j], k.Speed})
			s.rate += m.counts[j] * k.Speed
		}
	}
	p.Left = m.left[:len(groups)]
	s.figures, _, s.err = m.model.product(groups, &p, m.decays.at)
	m.states = append(m.states, s)
}
