package drawn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

// rising returns needs that rise with their place, many of them equal and the last ones
// infinite, and how to solve them.
func rising(n int) (needs []float64, o *Ordered, solved *atomic.Int64) {
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	needs = make([]float64, n)
	for i := range needs {
		needs[i] = math.Floor(rng.Float64() * 12)
	}
	slices.Sort(needs)
	for i := n - n/20; i < n; i++ {
		needs[i] = math.Inf(1)
	}
	solved = new(atomic.Int64)
	raw := slices.Clone(needs)
	o = &Ordered{
		Draws:  n,
		Solve:  func(k int, _ float64) (float64, error) { solved.Add(1); return raw[k], nil },
		Covers: func(needed float64) float64 { return needed + 2 },
	}
	for i := range needs {
		needs[i] += 2
	}
	return needs, o, solved
}

// Ordered needs are those that are solved one by one, by whichever way they are asked for,
// and few of them are solved.
func TestOrderedAreThoseOneByOne(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{1, 2, 3, 40, 1000} {
		want, o, solved := rising(n)
		for servers := range 16 {
			got, err := o.Met(float64(servers))
			if met, _ := Known(want).Met(float64(servers)); err != nil || got != met {
				t.Errorf("%d draws: %d servers are enough for %d, %v; want %d", n, servers, got, err, met)
			}
		}
		for k, n := range want {
			if got, err := o.At(k); err != nil || got != n {
				t.Errorf("place %d: %v, %v; want %v", k, got, err, n)
			}
		}
		if n == 1000 && solved.Load() > 150 {
			t.Errorf("%d of %d draws were solved", solved.Load(), n)
		}
		for name, all := range map[string]func(context.Context) (Known, error){"all": o.All, "each": o.Each} {
			if got, err := all(ctx); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s of %d draws: %v, %v; want %v", name, n, got, err, want)
			}
		}
	}
}

// A quantile is the least need that covers the share; the regret is the mean and the
// greatest over the draws one by one.
func TestQuantileAndRegretOneByOne(t *testing.T) {
	needs := Known{1, 4, 4, 6, 11}
	for share, want := range map[float64]int64{0: 1, 0.2: 1, 0.21: 4, 0.6: 4, 0.8: 6, 0.81: 11, 1: 11} {
		if got, err := Quantile(needs, share); err != nil || *got != want {
			t.Errorf("share %v: %v, %v; want %d", share, *got, err, want)
		}
	}
	if got, err := Quantile(Known{3, math.Inf(1)}, 0.9); got != nil || err != nil {
		t.Errorf("a share without an answer: %v, %v", got, err)
	}
	regret := needs.Regret(2, 5)
	for servers := range 14 {
		n, sum, most := float64(servers), 0.0, 0.0
		for _, need := range needs {
			one := math.Max(2*(n-need), 5*(need-n))
			sum, most = sum+one, math.Max(most, one)
		}
		if mean, worst := regret(n); math.Abs(mean-sum/5) > 1e-12 || worst != most {
			t.Errorf("%d servers: %v, at worst %v; want %v, %v", servers, mean, worst, sum/5, most)
		}
	}
}
