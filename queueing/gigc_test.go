package queueing

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// gridErrors are relative errors over the rows of a table of gridsim.
type gridErrors struct{ mean, percentile []float64 }

// add takes the errors of one row. Where the simulation itself is not sure to
// 5 %, or hardly anybody waits, a relative error says nothing; nor does that of
// a percentile which is small beside the wait of those who wait.
func (e *gridErrors) add(r numtest.Row, f Figures) {
	wait := r.Float("wait_probability")
	if wait < 0.01 {
		return
	}
	if r.Float("mean_wait_se") < 0.05*r.Float("mean_wait") {
		e.mean = append(e.mean, f.MeanWait/r.Float("mean_wait")-1)
	}
	for _, p := range []float64{90, 99} {
		column := fmt.Sprintf("p%g", p)
		q := r.Float(column)
		if q > r.Float("mean_wait")/wait/2 && r.Float(column+"_se") < 0.05*q {
			e.percentile = append(e.percentile, f.WaitPercentile(p/100)/q-1)
		}
	}
}

// measuredOn are the errors over one table of simulated queues, by the way of
// [GIGC] and by the approximations of [GGC].
func measuredOn(t *testing.T, table string) (fits [len(fitErrors)]gridErrors, methods [len(ggcErrors)]gridErrors) {
	for _, r := range numtest.Table(t, table) {
		c := r.Float("servers")
		q := GGC{r.Float("rho") * c, 1, r.Float("gap_scv"), r.Float("service_scv")}
		f, err := GIGC{q}.At(c)
		if err != nil {
			t.Fatalf("%s line %d: %v", table, r.Line, err)
		}
		if !(GIGC{q}).known() {
			fits[GIGC{q}.kind(c)].add(r, f)
		} else if f.Approximation() != nil {
			t.Errorf("%s line %d: %v is said to be approximate", table, r.Line, q)
		}
		for i := range methods {
			f, err := q.At(c)
			if i > 0 {
				f, err = GGCBy{q, GGCMethod(i)}.At(c)
			}
			if err != nil {
				t.Fatalf("%s line %d: %v", table, r.Line, err)
			}
			if q.ArrivalSCV != 1 || q.ServiceSCV != 1 {
				methods[i].add(r, f)
			}
		}
	}
	return fits, methods
}

// worse returns a range that holds both.
func worse(a, b numtest.Range) numtest.Range {
	return numtest.Range{Low: math.Min(a.Low, b.Low), High: math.Max(a.High, b.High), Most: math.Max(a.Most, b.Most)}
}

// What a user is told of an approximation is the worse of what two simulations
// found: the one that the formulas were chosen by, and one of other laws, sizes
// and utilizations that none was chosen by.
func TestGIGCErrorsAreMeasured(t *testing.T) {
	fits, methods := measuredOn(t, "../planner/approximations/references/ggcsim.csv")
	newFits, newMethods := measuredOn(t, "../planner/approximations/references/ggcsimnew.csv")
	gridFits, gridMethods := measuredOn(t, "../planner/approximations/references/ggcgrid.csv")
	if n := len(newFits[Interpolated].mean); n < 36 {
		t.Errorf("only %d new queues that are interpolated", n)
	}
	over := func(name string, said ErrorRange, found ...[]float64) {
		all := numtest.Outwards(found[0])
		for _, f := range found[1:] {
			all = worse(all, numtest.Outwards(f))
		}
		numtest.SameRange(t, name, numtest.Range(said), all)
	}
	for k, a := range fitErrors {
		over(fmt.Sprint(k, " mean"), a.MeanWait, fits[k].mean, newFits[k].mean, gridFits[k].mean)
		over(fmt.Sprint(k, " percentile"), a.WaitPercentile, fits[k].percentile, newFits[k].percentile, gridFits[k].percentile)
	}
	for i, a := range ggcErrors {
		over(a.Method+" mean", a.MeanWait, methods[i].mean, newMethods[i].mean, gridMethods[i].mean)
		over(a.Method+" percentile", a.WaitPercentile, methods[i].percentile, newMethods[i].percentile, gridMethods[i].percentile)
	}
}

