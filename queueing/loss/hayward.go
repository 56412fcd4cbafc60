package loss

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// Peaked is a stream of requests described by the number that would be busy
// if no server were missing: its mean and its peakedness (variance over mean),
// 1 for Poisson arrivals, above 1 for overflow, below 1 for smoothed streams.
type Peaked struct {
	Load       float64 // mean, erlang, ≥ 0
	Peakedness float64 // z > 0
}

// Hayward returns the loss probability of a peaked stream on n ≥ 0 servers by
// Hayward's approximation B(n/z, a/z), [queueing.ErlangB] at real arguments; exact for
// z = 1. On overflow it puts far too little, −93 % at worst and nine of ten
// within 70 %, and [PeakedLoss] takes [SharedOverflow] instead; on the smooth
// traffic of finitely many sources it was off by −29 to +597 %
// (TestPeakedErrorsAreMeasured). Source: Fredericks,
// Bell Syst. Tech. J. 59, 1980.
func Hayward(servers float64, stream Peaked) (float64, error) {
	c := queueing.Domain{Func: "Hayward"}
	c.Positive("peakedness", stream.Peakedness)
	if c.Err != nil {
		return 0, c.Err
	}
	if err := checkLoad("Hayward", servers, stream.Load); err != nil {
		return 0, err
	}
	n, a := servers/stream.Peakedness, stream.Load/stream.Peakedness
	if err := checkLoad("Hayward", n, a); err != nil {
		return 0, err
	}
	return erlang.B(n, a), nil
}

// Overflow returns the stream that a loss system of n ≥ 0 servers passes on
// under a Poisson load of a > 0 erlangs (Riordan's moments):
//
//	M = a·B(n, a),   z = V/M = 1 − M + a/(n + 1 − a + M)
//
// Domain and errors as [queueing.ErlangB], and a > 0.
func Overflow(servers, load float64) (Peaked, error) {
	if err := checkLoad("Overflow", servers, load); err != nil {
		return Peaked{}, err
	}
	if load == 0 {
		return Peaked{}, &queueing.DomainError{Func: "Overflow", Arg: "load", Value: load, Want: "load > 0"}
	}
	return overflow(servers, load), nil
}

func overflow(n, a float64) Peaked {
	m := a * erlang.B(n, a)
	return Peaked{m, 1 - m + a/(n+1-a*erlang.Carried(n, a))}
}

// EquivalentRandom returns the Poisson load A* and the real number of servers
// N* whose overflow has the mean M and peakedness z ≥ 1 of the stream
// (Wilkinson's equivalent random theory). Given A, Riordan's variance fixes
//
//	N = A(M + z)/(M + z − 1) − M − 1
//
// and A·B(N, A) = M is solved for A to rounding from Rapp's start
// A ≈ zM + 3z(z − 1). z < 1 has no equivalent: use [Hayward].
// Source: Wilkinson, Bell Syst. Tech. J. 35, 1956; Rapp, Ericsson Technics 20,
// 1964.
func EquivalentRandom(stream Peaked) (load, servers float64, err error) {
	c := queueing.Domain{Func: "EquivalentRandom"}
	c.Positive("load", stream.Load)
	c.Magnitude("load", stream.Load)
	if z := stream.Peakedness; !(z >= 1) || z > 1e6 {
		c.Fail("peakedness", z, "1 <= peakedness <= 1e6; for a smooth stream use Hayward")
	}
	if c.Err != nil {
		return 0, 0, c.Err
	}
	m, z := stream.Load, stream.Peakedness
	if z == 1 {
		return m, 0, nil
	}
	size := func(a float64) float64 { return math.Max(0, a+a/(m+z-1)-m-1) }
	// Rising A takes N up with it, and the overflow down from A·B(0, A) = A.
	over := func(a float64) float64 { return math.Log(a/m) + erlang.LogB(size(a), a) }
	lo := (m + 1) * (m + z - 1) / (m + z) // N = 0
	flo := math.Log1p((z - 1) / (m * (m + z)))
	hi := math.Max(z*m+3*z*(z-1), lo*(1+1e-9))
	fhi := over(hi)
	for fhi >= 0 && hi < queueing.MaxServers {
		lo, flo = hi, fhi
		hi *= 1.1
		fhi = over(hi)
	}
	if fhi >= 0 {
		return 0, 0, &queueing.DomainError{Func: "EquivalentRandom", Arg: "peakedness", Value: z, Want: "an equivalent load below 1e12"}
	}
	load = numeric.Root(over, lo, flo, hi, fhi)
	return load, size(load), nil
}

// SharedOverflow returns the share of all requests of independent peaked
// streams that a common group of n ≥ 0 servers loses, by equivalent random
// theory where the sum is peaked and by Hayward where it is smooth. Means and
// variances add; which stream loses more is not told apart.
func SharedOverflow(servers float64, streams []Peaked) (float64, error) {
	c := queueing.Domain{Func: "SharedOverflow"}
	mean, variance := 0.0, 0.0
	for i, s := range streams {
		c.AtLeastZero(fmt.Sprintf("load of stream %d", i+1), s.Load)
		c.Positive(fmt.Sprintf("peakedness of stream %d", i+1), s.Peakedness)
		mean += s.Load
		variance += s.Load * s.Peakedness
	}
	if c.Err != nil {
		return 0, c.Err
	}
	if mean == 0 {
		return 0, checkLoad("SharedOverflow", servers, 0)
	}
	sum := Peaked{mean, variance / mean}
	if sum.Peakedness <= 1 {
		return Hayward(servers, sum)
	}
	load, first, err := EquivalentRandom(sum)
	if err != nil {
		return 0, err
	}
	if first+servers > queueing.MaxServers {
		return 0, &queueing.DomainError{Func: "SharedOverflow", Arg: "peakedness",
			Value: sum.Peakedness, Want: "an equivalent number of servers below 1e12"}
	}
	if err := checkLoad("SharedOverflow", first+servers, load); err != nil {
		return 0, err
	}
	return math.Exp(math.Log(load/mean) + erlang.LogB(first+servers, load)), nil
}

// checkLoad demands servers and a load that [queueing.ErlangB] takes.
func checkLoad(fn string, servers, load float64) error {
	c := queueing.Domain{Func: fn}
	c.AtLeastZero("servers", servers)
	c.Magnitude("servers", servers)
	c.AtLeastZero("load", load)
	c.Magnitude("load", load)
	return c.Err
}
