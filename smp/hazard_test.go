package smp

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// A kernel put together again from atoms, tails and hazards answers the same to
// the last bit, from every start; from atoms and tails alone it may not.
func TestWithHazardsRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	space := FiveStates()
	lost := 0
	for range 60 {
		var windows []Sequence
		for range 1 + rng.IntN(6) {
			var s Sequence
			state := rng.IntN(5)
			for m := range 1 + rng.IntN(5) {
				v := Sojourn{State: state, Steps: 1 + rng.IntN(6), Next: (state + 1 + rng.IntN(4)) % 5}
				if m == 0 {
					v.Elapsed = rng.IntN(12)
				}
				state = v.Next
				s = append(s, v)
			}
			s[len(s)-1].Next = Cut
			windows = append(windows, s)
		}
		fit, err := EstimateCensored(space, windows)
		if err != nil {
			t.Fatal(err)
		}
		tails := make([]float64, 5)
		for i := range tails {
			tails[i] = fit.Kernel.Tail(i)
		}
		plain, err := NewKernelTails(space, fit.Kernel.Atoms(), tails)
		if err != nil {
			t.Fatal(err)
		}
		again, err := plain.WithHazards(fit.Kernel.Hazards())
		if err != nil {
			t.Fatal(err)
		}
		for _, start := range []Start{{S1, 0}, {S1, 3}, {S2, 7}, {S1, 15}} {
			curve := func(k *Kernel) []float64 {
				r, err := k.Reliability(context.Background(), 20, nil)
				if err != nil {
					t.Fatal(err)
				}
				c, err := r.From(context.Background(), start)
				if errors.Is(err, ErrImpossible) {
					return nil
				}
				if err != nil {
					t.Fatal(err)
				}
				return c.Reliability
			}
			want := curve(fit.Kernel)
			if got := curve(again); !slices.Equal(got, want) {
				t.Errorf("%+v: %v, want %v", start, got, want)
			}
			if !slices.Equal(curve(plain), want) {
				lost++
			}
		}
	}
	if lost == 0 {
		t.Error("the hazards never mattered: the test shows nothing")
	}
}

func TestWithHazardsRefuses(t *testing.T) {
	space := Space{Names: []string{"up", "down"}, Failure: []bool{false, true}}
	k, err := NewKernel(space, []Atom{{0, 1, 2, 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.WithHazards([]Hazard{{0, 2, []float64{0, 0.5}, 0.5}}); err != nil {
		t.Error(err)
	}
	for _, bad := range [][]Hazard{
		{{2, 2, []float64{0, 0.5}, 0.5}},
		{{0, 0, []float64{0, 0.5}, 0.5}},
		{{0, 2, []float64{0.5}, 0.5}},
		{{0, 2, []float64{0, 0.5}, 1.5}},
		{{0, 2, []float64{-0.5, 1}, 0.5}},
		{{0, 2, []float64{0, 0.5}, 0.4}},
		{{0, 2, []float64{0, 0}, 1}},
		{{0, 2, []float64{0, 0.4}, 0.6}},
		{{0, 3, []float64{0, 0.5}, 0.5}},
		{{0, 2, []float64{0, 0.5}, 0.5}, {0, 2, []float64{0, 0.5}, 0.5}},
		{{0, 2, []float64{0, 0.5}, 0.5}, {0, 4, []float64{0, 0.5}, 0.5}},
	} {
		var kernel *KernelError
		var domain *DomainError
		if _, err := k.WithHazards(bad); !errors.As(err, &kernel) && !errors.As(err, &domain) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
