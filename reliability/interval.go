package reliability

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/given"
)

// A Start says in which state a window begins.
type Start int

const (
	// AllUp begins with every replica up.
	AllUp Start = iota
	// SteadyUp begins in the steady state, given that the set is up.
	SteadyUp
	// Steady begins in the steady state, in which the set may be down: the
	// interval reliability of the textbooks. As the window shrinks to 0 its
	// survival tends to the point availability of [ReplicaSet.SteadyState].
	Steady
)

// An Interval says how a [ReplicaSet] comes through a window of length T.
type Interval struct {
	Survival    float64 // P(at least m up throughout [0, T])
	LogSurvival float64 // its logarithm, finite where Survival underflows
	Failure     float64 // 1 - Survival, summed by itself without cancellation
	MeanUpTime  float64 // E[min(T, time of the first outage)]
	MeanToFail  float64 // mean time of the first outage, may be +Inf
	Steps       int     // steps of the uniformised chain that were taken
}

// IntervalReliability returns the chance that at least m of the k replicas of
// s are up at every moment of a window of the given length (in the unit of
// MTTF and MTTR), repair going on meanwhile. It is at most the point
// availability, which asks for one moment only.
//
// Method: the chain with "fewer than m up" made absorbing is uniformised at
// its greatest rate Λ and carried forward in steps of ΛT by Poisson mixtures
// of its jump chain (Jensen 1953), all terms positive, so that Survival and
// Failure each keep their relative accuracy. The steps double; once the
// conditional law of the number down, given no outage, has stopped moving the
// rest of the window is exact by its decay rate θ = P(one step from outage)
// times the rate of that step:
//
//	S(t+s) = S(t) e^(-θs).
//
// The number of steps is therefore bounded by the relaxation time of the
// chain (about 100 k steps of work k) and not by the window. Failure below
// 1e-280 may be returned as 0. Where MTTF and MTTR differ by more than 1e290
// or the window exceeds either as much, the first outage is taken as
// exponential, an error of relaxation time over window.
//
// ctx stops the work between steps.
func IntervalReliability(ctx context.Context, s ReplicaSet, window float64, start Start) (Interval, error) {
	ctx = given.Context(ctx)
	const fn = "IntervalReliability"
	if err := all(s.check(fn), nonNegative(fn, "window", window)); err != nil {
		return Interval{}, err
	}
	if start < AllUp || start > Steady {
		return Interval{}, &DomainError{fn, "start", float64(start), "AllUp, SteadyUp or Steady"}
	}
	if err := ctx.Err(); err != nil {
		return Interval{}, err
	}
	c := newOutageChain(s)
	v, logUp, down := s.begin(start)
	if err := ctx.Err(); err != nil {
		return Interval{}, err
	}
	logMean := s.logMeanToOutage(v)
	scaled := window / c.unit
	var r passage
	if scaled > 1e290 || c.fail[0] < 1e-290 {
		r = exponentialPassage(window, logMean)
	} else {
		var err error
		if r, err = c.run(ctx, v, scaled); err != nil {
			return Interval{}, err
		}
		r.upTime *= c.unit
	}
	up := math.Exp(logUp)
	return Interval{
		Survival:    math.Exp(logUp + r.logAlive),
		LogSurvival: logUp + r.logAlive,
		Failure:     down + up*r.failed,
		MeanUpTime:  up * r.upTime,
		MeanToFail:  math.Exp(logUp + logMean),
		Steps:       r.steps,
	}, nil
}

// begin returns the law of the number down at the start of a window, given that the set is up, and
// the chances that it is up, as a logarithm, and down.
func (s ReplicaSet) begin(start Start) (v []float64, logUp, down float64) {
	v = make([]float64, s.Replicas-s.Needed+1)
	if start == AllUp {
		v[0] = 1
		return v, 0, 0
	}
	lp := s.logStationary()
	logCond := logSum(lp[:len(v)])
	for d := range v {
		v[d] = math.Exp(lp[d] - logCond)
	}
	if start == SteadyUp {
		return v, 0, 0
	}
	return v, logCond, math.Exp(logSum(lp[len(v):]))
}

// nearly is IntervalReliability with the first outage taken as exponential, in a time that is linear
// in the replicas.
func (s ReplicaSet) nearly(window float64, start Start) (survival, failure float64) {
	v, logUp, down := s.begin(start)
	r := exponentialPassage(window, s.logMeanToOutage(v))
	return math.Exp(logUp + r.logAlive), down + math.Exp(logUp)*r.failed
}

// IntervalWork returns about how often [IntervalReliability] takes a state of the set through a step,
// some 10 ns each, for a set and a window within its domain: at most some hundred steps for each
// replica, and no more than replicas fail or return in the window. Where the set survives hardly any of
// it, steps are taken in small parts, of which each has tails, and there are up to seven times as many.
func IntervalWork(s ReplicaSet, window float64) float64 {
	states := float64(s.Replicas - s.Needed + 1)
	k, down := float64(s.Replicas), math.Min(float64(s.crews()), states-1)
	changes := math.Max(k/s.MTTF, math.Max((k-down)/s.MTTF, float64(s.Needed)/s.MTTF)+down/s.MTTR) * window
	return states * math.Min(changes, 100*k)
}
