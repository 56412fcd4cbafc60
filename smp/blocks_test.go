package smp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// The block method on long horizons, several levels of blocks deep, against
// the recursion.
func TestBlocksOnLongHorizons(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for _, n := range []int{6143, 6144, 9000, 30000, 120001} {
		var atoms []Atom
		left := []float64{1, 1}
		for len(atoms) < 40 {
			i := len(atoms) % 2
			p := left[i] * rng.Float64() * 0.2
			left[i] -= p
			to := 1 - i
			if len(atoms)%6 >= 4 {
				to = 2
			}
			atoms = append(atoms, Atom{i, to, 1 + rng.IntN(n/3), p})
		}
		k, err := NewKernel(threeStates(), atoms)
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		a, err := k.Reliability(ctx, n, &Options{Method: Sparse})
		if err != nil {
			t.Fatal(err)
		}
		b, err := k.Reliability(ctx, n, &Options{Method: Dense})
		if err != nil {
			t.Fatal(err)
		}
		if b.Repeated {
			t.Errorf("n = %d: the transforms were not believed", n)
		}
		worst := 0.0
		for i := range 2 {
			for h := 0; h <= n; h++ {
				worst = math.Max(worst, numtest.RelErr(b.survive[i][h], a.survive[i][h]))
				worst = math.Max(worst, math.Abs(b.enter[0][i][h]-a.enter[0][i][h]))
			}
		}
		if worst > 1e-13 {
			t.Errorf("n = %d: greatest difference %.2g", n, worst)
		}
		// A start with an age, through passOnBlocks and without.
		start := Start{State: 1, Elapsed: n / 20}
		ca, err := a.From(ctx, start)
		if err != nil {
			t.Fatal(err)
		}
		var on []arc
		row, tail, _ := k.agedRow(1, start.Elapsed)
		for _, e := range row {
			if e.to < 2 {
				on = append(on, e)
			}
		}
		got := survivals(row, tail, 0, n)
		if err := b.passOnBlocks(ctx, on, b.survive, got); err != nil {
			t.Fatal(err)
		}
		for h := range got {
			if e := numtest.RelErr(got[h], ca.Reliability[h]); e > 1e-13 {
				t.Fatalf("n = %d: aged R(%d) = %v, want %v", n, h, got[h], ca.Reliability[h])
			}
		}
	}
}

// Stays of nearly fixed length make R fall faster than any geometric rate, so
// that no tilt flattens it; and a power law slower. The digits must stay.
func TestBlocksWhereNoTiltFits(t *testing.T) {
	bell := func(l int) float64 { return math.Exp(-math.Pow(float64(l-100)/12, 2)) }
	power := func(l int) float64 { return math.Pow(float64(l), -6) }
	for name, weight := range map[string]func(int) float64{"bell": bell, "power": power} {
		const lags, n = 900, 1500
		total := 0.0
		for l := 1; l <= lags; l++ {
			total += weight(l)
		}
		var atoms []Atom
		for l := 1; l <= lags; l++ {
			w := weight(l) / total
			atoms = append(atoms, Atom{0, 1, l, 0.6 * w}, Atom{0, 2, l, 0.4 * w}, Atom{1, 0, l, 0.01 * w}, Atom{1, 2, l, 0.99 * w})
		}
		k, err := NewKernelTails(threeStates(), atoms, []float64{0, 0, 1})
		if err != nil {
			t.Fatal(err)
		}
		want := quadratic(k, n)
		r, err := k.Reliability(context.Background(), n, &Options{Method: Dense})
		if err != nil {
			t.Fatal(err)
		}
		worst, at := 0.0, 0
		for h := 0; h <= n; h++ {
			if w := want[0][h]; w > 1e-250 {
				if e := numtest.RelErr(r.survive[0][h], w); e > worst {
					worst, at = e, h
				}
			}
		}
		t.Logf("%s: R(%d) = %.3g, greatest relative error %.2g at %d, residual %.2g, repeated %v", name, n, want[0][n], worst, at, r.Residual, r.Repeated)
		if worst > 1e-11 {
			t.Errorf("%s: greatest relative error %.2g at %d", name, worst, at)
		}
	}
}

// One long certain sojourn: what is left falls to 0 at once, which no tilt
// follows. R + F = 1 and up + down = 1 are held all the same.
func TestBlocksCertainSojourn(t *testing.T) {
	for _, lag := range []int{7, 239, 1500} {
		k, err := NewKernel(FiveStates(), []Atom{{S1, S2, lag, 1}, {S2, S3, 2, 1}})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{300, 2000} {
			for _, m := range bothMethods {
				c := solveFrom(t, k, n, m, Start{State: S1})
				a, err := k.Availability(context.Background(), n, &Options{Method: m})
				if err != nil {
					t.Fatal(err)
				}
				up, down, err := a.From([]float64{1, 0, 0, 0, 0})
				if err != nil {
					t.Fatal(err)
				}
				for s := range c.Reliability {
					want := 0.0
					if s < lag+2 {
						want = 1
					}
					if math.Abs(c.Reliability[s]-want) > balance || math.Abs(c.Failure[s]-1+want) > balance || math.Abs(up[s]-want) > balance || math.Abs(down[s]-1+want) > balance {
						t.Fatalf("lag %d, n %d, %v, step %d: R %g, F %g, up %g, down %g, want %g", lag, n, m, s, c.Reliability[s], c.Failure[s], up[s], down[s], want)
					}
				}
			}
		}
	}
}
