package smp_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/smp"
)

// drawnHistory is a record with gaps, and where it ends.
func drawnHistory(r *rand.Rand, n int) (*smp.History, int64) {
	h := &smp.History{Period: 60}
	at, stay := int64(0), 1+r.IntN(2*n)
	for range 5 + r.IntN(40) {
		if r.IntN(12) == 0 {
			at += int64(1 + r.IntN(n))
		}
		steps := int64(1 + r.IntN(stay))
		if err := h.Add(smp.Run{State: r.IntN(5), First: at, Steps: steps}); err != nil {
			panic(err)
		}
		at += steps
	}
	return h, at
}

// drawnDays are days of a window of n steps cut from a record with gaps.
func drawnDays(r *rand.Rand, n int) []smp.Day {
	h, at := drawnHistory(r, n)
	var days []smp.Day
	for first := int64(r.IntN(n)); first+int64(n) < at; first += int64(n/2 + r.IntN(3*n)) {
		if parts, known := h.Cut(first, n); known > 0 {
			days = append(days, smp.Day{Parts: parts, Whole: known == n+1})
		}
	}
	return days
}

// What is foreseen without a kernel is what the kernel says, to the last bit, by each estimator; the memory of
// the days before does not show. Of long windows of many stays the kernel is asked.
func TestForesightIsThatOfTheKernel(t *testing.T) {
	ctx, space := context.Background(), smp.FiveStates()
	r := rand.New(rand.NewPCG(11, 28))
	f, err := smp.NewForesight(space)
	if err != nil {
		t.Fatal(err)
	}
	seen, inner := 0, 0
	for range 3000 {
		n := 1 + r.IntN(40)
		if r.IntN(20) == 0 {
			n = 250 + r.IntN(400)
		}
		days := drawnDays(r, n)
		f.Learn(days, n)
		for i, estimate := range []func(smp.Space, []smp.Sequence) (*smp.Fit, error){
			smp.EstimateToFailure, smp.EstimateCensored, smp.EstimateCounts} {
			got, bad := f.Free(ctx, i == 2, i == 1)
			fit, err := estimate(space, smp.Ageless(smp.Sequences(days)))
			if (err == nil) != (bad == nil) {
				t.Fatalf("%v, want %v", bad, err)
			}
			if err != nil {
				continue
			}
			rel, err := fit.Kernel.Reliability(ctx, n, nil)
			if err != nil {
				t.Fatal(err)
			}
			for state := range space.Names {
				c, err := rel.From(ctx, smp.Start{State: state})
				if err != nil {
					t.Fatal(err)
				}
				want := c.Reliability[n]
				if space.Failure[state] {
					want = 0
				}
				if seen++; want > 0 && want < 1 {
					inner++
				}
				if math.Float64bits(got[state]) != math.Float64bits(want) {
					t.Fatalf("n = %d, estimator %d, %s: %v, want %v; days %v", n, i, space.Names[state], got[state], want, days)
				}
			}
		}
	}
	if inner < seen/20 {
		t.Errorf("only %d of %d chances are neither 0 nor 1", inner, seen)
	}
}

// Days that no record gives are left to the kernel, whose errors are its own.
func TestForesightOfOddDays(t *testing.T) {
	ctx := context.Background()
	f, err := smp.NewForesight(smp.FiveStates())
	if err != nil {
		t.Fatal(err)
	}
	for name, days := range map[string][]smp.Day{
		"none":     nil,
		"no state": {{Parts: []smp.Sequence{{{State: 9, Steps: 1, Next: smp.Cut}}}}},
	} {
		f.Learn(days, 5)
		if _, err := f.Free(ctx, false, false); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	long := smp.Sequence{{State: 0, Steps: 70, Next: 2}, {State: 2, Steps: 1, Elapsed: 3, Next: smp.Cut}}
	f.Learn([]smp.Day{{Parts: []smp.Sequence{long}}}, 5)
	if p, err := f.Free(ctx, false, true); err != nil || p[0] != 1 {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := new(smp.Foresight).Free(ctx, false, false); err == nil {
		t.Error("made of nothing: no error")
	}
	if _, err := smp.NewForesight(smp.Space{}); err == nil {
		t.Error("no states: no error")
	}
}

// The share of days that survived is the product limit of the steps to their first failures.
func TestSurvivedShareIsTheProductLimit(t *testing.T) {
	space, r := smp.FiveStates(), rand.New(rand.NewPCG(3, 28))
	for range 3000 {
		n := 1 + r.IntN(30)
		days := drawnDays(r, 1+r.IntN(30)) // also shorter and longer than n
		left, failed, all := map[int]int{}, map[int]int{}, 0
		for _, d := range days {
			if space.Failure[d.Parts[0][0].State] {
				continue
			}
			all++
			last, down := d.Parts[0].Failed(space)
			if down {
				failed[last]++
			} else {
				last = d.Parts[0].Samples() - 1
			}
			left[min(last, n)]++
		}
		want, risk := 0.5, all
		if all > 0 {
			want = 1
		}
		for k := range n + 1 {
			if k > 0 && left[k] > 0 {
				want *= 1 - float64(failed[k])/float64(risk)
			}
			risk -= left[k]
		}
		if got := smp.SurvivedShare(space, days, n); got != want {
			t.Fatalf("n = %d: %v, want %v; days %v", n, got, want, days)
		}
	}
}
