package smp_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/capplan/capplan/smp"
)

// Windows that are counted in the record are those that are cut from it, and what is foreseen from each state is
// what their kernel says, to the last bit, by each estimator.
func TestWindowsAreForeseenAsTheirKernelSays(t *testing.T) {
	ctx, space := context.Background(), smp.FiveStates()
	r := rand.New(rand.NewPCG(12, 28))
	f, err := smp.NewForesight(space)
	if err != nil {
		t.Fatal(err)
	}
	seen, never, finite := 0, 0, 0
	for range 2000 {
		n := 1 + r.IntN(40)
		if r.IntN(20) == 0 {
			n = 250 + r.IntN(400)
		}
		h, end := drawnHistory(r, n)
		var firsts, known []int64
		for first := int64(r.IntN(3*n) - 2*n); first < end+int64(n); first += int64(r.IntN(3 * n)) {
			firsts = append(firsts, first)
		}
		most := r.IntN(8)
		places := h.KnownWindows(nil, firsts, n, most)
		var want []int
		var windows []smp.Sequence
		for i := len(firsts) - 1; i >= 0 && (most == 0 || len(want) < most); i-- {
			if parts, steps := h.Cut(firsts[i], n); steps > 0 {
				want, windows = append(want, i), append(windows, parts...)
			}
		}
		slices.Reverse(want)
		if !slices.Equal(places, want) {
			t.Fatalf("n = %d, most %d: windows %v are known, want %v", n, most, places, want)
		}
		for _, i := range places {
			known = append(known, firsts[i])
		}
		f.LearnWindows(h, known, n)
		for i, estimate := range []func(smp.Space, []smp.Sequence) (*smp.Fit, error){
			smp.EstimateToFailure, smp.EstimateCensored, smp.EstimateCounts} {
			fit, err := estimate(space, smp.Ageless(windows))
			if len(windows) == 0 {
				if _, _, err := f.Curve(ctx, smp.S1, i == 2, i == 1); !errors.Is(err, smp.ErrNoData) {
					t.Fatalf("no windows: %v", err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			rel, err := fit.Kernel.Reliability(ctx, n, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, state := range space.Up() {
				got, mean, err := f.Curve(ctx, state, i == 2, i == 1)
				if fit.States[state].Visits == 0 {
					if never++; !errors.Is(err, smp.ErrNoData) {
						t.Fatalf("never seen: %v", err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				c, err := rel.From(ctx, smp.Start{State: state})
				if err != nil {
					t.Fatal(err)
				}
				steps, err := fit.Kernel.MTTF(smp.Start{State: state})
				if errors.Is(err, smp.ErrInfinite) {
					steps, err = math.Inf(1), nil
				} else {
					finite++
				}
				if err != nil || steps != mean || !slices.Equal(got, c.Reliability) {
					t.Fatalf("n = %d, estimator %d, from %d: %v steps, %v, want %v, %v (%v)", n, i, state, mean, got, steps,
						c.Reliability, err)
				}
				seen++
			}
		}
	}
	if never < seen/50 || finite < seen/50 {
		t.Errorf("of %d curves %d are of states never seen, %d of states that surely fail", seen, never, finite)
	}
}
