package unlike

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// A LossMix evaluates the loss of many mixes of the same kinds of machines
// under one load, as [Varying] does for one. What mixes have in common is made
// once: the nodes of the integral, and by kind and count the factors of the
// numbers up, so that a mix costs about a microsecond, or a millisecond where the kinds
// and groups that come and go are many (BenchmarkLossMix). It is not safe for concurrent
// use.
type LossMix struct {
	load  float64
	kinds []Coming
	plane *numeric.PowerPlane
	model Queue
	Work  *Work     // counts what mixes take; nil: nobody asks
	nodes float64   // of the plane
	floor float64   // ln of the least loss that is told exactly
	tilt  []float64 // by kind, −d ln B/du near the floor
	rows  []map[float64]*upRows
	there []map[float64][]presence // of each kind and count
	kept  int                      // numbers in rows

	walk   []numeric.PowerWeights // room, one for each kind that comes and goes
	always []float64
	coming []int
}

// upRows are the numbers up of one kind of which a mean is made.
type upRows struct {
	first   float64     // servers of the first
	servers []float64   // of each; for a MixTable
	chance  []float64   // of each; for a LossMix over e^top
	top     float64     // ln of the greatest weight; for a LossMix
	factor  [][]float64 // at the nodes, what the servers above the first multiply by
}

// mostRows bounds the numbers up of which a mean is made one by one, some milliseconds.
const mostRows = 10_000

// mostKept bounds the numbers that a LossMix keeps, 64 MB.
const mostKept = 8_000_000

// NewLossMix returns the mixes of the kinds, whose Machines are not read; a kind
// whose share of time up is 1 is always there. Loss below the floor, 1e-200 to
// 1, is told to be below it, but not exactly. Domain as [Varying], load > 0.
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
		// At the peak of the integrand t = n − a a server more multiplies it by n/a.
		m.tilt = append(m.tilt, math.Log(serversBelow(a, math.Max(-m.floor-3, 0.1))/a)/k.PerJob)
		m.rows, m.there = append(m.rows, map[float64]*upRows{}), append(m.there, map[float64][]presence{})
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

// serversBelow returns a number of servers that lose less than e^−log of a
// erlangs. With X of Poisson's law of mean a, B(n, a) = P(X = n)/P(X ≤ n) ≤
// 2·P(X ≥ n) for n ≥ a, which Bernstein's inequality bounds by 2·e^(−d²/(2(a +
// d/3))), d = n − a.
func serversBelow(a, log float64) float64 {
	log += math.Ln2
	return a + log/3 + math.Sqrt(log*log/9+2*a*log)
}

// LogBlocking returns ln B of counts of each kind, whole where the kind comes
// and goes; relative error of B about 1e-9 (TestLossMix), and where more than 10,000
// numbers up are merged mostly below 1e-5 and up to 2e-4 (TestLossMixMerged). Counts of another
// number of kinds, below 0 or above 1e12 return a *DomainError.
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
	if m.numbers(counts) > mostRows {
		return m.merged(counts, m.kinds)
	}
	return m.grouped(0, append([]float64(nil), counts...))
}

// numbers bounds how many numbers up and in groups that are there a mean is made of;
// +Inf where the table does not reach them.
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

// present lists the numbers of a count of a kind in groups that are there.
func (m *LossMix) present(j int, count float64) []presence {
	all, ok := m.there[j][count]
	if !ok {
		all = m.kinds[j].there(count, m.floor+mixRare)
		m.there[j][count] = all
		m.kept += 2 * len(all)
	}
	return all
}

// grouped returns ln B of machines of which those of the kinds from the given one on
// may lose groups, the mean over the numbers of them in groups that are there.
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

// whole returns ln B of machines in groups that are there.
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
		top += m.rows[j][counts[j]].top
	}
	return math.Log(m.mean(0, counts)) + top - m.walk[0].Top, nil
}

// mean returns the mean over the numbers up of the kinds from the given one on
// of 1/U, with the tops of weights and chances left out.
func (m *LossMix) mean(at int, counts []float64) (lost float64) {
	j := m.coming[at]
	r := m.rows[j][counts[j]]
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

// up returns the numbers up of a count of a kind; nil where they are too far
// apart for the nodes.
func (m *LossMix) up(j int, count float64) *upRows {
	if r, ok := m.rows[j][count]; ok {
		return r
	}
	k := m.kinds[j]
	ups, chances := m.rule(j, count)
	var r *upRows
	if spread := (ups[len(ups)-1] - ups[0]) / k.PerJob; spread*m.plane.Longest(j) < 600 {
		// Weights are about as far apart as the factors, so that none is lost beside the greatest.
		r = &upRows{first: ups[0] / k.PerJob, chance: make([]float64, len(ups)), top: floats.Max(chances)}
		for i, u := range ups {
			r.chance[i] = math.Exp(chances[i] - r.top)
			factor := m.plane.Factor(j, (u-ups[0])/k.PerJob)
			r.factor = append(r.factor, factor)
			m.kept += len(factor)
		}
		m.Work.add(rowSteps * m.nodes * float64(len(ups)))
	}
	m.rows[j][count] = r
	return r
}

// rule returns numbers up and the logarithms of their weights. B(u)·e^(κu) with
// κ = −d ln B/du near the floor is about as flat as a parabola in ln B whose
// curvature is below that of 1/n per server, n servers being up, so that a
// Gauss rule of the binomial law tilted by e^(−κu), which is binomial again,
//
//	Σ P(u) B(u) = (1 − p + p·e^−κ)^N Σᵢ wᵢ e^(κuᵢ) B(uᵢ)
//
// needs few points; where it needs as many as there are likely numbers up they
// are all taken.
func (m *LossMix) rule(j int, count float64) (ups, chances []float64) {
	k := &m.kinds[j]
	up := k.own()
	tilted := up * math.Exp(-m.tilt[j])
	whole := 1 - up + tilted
	p := tilted / whole
	variance := count * p * (1 - p)
	q := variance / (variance + math.Max(count*p*k.PerJob, k.PerJob*k.PerJob))
	points := int(math.Ceil(math.Max(math.Log(1e-12)/math.Log(q)+2, 7+5*m.tilt[j]*math.Sqrt(variance))))
	// Of all numbers up, or of those in steps within 8 deviations on either side.
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
	all := binomialRows(count, up, m.floor+mixRare) // rarer than this nothing counts
	total := 0.0
	for _, r := range all {
		total += math.Exp(r.chance)
	}
	for _, r := range all {
		ups, chances = append(ups, r.up[0]), append(chances, r.chance-math.Log(total))
	}
	return ups, chances
}

// Forget gives back the room that counts seen so far take.
func (m *LossMix) Forget() {
	for i := range m.rows {
		clear(m.rows[i])
		clear(m.there[i])
	}
	m.kept = 0
}

// merged returns ln B of counts of the kinds by numbers up that are merged where they are
// too many for a table of each.
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
