package queues

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// PublicMachines are what the queue pool asks of the machines beside its
// dedicated servers, of which there are as many as are needed. Jobs run on these
// while no dedicated server is free, and come back to the first that becomes
// free.
type PublicMachines struct {
	// PublicSpeed lies above 0 and is at most 1 for the job: at 0.34 a job takes
	// three times as long there as on a dedicated server.
	PublicSpeed *units.Number `json:"public_speed,omitempty"` // mean, of a dedicated server
	// PublicSpeedCV is the spread of the speeds over machines, standard deviation
	// over mean. A job that runs on several machines at once then goes as fast as
	// the fastest; nil: all are the same.
	PublicSpeedCV *units.Number `json:"public_speed_cv,omitempty"` // credits the fastest of the replicas
	Replicas      *units.Count  `json:"replicas,omitempty"`        // of a job on public machines; nil: 1
	// MaxElongation asks for the fewest dedicated servers instead of the figures of
	// a given number.
	MaxElongation *units.Excess `json:"max_elongation,omitempty"`
}

// ElasticAnswer is what the queue pool answers beside the figures of all queues.
// Its elongation is how much longer than on a dedicated server a job takes, as a
// share: 0.1 is a tenth longer.
type ElasticAnswer struct {
	Elongation *float64 `json:"elongation,omitempty"` // mean, of the time on a dedicated server
	// MeanFieldElongation leaves out that the number of jobs varies, and
	// is too low for that reason. It is the formula of the papers.
	MeanFieldElongation *float64 `json:"mean_field_elongation,omitempty"`
	ServersReal         *float64 `json:"servers_real,omitempty"` // for max_elongation, with part of a server
	// MeanJobs and JobsPercentile are of the jobs in the system at a time.
	MeanJobs       *float64 `json:"mean_jobs,omitempty"`
	JobsPercentile *float64 `json:"jobs_percentile,omitempty"`
	// PublicShare is of the work and not of the time: a slow machine holds a job
	// for long and does little of it.
	PublicShare *float64 `json:"public_work_share,omitempty"` // of the work
	// MeanPublic counts machines and not jobs, each job having as many as it has
	// replicas.
	MeanPublic       *float64 `json:"mean_public_machines,omitempty"`
	PublicPercentile *float64 `json:"public_machines_percentile,omitempty"`
	PublicSpeed      *float64 `json:"public_speed,omitempty"` // that counts: of the fastest replica with a CV
}

// poolQueue answers for dedicated servers backed by slower public machines. Nobody waits: a
// job that finds no dedicated server starts on public machines. The chain of the
// number of jobs is that of Erlang A with patience E[S]/s, who gives up being the
// work done elsewhere. Source: PCU sections 3 and 4.
func poolQueue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	if err := q.Complete(); err != nil {
		return nil, err
	}
	speed, replicas, err := q.speed()
	if err != nil {
		return nil, err
	}
	s := q.Nominal()
	rate, service, unit := s.Counted()
	m := unlike.Elastic{ArrivalRate: rate, ServiceTime: service, Speed: speed}
	a := &QueueAnswer{Queue: q.Queue, Servers: q.Servers}
	// With a limit on the elongation the servers are the answer, and those of the
	// question are not looked at.
	if q.MaxElongation != nil {
		r, err := m.LeastServers(float64(*q.MaxElongation))
		if err != nil {
			return nil, elasticError(speed, err)
		}
		a.Servers, a.ServersReal = r.Servers, ask.Figure(r.Real)
	}
	// The load of a server is not finite for less.
	if a.Servers > 0 && a.Servers < 1e-300 {
		return nil, ask.Inputf("servers", "%v is too few to compute with: want 0, or at least 1e-300", a.Servers)
	}
	g, err := m.At(a.Servers)
	if err != nil {
		return nil, elasticError(speed, err)
	}
	// The chance to wait and the wait are 0 by the nature of the pool, and not
	// unknown.
	a.Figures = sizing.Figures{OfferedLoad: g.OfferedLoad, WaitProbability: ask.Figure(0), MeanWait: ask.Figure(0)}
	if a.Servers > 0 {
		a.Utilization = ask.Figure(g.Utilization)
	}
	if s.Clock {
		a.ArrivalRate, a.Throughput = ask.Figure(s.Rate), ask.Figure(s.Rate)
		a.MeanResponse = ask.Figure(g.MeanResponse * unit)
	}
	a.Elongation, a.MeanFieldElongation = ask.Figure(g.Elongation), ask.Figure(g.MeanField)
	a.MeanJobs, a.PublicShare = ask.Figure(g.MeanJobs), ask.Figure(g.PublicShare)
	a.MeanPublic, a.PublicSpeed = ask.Figure(g.MeanPublic*replicas), ask.Figure(speed)
	p := (&sizing.Objectives{Percentile: q.Percentile}).PercentileOrDefault()
	// The law of the jobs is that of whole servers.
	if jobs, err := m.JobsPercentile(a.Servers, p); err == nil {
		a.Percentile, a.JobsPercentile = ask.Figure(p), ask.Figure(jobs)
		a.PublicPercentile = ask.Figure(max(0, jobs-a.Servers) * replicas)
	}
	if q.Explain {
		a.Explanation = q.explainElastic(g, speed, replicas)
	}
	return a, nil
}

