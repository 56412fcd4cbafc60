package unlike

import (
	"errors"
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// Busy returns the mean number of busy servers of each group of Beside: n_j times
//
//	Lossy:             b = L = ∫ a_j/(a_j + t) e^(−t) ∏_i (1 + t/a_i)^(n_i) dt / U
//	Queued, Impatient: b = L·(1 − f) + f
//
// where U is the integral of [Blocking] and f the chance that all servers
// are busy and a job has come since. The group serves s_j/E[S] times as many
// jobs per second. A slow server is busier than a fast one and yet serves fewer
// jobs: b falls and s·b rises with s, and b falls with every server that is
// added. Without arrivals none is busy; with more work than the servers do all
// are. The sum over all sets of busy servers agrees (TestBusyAgainstChain). Errors:
// *DomainError.
func (m Queue) Busy() ([]float64, error) {
	beside, _, err := Varying{Queue: m}.Busy()
	return beside, err
}

// Busy returns the mean number of busy servers of each group of Beside, as
// [Queue.Busy], and of each kind that comes and goes, averaged over the numbers
// up. Errors: *DomainError.
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

// busyIn returns the busy servers of all as set stands at, by a table that the
// states share where they are many.
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

// widestTable is how many of the integrand's widths apart, by their numbers of servers,
// the states of a table may lie. Its nodes grow with that: machines of which a group
// goes at once are all there or none, and their integrals are made for each state.
const widestTable = 200

// powersTable returns the table of the integrals for all of the states; nil where they
// lie too far apart.
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
