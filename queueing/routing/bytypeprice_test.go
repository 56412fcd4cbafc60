package routing

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// The prices come to the same bound from wherever they start: also from 0 and next to it, which
// steps in the order of the price never left, and to which rounding led or did not.
func TestPricesFromAnyStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 27))
	for range 40 {
		cs := randomClusters(rng, 2+rng.IntN(3))
		types, mean := randomTypes(rng, 2+rng.IntN(3))
		groups, _ := kinds(types)
		p := &byType{rate: capacity(t, cs) / mean * (0.1 + 0.85*rng.Float64()), types: groups}
		for j := range cs {
			s, err := cs[j].station("test", j)
			if err != nil {
				t.Fatal(err)
			}
			p.stations = append(p.stations, s)
		}
		p.x = newRates(len(groups), len(cs))
		x := newRates(len(groups), len(cs))
		s := &search{ctx: context.Background(), p: p, best: math.Inf(1), x: x, out: new(TypeSplit), limit: priceBudget}
		p.pour(p.starts(1)[0])
		if err := s.start(); err != nil {
			t.Fatal(err)
		}
		s.q = newShareForm(p)
		bounds := map[string]float64{}
		most := 0.0
		for name, share := range map[string]float64{"usual": 1, "0": 0, "tiny": 1e-300, "small": 1e-9, "below": -1, "far": 30} {
			s.prices = newPrices(s.q)
			root := s.whole(false)
			for i := range root.z {
				price, _ := p.stationarity(i)
				root.z[i] = share * price * groups[i].Share
			}
			if err := s.raise(root, 1, 0); err != nil {
				t.Fatal(err)
			}
			bounds[name] = root.bound / s.best
			most = max(most, bounds[name])
		}
		for name, b := range bounds {
			if b < most-0.05*(1-most)-ProofGap {
				t.Errorf("%d types, %d clusters, from %s: bound %v, from another start %v of the value",
					len(types), len(cs), name, b, most)
			}
		}
	}
}
