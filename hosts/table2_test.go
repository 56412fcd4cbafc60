package hosts

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// The numbers of machines and their availability are those of an independent
// program, testdata/table2.py, which solves for the same laws by bisection.
func TestPlatformsOfTable2(t *testing.T) {
	want := map[string]struct {
		n      int
		a      float64
		spread float64 // of independent machines
	}{
		"seti":    {31092, 0.7844783, 72.5},
		"nd":      {206, 0.8744050, 4.76},
		"g5klyo":  {226, 0.4007655, 7.37},
		"g5kgre":  {591, 0.8031980, 9.67},
		"spot10":  {87, 0.9446667, 2.13},
		"spot100": {877, 0.9395097, 7.06},
	}
	for _, trace := range Traces() {
		p, err := trace.Platform()
		if err != nil {
			t.Fatal(err)
		}
		w := want[trace.Name]
		if p.Count != w.n {
			t.Errorf("%s: %d machines, want %d", trace.Name, p.Count, w.n)
		}
		numtest.Close(t, trace.Name+" availability", p.Availability(), w.a, 1e-6)
		mean, sd := p.Present()
		numtest.Close(t, trace.Name+" mean", mean, w.a*float64(w.n), 1e-6)
		numtest.Close(t, trace.Name+" spread", sd, w.spread, 3e-3)
		for i, chance := range []float64{0.25, 0.5, 0.75} {
			up, err1 := p.Up.Quantile(chance)
			down, err2 := p.Down.Quantile(chance)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			numtest.Close(t, trace.Name+" up", up, trace.UpQuartiles[i], 1e-12)
			numtest.Close(t, trace.Name+" down", down, trace.DownQuartiles[i], 1e-12)
		}
	}
}

// The spreads of the large traces are 90 to 98 % of what any number within their
// extremes can have, far from that of independent machines.
func TestPublishedSpreadIsNearTheGreatest(t *testing.T) {
	for _, trace := range Traces() {
		most := MostSpread(trace.Mean, trace.Least, trace.Most)
		if share := trace.SD / most; (trace.Name == "seti" || trace.Name == "g5klyo" || trace.Name == "g5kgre") && (share < 0.89 || share > 0.99) {
			t.Errorf("%s: spread %v of at most %v", trace.Name, trace.SD, most)
		}
	}
}

func TestQuartilesThatAreNone(t *testing.T) {
	for _, q := range [][4]float64{{0, 1, 2, 3}, {2, 2, 3, 9}, {1, 2, math.NaN(), 9}, {1, 2, math.Inf(1), 9}, {1, 2, 3, 2}} {
		if _, err := FromQuartiles(q[0], q[1], q[2], q[3]); err == nil {
			t.Errorf("%v: no error", q)
		}
	}
	for _, mean := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := FromQuartilesWithMean(1, 2, 3, mean); err == nil {
			t.Errorf("mean %v: no error", mean)
		}
	}
}