// Whatever the two moments, there is an answer, and it is finite.
func TestGIGCExtremes(t *testing.T) {
	for _, arrival := range []float64{0, 1e-300, 1e-6, 0.5, 1, 1.0001, 30, 1e6, 1e150} {
		for _, service := range []float64{0, 1e-300, 1e-6, 0.5, 1, 1.0001, 30, 1e6, 1e150} {
			for _, c := range []float64{0.5, 1, 1.5, 2, 40, 1e4, 2e5} {
				for _, rho := range []float64{1e-9, 0.3, 0.999999} {
					f, err := GIGC{GGC{rho * c, 1, arrival, service}}.At(c)
					if err != nil {
						t.Errorf("%v/%v/%v at %v: %v", arrival, service, c, rho, err)
						continue
					}
					for _, v := range []float64{f.WaitProbability, f.MeanWait, f.WaitPercentile(0.95), f.WaitTail(1)} {
						if !(v >= 0) || math.IsInf(v, 1) || f.WaitProbability > 1 {
							t.Errorf("%v/%v/%v at %v: %+v", arrival, service, c, rho, f)
							break
						}
					}
				}
			}
		}
	}
}

// A fleet that meets the objective and one fewer that does not, also where the
// model has a fraction of a server only by interpolation.
func TestGIGCLeastServers(t *testing.T) {
	for _, m := range []GIGC{{GGC{14, 1, 2, 0}}, {GGC{14, 1, 0.5, 1}}, {GGC{0.4, 1, 3, 3}}, {GGC{150, 1, 0, 0.5}}} {
		o := Objective{Metric: WaitTail, Limit: 0.1, Wait: 0.1}
		r, err := LeastServers(m, o)
		if err != nil {
			t.Fatal(err)
		}
		if !o.Met(r.Figures) || r.Real > r.Servers || r.Real < r.Servers-1 {
			t.Errorf("%v: %+v", m, r)
		}
		if f, err := m.At(r.Servers - 1); err == nil && o.Met(f) {
			t.Errorf("%v: %v servers are enough", m, r.Servers-1)
		}
	}
	// Simulated: 21 servers for two moments where Allen-Cunneen says 19.
	r, err := LeastServers(GIGC{GGC{14, 1, 2, 0}}, Objective{Metric: WaitTail, Limit: 0.1, Wait: 0.1})
	if err != nil || r.Servers != 21 {
		t.Errorf("H2/D/c: %v servers, %v", r.Servers, err)
	}
}

// Rows whose laws are those assumed, and where the mean is said to be exact,
// agree with the simulation within its own noise.
func TestGIGCExactBySimulation(t *testing.T) {
	far, rows := 0, 0
	for _, r := range numtest.Table(t, "../planner/approximations/references/ggcsim.csv") {
		c := r.Float("servers")
		m := GIGC{GGC{r.Float("rho") * c, 1, r.Float("gap_scv"), r.Float("service_scv")}}
		gap, service := r.Text("gap"), r.Text("service")
		if gap[0] == 'l' || service[0] == 'l' || m.kind(c) == Interpolated && !m.poisson() {
			continue
		}
		f, err := m.At(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range [][3]float64{
			{f.MeanWait, r.Float("mean_wait"), r.Float("mean_wait_se")},
			{f.WaitProbability, r.Float("wait_probability"), r.Float("wait_probability_se")},
		} {
			rows++
			// Ten replications: the t law, not the normal one, and rounding of the table.
			switch d := math.Abs(pair[0]-pair[1]) / (pair[2] + 1e-4*pair[1]); {
			case d > 7:
				t.Errorf("line %d: %s/%s/%g at %v: %v, simulation %v ± %v", r.Line, gap, service, c, m, pair[0], pair[1], pair[2])
			case d > 2.262:
				far++
			}
		}
	}
	if rows < 400 || float64(far) > 0.08*float64(rows) {
		t.Errorf("%d of %d figures outside their 95 %% interval", far, rows)
	}
}

// An SCV near the end of the range of numbers had nobody wait, for a mean of NaN.
func TestGIGCRefusesEndlessSCVs(t *testing.T) {
	for _, c := range [][2]float64{{1, 1e308}, {1e308, 1}, {9e18, math.MaxFloat64}, {2, 2e300}} {
		m := GIGC{GGC: GGC{ArrivalRate: 8, ServiceTime: 1, ArrivalSCV: c[0], ServiceSCV: c[1]}}
		var domain *DomainError
		if f, err := m.At(10); !errors.As(err, &domain) {
			t.Errorf("SCVs %v: mean wait %v, %v", c, f.MeanWait, err)
		}
	}
	m := GIGC{GGC: GGC{ArrivalRate: 8, ServiceTime: 1, ArrivalSCV: 1, ServiceSCV: 1e300}}
	if f, err := m.At(10); err != nil || !(f.MeanWait > 1e298) {
		t.Errorf("SCV 1e300: mean wait %v, %v", f.MeanWait, err)
	}
}
