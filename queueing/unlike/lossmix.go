package unlike

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// A LossMix evaluates the blocking of many mixes of the same kinds of machines under one load, as
// [Varying] does for a single mix. It computes once what all mixes share: the nodes of the
// integral, and for each count of each kind the factors for the numbers of machines up. A mix then
// costs about a microsecond, or a millisecond if many kinds and groups come and go
// (BenchmarkLossMix). It is not safe for concurrent use.
type LossMix struct {
	load  float64
	kinds []Coming
	plane *numeric.PowerPlane
	model Queue
	Work  *Work     // counts the steps taken; nil: they are not counted
	nodes float64   // number of nodes of the plane
	floor float64   // ln of the least loss that is computed exactly
	tilt  []float64 // by kind, −d ln B/du near the floor
	ups   []map[float64]*upTable
	there []map[float64][]presence // for each count of each kind
	kept  int                      // numbers stored in ups

	walk   []numeric.PowerWeights // scratch, one for each kind that comes and goes
	always []float64
	coming []int
}

// An upTable holds the numbers up of one kind, over which a mean is taken: one row for each number.
type upTable struct {
	first    float64     // number of servers of the first row
	servers  []float64   // of each row; for a MixTable
	machines []float64   // up in each row; for a MixTable
	chance   []float64   // of each row; for a LossMix divided by e^top
	top      float64     // ln of the greatest weight; for a LossMix
	factor   [][]float64 // for each row, at each node: the factor of the servers beyond the first
}

// mostListed bounds the number of states over which a mean is taken one by one, which takes some
// milliseconds.
const mostListed = 10_000

// mostKept bounds how many numbers a LossMix keeps: 64 MB.
const mostKept = 8_000_000

// NewLossMix returns a LossMix for the kinds, whose Machines are ignored. A kind with Up = 1 is
// always there. A loss below the floor, which must lie within 1e-200 and 1, is reported as some
// value below the floor, not exactly. Domain as [Varying], and load > 0.
func NewLossMix(load float64, kinds []Coming, floor float64) (*LossMix, error) {
	m := &LossMix{load: load, kinds: kinds, model: Queue{ArrivalRate: load, ServiceTime: 1}}
	if !(floor >= 1e-200 && floor <= 1) {
		return nil, &queueing.DomainError{Func: "LossMix", Arg: "floor", Value: floor, Want: "1e-200 to 1"}
	}
	m.floor = math.Log(floor)
	if _, err := (Varying{m.model, kinds}).check(0); err != nil {
		return nil, err
	}
	if !(load > 0 && load <= queueing.MaxServers) {
		return nil, &queueing.DomainError{Func: "LossMix", Arg: "load", Value: load, Want: "0 < load <= 1e12"}
	}
	ends := make([]numeric.Power, len(kinds))
	for j, k := range kinds {
		a := load / k.Speed
		n := serversBelow(a, -m.floor)
		ends[j] = numeric.Power{Scale: a, Count: n}
		// At the peak of the integrand, t = n − a, one more server multiplies it by n/a.
		m.tilt = append(m.tilt, math.Log(serversBelow(a, math.Max(-m.floor-3, 0.1))/a)/k.PerJob)
		m.ups, m.there = append(m.ups, map[float64]*upTable{}), append(m.there, map[float64][]presence{})
	}
	var ok bool
	if m.plane, ok = numeric.NewPowerPlane(ends); !ok {
		return nil, &queueing.DomainError{Func: "LossMix", Arg: "load", Value: load, Want: "a load and speeds whose integrals floats resolve"}
	}
	m.nodes = float64(m.plane.Nodes())
	m.walk = make([]numeric.PowerWeights, len(kinds)+1)
	m.always = make([]float64, len(kinds))
	return m, nil
}

// serversBelow returns a number of servers with which an offered load of a erlangs has a blocking
// below e^−log. If X has the Poisson law of mean a, then B(n, a) = P(X = n)/P(X ≤ n) ≤ 2·P(X ≥ n)
// for n ≥ a, and Bernstein's inequality bounds the latter by 2·e^(−d²/(2(a + d/3))) with d = n − a.
func serversBelow(a, log float64) float64 {
	log += math.Ln2
	return a + log/3 + math.Sqrt(log*log/9+2*a*log)
}

