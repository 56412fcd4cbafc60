package loss

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

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
			f, err := queueing.Improvement(first+float64(i), load)
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

// No stream loads its servers beyond 1, by any rounding, however much is offered.
func TestLossesLoadAtMostOne(t *testing.T) {
	loads := []float64{1e-3, 1, 5, 29.9, 30, 31, 47, 300, 1e4, 1e6, 999_999, 1e8, 1e11, 999_999_999_999, 1e12}
	servers := []float64{0.001, 0.5, 1, 1.5, 2, 3, 29, 30, 30.5, 100, 999, 1e4, 123_456, 1e6}
	at := func(name string, u float64, err error) {
		if err == nil && !(u >= 0 && u <= 1) {
			t.Errorf("%s: utilization %.17g", name, u)
		}
	}
	for _, a := range loads {
		for _, n := range servers {
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
