package approximations

import (
	"fmt"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/pool"
)

// elastic simulates PCU's pool, with its epoch, link, replicas and machines that
// leave, beside the chain that knows none of them. The price of leaving these out
// is what is measured: the chain is asked for its mean number of jobs alone.
func elastic() ([]trial, error) {
	const hour = 3600.0
	var all []trial
	for _, load := range []float64{50, 100, 150, 300, 600} {
		const work = 5000.0
		// Each job runs in two replicas on machines of mean speed 0.34 and spread
		// 0.5, and so gets on at the speed of the faster.
		speed, err := queueing.FastestSpeed(0.34, 0.5, 2)
		if err != nil {
			return nil, err
		}
		f, err := unlike.Elastic{ArrivalRate: load / work, ServiceTime: work, Speed: speed}.At(100)
		if err != nil {
			return nil, err
		}
		all = append(all, trial{
			study: "elastic",
			name:  fmt.Sprintf("100 dedicated and 10,000 public machines at %g erl", load),
			model: pool.Default(load / work),
			// Half a day is not counted, since jobs of 5000 s take hours to
			// forget the empty start.
			options: sim.Options{Replications: 3, Horizon: 36 * hour, WarmUp: 12 * hour},
			says:    []saying{{"ElasticJobs", "mean_jobs", f.MeanJobs, 0}},
		})
	}
	return all, nil
}

// elasticMeasures is one measure: the mean number of jobs.
func elasticMeasures() []Measure {
	return []Measure{{
		Key:    "ElasticJobs",
		Method: "birth-death chain of an elastic fleet",
		Figure: "mean jobs",
		Regime: "PCU's pool: 100 dedicated machines beside 10,000 that come and go, jobs of 5000 s in two replicas, " +
			"epochs of 120 s, 50 to 600 erl",
		Source:  "simulation",
		quoted:  true,
		Default: true,
	}}
}
