package loss

import (
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/erlang"
	"github.com/capplan/capplan/queueing/internal/measured"
)

// A PeakedMethod is a formula for the loss of a stream known by mean and
// peakedness.
type PeakedMethod int

// The methods.
const (
	// BestPeaked is equivalent random theory for z > 1 and Hayward below.
	BestPeaked PeakedMethod = iota
	// EquivalentRandomTheory is [SharedOverflow] of the one stream, z ≥ 1;
	// exact for the overflow of one Poisson group.
	EquivalentRandomTheory
	// HaywardMethod is [Hayward].
	HaywardMethod
)

// PeakedLoss returns the share of a peaked or smooth stream that n ≥ 0 servers
// lose, and how far off the method was found to be against exact chains
// (docs/APPROXIMATIONS.md): overflow of one and of two Poisson groups for z > 1,
// finitely many sources below. The approximation is nil for z = 1, where both
// methods are [queueing.ErlangB] and exact for Poisson arrivals. Errors: *DomainError, also for equivalent random
// theory with z < 1.
func PeakedLoss(servers float64, stream Peaked, method PeakedMethod) (float64, *queueing.Approximation, error) {
	z := stream.Peakedness
	if method == BestPeaked {
		method = HaywardMethod
		if z > 1 && stream.Load > 0 {
			method = EquivalentRandomTheory
		}
	}
	switch method {
	case EquivalentRandomTheory:
		if z > 0 && z < 1 {
			return 0, nil, &queueing.DomainError{Func: "PeakedLoss", Arg: "peakedness",
				Value: z, Want: "peakedness >= 1 for equivalent random theory; below use Hayward"}
		}
		loss, err := SharedOverflow(servers, []Peaked{stream})
		if z == 1 {
			return loss, nil, err
		}
		return loss, &peakedErrors[0], err
	case HaywardMethod:
		loss, err := Hayward(servers, stream)
		switch {
		case z > 1:
			return loss, &peakedErrors[1], err
		case z < 1:
			return loss, &peakedErrors[2], err
		}
		return loss, nil, err
	}
	return 0, nil, &queueing.DomainError{Func: "PeakedLoss", Arg: "method", Value: float64(method), Want: "one of the methods of this package"}
}

// PeakedCarried returns the share of n > 0 servers that are busy with a peaked
// or smooth stream: what [PeakedLoss] does not lose, over n. It is computed from
// the servers that stay idle where few do, so that it is below 1 however much is
// lost. Domain and errors as there.
func PeakedCarried(servers float64, stream Peaked, method PeakedMethod) (float64, error) {
	c := queueing.Domain{Func: "PeakedCarried"}
	c.Positive("servers", servers)
	if c.Err != nil {
		return 0, c.Err
	}
	loss, _, err := PeakedLoss(servers, stream, method)
	if err != nil {
		return 0, err
	}
	m, z := stream.Load, stream.Peakedness
	if method == HaywardMethod || z <= 1 {
		return erlang.Utilization(servers/z, m/z), nil
	}
	if share := m * (1 - loss) / servers; share < 0.9 {
		return share, nil
	}
	load, first, err := EquivalentRandom(stream)
	if err != nil {
		return 0, err
	}
	// What the common group leaves idle beyond what the first N* servers do.
	return 1 - (erlang.Idle(first+servers, load)-erlang.Idle(first, load))/servers, nil
}

// peakedErrors are by equivalent random theory, and by Hayward's equivalence of
// peaked and of smooth traffic.
var peakedErrors = [...]queueing.Approximation{
	lossBy("equivalent random theory (Wilkinson)", &measured.EquivalentRandom),
	lossBy("Hayward's equivalence", &measured.HaywardPeaked),
	lossBy("Hayward's equivalence", &measured.HaywardSmooth),
}

// lossBy puts what was measured of losses into an Approximation.
func lossBy(method string, m *measured.Measurement) queueing.Approximation {
	return queueing.Approximation{Method: method, Blocking: queueing.ErrorRange(m.Range), Regime: m.Regime, Source: m.Source}
}