// speed returns the speed of a job on public machines, and the machines it holds.
// The speed is that of the fastest replica if a spread is given, else the mean:
// without a spread replicas cost machines and win nothing.
func (q *QueueQuestion) speed() (speed, replicas float64, err error) {
	if q.PublicSpeed == nil {
		return 0, 0, ask.Inputf("public_speed",
			"pool wants the speed of a public machine relative to a dedicated one, such as {public_speed} 0.34")
	}
	speed, replicas = float64(*q.PublicSpeed), 1
	if q.Replicas != nil {
		if replicas = float64(*q.Replicas); replicas < 1 {
			return 0, 0, ask.Inputf("replicas", "a job needs at least 1")
		}
	}
	if q.PublicSpeedCV != nil {
		if speed, err = queueing.FastestSpeed(speed, float64(*q.PublicSpeedCV), replicas); err != nil {
			return 0, 0, ask.FromQueueing("public_speed_cv", err)
		}
	}
	// The mean of a lognormal's maximum can exceed 1, where the pool would give
	// jobs to public machines first and the chain above would no longer be the
	// system.
	if !(speed > 0 && speed <= 1) {
		return 0, 0, ask.Inputf("public_speed",
			"a job on public machines runs at %s of the speed of a dedicated one, want above 0 and at most 1: "+
				"faster machines would be used first",
			ask.Digits(speed))
	}
	return speed, replicas, nil
}

// elasticError says what of the load or the limit is outside the domain: the
// model is put together from a queue with patience, whose words nobody asked for.
func elasticError(speed float64, err error) error {
	err = ask.FromQueueing("max_elongation", err)
	switch e := err.(type) {
	case *ask.InfeasibleError:
		// LeastServers finds nothing only for a limit of 0, since the elongation
		// falls towards it and never reaches it.
		return ask.Infeasiblef("max_elongation", 0, 0,
			"max_elongation cannot be met by any number of servers: some work always falls to public machines, so "+
				"the elongation is above 0 however many dedicated servers there are")
	case *ask.InputError:
		if e.Field == "patience" {
			return ask.Inputf("public_speed",
				"%s under such a load is outside the domain, want at most 1e18 jobs per speed", ask.Digits(speed))
		}
	}
	return err
}

// explainElastic shows the steps from the speed of a replica to the elongation, and
// names what the model leaves out.
func (q *QueueQuestion) explainElastic(g unlike.ElasticFigures, speed, replicas float64) *ask.Explanation {
	e := &ask.Explanation{Model: "dedicated servers backed by slower public machines"}
	if q.PublicSpeedCV != nil {
		e.Step("public speed", "s = E[max of r lognormal speeds]",
			ask.Sprintf("mean %v, CV %v, r = %v: s = %v", float64(*q.PublicSpeed), float64(*q.PublicSpeedCV), replicas,
				speed), "the fastest of the replicas")
	}
	e.Step("chain", "rate(n) = (min(n, N) + s·max(n − N, 0))/E[S]",
		ask.Sprintf("N = %v, s = %v, a = %v erl: for %s of the jobs no dedicated server is free", g.Servers, speed,
			g.OfferedLoad, ask.Percent(g.AllBusy, 4)), "PCU sections 3 and 4, at an epoch of length 0")
	e.Step("elongation", "e = (1 − f)(1/s − 1), 1 − f the share of work on public machines",
		ask.Sprintf("%v · (1/%v − 1) = %v", g.PublicShare, speed, g.Elongation),
		"Garnett, Mandelbaum, Reiman 2002: 1 − f is the share that abandons in Erlang A with patience E[S]/s")
	e.Step("mean field", "f = min(1, N/a)", ask.Sprintf("e = %v", g.MeanField),
		"leaves out that the number of jobs varies: always too low")
	e.Assume("Poisson arrivals, exponential work; as many public machines as there are jobs",
		"a job moves to a free dedicated server at once and at no cost; public machines never fail: "+
			"simulate pool has epochs, transfers and failures",
		found(unlike.Elastic{}.Approximation()))
	return e
}

// found says how far off the mean number of jobs was found.
func found(a *queueing.Approximation) string {
	return fmt.Sprintf("with epochs, transfers and failures the mean number of jobs was off by %+.0f to %+.0f%% "+
		"compared with %s of %s",
		100*a.Jobs.Low, 100*a.Jobs.High, a.Source, a.Regime)
}
