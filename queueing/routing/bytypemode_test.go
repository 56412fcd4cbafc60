package routing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// randomShares is a random problem in shares, at 10 to 90 % of the capacity.
func randomShares(t *testing.T, rng *rand.Rand, n, m int) *shareForm {
	t.Helper()
	cs := randomClusters(rng, m)
	types, mean := randomTypes(rng, n)
	p := &byType{rate: capacity(t, cs) / mean * (0.1 + 0.8*rng.Float64()), types: types, stations: make([]station, m)}
	for j := range cs {
		p.stations[j], _ = cs[j].station("test", j)
	}
	return newShareForm(p)
}

// Every mode has the priced cost that the formula of a cluster gives, within its
// span; and no shares at random within the span cost less than the least mode.
func TestModes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	pairs := 0
	for range longtest.Of(1000, 3000) {
		n := 1 + rng.IntN(5)
		q := randomShares(t, rng, n, 1)
		if rng.IntN(4) == 0 {
			q.r[0] = 0
		}
		z := make([]float64, n)
		for i := range z {
			z[i] = (q.c[i] + q.w[i]*q.r[0]) * math.Pow(10, 2*rng.Float64()-0.3)
		}
		// Shares at random, one or two types mostly, which the span is laid around.
		draw := func() (y []float64, cost, ratio float64) {
			y = make([]float64, n)
			busy := 0.0
			for i := range y {
				y[i] = math.Pow(rng.Float64(), 6) / q.a[i]
				busy += y[i] * q.a[i]
			}
			load := rng.Float64()
			for i := range y {
				y[i] *= load / busy
				cost += (q.c[i] - z[i]) * y[i]
			}
			w, r, f := q.sumsOf(y, 0)
			return y, cost + w*r/f, w / r
		}
		_, _, at := draw()
		s := span{at * rng.Float64(), at * (1 + 3*rng.Float64())}
		switch rng.IntN(4) {
		case 0:
			s.low = 0
		case 1:
			s.high = math.Inf(1)
		}
		least := math.Inf(1)
		for _, m := range q.modes(0, s, z, nil) {
			least = min(least, m.h)
			if m.i < 0 {
				continue
			}
			y := make([]float64, n)
			y[m.i] = m.y
			cost := (q.c[m.i] - z[m.i]) * m.y
			if m.k >= 0 {
				pairs++
				y[m.k] += m.v
				cost += (q.c[m.k] - z[m.k]) * m.v
			}
			w, r, f := q.sumsOf(y, 0)
			if ratio := w / r; !(f > 0) || ratio < s.low*(1-1e-6) || ratio > s.high*(1+1e-6) {
				t.Fatalf("a mode with a ratio of %g, span %v, free %g", ratio, s, f)
			}
			if cost += w * r / f; math.Abs(cost-m.h) > 1e-6*(math.Abs(m.h)+w*r/f) {
				t.Fatalf("mode %+v costs %g", m, cost)
			}
		}
		for range 2000 {
			if y, cost, ratio := draw(); ratio >= s.low && ratio <= s.high && cost < least-1e-9*math.Abs(least) {
				t.Fatalf("%v costs %g, the least mode %g; span %v, prices %v", y, cost, least, s, z)
			}
		}
	}
	if pairs < 1000 {
		t.Errorf("%d modes of two types: the test says little", pairs)
	}
}
