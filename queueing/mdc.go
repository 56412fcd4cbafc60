package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// MDC is the M/D/c queue: Poisson arrivals, c servers, constant service time,
// order of arrival. It is exact; for real numbers of servers or other laws see
// [GGCBy].
type MDC struct {
	ArrivalRate float64 // λ ≥ 0, per s
	ServiceTime float64 // D > 0, s
	Servers     int     // c ≥ 1, at most 1e5
}

// Figures returns the exact figures. The queue at one moment and a service
// time later obey M' = max(0, M + A − c), A Poisson of mean a = λD (Crommelin);
// its law follows from Spitzer's identity by the fast Fourier transform, and
// the wait from Franx's sum of positive terms
//
//	P(W > kD − y) = Σ_j e^(−λy)(λy)ʲ/j! · P(M > kc − 1 − j),  0 < y ≤ D
//
// to about 1e-13 absolute. Errors: *DomainError, and *UnstableError for a ≥ c.
// Source: Franx, Oper. Res. Letters 29, 2001.
func (q MDC) Figures() (Figures, error) {
	if q.Servers < 1 || q.Servers > 1e5 {
		return Figures{}, &DomainError{"MDC", "servers", float64(q.Servers), "1 <= servers <= 1e5"}
	}
	c := float64(q.Servers)
	f, err := figures("MDC", c, q.ArrivalRate, q.ServiceTime)
	if err != nil {
		return Figures{}, err
	}
	f.MeanResponse = q.ServiceTime
	f.service.law = Deterministic{q.ServiceTime}
	if f.OfferedLoad == 0 {
		return f, nil
	}
	gap := numeric.NewGapSum(c).Minus(q.ArrivalRate, q.ServiceTime).Value()
	if gap <= 0 {
		return Figures{}, &UnstableError{"MDC", f.OfferedLoad / c}
	}
	f.Throughput, f.Utilization = q.ArrivalRate, f.OfferedLoad/c
	walk, ok := numeric.NewWalkMax(c, f.OfferedLoad, []float64{0, 1}, gap)
	if !ok {
		return Figures{}, &DomainError{"MDC", "servers", c, "a system whose queue resolves within 4 million states"}
	}
	law := constantWait{walk, c, f.OfferedLoad, q.ServiceTime}
	f.WaitProbability = law.Tail(0)
	known := walk.Known()
	queue := walk.Tail(float64(known)) / -math.Expm1(-walk.Decay())
	for j := known - 1; j >= 0; j-- {
		queue += walk.Tail(float64(j))
	}
	f.MeanQueueLength = queue
	f.MeanWait = queue / q.ArrivalRate
	f.MeanResponse = f.MeanWait + q.ServiceTime
	f.law = law
	return f, nil
}

// constantWait is the law of the wait in M/D/c.
type constantWait struct {
	walk    numeric.WalkMax
	c, load float64
	service float64 // s
}

func (l constantWait) Tail(t float64) float64 {
	x := t / l.service
	if x >= 1<<52 { // the place within a service is lost in rounding
		return l.walk.Tail(l.c * x)
	}
	k := math.Floor(x) + 1
	y := l.load * (k - x)
	last := k*l.c - 1 // j ≤ last finds P(M > last − j), beyond it is 1
	// Terms peak at y·e^ζ; the product is taken in the logarithm, where
	// neither factor leaves the range of float64.
	tilted := math.Exp(math.Log(y) + l.walk.Decay())
	lo := math.Max(0, math.Floor(y-12*math.Sqrt(y)-20))
	hi := math.Ceil(tilted + 12*math.Sqrt(tilted) + 40)
	sum := 0.0
	term := math.Exp(-y)
	if lo > 0 {
		term = math.Exp(-numeric.Deviance(lo, y)-numeric.StirlingError(lo)) / math.Sqrt(2*math.Pi*lo)
	}
	for j := lo; j <= hi; j++ {
		if j <= last {
			sum += term * l.walk.Tail(last-j)
		} else {
			sum += term
		}
		term *= y / (j + 1)
	}
	return sum
}

func (l constantWait) Quantile(p float64) float64 { return quantileOf(l.Tail, p, l.service) }
