package ranking

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/smp"
)

// The best host is the one that a ranking of all has first, of equals too, whether or not it is known how
// soon each can be at most.
func TestBestIsRankedFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	asked, skipped := 0, 0
	for range 2000 {
		c := make([]Candidate, 1+rng.IntN(8))
		for i := range c {
			if i > 0 && rng.IntN(3) == 0 {
				c[i] = c[rng.IntN(i)]
				continue
			}
			curve := make([]float64, 2+rng.IntN(12))
			at, loss := 1.0, rng.Float64()*rng.Float64()
			for k := range curve {
				curve[k] = at
				at *= 1 - loss*rng.Float64()
			}
			c[i] = Candidate{Rate: []float64{0.5, 1, 2}[rng.IntN(3)], Load: ConstantLoad(float64(rng.IntN(5)) / 4),
				Reliability: curve, Step: 600, MTTF: []float64{100, 3000, 20000, math.Inf(1)}[rng.IntN(4)]}
		}
		length := 60 * math.Exp(5*rng.Float64())
		all, _, err := RankProactive(c, length)
		if err != nil {
			t.Fatal(err)
		}
		hosts, up := make([]Host, len(c)), make([]int, len(c))
		for i := range up {
			up[i], hosts[i].History = i, &smp.History{Period: 600}
		}
		predicted := 0
		p := Proactive{Predict: func(_ context.Context, host int, _ int64, _ float64) (Candidate, error) {
			predicted++
			return c[host], nil
		}}
		for range 2 {
			if best, err := p.Choose(t.Context(), hosts, up, 0, length); err != nil || best != all[0].Index {
				t.Fatalf("%d, %v; want %d, the first of %+v", best, err, all[0].Index, all)
			}
			p.Soonest = func(_ context.Context, host int, _ int64, length float64) (float64, error) {
				return length / (c[host].Rate * (1 - c[host].Load(0))) * (1 - 1e-9), nil
			}
		}
		asked, skipped = asked+2*len(c), skipped+2*len(c)-predicted
	}
	if skipped < asked/10 {
		t.Errorf("%d of %d predictions are spared", skipped, asked)
	}
}

// Who knows the future takes the host on which the job finishes first, the first of equals.
func TestOmniscientIsFirstToFinish(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 500 {
		hosts, up := make([]Host, 1+rng.IntN(6)), []int{}
		for i := range hosts {
			h := &smp.History{Period: 60}
			at := int64(0)
			for at < 200 {
				n := 1 + rng.Int64N(60)
				if err := h.Add(smp.Run{State: []int{smp.S1, smp.S2, smp.S5}[rng.IntN(3)], First: at, Steps: n}); err != nil {
					t.Fatal(err)
				}
				at += n
			}
			hosts[i] = Host{Rate: []float64{0.5, 1, 2}[rng.IntN(3)], History: h}
			if hosts[i].up(5) {
				up = append(up, i)
			}
		}
		if len(up) == 0 {
			continue
		}
		length := 60 * float64(1+rng.IntN(80))
		want, end := up[0], int64(math.MaxInt64)
		for _, i := range up {
			r, err := hosts[i].run(t.Context(), 5, length, math.MaxInt64)
			if err != nil {
				t.Fatal(err)
			}
			if r.finished && r.end < end {
				want, end = i, r.end
			}
		}
		if got, err := (Omniscient{}).Choose(t.Context(), hosts, up, 5, length); err != nil || got != want {
			t.Fatalf("host %d, %v; want %d, done at %d", got, err, want, end)
		}
	}
}