// LogBlocking returns ln B for the given count of each kind; counts of kinds that come and go must
// be whole. The relative error of B is about 1e-9 (TestLossMix). If there are more than 10,000
// states they are merged, and the error is mostly below 1e-5 and at most 2e-4 (TestLossMixMerged).
// A *DomainError is returned if the number of counts is not the number of kinds, or if a count lies
// outside 0..1e12.
func (m *LossMix) LogBlocking(counts []float64) (float64, error) {
	if m.plane == nil {
		return 0, &queueing.DomainError{Func: "LossMix", Arg: "kinds", Value: 0, Want: "a mix that NewLossMix returned"}
	}
	if len(counts) != len(m.kinds) {
		return 0, &queueing.DomainError{Func: "LossMix", Arg: "counts",
			Value: float64(len(counts)), Want: fmt.Sprintf("%d counts, one of each kind", len(m.kinds))}
	}
	for _, n := range counts {
		if !(n >= 0 && n <= queueing.MaxServers) {
			return 0, &queueing.DomainError{Func: "LossMix", Arg: "count", Value: n, Want: "0 to 1e12"}
		}
	}
	if m.kept > mostKept {
		m.Forget()
	}
	if m.numbers(counts) > mostListed {
		return m.merged(counts, m.kinds)
	}
	return m.grouped(0, append([]float64(nil), counts...))
}

// numbers bounds the number of states over which the mean for these counts is taken; +Inf if the
// table does not cover them.
func (m *LossMix) numbers(counts []float64) (all float64) {
	all = 1
	for j := range m.kinds {
		k := &m.kinds[j]
		if counts[j] == 0 || k.Up == 0 || k.Up == 1 {
			continue
		}
		if m.floor < -60 {
			return math.Inf(1)
		}
		if k.shared() {
			all *= float64(len(m.present(j, counts[j])))
		}
		if k.own() < 1 {
			r := m.up(j, counts[j])
			if r == nil {
				return math.Inf(1)
			}
			all *= float64(len(r.chance))
		}
	}
	return all
}

// present lists how many of count machines of kind j may stand in groups that are up, from a cache.
func (m *LossMix) present(j int, count float64) []presence {
	all, ok := m.there[j][count]
	if !ok {
		all = m.kinds[j].there(count, m.floor+mixRare)
		m.there[j][count] = all
		m.kept += 2 * len(all)
	}
	return all
}

// grouped returns ln B as the mean over how many machines of the kinds from at on stand in groups
// that are up. The counts of earlier kinds already are such numbers.
func (m *LossMix) grouped(at int, counts []float64) (float64, error) {
	for ; at < len(m.kinds); at++ {
		if k := &m.kinds[at]; counts[at] > 0 && k.shared() {
			break
		}
	}
	if at == len(m.kinds) {
		return m.whole(counts)
	}
	count, lost := counts[at], math.Inf(-1)
	for _, p := range m.present(at, count) {
		counts[at] = p.machines
		one, err := m.grouped(at+1, counts)
		if err != nil {
			return 0, err
		}
		lost = logSum(lost, p.chance+one)
	}
	counts[at] = count
	return lost, nil
}

// whole returns ln B if the groups of all the given machines are up.
func (m *LossMix) whole(counts []float64) (float64, error) {
	m.coming = m.coming[:0]
	for j, k := range m.kinds {
		m.always[j] = counts[j] * k.own() / k.PerJob
		if counts[j] == 0 || k.Up == 0 || k.own() == 1 {
			continue
		}
		r := m.up(j, counts[j])
		if r == nil {
			there := slices.Clone(m.kinds)
			for i := range there {
				there[i].Up, there[i].Outages = there[i].own(), Outages{}
			}
			return m.merged(counts, there)
		}
		m.always[j] = r.first
		m.coming = append(m.coming, j)
	}
	m.Work.add(m.nodes * (nodeSteps + factorSteps*float64(len(m.kinds))))
	if len(m.coming) == 0 {
		return -m.plane.Log(&m.walk[0], m.always), nil
	}
	m.plane.Start(&m.walk[0], m.always)
	top := 0.0
	for _, j := range m.coming {
		top += m.ups[j][counts[j]].top
	}
	return math.Log(m.mean(0, counts)) + top - m.walk[0].Top, nil
}

// mean returns the mean of 1/U over the numbers up of the kinds from m.coming[at] on, up to the
// factors e^top of the weights and chances, which whole puts back.
func (m *LossMix) mean(at int, counts []float64) (lost float64) {
	j := m.coming[at]
	r := m.ups[j][counts[j]]
	value := m.walk[at].Value
	m.Work.add((factorSteps*m.nodes + 20) * float64(len(r.factor)))
	for i, factor := range r.factor {
		if at == len(m.coming)-1 {
			lost += r.chance[i] / floats.Dot(value, factor)
			continue
		}
		next := &m.walk[at+1]
		next.Value = slices.Grow(next.Value[:0], len(value))[:len(value)]
		floats.MulTo(next.Value, value, factor)
		lost += r.chance[i] * m.mean(at+1, counts)
	}
	return lost
}

