package unlike

import (
	"cmp"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// Coming is a number of equal machines that come and go. Each is up for a share of the time,
// independent of the others except for the outages that they share.
type Coming struct {
	Machines float64 // N ≥ 0, whole
	Up       float64 // p within 0..1, steady state
	Speed    float64 // s > 0; 1 is the speed for which the service time is given
	PerJob   float64 // r > 0 machines that each job occupies: its replicas over the slots of a machine
	Outages  Outages // that the machines share; the zero value: none
}

// Varying is a queue whose fleet changes slowly. Beside the groups of Queue it has machines that
// come and go. Of the N machines of a kind u are up with the binomial probability
//
//	P(u) = N!/(u!(N − u)!) pᵘ (1 − p)^(N−u)
//
// or, with [Outages], a mixture of such laws. u machines are u/r servers. Every figure is the mean,
// over the numbers up, of the figure with that number of servers,
//
//	B = Σ_u P(u)·B(n, u/r),   P(W > t) = Σ_u P(u)·P(W > t | u),
//
// which holds if machines stay up or down much longer than a job takes, so that the queue reaches
// the steady state of the machines that are up. Compared with the full chain of 8 machines, up 60 %
// of the time under 2.5 erl, the error is 0.2 % if an outage lasts 170 services, 2 % at 17 and 9 %
// at 1.7 (TestVaryingRegimes); it is no bound. If outages are much shorter than a job, use the mean
// number up instead, as [queueing.EquivalentServers] does. A job whose machine leaves is assumed to
// go on, at no cost, on the next free machine.
//
// If so few machines are up that there is no steady state, every job is taken to wait longer than
// any t, and the mean wait is +Inf. The mean wait and the mean response leave out the smallest
// numbers up, of a total probability below 1e-9. Utilization is the served load over the mean rate
// of the machines that are up.
type Varying struct {
	Queue
	Coming []Coming
}

// rareShortage is the total chance of the numbers up that mean waits leave out.
const rareShortage = 1e-9

// At returns the figures if servers are added as in [Queue.At]. It leaves out numbers up whose
// chance is below 1e-13 of the figure. If their standard deviation is above 8 it takes them in
// steps of a fraction of it, as in the trapezoidal rule. Both together have a relative error below
// 1e-10 for loss and abandonment. More than 10,000 states, which some hundred machines of each of
// three kinds have, or a dozen of each of ten kinds, are merged if they have nearly the same
// effect; the error is then below 1e-4 down to losses of 1e-6, and below 1e-3 down to 1e-17
// (TestMergedStates). Errors as [Queue.At]; *UnstableError if the mean rate of all servers does not
// exceed the arrivals.
func (m Varying) At(servers float64) (queueing.Figures, error) {
	return m.within(servers, mostStates)
}

// within is At with a bound on the number of states; above it they are merged.
func (m Varying) within(servers float64, most int) (queueing.Figures, error) {
	rate, err := m.check(servers)
	if err != nil {
		return queueing.Figures{}, err
	}
	load := m.ArrivalRate * m.ServiceTime
	if m.WhenFull == Queued {
		if err := steady("Varying", rate, load); err != nil {
			return queueing.Figures{}, err
		}
	}
	states, err := m.states(servers, most)
	if err != nil {
		return queueing.Figures{}, err
	}
	all := append(m.Beside[:len(m.Beside):len(m.Beside)], Group{servers, m.added()})
	for _, c := range m.Coming {
		all = append(all, Group{0, c.Speed})
	}
	set := func(s state) {
		for j, c := range m.Coming {
			all[len(all)-len(m.Coming)+j].Servers = s.up[j] / c.PerJob
		}
	}
	evaluate := m.evaluator(all, states, set)
	m.Work.add(listSteps * float64(len(states)))
	var sum mixture
	for _, s := range states {
		set(s)
		f, err := evaluate()
		if err := sum.add(s.chance, f, err); err != nil {
			return queueing.Figures{}, err
		}
	}
	return sum.figures(m, servers, rate), nil
}

// Utilization returns the Utilization of [Varying.At]. If every job waits until it is served, this
// is the load over the mean rate and needs no states. Errors as At.
func (m Varying) Utilization(servers float64) (float64, error) {
	if m.WhenFull != Queued {
		f, err := m.At(servers)
		return f.Utilization, err
	}
	rate, err := m.check(servers)
	load := m.ArrivalRate * m.ServiceTime
	if err == nil {
		err = steady("Varying", rate, load)
	}
	if err != nil || rate == 0 {
		return 0, err
	}
	return load / rate, nil
}

// manyDecays is the number of states above which the integrals for impatient jobs are interpolated
// in a table, with an error of about 1e-11.
const manyDecays = 100

// evaluator returns a function that computes the figures of all groups at the counts to which set
// last set them. Servers of one speed have closed forms; for unlike ones the states share a table.
func (m Varying) evaluator(all []Group, states []state, set func(state)) func() (queueing.Figures, error) {
	at := m.Queue
	at.Beside = all
	load := m.ArrivalRate * m.ServiceTime
	speeds := map[float64]bool{}
	for _, g := range all {
		if g.Servers > 0 {
			speeds[g.Speed] = true
		}
	}
	for _, c := range m.Coming {
		speeds[c.Speed] = true
	}
	var table *numeric.PowerTable
	if len(speeds) > 1 && len(states) > 2 && load > 0 && load <= queueing.MaxServers {
		table = powersTable(all, load, states, set)
		m.Work.add(madeSteps(table, len(all)))
	}
	if table == nil {
		return func() (queueing.Figures, error) {
			for j := range all { // merging may leave counts slightly below 0
				all[j].Servers = math.Max(all[j].Servers, 0)
			}
			return at.At(0)
		}
	}
	counts, left := make([]float64, len(all)), make([]float64, len(all))
	decay := numeric.DecayIntegrals
	if len(states) > manyDecays {
		decay = new(decays).at
	}
	return func() (queueing.Figures, error) {
		for j, g := range all {
			counts[j] = g.Servers
		}
		m.Work.add(tableSteps(table, len(all)))
		p := table.At(counts, left)
		f, _, err := at.product(all, &p, decay)
		return f, err
	}
}

// Floor returns the number of added servers that must be exceeded for the mean rate to exceed the
// load.
func (m Varying) Floor() float64 {
	all := m.Queue
	all.Beside = append(m.Beside[:len(m.Beside):len(m.Beside)], m.mean()...)
	return all.Floor()
}

// mean returns the coming machines as groups of their mean number up.
func (m Varying) mean() []Group {
	groups := make([]Group, len(m.Coming))
	for i, c := range m.Coming {
		groups[i] = Group{c.Machines * c.Up / c.PerJob, c.Speed}
	}
	return groups
}

// check checks the model and returns the mean rate of all servers, in units of a server of speed 1.
func (m Varying) check(servers float64) (rate float64, err error) {
	c := queueing.Domain{Func: "Varying"}
	for _, k := range m.Coming {
		c.AtLeastZero("machines", k.Machines)
		c.Magnitude("machines", k.Machines)
		if k.Machines != math.Floor(k.Machines) {
			c.Fail("machines", k.Machines, "a whole number")
		}
		c.Fraction("share of time up", k.Up)
		k.checkOutages(&c)
		c.Positive("speed", k.Speed)
		c.Positive("machines per job", k.PerJob)
	}
	if c.Err != nil {
		return 0, c.Err
	}
	groups, err := m.Queue.groups(servers)
	if err != nil {
		return 0, err
	}
	for _, g := range append(groups, m.mean()...) {
		rate += g.Servers * g.Speed
	}
	return rate, nil
}

// A state is one number of machines up for each kind, with its chance.
type state struct {
	up     []float64
	chance float64
}

// states lists the states that count, in ascending order of their total speed.
func (m Varying) states(servers float64, most int) ([]state, error) {
	all, err := m.likely(servers, most, math.Inf(-1))
	if err != nil || len(m.Coming) < 2 {
		return all, err
	}
	return m.inOrder(all), nil
}

// inOrder sorts states by their total speed.
func (m Varying) inOrder(all []state) []state {
	rates := make([]float64, len(all))
	for i, s := range all {
		for j, c := range m.Coming {
			rates[i] += s.up[j] / c.PerJob * c.Speed
		}
	}
	sorted := make([]state, len(all))
	for k, i := range rising(rates) {
		sorted[k] = all[i]
	}
	return sorted
}

// rising returns the places of numbers in ascending order; equal ones stay in theirs.
func rising(numbers []float64) []int {
	order := numeric.Indices[int](len(numbers))
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(numbers[i], numbers[j]), i-j) })
	return order
}

