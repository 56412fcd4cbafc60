package unlike

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/measured"
	"github.com/capplan/capplan/queueing/internal/waits"
)

// Elastic is a fleet of dedicated servers of speed 1, and of as many public machines of speed s as
// there are jobs that find no dedicated server free. A job moves to a dedicated server as soon as
// one is free, at no cost: of n jobs min(n, N) are on dedicated servers, and
//
//	rate(n) = (min(n, N) + s·max(n − N, 0))/E[S]
//
// with Poisson arrivals and exponential work. Nobody waits and nobody is lost.
// It is PCU's pool with an epoch of length 0, free migrations, one replica and
// machines that never fail.
type Elastic struct {
	ArrivalRate float64 // λ ≥ 0, per s
	ServiceTime float64 // E[S] > 0 on a dedicated server, s
	Speed       float64 // s of a public machine, of a dedicated server, within (0, 1]
}

// ElasticFigures are the steady-state figures of an [Elastic] fleet.
type ElasticFigures struct {
	Servers      float64 // N, real
	OfferedLoad  float64 // a = λ·E[S], erlang
	Utilization  float64 // busy share of a dedicated server; 0 when there is none
	MeanJobs     float64 // a(1 + e)
	MeanPublic   float64 // jobs on public machines
	PublicShare  float64 // share of the work done on public machines, 1 − f
	AllBusy      float64 // chance that no dedicated server is free
	Elongation   float64 // e = E[T]/E[S] − 1
	MeanResponse float64 // E[T] = (1 + e)·E[S], s
	// MeanField is the elongation of ever so many machines, (1 − f)/s + f − 1
	// with f = min(1, N/a): never above Elongation.
	MeanField float64
}

// Approximation returns how far off the model was found for the jobs of a pool with what the chain
// leaves out: epochs, a link, replicas and machines that leave.
func (m Elastic) Approximation() *queueing.Approximation {
	return &queueing.Approximation{
		Method: "the chain of an elastic fleet",
		Jobs:   queueing.ErrorRange(measured.ElasticJobs.Range),
		Regime: measured.ElasticJobs.Regime,
		Source: measured.ElasticJobs.Source,
	}
}

// At returns the figures with real N ≥ 0 dedicated servers. The chain is that of [queueing.ErlangA]
// with a patience of E[S]/s: jobs that would wait there run on a public machine here, and jobs that
// would give up finish there. With f the share of the work done on dedicated servers, and so 1 − f
// the share that would give up,
//
//	1 + e = f + (1 − f)/s,  jobs = a(1 + e)
//
// to a relative 1e-12, e itself included where it is small (TestElasticReference).
// Time is independent of N and a. The law of the jobs matters beyond its mean
// here: for work more even or more uneven than exponential it is an estimate.
//
// The mean field leaves out that the number of jobs varies. Over s from .1 to
// .9, N/a from .5 to 1.5 and a from 5 to 10,000 erlangs its 1 + e is too low by
// at most 44 %, on average 2.6 % (TestElasticMeanField): at N = a, where it gives
// e = 0, e is about (1/√s − 1)·√(2/πa).
//
// Source: PCU sections 3 and 4; Garnett, Mandelbaum, Reiman, M&SOM 4, 2002.
func (m Elastic) At(servers float64) (ElasticFigures, error) {
	chain, err := m.chain()
	if err != nil {
		return ElasticFigures{}, err
	}
	g, err := chain.At(servers)
	if err != nil {
		return ElasticFigures{}, err
	}
	f := ElasticFigures{
		Servers:     servers,
		OfferedLoad: g.OfferedLoad,
		Utilization: g.Utilization,
		AllBusy:     g.WaitProbability,
		PublicShare: g.Abandonment,
	}
	slower := (1 - m.Speed) / m.Speed // additional time of a unit of work
	f.Elongation = slower * g.Abandonment
	f.MeanJobs = f.OfferedLoad * (1 + f.Elongation)
	f.MeanPublic = f.OfferedLoad * g.Abandonment / m.Speed
	f.MeanResponse = m.ServiceTime * (1 + f.Elongation)
	if f.OfferedLoad > servers {
		f.MeanField = slower * (f.OfferedLoad - servers) / f.OfferedLoad
	}
	return f, nil
}

// LeastServers returns the fewest dedicated servers with which the mean elongation is at most e >
// 0, and the least real number. The Figures of the Requirement are those of the chain as a
// [queueing.ErlangA]; [Elastic.At] gives the fleet's. An elongation of 0 is an *InfeasibleError
// unless s = 1.
func (m Elastic) LeastServers(elongation float64) (queueing.Requirement, error) {
	chain, err := m.chain()
	if err != nil {
		return queueing.Requirement{}, err
	}
	c := queueing.Domain{Func: "Elastic.LeastServers"}
	c.AtLeastZero("elongation", elongation)
	if c.Err != nil {
		return queueing.Requirement{}, c.Err
	}
	// With all jobs on public machines e = 1/s − 1.
	if limit := elongation * m.Speed; limit < 1-m.Speed {
		return queueing.LeastServers(chain, queueing.Objective{Metric: queueing.Abandonment, Limit: limit / (1 - m.Speed)})
	}
	g, err := chain.At(0)
	return queueing.Requirement{Figures: g}, err
}

