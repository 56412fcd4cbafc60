package frailty

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The logarithms of products are those of their factors to nine digits, and the shapes of machines and groups that
// are looked for with them are those that are looked for without, to the bit.
func TestShapesByProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 20 {
		machines := make([]Machine, 40+rng.IntN(60))
		groups := make([]groupOf, 2+rng.IntN(6))
		factor := math.Exp(3 * rng.NormFloat64())
		for i := range machines {
			g := &groups[i%len(groups)]
			g.members = append(g.members, i)
			machines[i].Group = "of its own"
			machines[i].Expected = factor * rng.ExpFloat64()
			machines[i].Failures = math.Floor(machines[i].Expected * rng.ExpFloat64() * float64(1+i%len(groups)))
		}
		for _, k := range []float64{leastShape, 1, inProducts, greatestShape} {
			for _, g := range groups {
				got := logGroupMarginal(machines, g.members, byFailures(machines, g.members), k, 3)
				want := logGroupMarginal(machines, g.members, nil, k, 3)
				if !(math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))) {
					t.Errorf("k = %v: %v in products, %v one by one", k, got, want)
				}
			}
		}
		var d, l []float64
		both := func(k, kg float64) float64 {
			s := LogMarginal(d, l, k)
			for _, g := range groups {
				s += logGroupMarginal(machines, g.members, nil, k, kg)
			}
			return s
		}
		group := bestShape(10, func(kg float64) float64 { return both(1, kg) })
		shape := bestShape(1, func(k float64) float64 { return both(k, group) })
		if gotShape, gotGroup := shapes(machines, groups, 1, 10); gotShape != shape || gotGroup != group {
			t.Errorf("shapes %v and %v, want %v and %v", gotShape, gotGroup, shape, group)
		}
	}
}
