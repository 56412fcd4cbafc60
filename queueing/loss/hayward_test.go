package loss

import (
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

func TestHayward(t *testing.T) {
	b, err := queueing.ErlangB(30, 22)
	if err != nil {
		t.Fatal(err)
	}
	h, err := Hayward(30, Peaked{22, 1})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "Poisson", h, b, 1e-15)
	// Overflow of one group met by another: the two together are one group.
	// With one stream equivalent random theory is exact.
	first := 20.
	over, err := Overflow(first, 24)
	if err != nil {
		t.Fatal(err)
	}
	a, n, err := EquivalentRandom(over)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "equivalent load", a, 24, 1e-10)
	numtest.Close(t, "equivalent servers", n, first, 1e-9)
	whole, err := queueing.ErlangB(first+10, 24)
	if err != nil {
		t.Fatal(err)
	}
	lost, err := SharedOverflow(10, []Peaked{over})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "overflow of an overflow", lost*over.Load, 24*whole, 1e-9)
	near, err := Hayward(10, over)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "Hayward", near, lost, .12)
	// Round trips over real sizes, to heavy peakedness.
	for _, n := range []float64{0.3, 4, 17.5, 300, 5000} {
		for _, load := range []float64{.2, 3, 40, 320, 5100} {
			if n > 3*load+5 {
				continue // an overflow of nearly nothing
			}
			s, err := Overflow(n, load)
			if err != nil {
				t.Fatal(err)
			}
			if s.Peakedness < 1 {
				t.Errorf("overflow of %v on %v has peakedness %v", load, n, s.Peakedness)
			}
			a, m, err := EquivalentRandom(s)
			if err != nil {
				t.Errorf("%v on %v: %v", load, n, err)
				continue
			}
			back, err := Overflow(m, a)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, "mean", back.Load, s.Load, 1e-9)
			numtest.Close(t, "peakedness", back.Peakedness, s.Peakedness, 1e-7)
		}
	}
	var domain *queueing.DomainError
	if _, _, err := EquivalentRandom(Peaked{5, .5}); !errors.As(err, &domain) {
		t.Errorf("smooth: %v", err)
	}
	if _, err := Hayward(5, Peaked{5, 0}); !errors.As(err, &domain) {
		t.Errorf("peakedness 0: %v", err)
	}
	if _, err := SharedOverflow(5, []Peaked{{1, 2}, {-1, 1}}); !errors.As(err, &domain) {
		t.Errorf("negative load: %v", err)
	}
}

// Riordan's moments where they can be had by hand.
func TestOverflowByHand(t *testing.T) {
	s, err := Overflow(0, 7)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "no server", s.Load, 7, 1e-15)
	numtest.Close(t, "no server", s.Peakedness, 1, 1e-14)
	// One server: z = 1 − M + a/(2 − a + M).
	// At a = 1: M = 1/2, z = 1 − 1/2 + 1/(3/2) = 7/6.
	s, err = Overflow(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "one server", s.Peakedness, 7./6, 1e-14)
}
