package smp

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
)

func path(digits string) []int {
	out := make([]int, len(digits))
	for i, c := range digits {
		out[i] = int(c - '1')
	}
	return out
}

func repairable() Space {
	return Space{Names: []string{"1", "2", "3"}, Failure: []bool{false, false, true}}
}

func twoSequences() []Sequence {
	return []Sequence{SequenceOf(path("1122213111")), SequenceOf(path("111211331222"))}
}

// atomsOf returns q[j][l] of one row.
func atomsOf(k *Kernel, state int) map[[2]int]float64 {
	out := map[[2]int]float64{}
	for _, a := range k.Atoms() {
		if a.From == state {
			out[[2]int{a.To, a.Steps}] = a.Prob
		}
	}
	return out
}

// The example worked by hand: two sequences of one sample a step, the last
// sojourn of each cut.
func TestCensoredByHand(t *testing.T) {
	f, err := EstimateCensored(repairable(), twoSequences())
	if err != nil {
		t.Fatal(err)
	}
	p := f.Kernel.Exit()
	numtest.Close(t, "p12", p[0][1], 2.0/3, 1e-15)
	q1 := atomsOf(f.Kernel, 0)
	for l, want := range map[int]float64{1: 0.25, 2: 0.25, 3: 0.5} {
		numtest.Close(t, "f12", q1[[2]int{1, l}]/p[0][1], want, 1e-15)
	}
	q2 := atomsOf(f.Kernel, 1)
	for l, want := range map[int]float64{1: 1.0 / 3, 3: 2.0 / 3} {
		numtest.Close(t, "f21", q2[[2]int{0, l}]/p[1][0], want, 1e-15)
	}
	if len(q2) != 2 {
		t.Errorf("row 2 has %d atoms, want 2", len(q2))
	}
	if s := f.States[0]; s.Visits != 6 || s.Exits != 5 || s.Cut != 1 || s.Longest != 3 {
		t.Errorf("sample of state 1: %+v", s)
	}

	c, err := EstimateCounts(repairable(), twoSequences())
	if err != nil {
		t.Fatal(err)
	}
	p = c.Kernel.Exit()
	numtest.Close(t, "p12 by counts", p[0][1], 0.6, 1e-15)
	q1 = atomsOf(c.Kernel, 0)
	for l := 1; l <= 3; l++ {
		numtest.Close(t, "f12 by counts", q1[[2]int{1, l}]/p[0][1], 1.0/3, 1e-15)
	}
}

// Eleven windows with two failures: the sojourn law must keep the mass that
// no window saw end. Two windows come back from repair and are cut, so that
// 12 are at risk at the first failure and 10 at the second.
func TestTailIsNotRenormalised(t *testing.T) {
	var w []Sequence
	up := func(n int) Sequence { return Sequence{{State: 0, Steps: n, Next: Cut}} }
	for range 8 {
		w = append(w, up(20))
	}
	w = append(w, up(5),
		Sequence{{State: 0, Steps: 3, Next: 1}, {State: 1, Steps: 2, Next: 0}, {State: 0, Steps: 15, Next: Cut}},
		Sequence{{State: 0, Steps: 8, Next: 1}, {State: 1, Steps: 9, Next: 0}, {State: 0, Steps: 3, Next: Cut}})
	f, err := EstimateCensored(Space{[]string{"up", "down"}, []bool{false, true}}, w)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Kernel.Survival(0, 8)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "P(sojourn > 8)", s, 11.0/12*9/10, 1e-15) // 0.825
	numtest.Close(t, "tail", f.Kernel.Tail(0), 0.825, 1e-15)
	// The counts of the paper know the two that ended, and nothing else.
	c, err := EstimateCounts(Space{[]string{"up", "down"}, []bool{false, true}}, w)
	if err != nil {
		t.Fatal(err)
	}
	if s, _ := c.Kernel.Survival(0, 8); s != 0 {
		t.Errorf("P(sojourn > 8) by counts = %v, want 0", s)
	}
}

