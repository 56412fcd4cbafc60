package routing

import (
	"math/rand/v2"
	"sort"

	"github.com/capplan/capplan/internal/numeric"
)

// A start is an order of the types and one of the clusters: the types are
// poured into the clusters one after the other, each cluster up to the same
// utilization, so that neighbours in the order share a cluster and the rest are
// kept apart.
type start struct{ types, clusters []int }

// starts are n orders that a descent is worth while from: types by the ratio of
// weight to residual work, either way round, and clusters by speed, capacity
// and number; then chance, from a fixed seed.
func (p *byType) starts(n int) []start {
	types := ordered(len(p.types), func(i int) float64 {
		f, g := p.types[i].ratios()
		return g / p.types[i].Weight * (1 + 1e-9*f)
	})
	bySpeed := ordered(len(p.stations), func(j int) float64 { return p.stations[j].theta })
	byRoom := ordered(len(p.stations), func(j int) float64 { return p.stations[j].limit() })
	byWork := ordered(len(p.stations), func(j int) float64 { return p.stations[j].local / p.stations[j].idle })
	all := []start{
		{types, bySpeed}, {reversed(types), bySpeed}, {types, byRoom}, {reversed(types), byRoom}, {types, byWork},
		{reversed(types), byWork},
	}
	rng := rand.New(rand.NewPCG(1, 7))
	for len(all) < n {
		all = append(all, start{rng.Perm(len(p.types)), rng.Perm(len(p.stations))})
	}
	return all[:n]
}

func ordered(n int, key func(int) float64) []int {
	order, keys := make([]int, n), make([]float64, n)
	for i := range order {
		order[i], keys[i] = i, key(i)
	}
	sort.SliceStable(order, func(a, b int) bool { return keys[order[a]] < keys[order[b]] })
	return order
}

func reversed(order []int) []int {
	out := make([]int, len(order))
	for i, v := range order {
		out[len(order)-1-i] = v
	}
	return out
}

// pour sets the split of a start.
func (p *byType) pour(s start) {
	var room, load numeric.Sum // in rates of a type of ratio 1
	for j := range p.stations {
		room.Add(p.stations[j].limit())
	}
	for i := range p.types {
		f, _ := p.types[i].ratios()
		load.Add(f * p.types[i].Share * p.rate)
	}
	level := load.Value() / room.Value()
	at, left := 0, level*p.stations[s.clusters[0]].limit()
	for _, i := range s.types {
		clear(p.x[i])
		f, _ := p.types[i].ratios()
		for want := p.types[i].Share * p.rate; want > 0; {
			last := at == len(s.clusters)-1
			take := min(want, left/f)
			if last {
				take = want // rounding too
			}
			p.x[i][s.clusters[at]] += take
			want -= take
			if left -= take * f; !last && (want > 0 || left <= 0) {
				at++
				left = level * p.stations[s.clusters[at]].limit()
			}
		}
	}
}
