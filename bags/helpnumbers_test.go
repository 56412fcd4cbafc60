package bags

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/hosts"
)

// Machines that do by far the most of a bag whose tasks arrive at random leave no help without
// a number, and what is cheapest reaches its target as its law says: of 1000 tasks on g5kgre the
// chance was none (NaN), 400 workers were said to reach 95 % and their law 68 %.
func TestHelpIsANumber(t *testing.T) {
	for _, trace := range hosts.Traces() {
		p, err := trace.Platform()
		if err != nil {
			t.Fatal(err)
		}
		f, err := Finish(&Setup{Bag: Bags()[2], Hosts: p, Server: XWHEP})
		if err != nil {
			t.Fatal(err)
		}
		c, target := Cloud{Speed: 3000, Boot: 120, Look: 60, SD: 0}, Target{f.Quantile(0.95) * 0.9 / 1.03, 0.95}
		for _, start := range []float64{0, 0.6, 0.9} {
			w := f.within(target.By).helping(start, c, false, nil)
			for _, workers := range []int{1, 40, 400} {
				if p := w.chance(workers, target.By); math.IsNaN(p) {
					t.Errorf("%s: %d workers from %v on have the chance NaN", trace.Name, workers, start)
				}
			}
		}
		h, ok, err := f.Cheapest(context.Background(), target, c)
		if err != nil {
			t.Fatal(err)
		}
		if p := h.Chance(target.By); ok && !(p >= target.Chance-1e-6) {
			t.Errorf("%s: %+v has the chance %v, want %v", trace.Name, h.Help, p, target.Chance)
		}
	}
}
