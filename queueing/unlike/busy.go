package unlike

import (
	"errors"
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// Busy returns the mean number of busy servers of each group of Beside. For group j it is n_j times
//
//	Lossy:             b = L = ∫ a_j/(a_j + t) e^(−t) ∏_i (1 + t/a_i)^(n_i) dt / U
//	Queued, Impatient: b = L·(1 − f) + f
//
// where U is the integral of [Blocking], and f is the probability of the states that a loss system
// does not have: all servers are busy and at least one job has arrived since they became so. The
// group completes b·s_j/E[S] jobs per second. A slow server is busier than a fast one and yet
// serves fewer jobs: b falls and s·b rises with s, and b falls with every server that is added.
// Without arrivals no server is busy; if the offered work exceeds the total speed, all servers are.
// TestBusyAgainstChain compares this with the sum over all sets of busy servers. Errors:
// *DomainError.
func (m Queue) Busy() ([]float64, error) {
	beside, _, err := Varying{Queue: m}.Busy()
	return beside, err
}

// Busy returns the mean numbers of busy servers, averaged over the numbers of machines that may be
// up: of each group of Beside, as [Queue.Busy] does, and of each kind of machine that comes and
// goes. Errors: *DomainError.
func (m Varying) Busy() (beside, coming []float64, err error) {
	if _, err := m.check(0); err != nil {
		return nil, nil, err
	}
	states, err := m.likely(0, mostBusy, math.Inf(-1))
	if err != nil {
		return nil, nil, err
	}
	all := append([]Group(nil), m.Beside...)
	for _, c := range m.Coming {
		all = append(all, Group{0, c.Speed})
	}
	sum := make([]float64, len(all))
	set := func(s state) {
		for j, c := range m.Coming {
			all[len(m.Beside)+j].Servers = s.up[j] / c.PerJob
		}
	}
	evaluate := m.busyIn(all, states, set)
	for _, s := range states {
		set(s)
		busy, err := evaluate()
		if err != nil {
			return nil, nil, err
		}
		for j, b := range busy {
			sum[j] += s.chance * b
		}
	}
	return sum[:len(m.Beside)], sum[len(m.Beside):], nil
}

// busyIn returns a function that computes the busy servers of all groups, at the counts to which
// set last set them. If there are three states or more, they share one table of integrals.
func (m Varying) busyIn(all []Group, states []state, set func(state)) func() ([]float64, error) {
	at := m.Queue
	load := m.ArrivalRate * m.ServiceTime
	shared := func() *numeric.Powers { return nil }
	if len(states) >= 3 && load > 0 && load <= queueing.MaxServers {
		if table := powersTable(all, load, states, set); table != nil {
			m.Work.add(madeSteps(table, len(all)))
			counts, left := make([]float64, len(all)), make([]float64, len(all))
			shared = func() *numeric.Powers {
				for j, g := range all {
					counts[j] = g.Servers
				}
				m.Work.add(tableSteps(table, len(all)))
				p := table.At(counts, left)
				return &p
			}
		}
	}
	return func() ([]float64, error) {
		_, busy, err := at.product(all, shared(), numeric.DecayIntegrals)
		if errors.Is(err, queueing.ErrUnstable) {
			busy, err = make([]float64, len(all)), nil
			for j, g := range all {
				busy[j] = g.Servers
			}
		}
		return busy, err
	}
}

// widestTable bounds how far apart the states of one table may lie: the numbers of servers may
// differ by at most this many widths of the integrand. The table needs more nodes the further the
// states are apart. If whole groups of machines fail together, the states are so far apart that the
// integrals of each are computed separately.
const widestTable = 600

// powersTable returns a table of the integrals for all the states, or nil if the states lie too far
// apart for one table.
func powersTable(all []Group, load float64, states []state, set func(state)) *numeric.PowerTable {
	least, most := powers(all, load), powers(all, load)
	for i, s := range states {
		set(s)
		for j, p := range powers(all, load) {
			if least[j].Count = min(least[j].Count, p.Count); i == 0 {
				least[j].Count = p.Count
			}
			most[j].Count = max(most[j].Count, p.Count)
		}
	}
	spread, servers := 0.0, 0.0
	for j := range most {
		spread += most[j].Count - least[j].Count
		servers += most[j].Count
	}
	if spread > widestTable*math.Sqrt(servers) {
		return nil
	}
	return numeric.NewPowerTable(least, most)
}
