package loss

import (
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// A class wider than half the fleet has one job there or none, which leaves two
// Erlang sums:
//
//	G = S(C) + b·S(C − w),  S(n) = Σ_{i≤n} aⁱ/i!
//	B_narrow = (p(C) + b·p(C − w))/G,  p(n) = aⁿ/n!;  accepted of the wide S(C − w)/G
//
// The recursion leaves float64 every few steps here, with the wide class reading
// a hundred thousand epochs back: work that grows with the width times their
// number took minutes.
func TestReservationWideClass(t *testing.T) {
	for _, c := range []struct {
		capacity, width int
		a, b            float64
	}{
		{20, 11, 3, 2},
		{1_000_000, 600_000, 900_000, 3},
		{1_000_000, 600_000, 350_000, 1e6},
		{4_000_000, 2_000_001, 5e6, 1e6},
		{4_000_000, 2_000_001, 1e6, 1},
	} {
		logState := func(n int) float64 {
			l, _ := math.Lgamma(float64(n) + 1)
			return float64(n)*math.Log(c.a) - l
		}
		logSum := func(n int) float64 {
			b, err := queueing.LogErlangB(float64(n), c.a)
			if err != nil {
				t.Fatal(err)
			}
			return logState(n) - b
		}
		rest := c.capacity - c.width
		all, behind := logSum(c.capacity), math.Log(c.b)+logSum(rest)
		g := math.Max(all, behind) + math.Log1p(math.Exp(-math.Abs(all-behind)))
		narrow := math.Exp(logState(c.capacity)-g) + math.Exp(math.Log(c.b)+logState(rest)-g)
		f, err := Reservation{[]ReservedStream{{Stream{"narrow", 1, c.a, 0}, 0}, {Stream{"wide", c.width, c.b, 0}, 0}}, c.capacity}.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%d servers, %d wide", c.capacity, c.width)
		numtest.Close(t, name+", narrow", f.Blocking[0], narrow, 1e-7) // logarithms of 1e7
		numtest.Close(t, name+", wide", f.Accepted[1], math.Exp(logSum(rest)-g), 1e-7)
		streams := []Stream{{"narrow", 1, c.a, 0}, {"wide", c.width, c.b, 0}}
		m, err := NewMultiRate(t.Context(), streams, c.capacity)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, name+", narrow, any fleet", m.streamBlocking(0, c.capacity), narrow, 1e-7)
		numtest.Close(t, name+", wide, any fleet", m.streamAccepted(1, c.capacity), f.Accepted[1], 1e-7)
		numtest.Close(t, name+", busy", f.CarriedLoad, c.a*f.Accepted[0]+c.b*float64(c.width)*f.Accepted[1], 1e-9)
	}
}
