package loss

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// With all widths 1 Roberts' recursion is the birth-death chain itself.
func TestReservationChain(t *testing.T) {
	q := Reservation{[]ReservedStream{{Stream{"own", 1, 6, 0}, 0}, {Stream{"guest", 1, 5, 0}, 3}, {Stream{"far", 1, 2, 0}, 5}}, 12}
	f, err := q.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := []float64{1}
	sum := 1.
	for j := 1; j <= 12; j++ {
		rate := 0.
		for _, s := range q.Streams {
			if j-1+s.Width+s.Reserve <= 12 {
				rate += s.JobLoad
			}
		}
		p = append(p, p[j-1]*rate/float64(j))
		sum += p[j]
	}
	for k, s := range q.Streams {
		want := 0.
		for j, x := range p {
			if j+s.Width+s.Reserve > 12 {
				want += x / sum
			}
		}
		numtest.Close(t, s.Name, f.Blocking[k], want, 1e-14)
	}
	if f.Warning == nil {
		t.Error("reservation without a warning")
	}
}

// Without reservation: brute force over the product form.
func TestReservationProductForm(t *testing.T) {
	for _, widths := range [][2]int{{1, 3}, {2, 4}, {3, 6}, {2, 5}} {
		loads := [2]float64{4, 1.5}
		const capacity = 17
		var lost [2]float64
		sum := 0.
		for i := 0; i*widths[0] <= capacity; i++ {
			for j := 0; i*widths[0]+j*widths[1] <= capacity; j++ {
				w := math.Exp(float64(i)*math.Log(loads[0]) + float64(j)*math.Log(loads[1]) - logGamma(float64(i+1)) - logGamma(float64(j+1)))
				sum += w
				for k := range lost {
					if i*widths[0]+j*widths[1]+widths[k] > capacity {
						lost[k] += w
					}
				}
			}
		}
		f, err := Reservation{[]ReservedStream{{Stream{"", widths[0], loads[0], 0}, 0}, {Stream{"", widths[1], loads[1], 0}, 0}}, capacity}.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for k := range lost {
			numtest.Close(t, "product form", f.Blocking[k], lost[k]/sum, 1e-13)
		}
		if f.Warning != nil {
			t.Errorf("exact, yet %v", f.Warning)
		}
	}
}

func fifty(load float64, reserve int) []ReservedStream {
	var s []ReservedStream
	for w := 1; w <= 50; w++ {
		s = append(s, ReservedStream{Stream{"", w, load / 50 / float64(w), 0}, reserve})
	}
	return s
}

// The states left out do not count: against the recursion over all states.
func TestReservationWindow(t *testing.T) {
	const capacity = 200000
	for _, load := range []float64{.9, .99, 1, 1.1, 2} {
		streams := fifty(load*capacity, 0)
		f, err := Reservation{streams, capacity}.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if f.StatesSolved > capacity/2 {
			t.Errorf("load %v: %d states", load, f.StatesSolved)
		}
		var plain []Stream
		for _, s := range streams {
			plain = append(plain, s.Stream)
		}
		m, err := NewMultiRate(t.Context(), plain, capacity)
		if err != nil {
			t.Fatal(err)
		}
		for k := range streams {
			want, err := m.StreamBlocking(k, capacity)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, "blocking", f.Blocking[k], want, 1e-10)
		}
	}
	// Even widths and a rare odd one are forgotten slowly: all states then.
	rare := []Stream{{"", 2, 50000, 0}, {"", 1, 1e-7, 0}}
	f, err := Reservation{[]ReservedStream{{rare[0], 0}, {rare[1], 0}}, 100000}.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMultiRate(t.Context(), rare, 100000)
	if err != nil {
		t.Fatal(err)
	}
	for k := range rare {
		want, err := m.StreamBlocking(k, 100000)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "rare class", f.Blocking[k], want, 1e-9)
	}
	if f.StatesSolved != 100001 {
		t.Errorf("%d states solved, want all", f.StatesSolved)
	}
	var domain *queueing.DomainError
	for _, q := range []Reservation{{}, {fifty(1, 0), -1}, {[]ReservedStream{{Stream{"x", 0, 1, 0}, 0}}, 5}, {[]ReservedStream{{Stream{"x", 1, -1, 0}, 0}}, 5}, {[]ReservedStream{{Stream{"x", 1, 1, 0}, -1}}, 5}} {
		if _, err := q.Figures(t.Context()); !errors.As(err, &domain) {
			t.Errorf("%v", err)
		}
	}
	// A reserve larger than the fleet shuts the class out.
	f, err = Reservation{[]ReservedStream{{Stream{"", 1, 3, 0}, 0}, {Stream{"", 1, 3, 0}, 99}}, 5}.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := queueing.ErlangB(5, 3)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "alone", f.Blocking[0], b, 1e-14)
	numtest.Close(t, "shut out", f.Blocking[1], 1, 0)
}

// logGamma is ln Γ(x).
func logGamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

func TestReservationEnds(t *testing.T) {
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Reservation{fifty(1e6, 2), 1000000}).Figures(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
