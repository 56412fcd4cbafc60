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