// up returns the numbers of machines of kind j that may be up; nil if they are too far apart for
// the nodes.
func (m *LossMix) up(j int, count float64) *upTable {
	if r, ok := m.ups[j][count]; ok {
		return r
	}
	k := m.kinds[j]
	ups, chances := m.rule(j, count)
	var r *upTable
	if spread := (ups[len(ups)-1] - ups[0]) / k.PerJob; spread*m.plane.Longest(j) < 600 {
		// The weights span about the same range as the factors, so dividing by the greatest loses
		// none to underflow.
		r = &upTable{first: ups[0] / k.PerJob, chance: make([]float64, len(ups)), top: floats.Max(chances)}
		for i, u := range ups {
			r.chance[i] = math.Exp(chances[i] - r.top)
			factor := m.plane.Factor(j, (u-ups[0])/k.PerJob)
			r.factor = append(r.factor, factor)
			m.kept += len(factor)
		}
		m.Work.add(rowSteps * m.nodes * float64(len(ups)))
	}
	m.ups[j][count] = r
	return r
}

// rule returns numbers of machines up and the logarithms of their weights. With κ = −d ln B/du near
// the floor, B(u)·e^(κu) is a smooth function of u: about as flat as a parabola in ln B whose
// curvature is below 1/n per server, if n servers are up. A Gauss rule for the binomial law tilted
// by e^(−κu), which is again binomial, therefore needs few points:
//
//	Σ P(u) B(u) = (1 − p + p·e^−κ)^N Σᵢ wᵢ e^(κuᵢ) B(uᵢ)
//
// If it would need as many points as there are likely numbers up, all of these are taken instead.
func (m *LossMix) rule(j int, count float64) (ups, chances []float64) {
	k := &m.kinds[j]
	up := k.own()
	tilted := up * math.Exp(-m.tilt[j])
	whole := 1 - up + tilted
	p := tilted / whole
	variance := count * p * (1 - p)
	q := variance / (variance + math.Max(count*p*k.PerJob, k.PerJob*k.PerJob))
	points := int(math.Ceil(math.Max(math.Log(1e-12)/math.Log(q)+2, 7+5*m.tilt[j]*math.Sqrt(variance))))
	// Compare with taking all numbers up, or those within 8 standard deviations in steps.
	if deviation := math.Sqrt(count * up * (1 - up)); float64(points) < math.Min(count+1,
		math.Min(16*deviation, 40)) {
		nodes, weights := numeric.BinomialRule(count, p, points)
		for i, u := range nodes {
			if weights[i] > 0 {
				ups = append(ups, u)
				chances = append(chances, math.Log(weights[i])+m.tilt[j]*u+count*math.Log(whole))
			}
		}
		return ups, chances
	}
	all := binomialUps(count, up, m.floor+mixRare) // rarer numbers do not count
	total := 0.0
	for _, r := range all {
		total += math.Exp(r.chance)
	}
	for _, r := range all {
		ups, chances = append(ups, r.up[0]), append(chances, r.chance-math.Log(total))
	}
	return ups, chances
}

// Forget frees the memory that the counts seen so far occupy.
func (m *LossMix) Forget() {
	for i := range m.ups {
		clear(m.ups[i])
		clear(m.there[i])
	}
	m.kept = 0
}

// merged returns ln B if there are too many states for a table of each: it merges states.
func (m *LossMix) merged(counts []float64, kinds []Coming) (float64, error) {
	v := Varying{Queue: m.model}
	m.coming = m.coming[:0]
	for j, k := range kinds {
		m.always[j] = 0
		switch {
		case k.Up == 1:
			m.always[j] = counts[j] / k.PerJob
			v.Beside = append(v.Beside, Group{m.always[j], k.Speed})
		case counts[j] > 0:
			k.Machines = counts[j]
			v.Coming = append(v.Coming, k)
			m.coming = append(m.coming, j)
		}
	}
	v.Work = m.Work
	states, err := v.likely(0, fewStates, m.floor)
	m.Work.add(m.nodes * (nodeSteps + factorSteps*float64(len(kinds))) * float64(len(states)))
	lost := math.Inf(-1)
	for _, s := range states {
		for i, j := range m.coming {
			m.always[j] = s.up[i] / m.kinds[j].PerJob
		}
		lost = logSum(lost, math.Log(s.chance)-m.plane.Log(&m.walk[0], m.always))
	}
	return lost, err
}
