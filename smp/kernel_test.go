package smp

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestKernelRefuses(t *testing.T) {
	s := threeStates()
	for name, atoms := range map[string][]Atom{
		"row above 1":     {{0, 1, 1, 0.7}, {0, 2, 3, 0.31}},
		"lag 0":           {{0, 1, 0, 0.1}},
		"negative":        {{0, 1, 1, -0.1}},
		"above 1":         {{0, 1, 1, 1.1}},
		"NaN":             {{0, 1, 1, math.NaN()}},
		"no such state":   {{0, 3, 1, 0.1}},
		"no such row":     {{-1, 0, 1, 0.1}},
		"lag beyond 2^30": {{0, 1, 1<<30 + 1, 0.1}},
	} {
		var ke *KernelError
		if _, err := NewKernel(s, atoms); !errors.As(err, &ke) {
			t.Errorf("%s: %v, want a *KernelError", name, err)
		}
	}
	for _, bad := range []Space{{}, {[]string{"a"}, nil}, {[]string{"a", "a"}, []bool{false, true}}, {[]string{""}, []bool{false}}} {
		if _, err := NewKernel(bad, nil); err == nil {
			t.Errorf("space %+v was taken", bad)
		}
	}
	if _, err := NewKernelTails(s, []Atom{{0, 1, 1, 0.5}}, []float64{0.4, 1, 1}); err == nil {
		t.Error("atoms and tail that sum to 0.9 were taken")
	}
}

func TestKernelRows(t *testing.T) {
	s := threeStates()
	k, err := NewKernel(s, []Atom{{0, 2, 5, 0.25}, {0, 1, 2, 0.25}, {0, 1, 2, 0.125}, {0, 1, 3, 0}, {0, 0, 1, 0.125}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Atom{{0, 0, 1, 0.125}, {0, 1, 2, 0.375}, {0, 2, 5, 0.25}}
	if got := k.Atoms(); !reflect.DeepEqual(got, want) || k.Len() != 3 || k.Last() != 5 {
		t.Errorf("atoms %v, want %v", got, want)
	}
	if k.Tail(0) != 0.25 || k.Tail(1) != 1 {
		t.Errorf("tails %v, %v, want 0.25, 1", k.Tail(0), k.Tail(1))
	}
	for u, want := range map[int]float64{0: 1, 1: 0.875, 4: 0.5, 5: 0.25, 99: 0.25} {
		if got, _ := k.Survival(0, u); got != want {
			t.Errorf("S(%d) = %v, want %v", u, got, want)
		}
	}
	d, err := NewDenseKernel(s, [][][]float64{{{0.125}, {0, 0.375}, {0, 0, 0, 0, 0.25}}})
	if err != nil || !reflect.DeepEqual(d.Atoms(), want) {
		t.Errorf("dense: %v, %v", d, err)
	}
	if _, err := k.MeanSojourn(0); !errors.Is(err, ErrInfinite) {
		t.Errorf("mean of a sojourn with a tail: %v", err)
	}
	// A hundred entries of 1/100 leave no tail; one unit less of 1e-9 does.
	var full []Atom
	for l := 1; l <= 100; l++ {
		full = append(full, Atom{1, 0, l, 0.01})
	}
	k, _ = NewKernel(s, full)
	if k.Tail(1) != 0 {
		t.Errorf("tail %g, want 0: it is rounding", k.Tail(1))
	}
	m, err := k.MeanSojourn(1)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "mean", m, 50.5, 1e-15)
	full[0].Prob -= 1e-9
	k, _ = NewKernel(s, full)
	numtest.Close(t, "tail", k.Tail(1), 1e-9, 1e-6)
}

// FuzzEstimate: whatever the paths, rows and tails sum to 1, R falls from 1,
// and R + F = 1.
func FuzzEstimate(f *testing.F) {
	f.Add([]byte("1122213111|111211331222"), uint8(3))
	f.Add([]byte("|||5|1"), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, age uint8) {
		if len(data) > 400 {
			data = data[:400]
		}
		var windows []Sequence
		var p []int
		for _, c := range append(data, '|') {
			if c == '|' {
				s := SequenceOf(p)
				if len(s) > 0 {
					s[0].Elapsed = int(age) * (len(windows) % 3)
				}
				windows = append(windows, s)
				p = nil
				continue
			}
			p = append(p, int(c)%5)
		}
		for _, est := range []func(Space, []Sequence) (*Fit, error){EstimateCensored, EstimateCounts} {
			fit, err := est(FiveStates(), windows)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range fit.Kernel.Exit() {
				s := fit.Kernel.Tail(i)
				for _, v := range row {
					s += v
				}
				if math.Abs(s-1) > 1e-12 {
					t.Fatalf("row %d sums to %v", i, s)
				}
			}
			for _, m := range bothMethods {
				c := solveFrom(t, fit.Kernel, 300, m, Start{State: S1})
				for k := range c.Reliability {
					r := c.Reliability[k]
					if !(r >= 0 && r <= 1) || math.Abs(r+c.Failure[k]-1) > 1e-11 || k > 0 && r > c.Reliability[k-1]+1e-12 {
						t.Fatalf("%v: R(%d) = %v, F = %v", m, k, r, c.Failure[k])
					}
				}
			}
		}
	})
}
