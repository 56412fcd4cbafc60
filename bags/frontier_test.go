package bags

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// Points that are passed over by bounds are none of the frontier, and no worker works for less
// than is told.
func TestFrontierPassesOver(t *testing.T) {
	c := Cloud{Speed: 3000, Boot: 120, Look: 60}
	for _, k := range longtest.Of([][2]string{{"nd", "big"}}, [][2]string{{"nd", "big"}, {"spot10", "random"}, {"g5kgre", "small"}}) {
		for _, server := range []Server{BOINC, Checkpoint} {
			at := slices.IndexFunc(Bags(), func(b Bag) bool { return b.Name == k[1] })
			f, err := Finish(onTrace(t, k[0], Setup{Server: server, Bag: Bags()[at]}))
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Frontier(context.Background(), 0.95, c)
			if err != nil {
				t.Fatal(err)
			}
			without := f.Quantile(0.95)
			all := &buying{}
			all.keep(Point{By: without})
			for f := f.within(without); ; f = f.finer(f.law.End() / finerFrom) {
				for _, s := range starts {
					if !f.helps(Help{s, 1}, c) {
						continue
					}
					w := f.helping(s, c, true, nil)
					each := w.leastEach(math.Inf(1))
					for n := 1; n <= f.enough(s, c); n *= 2 {
						h := w.helped(Help{s, n}, Target{})
						if all.keep(Point{h.Help, h.Quantile(0.95), h.Hours}); h.Hours < float64(n)*each*(1-1e-9) {
							t.Errorf("%v, %v: %d workers from %v: %v hours, told at least %v", k, server, n, s, h.Hours, float64(n)*each)
						}
					}
				}
				soon := f.law.End() / finerFrom
				if soonest(all.kept, math.Inf(1)) > soon {
					break
				}
				all.forget(soon)
			}
			if want := all.kept; !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %v: %d points, want %d, or others", k, server, len(got), len(want))
			}
			t.Logf("%v, %v: %d points", k, server, len(got))
		}
	}
}
