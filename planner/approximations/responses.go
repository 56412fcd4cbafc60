package approximations

import (
	"fmt"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim/station"
)

// responses simulates GI/G/c with lognormal gaps and services, of which the model
// knows mean and SCV, for the percentiles of responses. Package queueing fits
// gamma and hyperexponential laws: how far off it is for another law of the same
// moments is what counts.
func responses() ([]trial, error) {
	var all []trial
	for _, c := range []int{1, 4, 20} {
		for _, rho := range []float64{0.7, 0.9} {
			for _, scv := range [][2]float64{{1, 0.25}, {1, 4}, {0.5, 0.5}, {2, 2}} {
				q := queueing.GGC{ArrivalRate: rho * float64(c), ServiceTime: 1, ArrivalSCV: scv[0], ServiceSCV: scv[1]}
				f, err := queueing.GIGC{GGC: q}.At(float64(c))
				if err != nil {
					return nil, err
				}
				s := &station.Station{Servers: c, Percentile: 0.95, Classes: []station.Class{{
					Gaps:    lognormal(1/q.ArrivalRate, scv[0]),
					Service: lognormal(1, scv[1]),
				}}}
				v, ok := f.ResponsePercentile(queueing.Offered, 0.95)
				if !ok {
					return nil, fmt.Errorf("approximations: GI/G/c has no percentile of responses")
				}
				name := fmt.Sprintf("%d servers at utilization %g, gaps of SCV %g, services of SCV %g",
					c, rho, scv[0], scv[1])
				all = append(all,
					ofStation("response", name, s, []saying{{"FittedResponse", "response_percentile_s", v, 0}}))
			}
		}
	}
	return all, nil
}

// lognormal is the exponential law for an SCV of 1.
func lognormal(mean, scv float64) station.Law {
	if scv == 1 {
		return queueing.Exponential{Mean: mean}
	}
	return queueing.Lognormal{Mean: mean, SCV: scv}
}

// responseMeasures are against lognormal laws, and a grid by a program of another
// hand. Exact cases of the grid are left out, since they have no error.
func responseMeasures() ([]Measure, error) {
	var grid []Case
	for _, r := range table("ggcresponse.csv") {
		q, c := r.queue()
		f, err := queueing.GIGC{GGC: q}.At(c)
		if err != nil {
			return nil, err
		}
		if f.Approximation() == nil {
			continue
		}
		if v, ok := f.ResponsePercentile(queueing.Offered, 0.95); ok {
			name := fmt.Sprintf("%s/%s/%s at utilization %s", r["gap"], r["service"], r["servers"], r["rho"])
			grid = append(grid, Case{name, v, r.number("p95"), 1.96 * r.number("p95_se")})
		}
	}
	return []Measure{{
		Key:     "FittedResponse",
		Method:  "GI/G/c with laws fitted to mean and SCV",
		Figure:  "95th percentile of the response",
		Regime:  "SCVs up to 4, utilization 0.7 and 0.9, 1 to 20 servers",
		Source:  fmt.Sprintf("simulation, %d of the queues by another program", len(grid)),
		quoted:  true,
		Default: true,
		also:    grid,
	}}, nil
}
