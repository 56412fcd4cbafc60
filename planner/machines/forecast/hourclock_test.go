package forecast

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"
)

// What the guide finds is what a search finds, where hours have other rates, and none, and beside a point.
func TestGuideFindsWhatASearchDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 28))
	for range 300 {
		x := []float64{0}
		for range 1 + r.IntN(200) {
			rate := []float64{0, 1e-9, 0.2, 1, 1, 7, 60}[r.IntN(7)]
			x = append(x, x[len(x)-1]+rate*quarter*(1-0.1*float64(r.IntN(2))))
		}
		p, last := guided(x), x[len(x)-1]
		for range 200 {
			v := r.Float64() * last
			switch r.IntN(4) {
			case 0:
				v = x[r.IntN(len(x))]
			case 1:
				v = math.Nextafter(x[r.IntN(len(x))], -1+2*last*float64(r.IntN(2)))
			}
			if v >= last {
				continue
			}
			if got, want := p.find(v), sort.SearchFloat64s(x, v); got != want {
				t.Fatalf("%v is found at %d, want %d of %v", v, got, want, x)
			}
		}
	}
}

// A guide is as long as its points, however far they reach: hours of 3e7 in a fleet file took 5 GB.
func TestGuideIsAsLongAsItsPoints(t *testing.T) {
	for _, scale := range []float64{1e-100, 1e-9, 1, 3e7, 1e100} {
		x := []float64{0}
		for i := range 1000 {
			x = append(x, x[i]+scale*float64(1+i*7%13)*900)
		}
		p := guided(x)
		if len(p.guide) != len(x) {
			t.Fatalf("%d cells for %d points", len(p.guide), len(x))
		}
		for i := 1; i < len(x)-1; i++ {
			if a, b := p.find(x[i]), p.find((x[i]+x[i+1])/2); a != i || b != i+1 {
				t.Fatalf("scale %v: found %d and %d, want %d and %d", scale, a, b, i, i+1)
			}
		}
	}
}
