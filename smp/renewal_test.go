package smp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// What has died out is not carried on: of a density that halves within a few steps no figures are
// left that a processor has too few bits to hold, of whatever number of states.
func TestDirectEndsWhatDied(t *testing.T) {
	for _, up := range []int{1, 3, ringStates, 21} {
		t.Run(fmt.Sprint(up), func(t *testing.T) {
			k := randomDense(rand.New(rand.NewPCG(3, uint64(up))), up, 1, 2, 0.4, 0.2)
			r, err := k.Reliability(context.Background(), 6000, &Options{Method: Sparse})
			if err != nil {
				t.Fatal(err)
			}
			few := 0
			for _, density := range r.enter[0] {
				for _, v := range density {
					if v > 0 && v < 1e-307 {
						few++
					}
				}
			}
			if few > 0 {
				t.Errorf("%d figures of a density are below 1e-307", few)
			}
		})
	}
}

// The ring holds what the recursion reads: it gives the figures of the recursion as it stands, to the
// last bit, of laws shorter and longer than the horizon.
func TestDirectByRing(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, lags := range []int{1, 2, 7, 40} {
		const n = 30
		k := randomDense(rng, 9, 2, lags, 0.1, 0.1)
		r := newRenewal(k, k.space.Up(), n, 1)
		var x, want [][]float64
		for _, i := range k.space.Up() {
			x = append(x, survivals(k.rows[i], k.tail[i], 0, n))
			want = append(want, survivals(k.rows[i], k.tail[i], 0, n))
		}
		if r.direct(context.Background(), x) != nil || r.plain(context.Background(), want) != nil {
			t.Fatal("not solved")
		}
		for i := range x {
			for s, v := range x[i] {
				if v != want[i][s] {
					t.Fatalf("lags to %d: state %d, step %d: %v, want %v", lags, i, s, v, want[i][s])
				}
			}
		}
	}
}

// The recursion tells how far it is, from 0 on.
func TestDirectTells(t *testing.T) {
	k := randomDense(rand.New(rand.NewPCG(3, 3)), 9, 1, 2, 0.1, 0.1)
	var told []int
	opt := &Options{Method: Sparse, Workers: 1, Progress: func(done, of int) {
		if of == 100 {
			told = append(told, done)
		}
	}}
	if _, err := k.Reliability(context.Background(), 100, opt); err != nil {
		t.Fatal(err)
	}
	if len(told) != 14 || told[0] != 0 || told[6] != 96 {
		t.Errorf("told %v, want 0, 16, … 96 of each of two sides", told)
	}
}
