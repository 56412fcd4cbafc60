package varying

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestIntervalLoadsConstant(t *testing.T) {
	c := Cycle{Start: []float64{0, 3600, 7200}, End: 86400, Rate: []float64{0.5, 0.5, 0.5}}
	for _, method := range []Method{SIPP, LaggedSIPP, MOL} {
		for _, scv := range []float64{0, 0.4, 1, 3} {
			load, err := IntervalLoads(c, 240, scv, method)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range load {
				numtest.Close(t, method.String(), a, 120, 1e-12)
			}
		}
	}
}

// MOL against the integral m(t) = ∫ λ(t−u) P(S > u) du taken numerically.
func TestMOLAgainstIntegral(t *testing.T) {
	c := Cycle{Start: []float64{100, 1100, 1600, 4000}, End: 5100, Rate: []float64{0.2, 1.5, 0.4, 0}}
	rate := func(s float64) float64 {
		s = math.Mod(math.Mod(s-100, 5000)+5000, 5000) + 100
		r := 0.0
		for i, from := range c.Start {
			if s >= from {
				r = c.Rate[i]
			}
		}
		return r
	}
	const service = 700.0
	for _, scv := range []float64{0, 0.5, 1, 4} {
		phases := servicePhases(service, scv)
		mean, second := 0.0, 0.0
		survival := func(u float64) float64 {
			s := 0.0
			for _, p := range phases {
				if p.fixed {
					if u < p.mean {
						s += p.share
					}
				} else {
					s += p.share * math.Exp(-u/p.mean)
				}
			}
			return s
		}
		for _, p := range phases {
			mean += p.share * p.mean
			if p.fixed {
				second += p.share * p.mean * p.mean
			} else {
				second += p.share * 2 * p.mean * p.mean
			}
		}
		numtest.Close(t, "mean of the law", mean, service, 1e-12)
		numtest.Close(t, "SCV of the law", second/(mean*mean)-1, scv, 1e-9)
		got, err := IntervalLoads(c, service, scv, MOL)
		if err != nil {
			t.Fatal(err)
		}
		edges := append(append([]float64(nil), c.Start...), c.End)
		const du = 1.0
		for i := range got {
			best := 0.0
			for s := edges[i]; s <= edges[i+1]; s += 25 {
				m := 0.0
				for u := du / 2; u < 40*service; u += du {
					m += rate(s-u) * survival(u) * du
				}
				best = math.Max(best, m)
			}
			numtest.Close(t, "MOL", got[i], best, 3e-3)
		}
	}
}

func TestLaggedSIPPShifts(t *testing.T) {
	// A lag of exactly one interval moves the loads on by one.
	c := Cycle{Start: []float64{0, 600, 1200, 1800}, End: 2400, Rate: []float64{1, 2, 3, 4}}
	got, err := IntervalLoads(c, 600, 1, LaggedSIPP)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{2400, 600, 1200, 1800} {
		numtest.Close(t, "lagged", got[i], want, 1e-12)
	}
}

func TestIntervalLoadsBadInput(t *testing.T) {
	good := Cycle{Start: []float64{0, 1}, End: 2, Rate: []float64{1, 1}}
	for _, c := range []Cycle{
		{}, {Start: []float64{0}, End: 1}, {Start: []float64{1, 0}, End: 2, Rate: []float64{1, 1}},
		{Start: []float64{0, 1}, End: 1, Rate: []float64{1, 1}}, {Start: []float64{0, 1}, End: 2, Rate: []float64{1, -1}},
		{Start: []float64{0, 1}, End: math.Inf(1), Rate: []float64{1, 1}},
	} {
		if _, err := IntervalLoads(c, 1, 1, MOL); err == nil {
			t.Errorf("accepted %+v", c)
		}
	}
	if _, err := IntervalLoads(good, 0, 1, MOL); err == nil {
		t.Error("accepted service time 0")
	}
}

// The arrivals up to a time are the same wherever the search for its interval begins.
func TestArrivalsNear(t *testing.T) {
	w := newCycleWork(Cycle{Start: []float64{100, 1100, 1600, 4000}, End: 5100, Rate: []float64{0.2, 1.5, 0.4, 0}})
	for _, at := range []float64{-7000, -1, 0, 999, 1000, 1500, 3900, 4999, 5000, 5001, 12345} {
		want := w.arrivals(at)
		for from := range w.rate {
			found := from
			if got := w.arrivalsNear(at, &found); got != want {
				t.Errorf("arrivals to %v from interval %d: %v, want %v", at, from, got, want)
			}
			if again := w.arrivalsNear(at, &found); again != want {
				t.Errorf("arrivals to %v once more: %v, want %v", at, again, want)
			}
		}
	}
}

// The peak and the least load of an interval are the ends of all cells of its course.
func TestCourseEnds(t *testing.T) {
	c := Cycle{Start: []float64{0, 1, 1.5, 4}, End: 5, Rate: []float64{0, 1500, 0, 3}}
	for _, service := range []float64{1e-3, 0.7, 20} {
		for _, scv := range []float64{0, 0.165, 1, 4} {
			courses, err := LoadCourses(c, service, scv)
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range courses {
				cells, _ := l.cells()
				most, least := 0.0, math.Inf(1)
				for _, cell := range cells {
					most, least = math.Max(most, cell.most), math.Min(least, cell.most)
				}
				ends, err := l.Above(0, 1)
				if err != nil || math.Abs(ends[0]-most) > 1e-12*most || ends[1] > least*(1+1e-12) {
					t.Errorf("service %v, SCV %v, interval %d: %v, want %v to %v (%v)", service, scv, i, ends, least, most, err)
				}
				if l.Peak() != ends[0] {
					t.Errorf("the peak %v is not the load above for none of the time %v", l.Peak(), ends[0])
				}
			}
		}
	}
}
