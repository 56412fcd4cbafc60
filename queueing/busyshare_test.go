package queueing

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// idleByRecursion is n − a(1 − B(n, a)) of whole n by Erlang's recursion in 400
// bits.
func idleByRecursion(n int, a float64) float64 {
	f := func(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }
	op := func() *big.Float { return new(big.Float).SetPrec(400) }
	b := f(1)
	for k := 1; k <= n; k++ {
		ab := op().Mul(f(a), b)
		b = op().Quo(ab, op().Add(f(float64(k)), ab))
	}
	carried := op().Mul(f(a), op().Sub(f(1), b))
	idle, _ := op().Sub(f(float64(n)), carried).Float64()
	return idle
}

// The idle servers keep their digits where nearly all are busy.
func TestLossUtilization(t *testing.T) {
	for _, c := range []struct {
		n   int
		a   float64
		rel float64
	}{
		{1, 1e12, 1e-13}, {1, 0.3, 1e-13}, {2, 1.6, 1e-13}, {3, 9, 1e-13}, {30, 1e12, 1e-13}, {30, 46.5, 1e-13}, {30, 46.4, 1e-13},
		{1000, 1095, 1e-12}, {1000, 1e4, 1e-13}, {1000, 900, 1e-12}, {5000, 5300, 1e-12}, {5000, 1e9, 1e-13},
	} {
		want := idleByRecursion(c.n, c.a)
		numtest.Close(t, fmt.Sprintf("%d servers, %v erl: idle", c.n, c.a), idleServers(float64(c.n), c.a), want, c.rel)
		numtest.Close(t, fmt.Sprintf("%d servers, %v erl: busy", c.n, c.a), lossUtilization(float64(c.n), c.a), 1-want/float64(c.n), 1e-13)
	}
}

// No model loads its servers beyond 1, by any rounding, however much is offered.
func TestUtilizationAtMostOne(t *testing.T) {
	loads := []float64{1e-3, 1, 5, 29.9, 30, 31, 47, 300, 1e4, 1e6, 999_999, 1e8, 1e11, 999_999_999_999, 1e12}
	servers := []float64{0.001, 0.5, 1, 1.5, 2, 3, 29, 30, 30.5, 100, 999, 1e4, 123_456, 1e6}
	at := func(name string, u float64, err error) {
		if err == nil && !(u >= 0 && u <= 1) {
			t.Errorf("%s: utilization %.17g", name, u)
		}
	}
	for _, a := range loads {
		for _, n := range servers {
			for name, m := range map[string]Model{
				"loss":      Loss{a, 1},
				"MMCK":      MMCK{a, 1, 3},
				"long room": MMCK{a, 1, 100_000},
				"ErlangA":   ErlangA{a, 1, 1},
				"patient":   ErlangA{a, 1, 1e5},
				"hasty":     ErlangA{a, 1, 1e-5},
			} {
				f, err := m.At(n)
				at(fmt.Sprintf("%s, %v servers, %v erl", name, n, a), f.Utilization, err)
			}
			for _, z := range []float64{0.01, 0.5, 1, 1.001, 2, 30, 1e4} {
				for _, method := range []PeakedMethod{BestPeaked, EquivalentRandomTheory, HaywardMethod} {
					u, err := PeakedCarried(n, Peaked{a, z}, method)
					at(fmt.Sprintf("peaked %v by %v, %v servers, %v erl", z, method, n, a), u, err)
				}
			}
		}
		for _, n := range []int{7, 100, 1000} {
			streams := []Stream{{Width: 1, JobLoad: a}, {Width: 3, JobLoad: a / 7}}
			if m, err := NewMultiRate(context.Background(), streams, n); err == nil {
				f, err := m.At(float64(n))
				at(fmt.Sprintf("classes, %d servers, %v erl", n, a), f.Utilization, err)
			}
			f, err := Reservation{[]ReservedStream{{streams[0], 0}, {streams[1], 2}}, n}.Figures(context.Background())
			at(fmt.Sprintf("reservation, %d servers, %v erl", n, a), f.Utilization, err)
		}
	}
}

// Wilkinson's overflow, where nearly all is lost: what is carried is that of the
// n last servers of the common group, a sum of what each of them carries.
func TestPeakedCarried(t *testing.T) {
	for _, c := range []struct {
		servers int
		stream  Peaked
	}{{30, Peaked{20, 2}}, {30, Peaked{3000, 2}}, {5, Peaked{400, 9}}, {100, Peaked{90, 1.2}}} {
		load, first, err := EquivalentRandom(c.stream)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for i := range c.servers {
			f, err := Improvement(first+float64(i), load)
			if err != nil {
				t.Fatal(err)
			}
			want += f
		}
		got, err := PeakedCarried(float64(c.servers), c.stream, EquivalentRandomTheory)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, fmt.Sprint(c), got, want/float64(c.servers), 1e-9)
	}
	if _, err := PeakedCarried(0, Peaked{1, 2}, BestPeaked); err == nil {
		t.Error("no servers are busy")
	}
	if u, err := PeakedCarried(30, Peaked{1e11, 2}, BestPeaked); err != nil || !(u < 1) || math.Abs(1-u) > 1e-9 {
		t.Errorf("%.17g, %v", u, err)
	}
}
