package smp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestByState splits the failure probability by failure state as a process
// does that is walked step by step: each failure state's share against the
// quadratic recursion of a kernel in which the others are only a way out, and
// together what they are without the split, from fresh, aged, failed and mixed
// starts.
func TestByState(t *testing.T) {
	const n = 700
	k := randomDense(rand.New(rand.NewPCG(21, 22)), 2, 3, 60, 0.2, 0.05)
	ctx := context.Background()
	starts := map[string][]Start{
		"fresh": {{State: 0}}, "aged": {{State: 1, Elapsed: 7}}, "failed": {{State: 3}},
		"mixed": {{State: 0}, {State: 1, Elapsed: 3}, {State: 4}},
	}
	for _, m := range bothMethods {
		apart, err := k.Reliability(ctx, n, &Options{Method: m, ByState: true})
		if err != nil {
			t.Fatal(err)
		}
		together, err := k.Reliability(ctx, n, &Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range starts {
			weights := make([]float64, len(s))
			for i := range weights {
				weights[i] = 1 / float64(len(s))
			}
			a, err := apart.Mix(ctx, s, weights)
			if err != nil {
				t.Fatal(err)
			}
			b, err := together.Mix(ctx, s, weights)
			if err != nil {
				t.Fatal(err)
			}
			if b.ByState != nil || !slices.Equal(b.Down, a.Down) || len(a.ByState) != 3 {
				t.Fatalf("%v %s: %d and %d shares of %v and %v", m, name, len(a.ByState), len(b.ByState), a.Down, b.Down)
			}
			if !slices.Equal(a.Reliability, b.Reliability) || !floats.EqualApprox(a.Failure, b.Failure, 1e-13) {
				t.Errorf("%v %s: the split changes the whole", m, name)
			}
			for h := range a.Failure {
				total := 0.0
				for _, f := range a.ByState {
					total += f[h]
				}
				if math.Abs(total-a.Failure[h]) > 1e-13 || math.Abs(a.Failure[h]+a.Reliability[h]-1) > 1e-12 {
					t.Fatalf("%v %s: at %d the shares add up to %v, F is %v, R %v", m, name, h, total, a.Failure[h], a.Reliability[h])
				}
			}
		}
		for d, j := range []int{2, 3, 4} {
			want := firstBy(k, j, n)
			for i := range 2 {
				c, err := apart.From(ctx, Start{State: i})
				if err != nil {
					t.Fatal(err)
				}
				if !floats.EqualApprox(c.ByState[d], want[i], 1e-13) {
					t.Errorf("%v: from %d the share of %d differs", m, i, j)
				}
			}
		}
		failed, err := apart.From(ctx, Start{State: 3})
		if err != nil {
			t.Fatal(err)
		}
		if failed.ByState[1][0] != 1 || failed.ByState[0][n] != 0 || failed.Reliability[0] != 0 {
			t.Errorf("%v: a failed start has shares %v, %v and R %v", m, failed.ByState[0][n], failed.ByState[1][0], failed.Reliability[0])
		}
	}
}

// firstBy returns, by up state and step, the chance that the first failure
// state was j: G_i(k) = Σ_l q_ij(l) + Σ_h Σ_l q_ih(l) G_h(k−l), by distribution
// and not by density.
func firstBy(k *Kernel, j, n int) [2][]float64 {
	out := [2][]float64{make([]float64, n+1), make([]float64, n+1)}
	for step := 1; step <= n; step++ {
		for i := range out {
			for _, a := range k.rows[i] {
				switch {
				case int(a.lag) > step:
				case int(a.to) == j:
					out[i][step] += a.prob
				case a.to < 2:
					out[i][step] += a.prob * out[a.to][step-int(a.lag)]
				}
			}
		}
	}
	return out
}