func TestDelayedEntry(t *testing.T) {
	// Ages 1: at risk a, b; b enters at age 2 only.
	w := []Sequence{
		{{State: 0, Steps: 1, Next: 1}},
		{{State: 0, Steps: 4, Next: Cut}},
		{{State: 0, Steps: 1, Elapsed: 2, Next: 1}},
		{{State: 0, Steps: 9, Elapsed: 7, Undated: true, Next: 1}},
	}
	f, err := EstimateCensored(Space{[]string{"up", "down"}, []bool{false, true}}, w)
	if err != nil {
		t.Fatal(err)
	}
	q := atomsOf(f.Kernel, 0)
	// Age 1: 2 at risk, 1 exit. Age 3: the cut one (ages 1..3) and the late one.
	numtest.Close(t, "q(1)", q[[2]int{1, 1}], 0.5, 1e-15)
	numtest.Close(t, "q(3)", q[[2]int{1, 3}], 0.25, 1e-15)
	numtest.Close(t, "tail", f.Kernel.Tail(0), 0.25, 1e-15)
	if s := f.States[0]; s.Undated != 1 || s.Truncated != 1 {
		t.Errorf("sample: %+v", s)
	}
}

// The one sojourn seen from its entry ends at age 2; the others were older
// when their window began. A start older than that has an answer.
func TestAgedBeyondShortEntry(t *testing.T) {
	w := []Sequence{
		{{State: 0, Steps: 2, Next: 1}},
		{{State: 0, Steps: 5, Elapsed: 10, Next: Cut}},
		{{State: 0, Steps: 3, Elapsed: 10, Next: 1}},
	}
	f, err := EstimateCensored(Space{[]string{"up", "down"}, []bool{false, true}}, w)
	if err != nil {
		t.Fatal(err)
	}
	c := solveFrom(t, f.Kernel, 4, Auto, Start{State: 0, Elapsed: 10})
	// At age 13 two are at risk and one ends.
	for k, want := range []float64{1, 1, 1, 0.5, 0.5} {
		numtest.Close(t, "R", c.Reliability[k], want, 1e-15)
	}
	if s, _ := f.Kernel.Survival(0, 5); s != 0 || len(f.Warnings) == 0 {
		t.Errorf("from entry: S(5) = %v, %d warnings", s, len(f.Warnings))
	}
	// The same law whether conditioned by risks or by division.
	g, err := EstimateCensored(repairable(), twoSequences())
	if err != nil {
		t.Fatal(err)
	}
	plain := *g.Kernel
	plain.risks = nil
	for _, u := range []int{1, 2} {
		a := solveFrom(t, g.Kernel, 8, Auto, Start{State: 0, Elapsed: u})
		b := solveFrom(t, &plain, 8, Auto, Start{State: 0, Elapsed: u})
		for k := range a.Reliability {
			numtest.Close(t, "aged R", a.Reliability[k], b.Reliability[k], 1e-14)
		}
	}
}

func TestWindowsWithoutTransitions(t *testing.T) {
	f, err := EstimateCensored(FiveStates(), []Sequence{{{State: S1, Steps: 40, Next: Cut}}})
	if err != nil {
		t.Fatal(err)
	}
	c := solveFrom(t, f.Kernel, 39, Auto, Start{State: S1})
	if c.Reliability[39] != 1 || c.Failure[39] != 0 {
		t.Errorf("R = %v, F = %v, want 1, 0", c.Reliability[39], c.Failure[39])
	}
	if f.Kernel.Tail(S1) != 1 || f.Kernel.Tail(S2) != 1 || len(f.Warnings) != 6 {
		t.Errorf("tails %v %v, %d warnings, want 1 1 6", f.Kernel.Tail(S1), f.Kernel.Tail(S2), len(f.Warnings))
	}
	if _, err := EstimateCensored(FiveStates(), nil); !errors.Is(err, ErrNoData) {
		t.Errorf("no windows: %v, want ErrNoData", err)
	}
	if _, err := EstimateCensored(FiveStates(), []Sequence{{}}); err != nil {
		t.Errorf("an empty window: %v", err)
	}
	var de *DomainError
	if _, err := EstimateCensored(FiveStates(), []Sequence{{{State: 7, Steps: 1, Next: Cut}}}); !errors.As(err, &de) {
		t.Errorf("state 7: %v", err)
	}
}

