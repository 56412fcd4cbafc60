package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// FiniteSource is the M/M/c//N queue, or machine repair model: N customers
// think, ask for service, wait for one of c servers, are served and think
// again; exponential thinking and service, order of arrival.
type FiniteSource struct {
	Customers   int     // N ≥ 0, at most 1e7
	ThinkTime   float64 // mean, ≥ 0, s
	ServiceTime float64 // E[S] > 0, s
	Servers     int     // c ≥ 1
}

// Figures returns the figures from the birth-death chain, its weights taken
// relative to the greatest of them, all positive: nothing overflows or
// cancels, whatever N and c are. What an arrival sees is the same system with
// N − 1 customers: WaitProbability, MeanWait and the law of the wait are
// those. ArrivalRate is the throughput. O(N) for the figures, O(√N) for a tail.
//
// Source: Allen, Probability, statistics and queueing theory, 1990, section
// 5.2 (machine repair); Sevcik, Mitrani, J. ACM 28, 1981 (arrivals).
func (q FiniteSource) Figures() (Figures, error) {
	c := Domain{Func: "FiniteSource"}
	c.AtLeastZero("customers", float64(q.Customers))
	if q.Customers > 1e7 {
		c.Fail("customers", float64(q.Customers), "customers <= 1e7")
	}
	c.AtLeastZero("think time", q.ThinkTime)
	c.Positive("service time", q.ServiceTime)
	if q.Servers < 1 || float64(q.Servers) > MaxServers {
		c.Fail("servers", float64(q.Servers), "1 <= servers <= 1e12")
	}
	if c.Err != nil {
		return Figures{}, c.Err
	}
	servers := float64(q.Servers)
	f := Figures{Servers: servers, ServiceTime: q.ServiceTime, MeanResponse: q.ServiceTime}
	if q.Customers == 0 {
		return f, nil
	}
	busy, all, waiting := 0.0, 0.0, 0.0
	for n, p := range q.states(q.Customers) {
		busy += p * math.Min(float64(n), servers)
		all += p * servers // in the same order: no less than busy
		waiting += p * math.Max(0, float64(n)-servers)
	}
	f.Throughput = busy / q.ServiceTime
	f.ArrivalRate = f.Throughput
	f.OfferedLoad = busy
	f.Utilization = busy / all
	f.MeanQueueLength = waiting
	f.MeanWait = waiting / f.Throughput
	f.MeanResponse = f.MeanWait + q.ServiceTime
	if q.Customers > q.Servers {
		states := q.states(q.Customers - 1)
		some, seen := states[:q.Servers], states[q.Servers:]
		for i := len(seen) - 2; i >= 0; i-- {
			seen[i] += seen[i+1] // P(at least c + i seen)
		}
		whole := seen[0] // of the sum as it is rounded: no part is more
		for _, p := range some {
			whole += p
		}
		for i := range seen {
			seen[i] /= whole
		}
		f.WaitProbability = seen[0]
		f.law = finiteWait{seen, servers / q.ServiceTime, f.MeanWait}
	}
	return f, nil
}

// states returns the law of the number at the servers among n customers.
func (q FiniteSource) states(n int) []float64 {
	p := make([]float64, n+1)
	if q.ThinkTime == 0 {
		p[n] = 1
		return p
	}
	alpha := q.ServiceTime / q.ThinkTime
	step := func(k int) float64 { // p(k)/p(k−1), falling in k
		return float64(n-k+1) * alpha / math.Min(float64(k), float64(q.Servers))
	}
	numeric.FillFrom(p, step)
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// finiteWait is the wait of one who finds c + i customers, i ≥ 0: i + 1
// services of rate c/E[S].
type finiteWait struct {
	least []float64 // P(at least c + i seen)
	rate  float64
	mean  float64
}

func (l finiteWait) Tail(t float64) float64 {
	// Σᵢ Poisson(i; x)·P(at least c + i seen).
	x := t * l.rate
	if x == 0 {
		return l.least[0]
	}
	// Both factors are log-concave, and so is their product: it has one peak,
	// and terms fall ever faster away from it.
	lo, hi := 0, len(l.least)-1
	for lo < hi {
		if mid := (lo + hi + 1) / 2; l.least[mid] > 0 && l.least[mid]*x >= l.least[mid-1]*float64(mid) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	term := func(i int) float64 {
		n := float64(i)
		return l.least[i] * math.Exp(n*math.Log(x)-x-logFactorial(n))
	}
	const lost = 1e-22
	sum := 0.0
	for i := lo; i < len(l.least); i++ {
		v := term(i)
		if sum += v; v <= lost*sum {
			break
		}
	}
	for i := lo - 1; i >= 0; i-- {
		v := term(i)
		if sum += v; v <= lost*sum {
			break
		}
	}
	return sum
}

func (l finiteWait) Quantile(p float64) float64 { return quantileOf(l.Tail, p, l.mean) }

func logFactorial(n float64) float64 {
	v, _ := math.Lgamma(n + 1)
	return v
}
