package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A LossMix evaluates the loss of many mixes of the same kinds of machines
// under one load, as [Varying] does for one: the nodes of the integral are
// shared, so that a mix costs some microseconds. It is not safe for concurrent
// use.
type LossMix struct {
	load  float64
	kinds []Coming // Machines is the most that the table covers
	table *numeric.PowerTable
	model Unlike
	floor float64 // ln of the least loss that is told exactly
	rows  []map[float64][]state
}

// NewLossMix returns the mixes of up to kinds[i].Machines of each kind; a kind
// whose share of time up is 1 is always there. Loss below the floor, 1e-200 to
// 1, is told to be below it, but not exactly. Domain as [Varying], load > 0.
func NewLossMix(load float64, kinds []Coming, floor float64) (*LossMix, error) {
	m := &LossMix{load: load, kinds: kinds, model: Unlike{ArrivalRate: load, ServiceTime: 1}}
	if !(floor >= 1e-200 && floor <= 1) {
		return nil, &DomainError{"LossMix", "floor", floor, "1e-200 to 1"}
	}
	m.floor = math.Log(floor)
	for range kinds {
		m.rows = append(m.rows, map[float64][]state{})
	}
	if _, err := (Varying{m.model, kinds}).check(0); err != nil {
		return nil, err
	}
	if !(load > 0 && load <= maxServers) {
		return nil, &DomainError{"LossMix", "load", load, "0 < load <= 1e12"}
	}
	least, most := make([]numeric.Power, len(kinds)), make([]numeric.Power, len(kinds))
	for i, k := range kinds {
		least[i].Scale = load / k.Speed
		most[i] = numeric.Power{Scale: least[i].Scale, Count: k.Machines / k.PerJob}
	}
	m.table = numeric.NewPowerTable(least, most)
	return m, nil
}

// LogBlocking returns ln B of counts of each kind, whole where the kind comes
// and goes; relative error of B about 1e-10 (TestLossMix).
func (m *LossMix) LogBlocking(counts []float64) (float64, error) {
	always := make([]float64, len(counts))
	var coming []int
	exact := false
	for i, k := range m.kinds {
		switch deviation := math.Sqrt(counts[i] * k.Up * (1 - k.Up)); {
		case counts[i] > k.Machines:
			exact = true
		case deviation == 0:
			always[i] = counts[i] * k.Up / k.PerJob
		default:
			coming = append(coming, i)
			exact = exact || deviation > 40
		}
	}
	if exact || len(coming) > 2 || m.floor < -60 {
		return m.exactly(counts)
	}
	if len(coming) == 0 {
		return -m.table.Start(always).Log(), nil
	}
	// Rarer than this nothing counts.
	least := m.floor - 25
	rows := make([][]state, len(coming))
	for i, j := range coming {
		kept, ok := m.rows[j][counts[j]]
		if !ok {
			kept = binomialRows(counts[j], m.kinds[j].Up, least)
			m.rows[j][counts[j]] = kept
		}
		rows[i] = kept
	}
	// From the fewest up on: further on in t the integrand would be lost below
	// the range of float64.
	for i, j := range coming {
		always[j] = rows[i][0].up[0] / m.kinds[j].PerJob
	}
	walk := m.table.Start(always)
	lost, chances := 0.0, 0.0
	last := len(coming) - 1
	inner := func(walk *numeric.PowerWalk, before float64) {
		j := coming[last]
		at := rows[last][0].up[0]
		for _, r := range rows[last] {
			if before+r.chance < least {
				continue
			}
			walk.Add(j, (r.up[0]-at)/m.kinds[j].PerJob)
			at = r.up[0]
			p := math.Exp(before + r.chance)
			lost, chances = lost+p*math.Exp(-walk.Log()), chances+p
		}
	}
	if last == 0 {
		inner(walk, 0)
	} else {
		j := coming[0]
		for _, r := range rows[0] {
			inside := walk.Clone()
			inside.Add(j, (r.up[0]-rows[0][0].up[0])/m.kinds[j].PerJob)
			inner(inside, r.chance)
		}
	}
	return math.Log(lost / chances), nil
}

// exactly answers where the table does not reach.
func (m *LossMix) exactly(counts []float64) (float64, error) {
	v := Varying{Unlike: m.model}
	for i, k := range m.kinds {
		switch {
		case k.Up == 1:
			v.Beside = append(v.Beside[:len(v.Beside):len(v.Beside)], Group{counts[i] / k.PerJob, k.Speed})
		case counts[i] > 0:
			k.Machines = counts[i]
			v.Coming = append(v.Coming, k)
		}
	}
	f, err := v.At(0)
	return f.logBlocking, err
}