// simulate draws a path of n+1 samples from a kernel, entered at step 0.
func simulate(rng *rand.Rand, k *Kernel, state, n int) Sequence {
	var p []int
	for len(p) <= n {
		u := rng.Float64()
		lag, to := n+1, state
		for _, a := range k.rows[state] {
			if u -= a.prob; u < 0 {
				lag, to = int(a.lag), int(a.to)
				break
			}
		}
		for range lag {
			p = append(p, state)
		}
		state = to
	}
	return SequenceOf(p[:n+1])
}

// trueFleet is a repairable host with known kernel.
func trueFleet(t testing.TB) *Kernel {
	t.Helper()
	k, err := NewKernel(repairable(), []Atom{
		{0, 1, 2, 0.3}, {0, 1, 6, 0.3}, {0, 1, 11, 0.25}, {0, 2, 9, 0.15},
		{1, 0, 1, 0.4}, {1, 0, 4, 0.4}, {1, 2, 3, 0.2},
		{2, 0, 2, 0.5}, {2, 1, 7, 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The bias of the estimated reliability shrinks as days grow.
func TestBiasShrinksWithDays(t *testing.T) {
	k := trueFleet(t)
	const n, reps = 24, 200
	want := solveFrom(t, k, n, Auto, Start{}).Reliability[n]
	rng := rand.New(rand.NewPCG(11, 12))
	spread := map[int]float64{}
	for _, days := range []int{10, 160} {
		var censored, counted, square float64
		for range reps {
			w := make([]Sequence, days)
			for d := range w {
				w[d] = simulate(rng, k, 0, n)
			}
			r := fitted(t, EstimateCensored, w, n)
			censored += (r - want) / reps
			square += (r - want) * (r - want) / reps
			counted += (fitted(t, EstimateCounts, w, n) - want) / reps
		}
		sd := math.Sqrt(square / reps)
		t.Logf("%d days: true R %.4f, bias censored %+.4f (± %.4f), counts %+.4f", days, want, censored, sd, counted)
		if math.Abs(censored) > 4*sd+0.02/float64(days)*10 {
			t.Errorf("%d days: bias %+.4f, standard error %.4f", days, censored, sd)
		}
		spread[days] = math.Sqrt(square)
	}
	if spread[160] > spread[10]/3 {
		t.Errorf("error %.4f at 160 days, %.4f at 10: want a quarter", spread[160], spread[10])
	}
}

// With few days the bias stands out of its standard error; it shrinks with
// each fourfold growth of the record.
func TestBiasOfFewDays(t *testing.T) {
	k := trueFleet(t)
	const n = 24
	reps := longtest.Of(1000, 3000)
	want := solveFrom(t, k, n, Auto, Start{}).Reliability[n]
	rng := rand.New(rand.NewPCG(13, 14))
	last := math.Inf(1)
	for _, days := range []int{2, 8, 32} {
		var bias, square float64
		for range reps {
			w := make([]Sequence, days)
			for d := range w {
				w[d] = simulate(rng, k, 0, n)
			}
			r := fitted(t, EstimateCensored, w, n)
			bias += (r - want) / float64(reps)
			square += (r - want) * (r - want) / float64(reps)
		}
		sd := math.Sqrt(square / float64(reps))
		t.Logf("%d days: bias %+.4f, standard error %.4f", days, bias, sd)
		if days == 2 && math.Abs(bias) < 4*sd {
			t.Errorf("%d days: bias %+.4f is too small to be seen shrinking, standard error %.4f", days, bias, sd)
		}
		if math.Abs(bias) > last/2+3*sd {
			t.Errorf("%d days: bias %+.4f, with a quarter of the days %.4f", days, bias, last)
		}
		last = math.Abs(bias)
	}
}

func fitted(t testing.TB, est func(Space, []Sequence) (*Fit, error), w []Sequence, n int) float64 {
	t.Helper()
	f, err := est(repairable(), w)
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Kernel.Reliability(context.Background(), n, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.survive[0][n]
}
