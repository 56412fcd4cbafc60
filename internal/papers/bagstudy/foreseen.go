package bagstudy

import (
	"math"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/papers/means"
)

// bagNormalised are the x of figure 7.
var bagNormalised = []float64{0.2, 0.4, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4, 1.6, 1.8, 2,
	2.5, 3, 4, 5}

// stability is figure 7, and the spread of what it shows. Times are over the mean of their
// environment.
func (t *Table) stability(cells []Cell) {
	for _, s := range Servers {
		for _, part := range []struct {
			name, measure string
		}{{"without", bagFinish}, {"with", of(bagFinish, MainStrategy)}} {
			mean := map[string]float64{}
			for i := range cells {
				if v, ok := means.Of(cells[i].values(part.measure)); ok {
					mean[cells[i].Name()] = v[0]
				}
			}
			normalised := func(c *Cell, seed int) float64 { return c.Runs[seed][part.measure] / mean[c.Name()] }
			name := s.String() + " " + part.name
			t.curve("stability "+name, bagNormalised, cells, ofServer(s), normalised,
				func(v, x float64) bool { return v <= x })
			t.figure("deviation "+name, bySeed(cells, ofServer(s), func(c *Cell, seed int) float64 {
				return 100 * math.Abs(normalised(c, seed)-1)
			}))
		}
	}
}

// predictions are table 4: of each environment the share of runs whose time lay
// within 20 % of the prediction at half, α being that of all of them. An environment whose bags
// were never done has no prediction.
func (t *Table) predictions(cells []Cell) {
	success := map[string][]float64{}
	for i := range cells {
		c := &cells[i]
		total, half := c.values(of(bagFinish, MainStrategy)), c.values(of(bagHalf, MainStrategy))
		var archive spequlos.Archive
		for k := range total {
			if !math.IsNaN(total[k]) && !math.IsNaN(half[k]) {
				// both are above 0 and in order
				_ = archive.Add("", spequlos.PastRun{Total: total[k], Times: []float64{half[k], total[k]}})
			}
		}
		p, err := archive.Predict("", 0.5, 1)
		if err != nil || p.Runs == 0 {
			continue
		}
		of := make([]float64, len(total))
		for k := range total {
			of[k] = percentWhere(total[k],
				math.Abs(total[k]-2*p.Alpha*half[k]) <= spequlos.Tolerance*2*p.Alpha*half[k]*(1+1e-12))
		}
		success[c.Name()] = of
		t.Figures["predicted "+c.Name()] = shareInterval(of)
	}
	in := func(name string, wanted func(*Cell) bool) {
		t.figure("predicted "+name, bySeed(cells, wanted, func(c *Cell, seed int) float64 {
			if of := success[c.Name()]; of != nil {
				return of[seed]
			}
			return math.NaN()
		}))
	}
	for _, trace := range hosts.Traces() {
		in(trace.Name, func(c *Cell) bool { return c.Trace.Name == trace.Name })
	}
	for _, s := range Servers {
		for _, b := range []string{"small", "big", "random"} {
			in(s.String()+" "+b, func(c *Cell) bool { return c.Server == s && c.Bag.Name == b })
		}
	}
	in("mixed", func(*Cell) bool { return true })
}

// shareInterval is a share in percent with its interval by Wilson, which none and
// all have too. Wilson's interval stays within 0 and 100 %.
func shareInterval(percents []float64) means.Interval {
	n, sum := 0.0, 0.0
	for _, v := range percents {
		if !math.IsNaN(v) {
			n++
			sum += v / 100
		}
	}
	const z = 1.959963984540054
	p := sum / n
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return means.Interval{100 * p, 100 * max(0, min(middle-half, p)), 100 * min(1, max(middle+half, p))}
}
