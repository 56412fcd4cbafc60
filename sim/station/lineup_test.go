package station

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A lineup finds who comes next as a look at each of them does, while they come, leave and are promised starts.
func TestLineupFindsTheNext(t *testing.T) {
	found := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		d := &desk{servers: 100}
		l := newLineup(d)
		var plain []int32
		for step := range 3000 {
			switch {
			case r.IntN(9) < 5 || len(plain) == 0:
				id := int32(len(d.table))
				d.table = append(d.table, customer{width: 1 + r.Int32N(100), estimate: float64(r.IntN(1000))})
				l.push(id)
				plain = append(plain, id)
			case r.IntN(2) == 0:
				id := plain[r.IntN(len(plain))]
				if c := &d.table[id]; c.promised > 1 {
					c.promised = min(c.promised, 1000) * r.Float64()
					l.promised(id)
				}
			default:
				i := r.IntN(1 + r.IntN(len(plain)))
				l.remove(plain[i])
				plain = slices.Delete(plain, i, i+1)
			}
			servers, time := r.Int32N(100), 1000*math.Pow(r.Float64(), 4)
			fits := func(c *customer) bool { return c.width <= servers && min(c.estimate, c.promised) <= time }
			may := func(n *lineupNode) bool {
				by := func(x float64) bool { return x <= time }
				return n.estimates.within(servers, by) || n.starts.within(servers, by)
			}
			var want, got []int32
			for _, id := range plain {
				if fits(&d.table[id]) {
					want = append(want, id)
				}
			}
			for slot := l.next(0, may, fits); slot >= 0; slot = l.next(slot+1, may, fits) {
				got = append(got, l.ids[slot])
			}
			if !slices.Equal(got, want) || len(plain) > 0 && l.first() != plain[0] {
				t.Fatalf("seed %d step %d: found %v, want %v", seed, step, got, want)
			}
			found += len(want)
		}
	}
	if found == 0 {
		t.Error("nobody ever fitted")
	}
}
