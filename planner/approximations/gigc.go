package approximations

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/queueing"
)

// gridTables are simulations of GI/G/c: those that formulas were chosen by, others
// by which nothing was chosen, and a whole grid of constant, Erlang, exponential and
// hyperexponential gaps and services by a program of another hand.
var gridTables = []string{"ggcsim.csv", "ggcsimnew.csv", "ggcgrid.csv"}

const gridRegime = "utilization 0.5 to 0.95, SCVs up to 4, up to 100 servers"

// gridMethods are the ways to a GI/G/c queue. Those are the ones that a question
// can ask for by name; [queueing.GIGC] itself is measured by the ways below.
var gridMethods = []struct {
	key, method string
	at          func(q queueing.GGC, servers float64) (queueing.Figures, error)
}{
	{"AllenCunneen", "Allen-Cunneen", func(q queueing.GGC, c float64) (queueing.Figures, error) { return q.At(c) }},
	{"LangenbachBelz", "Kraemer-Langenbach-Belz", by(queueing.KraemerLangenbachBelz)},
	{"Whitt", "Whitt 1993", by(queueing.Whitt1993)},
	{"Kingman", "Kingman's bound", by(queueing.KingmanBound)},
}

// by makes a way of a method of package queueing.
func by(m queueing.GGCMethod) func(queueing.GGC, float64) (queueing.Figures, error) {
	return func(q queueing.GGC, c float64) (queueing.Figures, error) {
		return queueing.GGCBy{GGC: q, Method: m}.At(c)
	}
}

// fitted are the ways of [queueing.GIGC], by what it says of itself. The method
// names are those of Approximation.Method, by which a case finds its study.
var fitted = []struct{ key, method string }{
	{"FittedExponentialService", "GI/M/c with gaps of a law fitted to mean and SCV"},
	{"FittedPoissonOneServer", "M/G/1 with service times of a law fitted to mean and SCV"},
	{"FittedConstantService", "GI/D/c with gaps of a law fitted to mean and SCV"},
	{"FittedOneServer", "GI/G/1 with laws fitted to mean and SCV"},
	{"FittedInterpolated", "GI/G/c between constant and exponential service"},
}

// queue returns the queue of a row, whose unit of time is the mean service, and its servers.
func (r row) queue() (q queueing.GGC, servers float64) {
	servers = r.number("servers")
	return queueing.GGC{
		ArrivalRate: r.number("rho") * servers,
		ServiceTime: 1,
		ArrivalSCV:  r.number("gap_scv"),
		ServiceSCV:  r.number("service_scv"),
	}, servers
}

// A gridStudy collects the cases of one method: of mean waits and of percentiles.
type gridStudy struct{ mean, percentile [][]Case }

// add takes the cases of one queue into the last group. Where hardly anybody waits
// a relative error says nothing; nor does that of a percentile which is small
// beside the wait of those who wait.
func (s *gridStudy) add(r row, f queueing.Figures) {
	wait := r.number("wait_probability")
	if wait < 0.01 {
		return
	}
	name := fmt.Sprintf("%s/%s/%s at utilization %s", r["gap"], r["service"], r["servers"], r["rho"])
	last := len(s.mean) - 1
	if mean, se := r.number("mean_wait"), r.number("mean_wait_se"); se < 0.05*mean {
		// Its simulation must tell the mean to within a twentieth, or the error
		// would be that of the simulation.
		s.mean[last] = append(s.mean[last], Case{name, f.MeanWait, mean, 1.96 * se})
	}
	for _, p := range []float64{90, 99} {
		column := fmt.Sprintf("p%g", p)
		q, se := r.number(column), r.number(column+"_se")
		if q > r.number("mean_wait")/wait/2 && se < 0.05*q {
			s.percentile[last] = append(s.percentile[last],
				Case{fmt.Sprintf("%s, %gth percentile", name, p), f.WaitPercentile(p / 100), q, 1.96 * se})
		}
	}
}

// next begins a group.
func (s *gridStudy) next() {
	s.mean, s.percentile = append(s.mean, nil), append(s.percentile, nil)
}

// gigc measures the approximations of GI/G/c. One pass over the tables serves all
// methods. A group is a table, since a range is the worst of those of the tables:
// a large one would drown a small one.
func gigc(ctx context.Context) ([]Measure, error) {
	methods := make([]gridStudy, len(gridMethods))
	fits := map[string]*gridStudy{"M/G/c": {}}
	for _, k := range fitted {
		fits[k.method] = &gridStudy{}
	}
	queues := make([]int, len(gridTables))
	for i, name := range gridTables {
		for k := range methods {
			methods[k].next()
		}
		for _, s := range fits {
			s.next()
		}
		for _, r := range table(name) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			queues[i]++
			q, c := r.queue()
			f, err := queueing.GIGC{GGC: q}.At(c)
			if err != nil {
				return nil, err
			}
			// A nil approximation is exact, and there is nothing to measure.
			if a := f.Approximation(); a != nil {
				s, ok := fits[a.Method]
				if !ok {
					return nil, fmt.Errorf("approximations: %q is not a measured way of GI/G/c", a.Method)
				}
				s.add(r, f)
				// M/G/c is a part of the fitted cases that is asked for so often
				// that its range is told apart.
				if c > 1 && r["gap"] == "exponential" {
					fits["M/G/c"].add(r, f)
				}
			}
			if q.ArrivalSCV == 1 && q.ServiceSCV == 1 {
				continue // M/M/c by moments; no method that scales it has to guess
			}
			for k, m := range gridMethods {
				f, err := m.at(q, c)
				if err != nil {
					return nil, err
				}
				methods[k].add(r, f)
			}
		}
	}
	// Of the tables in which a method has a case.
	source := func(s *gridStudy) string {
		n := 0
		for i, cases := range s.mean {
			if len(cases) > 0 {
				n += queues[i]
			}
		}
		return fmt.Sprintf("simulation of %d queues", n)
	}
	var all []Measure
	add := func(key, method string, standard, quoted bool, s *gridStudy) {
		m := Measure{Method: method, Regime: gridRegime, Source: source(s), Default: standard, quoted: quoted}
		m.Key, m.Figure, m.groups = key+"Wait", "mean wait", s.mean
		all = append(all, m)
		m.Key, m.Figure, m.groups = key+"Percentile", "90th and 99th percentile of the wait", s.percentile
		all = append(all, m)
	}
	for _, k := range fitted {
		add(k.key, k.method, true, true, fits[k.method])
	}
	add("FittedPoisson", "GI/G/c with Poisson arrivals", true, false, fits["M/G/c"])
	for k, m := range gridMethods {
		add(m.key, m.method, false, m.key != "Kingman", &methods[k])
	}
	return all, nil
}