// likely lists the states whose chance counts; the chances add up to 1. States of a single kind are
// in ascending order. If there would be more than most, they are merged. A state that is rare
// compared with a loss of e^floor does not count.
func (m Varying) likely(servers float64, most int, floor float64) ([]state, error) {
	beside, err := m.Queue.groups(servers)
	if err != nil {
		return nil, err
	}
	least := math.Max(m.leastLost(beside), floor)
	ups, product := make([][]state, len(m.Coming)), 1.0
	for j, c := range m.Coming {
		ups[j] = c.ups(c.Machines, math.Max(least, -700)-34)
		product *= float64(len(ups[j]))
	}
	if product > float64(most) {
		most = min(most, fewStates)
	}
	merge := m.newMerger(beside)
	defer func() { m.Work.add(merge.steps) }()
	so := listed([]state{{nil, 0}})
	for j := range m.Coming {
		var all []state
		if len(so.pairs)*len(ups[j]) > most {
			all, ups[j] = merge.factors(so, ups[j])
		} else {
			all = so.list()
		}
		so = times(all, ups[j], least-34, so.pairs[:0])
	}
	var all []state
	if len(so.pairs) > most {
		all = merge.merged(so, 0)
	} else {
		all = so.list()
	}
	total := 0.0
	for i := range all {
		all[i].chance = math.Exp(all[i].chance)
		total += all[i].chance
	}
	for i := range all {
		all[i].chance /= total
	}
	return all, nil
}

