package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// MMCK is the M/M/c/K queue: c servers and a waiting room of K − c places; an
// arrival that finds the room full is lost. It is always stable.
type MMCK struct {
	ArrivalRate float64 // λ ≥ 0, per s
	ServiceTime float64 // 1/μ > 0, s
	Buffer      int     // K − c ≥ 0, places to wait; the servers come on top
}

// At returns the figures with real servers c > 0. With r = a/c, m = K − c and
// everything relative to the state of c customers,
//
//	G = 1/B(c, a) + Σ_{j=1}^m rʲ,   P(lost) = rᵐ/G,
//	P(W > t | let in) = Σ_{j<m} rʲ·P(N ≤ j)/(G − rᵐ),  N Poisson of mean ct/E[S]
//
// in logarithms and with the geometric sums closed, so that neither overload
// nor a room of 1e6 places or more costs time or accuracy (about 1e-12).
// WaitProbability, MeanWait and the law of the wait are of those let in. The
// time is independent of K; a tail takes O(√K), a percentile some dozen tails.
// Buffer 0 is [Loss]. Source: Allen, Probability, statistics and queueing
// theory, 1990, section 5.2.
func (q MMCK) At(servers float64) (Figures, error) {
	f, err := figures("MMCK", servers, q.ArrivalRate, q.ServiceTime)
	if err != nil {
		return Figures{}, err
	}
	c := Domain{Func: "MMCK"}
	c.Positive("servers", servers)
	c.AtLeastZero("buffer", float64(q.Buffer))
	c.Magnitude("buffer", float64(q.Buffer))
	if c.Err != nil {
		return Figures{}, c.Err
	}
	if q.Buffer == 0 || f.OfferedLoad == 0 {
		return Loss{q.ArrivalRate, q.ServiceTime}.At(servers)
	}
	if math.IsInf(f.OfferedLoad/servers, 1) {
		return Figures{}, &DomainError{"MMCK", "servers", servers, "0 or a load per server within float64"}
	}
	m := float64(q.Buffer)
	theta := math.Log(f.OfferedLoad / servers)
	if near := (f.OfferedLoad - servers) / servers; math.Abs(near) < 0.5 {
		theta = math.Log1p(near)
	}
	// Everything relative to the greater end, so that logarithms stay small.
	full := 0.0
	atServers, _ := numeric.LogUpperRatio(servers, f.OfferedLoad) // ln Σ_{j≤c}
	if theta > 0 {
		atServers -= m * theta
	} else {
		full = m * theta
	}
	waiting, meanBehind := tiltedSum(theta, m) // j = 0..m−1
	open := atServers                          // all states but the full one
	if m > 1 {
		inner, _ := tiltedSum(theta, m-1)
		open = numeric.LogAdd(open, inner+math.Min(theta, 0))
	}
	all := numeric.LogAdd(open, full)
	f.logBlocking = full - all
	f.Blocking = math.Exp(f.logBlocking)
	admitted := math.Exp(open - all)
	f.Throughput = q.ArrivalRate * admitted
	if f.Utilization = f.OfferedLoad * admitted / servers; f.Utilization > 0.9 {
		f.Utilization = erlang.QueueUtilization(servers, f.OfferedLoad, math.Exp(atServers-all))
	}
	f.WaitProbability = math.Exp(waiting - open)
	// Who is let in behind j waiting has j + 1 services of rate cμ before him.
	f.MeanWait = f.WaitProbability * (meanBehind + 1) * q.ServiceTime / servers
	f.MeanResponse = f.MeanWait + q.ServiceTime
	f.MeanQueueLength = f.Throughput * f.MeanWait
	f.law = bufferedWait{theta, m, waiting - open, servers / q.ServiceTime, f.MeanWait}
	return f, nil
}

// Floor returns 0: the waiting room bounds the queue.
func (q MMCK) Floor() float64 { return 0 }

// tiltedSum is [numeric.GeometricSum], for θ > 0 divided by e^{θn}.
func tiltedSum(theta, n float64) (log, mean float64) {
	if theta <= 0 {
		return numeric.GeometricSum(theta, n)
	}
	log, mean = numeric.GeometricSum(-theta, n)
	return log - theta, n - 1 - mean
}

// bufferedWait is the law of the wait behind j < m waiting with weights e^{θj}.
type bufferedWait struct {
	theta, m float64
	logWait  float64 // ln P(W > 0)
	rate     float64 // of service with all servers busy, per s
	mean     float64
}

// Tail returns Σᵢ Poisson(i; x)·Σ_{j=i}^{m−1} e^{θj} over Σ_{j<m} e^{θj}, times
// P(W > 0). All terms are positive and log-concave in i: the sum goes from the
// greatest outwards.
func (l bufferedWait) Tail(t float64) float64 {
	x := t * l.rate
	if x == 0 {
		return math.Exp(l.logWait)
	}
	whole, _ := tiltedSum(l.theta, l.m)
	// rest(i+1)/rest(i), rest(i) = Σ_{j=i}^{m−1} e^{θj}.
	ratio := func(i float64) float64 {
		left := l.m - i
		switch {
		case left <= 1:
			return 0
		case l.theta == 0:
			return (left - 1) / left
		}
		y := math.Abs(l.theta)
		return math.Exp(math.Min(0, l.theta)) * math.Expm1(-(left-1)*y) / math.Expm1(-left*y)
	}
	step := func(i float64) float64 { return x / (i + 1) * ratio(i) }
	// The greatest term: the first i from which the terms fall.
	peak := 0.0
	if step(0) > 1 {
		peak = math.Floor(bisect(step, 0, l.m-1))
	}
	rest, _ := tiltedSum(l.theta, l.m-peak)
	rest += peak * math.Min(l.theta, 0)
	logTop := rest - whole - x
	if peak > 0 {
		logTop = rest - whole - numeric.Deviance(peak, x) - numeric.StirlingError(peak) - 0.5*math.Log(2*math.Pi*peak)
	}
	sum, term := 1.0, 1.0
	for i := peak; i < l.m-1 && term > 1e-18*sum; i++ {
		term *= step(i)
		sum += term
	}
	term = 1.0
	for i := peak; i > 0 && term > 1e-18*sum; i-- {
		term /= step(i - 1)
		sum += term
	}
	return math.Min(1, math.Exp(l.logWait+logTop)*sum) // 1 but for rounding
}

// bisect returns a point between lo and hi within 1 of where the falling
// function f passes 1.
func bisect(f func(float64) float64, lo, hi float64) float64 {
	for hi-lo > 1 {
		if mid := math.Floor((lo + hi) / 2); f(mid) > 1 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

func (l bufferedWait) Quantile(p float64) float64 { return quantileOf(l.Tail, p, l.mean) }
