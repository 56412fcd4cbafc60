package pcu

import (
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/papers/papertest"
	"github.com/capplan/capplan/sim/pool"
)

// The examples of PCU section 4.6, worked by hand:
// 100e6/(2·8e6) − 100/120 = 5.41667; ln 0.05/ln(2/7) = 2.39130; with xT = 500/3 s
// the epoch is (s(1 − yT) + xTq)/(q + sy/2) of s = √(xT), q = √(y/2).
func TestReproducePCU(t *testing.T) {
	a := papertest.Ask(t, Reproducibles(), paper.Question{Name: "pcu-examples"})
	s, q := math.Sqrt(500./3), math.Sqrt(1./400)
	for quantity, want := range map[string][2][]float64{
		"greatest arrival rate": {{5.4}, {6.25 - 100./120}},
		"best epoch":            {{180, 180, 180}, {math.NaN(), (s*0.5 + 500./3*q) / (q + s/400), 2000}},
		"replicas":              {{2.39}, {math.Log(0.05) / math.Log(2./7)}},
	} {
		printed, computed := papertest.Compared(a, quantity)
		if !slices.Equal(printed, want[0]) {
			t.Errorf("%s: printed %v, want %v", quantity, printed, want[0])
		}
		for i, v := range computed {
			if w := want[1][i]; !(math.Abs(v-w) <= 1e-9*w) && !(math.IsNaN(v) && math.IsNaN(w)) {
				t.Errorf("%s: computed %v, want %v", quantity, v, w)
			}
		}
	}
	// B(1290, 1200) = 4.14275072e-4 (mpmath), at a rate of 1200/5000 per s.
	f := papertest.Ask(t, Reproducibles(), paper.Question{Name: "pcu-figure-6"})
	for _, r := range f.Rows {
		if r.Series == "dedicated and public" && *r.X == 1200 {
			if want := 0.24 * (1 - 4.14275072e-4); math.Abs(*r.Computed/want-1) > 1e-11 {
				t.Errorf("throughput at 1200 erl is %.12g, want %.12g", *r.Computed, want)
			}
			return
		}
	}
	t.Error("no point at 1200 erl")
}

// A job of two hours from half past the first is in service in half of the first hour,
// all of the second and half of the third.
func TestHourlyLoads(t *testing.T) {
	got := hourlyLoads(pool.Log{{At: 1800, Work: 7200}, {At: 3 * 3600, Work: 1}})
	for i, want := range []float64{0.5, 1, 0.5, 1. / 3600} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("hour %d: %v, want %v", i, got[i], want)
		}
	}
}