// leastLost returns a lower bound of the logarithm of the loss, by which it is decided how rare a
// state may be and still count. It uses the mean of 1/B and ignores shared outages, which increase
// the loss. 0 if there are no arrivals.
func (m Varying) leastLost(beside []Group) float64 {
	load := m.ArrivalRate * m.ServiceTime
	if !(load > 0) {
		return 0
	}
	var factors []numeric.Power
	for _, g := range beside {
		factors = append(factors, numeric.Power{Scale: load / g.Speed, Count: g.Servers})
	}
	for _, c := range m.Coming {
		if c.Up > 0 {
			factors = append(factors, numeric.Power{Scale: load / c.Speed / c.own(), Count: c.Machines / c.PerJob})
		}
	}
	return -numeric.PowerIntegrals(factors).Log
}

// binomialUps lists the numbers up of one kind with the logarithm of their chance, down to the
// given one. If they are many it takes them in equal steps.
func binomialUps(n, p, least float64) []state {
	if n == 0 || p == 0 || p == 1 {
		return []state{{[]float64{n * math.Floor(p)}, 0}}
	}
	middle, step := math.Floor((n+1)*p), 1.0
	if deviation := math.Sqrt(n * p * (1 - p)); deviation > 8 {
		step = math.Floor(deviation / 2.5)
	}
	var low, high []state
	for u := middle; u >= 0; u -= step {
		l := logBinomial(u, n, p)
		if l < least {
			break
		}
		low = append(low, state{[]float64{u}, l})
	}
	for u := middle + step; u <= n; u += step {
		l := logBinomial(u, n, p)
		if l < least {
			break
		}
		high = append(high, state{[]float64{u}, l})
	}
	ups := make([]state, 0, len(low)+len(high))
	for i := len(low) - 1; i >= 0; i-- {
		ups = append(ups, low[i])
	}
	return append(ups, high...)
}

// logBinomial returns ln P(u) by Loader's saddle-point form, 0 < p < 1.
func logBinomial(u, n, p float64) float64 {
	switch u {
	case 0:
		return n * math.Log1p(-p)
	case n:
		return n * math.Log(p)
	}
	return numeric.StirlingError(n) - numeric.StirlingError(u) - numeric.StirlingError(n-u) -
		numeric.Deviance(u, n*p) - numeric.Deviance(n-u, n*(1-p)) + 0.5*math.Log(n/(2*math.Pi*u*(n-u)))
}