// chain returns the chain as a queue with patience.
func (m Elastic) chain() (queueing.ErlangA, error) {
	c := queueing.Domain{Func: "Elastic"}
	if !(m.Speed > 0 && m.Speed <= 1) {
		c.Fail("speed", m.Speed, "0 < speed <= 1")
	}
	c.Positive("service time", m.ServiceTime)
	if c.Err == nil && math.IsInf(m.ServiceTime/m.Speed, 1) {
		c.Fail("speed", m.Speed, "a speed whose service time is within the range of numbers")
	}
	return queueing.ErlangA{ArrivalRate: m.ArrivalRate, ServiceTime: m.ServiceTime, Patience: m.ServiceTime / m.Speed}, c.Err
}

// JobsTail returns P(jobs ≥ k) with a whole number N of dedicated servers,
// for k ≥ 0:
//
//	P(jobs ≥ N + j) = P(jobs ≥ N)·yʲ·Γ(b+1)/Γ(b+j+1)·(b + j)·J(b + j)/(b·J(b)),
//	J(c) = ∫₀^∞ exp(y(1 − e^(−x)) − cx) dx,  y = a/s, b = N/s
//
// and below N the law of Poisson(a) given fewer than N. Time is independent of
// N and k. Relative error 1e-12 (TestElasticReference), of tails below 1e-100 as
// many times 1e-15 as their logarithm is large.
func (m Elastic) JobsTail(servers, k float64) (float64, error) {
	chain, err := m.chain()
	if err != nil {
		return 0, err
	}
	c := queueing.Domain{Func: "Elastic.JobsTail"}
	if servers != math.Trunc(servers) {
		c.Fail("servers", servers, "a whole number of servers")
	}
	if !(k >= 0 && k <= waits.MostPatient) {
		c.Fail("k", k, "0 <= k <= 1e18")
	}
	if c.Err != nil {
		return 0, c.Err
	}
	g, err := chain.At(servers)
	if err != nil {
		return 0, err
	}
	a, y := g.OfferedLoad, g.OfferedLoad/m.Speed
	switch k = math.Ceil(k); {
	case k == 0:
		return 1, nil
	case a == 0:
		return 0, nil
	case servers == 0:
		return math.Exp(logPoissonTail(k, y)), nil
	case k >= servers:
		b := servers / m.Speed
		return g.WaitProbability * math.Exp(logPoissonTail(b+k-servers, y)-logPoissonTail(b, y)), nil
	}
	idle := g.Laws().Wait.(*waits.Patient).Idle // P(jobs < N)
	if a < k {
		last := math.Exp(logPoissonTail(servers, a))
		return g.WaitProbability + idle*(math.Exp(logPoissonTail(k, a))-last)/(1-last), nil
	}
	upper, _ := numeric.LogUpperRatio(servers-1, a)
	below, _ := numeric.LogUpperRatio(k-1, a)
	return 1 - idle*math.Exp(below+logPoisson(k-1, a)-upper-logPoisson(servers-1, a)), nil
}

// JobsPercentile returns the least n with P(jobs ≤ n) ≥ p, 0 ≤ p < 1, with a whole number N of
// dedicated servers. Jobs beyond N run on public machines, so that n − N of these suffice for a
// share p of the time.
func (m Elastic) JobsPercentile(servers, p float64) (float64, error) {
	f, err := m.At(servers)
	if err != nil {
		return 0, err
	}
	if !(p >= 0 && p < 1) {
		return 0, &queueing.DomainError{Func: "Elastic.JobsPercentile", Arg: "p", Value: p, Want: "0 <= p < 1"}
	}
	if _, err := m.JobsTail(servers, 0); err != nil {
		return 0, err
	}
	meets := func(n float64) bool {
		above, _ := m.JobsTail(servers, n+1) // the error was checked above
		return above <= 1-p
	}
	n, ok := numeric.LeastInteger(meets, 0, math.Ceil(f.MeanJobs), waits.MostPatient/2)
	if !ok {
		return 0, &queueing.DomainError{Func: "Elastic.JobsPercentile", Arg: "p", Value: p, Want: "a percentile of at most 5e17 jobs"}
	}
	return n, nil
}

// logPoissonTail is ln Σ_{i≥0} y^(c+i)·e^(−y)/Γ(c+i+1) for real c > 0; for whole c that is the
// probability of at least c under a Poisson law of mean y. A large value is computed from its
// complement Γ(c, y)/Γ(c), which needs c ≥ 1.
func logPoissonTail(c, y float64) float64 {
	if y > c && c >= 1 {
		upper, _ := numeric.LogUpperRatio(c-1, y)
		return math.Log1p(-math.Exp(logPoisson(c-1, y) + upper))
	}
	return logPoisson(c, y) + math.Log(c) + numeric.DecayIntegrals(c, y, 0).Log
}

// logPoisson is ln(yᶜ·e^(−y)/Γ(c+1)) for real c ≥ 0 by Loader's saddle point.
func logPoisson(c, y float64) float64 {
	if c == 0 {
		return -y
	}
	return -numeric.Deviance(c, y) - numeric.StirlingError(c) - 0.5*math.Log(2*math.Pi*c)
}
