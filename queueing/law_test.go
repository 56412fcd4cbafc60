package queueing

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// The recursion 1/B(n+1) = 1 + (n+1)/(a·B(n)) holds for real n too: it is what
// the continuation means.
func TestErlangBRecursion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := math.Exp(rapid.Float64Range(-7, 13).Draw(t, "log n"))
		a := n * math.Exp(rapid.Float64Range(-1.5, 1.5).Draw(t, "log a/n"))
		b, next := erlang.LogB(n, a), erlang.LogB(n+1, a)
		want := b - math.Log((n+1)/a) // where the 1 no longer counts
		if want > -700 {
			want = -math.Log1p(math.Exp(-want))
		}
		if tol := 1e-12 + 1e-14*math.Abs(b); math.Abs(next-want) > tol {
			t.Fatalf("ln B(%v+1, %v) = %v, the recursion gives %v", n, a, next, want)
		}
	})
}

func TestErlangBMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := math.Exp(rapid.Float64Range(-5, 20).Draw(t, "log n"))
		a := n * math.Exp(rapid.Float64Range(-2, 2).Draw(t, "log a/n"))
		h := 1 + 1e-6
		if !(erlang.LogB(n*h, a) < erlang.LogB(n, a)) {
			t.Fatalf("B does not fall in n at (%v, %v)", n, a)
		}
		if !(erlang.LogB(n, a*h) > erlang.LogB(n, a)) {
			t.Fatalf("B does not rise in a at (%v, %v)", n, a)
		}
	})
}

// B has no seams where the method of computing it changes: the second
// difference of ln B stays smooth across n = 30 and a/n = 0.5, 1.5.
func TestErlangBSeams(t *testing.T) {
	for _, at := range []struct{ n, a float64 }{{30, 30}, {30, 20}, {30, 44}, {100, 50}, {100, 150}, {1e5, 5e4}, {1e5, 1.5e5}, {2, 1.5}, {1.5, 1.5}} {
		for _, eps := range []float64{1e-9, 1e-12} {
			for _, d := range [][2]float64{{1, 0}, {0, 1}} {
				low := erlang.LogB(at.n*(1-eps*d[0]), at.a*(1-eps*d[1]))
				high := erlang.LogB(at.n*(1+eps*d[0]), at.a*(1+eps*d[1]))
				mid := erlang.LogB(at.n, at.a)
				if e := math.Abs(low + high - 2*mid); e > 4e-13+1e-14*math.Abs(mid) {
					t.Errorf("seam of %.2g at n = %v, a = %v", e, at.n, at.a)
				}
			}
		}
	}
}

// Allen-Cunneen is exact for M/G/1: Pollaczek-Khinchine.
func TestGGCIsPollaczekKhinchine(t *testing.T) {
	for _, scv := range []float64{0, 0.3, 1, 7} {
		f, err := GGC{ArrivalRate: 0.8, ServiceTime: 1, ArrivalSCV: 1, ServiceSCV: scv}.At(1)
		if err != nil {
			t.Fatal(err)
		}
		// λE[S²]/(2(1−ρ))
		numtest.Close(t, "mean wait", f.MeanWait, 0.8*(1+scv)/(2*(1-0.8)), 1e-13)
		// The mean is exact and yet the percentiles are not.
		if (f.Warning() != nil) != (scv != 1) {
			t.Errorf("SCV %v: warning %v", scv, f.Warning())
		}
	}
}

// Little's law and the percentile inverse, over all models that wait.
func TestWaitLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := math.Exp(rapid.Float64Range(-3, 8).Draw(t, "log rate"))
		service := math.Exp(rapid.Float64Range(-3, 3).Draw(t, "log service"))
		load := rate * service
		n := math.Ceil(load + rapid.Float64Range(0.01, 3).Draw(t, "beta")*math.Sqrt(load))
		p := rapid.Float64Range(0, 0.9999).Draw(t, "p")
		if n <= load {
			n++
		}
		for _, m := range []Model{MMC{rate, service}, GGC{rate, service, 0.5, 1.7}, GIGC{GGC{rate, service, 0.5, 1.7}}, GIGC{GGC{rate, service, 3, 0}}, ErlangA{rate, service, service * 2}} {
			f, err := m.At(n)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(f.MeanQueueLength-rate*f.MeanWait) > 1e-12*f.MeanQueueLength {
				t.Fatalf("%T: Little's law fails", m)
			}
			w := f.WaitPercentile(p)
			if level := f.ServiceLevel(w); level < p-1e-11 || w > 0 && math.Abs(level-p) > 1e-9 {
				t.Fatalf("%T: P(W <= %v) = %v, want %v", m, w, level, p)
			}
			if f.WaitTail(0) != f.WaitProbability && math.Abs(f.WaitTail(0)-f.WaitProbability) > 1e-12 {
				t.Fatalf("%T: P(W > 0) = %v and %v", m, f.WaitTail(0), f.WaitProbability)
			}
		}
	})
}
