package smp

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// fourStates is the process of testdata/longrun.py.
func fourStates(t testing.TB) *Kernel {
	t.Helper()
	k, err := NewKernel(Space{[]string{"a", "b", "x", "y"}, []bool{false, false, true, true}}, []Atom{
		{0, 1, 2, 0.3}, {0, 1, 6, 0.3}, {0, 1, 11, 0.25}, {0, 2, 9, 0.1}, {0, 3, 4, 0.05},
		{1, 0, 1, 0.4}, {1, 0, 4, 0.4}, {1, 2, 3, 0.2},
		{2, 0, 2, 0.5}, {2, 1, 7, 0.25}, {2, 3, 3, 0.25},
		{3, 0, 12, 0.9}, {3, 2, 1, 0.1}})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestLongRun(t *testing.T) {
	k := fourStates(t)
	limit, err := k.Limit()
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range bothMethods {
		av, err := k.Availability(context.Background(), 40, &Options{Method: method})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range numtest.Table(t, "testdata/longrun.csv") {
			q, s, n := row.Text("quantity"), int(row.Float("state")), int(row.Float("steps"))
			var got float64
			switch q {
			case "mttf":
				got, err = k.MTTF(Start{s, n})
			case "mttr":
				got, err = k.MTTR(Start{s, n})
			case "stationary":
				got = limit.Stationary[s]
			case "embedded":
				got = limit.Embedded[s]
			case "availability":
				got = limit.Availability
			case "meanup":
				got = limit.MeanUp
			case "meandown":
				got = limit.MeanDown
			case "failurerate":
				got = limit.FailureRate
			case "a", "interval":
				law := make([]float64, 4)
				law[s] = 1
				up, down, e := av.From(law)
				if e != nil {
					t.Fatal(e)
				}
				for h := range up {
					if d := math.Abs(up[h] + down[h] - 1); d > 1e-14 {
						t.Errorf("up + down − 1 = %g at %d", d, h)
					}
				}
				if q == "a" {
					got = up[n]
				} else {
					got = Interval(up)[n-1]
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, q+" "+row.Text("state")+" "+row.Text("steps"), got, row.Float("value"), 1e-14)
		}
	}
}

// The mean of the reliability over a long horizon is the MTTF, and the
// complement's reliability is a maintainability that is not 1 from the start.
func TestMeansAgreeWithCurves(t *testing.T) {
	k := fourStates(t)
	ctx := context.Background()
	r, err := k.Reliability(ctx, 4000, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Start{{0, 0}, {1, 0}, {0, 5}} {
		c, err := r.From(ctx, s)
		if err != nil {
			t.Fatal(err)
		}
		want, err := k.MTTF(s)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "Σ R", c.MeanSteps, want, 1e-13)
		for _, h := range []int{1, 9, 50} {
			rate, ok := c.Hazard(h)
			if !ok || math.Abs(rate-(1-c.Reliability[h]/c.Reliability[h-1])) > 1e-15 {
				t.Errorf("hazard at %d = %v, %v", h, rate, ok)
			}
		}
	}
	m := solveFrom(t, k.Complement(), 20, Auto, Start{State: 2})
	// From x: back up after 2 steps with 0.5; at 4 first from y? x→y takes 3.
	numtest.Close(t, "M(1)", m.Failure[1], 0, 0)
	numtest.Close(t, "M(2)", m.Failure[2], 0.5, 1e-15)
	numtest.Close(t, "M(7)", m.Failure[7], 0.5+0.25+0.25*0.1*0.5, 1e-15)
}

func TestInfiniteMeans(t *testing.T) {
	space := repairable()
	tail, err := NewKernel(space, []Atom{{0, 1, 2, 0.5}, {0, 2, 2, 0.4}, {1, 0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	trap, err := NewKernel(space, []Atom{{0, 1, 2, 1}, {1, 0, 1, 1}, {2, 0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []*Kernel{tail, trap} {
		_, err := k.MTTF(Start{State: 1})
		var ie *InfiniteError
		if !errors.Is(err, ErrInfinite) || !errors.As(err, &ie) {
			t.Errorf("MTTF: %v, want an *InfiniteError", err)
		}
	}
	if _, err := tail.Limit(); !errors.Is(err, ErrNoLimit) {
		t.Errorf("Limit with a tail: %v", err)
	}
	if l, err := trap.Limit(); err != nil || l.Availability != 1 || l.FailureRate != 0 {
		t.Errorf("Limit of a process that stops failing: %+v, %v", l, err)
	}
	two, err := NewKernel(Space{[]string{"a", "b"}, []bool{false, false}}, []Atom{{0, 0, 1, 1}, {1, 1, 2, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.Limit(); !errors.Is(err, ErrNoLimit) {
		t.Errorf("two closed classes: %v", err)
	}
	// A row with no tail in its own state, but the start's age decides.
	if _, err := tail.MTTF(Start{State: 1, Elapsed: 1}); !errors.Is(err, ErrImpossible) {
		t.Errorf("impossible age: %v", err)
	}
}
