package reliability_test

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

// brutePool lists all sets; of equal costs fewer machines, then the earliest.
func brutePool(pool []reliability.Machine, target float64) (best uint32, cost float64, ok bool) {
	for set := uint32(1); set < 1<<len(pool); set++ {
		q, c := 1.0, 0.0
		for i, m := range pool {
			if set>>i&1 == 1 {
				q *= 1 - m.Availability
				c += m.Cost
			}
		}
		if q > (1-target)*(1+1e-12) {
			continue
		}
		first := bits.TrailingZeros32(set ^ best) // the first machine that only one of them has
		switch n, m := bits.OnesCount32(set), bits.OnesCount32(best); {
		case !ok, c < cost-1e-9:
		case c > cost+1e-9 || n > m || n == m && set>>first&1 == 0:
			continue
		}
		best, cost, ok = set, c, true
	}
	return best, cost, ok
}

func TestCheapestPoolBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 11).Draw(t, "n")
		pool := make([]reliability.Machine, n)
		for i := range pool {
			pool[i] = reliability.Machine{float64(rapid.IntRange(0, 19).Draw(t, "a")) / 20, float64(rapid.IntRange(0, 60).Draw(t, "c")) / 10}
		}
		target := rapid.SampledFrom([]float64{0.5, 0.9, 0.99, 0.9999, 0.999999}).Draw(t, "P")
		set, cost, ok := brutePool(pool, target)
		got, err := reliability.CheapestPool(pool, target)
		if !ok {
			var a *reliability.AvailabilityError
			if !errors.As(err, &a) || !errors.Is(err, reliability.ErrInfeasible) || a.Reachable > target {
				t.Fatalf("err = %v, want infeasible", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var chosen uint32
		for _, i := range got.Chosen {
			chosen |= 1 << i
		}
		if math.Abs(got.Cost-cost) > 1e-9 || chosen != set || !got.Exact || got.Gap != 0 {
			t.Fatalf("got %+v (%b), want cost %v set %b", got, chosen, cost, set)
		}
		if got.Availability < target*(1-1e-12) {
			t.Fatalf("%+v misses %v", got, target)
		}
	})
}

func randomPool(n int, seed uint64) []reliability.Machine {
	rng := rand.New(rand.NewPCG(seed, 1))
	pool := make([]reliability.Machine, n)
	for i := range pool {
		a := 0.05 + 0.6*rng.Float64()
		pool[i] = reliability.Machine{a, math.Round(100*(-math.Log(1-a)+0.3*rng.Float64())) / 100}
	}
	return pool
}

// Beyond 30 machines the answer stays within its bound, and a pool padded with
// machines that nobody would buy has the answer of the pool without them.
func TestCheapestPoolLarge(t *testing.T) {
	for seed := range longtest.Of(uint64(6), 30) {
		small := randomPool(30, seed)
		want, err := reliability.CheapestPool(small, 0.9999)
		if err != nil {
			t.Fatal(err)
		}
		padded := append([]reliability.Machine(nil), small...)
		for range 20 {
			padded = append(padded, reliability.Machine{0.01, 50})
		}
		got, err := reliability.CheapestPool(padded, 0.9999)
		if err != nil {
			t.Fatal(err)
		}
		if got.LowerBound > want.Cost+1e-9 {
			t.Errorf("seed %d: bound %v above the optimum %v", seed, got.LowerBound, want.Cost)
		}
		numtest.Close(t, "padded", got.Cost, want.Cost, 0.02)

		big := randomPool(2000, seed)
		b, err := reliability.CheapestPool(big, 1-1e-12)
		if err != nil {
			t.Fatal(err)
		}
		if b.Unavailability > 1.0001e-12 || b.Gap < 0 || b.Gap > 0.01 || b.LowerBound > b.Cost {
			t.Errorf("seed %d: %+v", seed, b)
		}
	}
}

// The bound is that of the linear relaxation, by gonum's simplex method.
func TestCheapestPoolBound(t *testing.T) {
	const n, target = 40, 0.99999
	for seed := range uint64(10) {
		pool := randomPool(n, seed)
		got, err := reliability.CheapestPool(pool, target)
		if err != nil {
			t.Fatal(err)
		}
		// Σ w x - surplus = W; x + slack = 1.
		need := -math.Log1p(-target)
		a := mat.NewDense(n+1, 2*n+1, nil)
		b, c := make([]float64, n+1), make([]float64, 2*n+1)
		for i, m := range pool {
			c[i] = m.Cost
			a.Set(0, i, math.Min(need, -math.Log1p(-m.Availability)))
			a.Set(i+1, i, 1)
			a.Set(i+1, n+1+i, 1)
			b[i+1] = 1
		}
		a.Set(0, n, -1)
		b[0] = need
		want, _, err := lp.Simplex(c, a, b, 1e-10, nil)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "bound", got.LowerBound, want, 1e-8)
		numtest.Close(t, "gap", got.Gap, (got.Cost-want)/got.Cost, 1e-5)
	}
}

func TestCheapestPoolDomain(t *testing.T) {
	_, err := reliability.CheapestPool(nil, 0.9)
	wantDomain(t, err, "pool")
	_, err = reliability.CheapestPool([]reliability.Machine{{0.5, 1}, {1.5, 1}}, 0.9)
	wantDomain(t, err, "pool[1].Availability")
	_, err = reliability.CheapestPool([]reliability.Machine{{0.5, -1}}, 0.9)
	wantDomain(t, err, "pool[0].Cost")
	_, err = reliability.CheapestPool([]reliability.Machine{{0.5, 1e308}, {0.5, 1e308}}, 0.6)
	wantDomain(t, err, "pool[].Cost")
	_, err = reliability.CheapestPool([]reliability.Machine{{0.5, 1}}, 0)
	wantDomain(t, err, "target")
	if _, err = reliability.CheapestPool([]reliability.Machine{{0.5, 1}}, 1); !errors.Is(err, reliability.ErrNoFiniteCount) {
		t.Errorf("P = 1: %v", err)
	}
	s, err := reliability.CheapestPool([]reliability.Machine{{0.5, 1}, {1, 7}, {1, 6}}, 1)
	if err != nil || len(s.Chosen) != 1 || s.Chosen[0] != 2 {
		t.Errorf("P = 1 with perfect machines: %+v, %v", s, err)
	}
}

func ExampleCheapestPool() {
	pool := []reliability.Machine{{0.9, 3}, {0.8, 1}, {0.8, 1.5}, {0.5, 0.2}, {0.5, 0.2}}
	s, err := reliability.CheapestPool(pool, 0.98)
	fmt.Println(s.Chosen, s.Cost, s.Availability, err)
	_, err = reliability.CheapestPool(pool, 0.9999)
	fmt.Println(err)
	// Output:
	// [1 2 3] 2.7 0.98 <nil>
	// reliability: CheapestPool: availability 0.9999 is infeasible: the whole pool does not reach it, so at most 0.999 (unavailability at least 0.001)
}

func BenchmarkCheapestPool(b *testing.B) {
	for _, n := range []int{30, 2000} {
		pool := randomPool(n, 1)
		b.Run(fmt.Sprintf("machines=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := reliability.CheapestPool(pool, 0.99999); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
