package reliability

import (
	"fmt"
	"math"
	"sort"

	"github.com/capplan/capplan/internal/numeric"
)

// A ReplicaSet is k identical components, of which at least m must be up, with
// c repair crews: a birth-death chain on the number d of components down,
//
//	d → d+1 at rate (k-d)/MTTF,    d → d-1 at rate min(d, c)/MTTR.
//
// Up and repair times are exponential and independent. The set is up while
// d <= k-m.
type ReplicaSet struct {
	Component
	Replicas int // k, 1..10^7
	Needed   int // m, 1 <= m <= k
	Crews    int // c >= 0; 0 means one crew per replica
}

func (s ReplicaSet) check(fn string) error {
	if err := all(s.Component.check(fn), atLeast(fn, "Replicas", s.Replicas, 1),
		atLeast(fn, "Needed", s.Needed, 1), atLeast(fn, "Crews", s.Crews, 0)); err != nil {
		return err
	}
	if s.Replicas > mostStates {
		return &DomainError{fn, "Replicas", float64(s.Replicas), fmt.Sprintf("Replicas <= %d", mostStates)}
	}
	if s.Needed > s.Replicas {
		return &DomainError{fn, "Needed", float64(s.Needed), "Needed <= Replicas"}
	}
	return nil
}

// mostStates keeps the chain, one number a state, within memory.
const mostStates = 10_000_000

func (s ReplicaSet) crews() int {
	if s.Crews == 0 {
		return s.Replicas
	}
	return min(s.Crews, s.Replicas)
}

// A SteadyState holds the long-run figures of a [ReplicaSet].
type SteadyState struct {
	Availability      float64 // P(at least m up)
	Unavailability    float64 // P(fewer than m up)
	LogUnavailability float64
	OutageRate        float64 // outages begun per unit of time, up and down time together
	LogOutageRate     float64
	MeanOutage        float64 // mean length of an outage
}

// SteadyState returns the long-run availability of the set and how often and
// for how long it is down:
//
//	π(d+1)/π(d) = (k-d) MTTR / (min(d+1, c) MTTF)
//	U = Σ_{d>k-m} π(d),    rate = π(k-m) m/MTTF,    mean outage = U/rate
//
// For m = 1 and a crew per replica these are U = (1-p)^k and, as an outage
// ends with the first repair of k,
//
//	y = k (1-p)^k / MTTR,
//
// the rate at which one job loses all its replicas at once (the y of PCU 4.6
// is this times the number of jobs on public resources). Time O(k).
func (s ReplicaSet) SteadyState() (SteadyState, error) {
	if err := s.check("ReplicaSet.SteadyState"); err != nil {
		return SteadyState{}, err
	}
	lp := s.logStationary()
	logU := logSum(lp[s.Replicas-s.Needed+1:])
	logA := logSum(lp[:s.Replicas-s.Needed+1])
	logRate := lp[s.Replicas-s.Needed] + math.Log(float64(s.Needed)) - math.Log(s.MTTF)
	return SteadyState{
		Availability: math.Exp(logA), Unavailability: math.Exp(logU), LogUnavailability: logU,
		OutageRate: math.Exp(logRate), LogOutageRate: logRate,
		MeanOutage: math.Exp(logU - logRate),
	}, nil
}

// logStationary returns log π(d), d = 0..k, by products outward from the
// greatest term, so that the terms that matter are the sums of few logarithms.
func (s ReplicaSet) logStationary() []float64 {
	k, c := s.Replicas, s.crews()
	logRatio := func(d int) float64 { // log π(d+1)/π(d)
		load := float64(k-d) / float64(min(d+1, c))
		if r := s.MTTR / s.MTTF * load; r > 1e-290 && !math.IsInf(r, 1) {
			return math.Log(r)
		}
		return math.Log(s.MTTR) - math.Log(s.MTTF) + math.Log(load)
	}
	// The ratios fall with d: the greatest term is where they pass 1.
	mode := sort.Search(k, func(d int) bool { return logRatio(d) <= 0 })
	lp := make([]float64, k+1)
	var up, down numeric.Sum
	for d := mode; d < k; d++ {
		up.Add(logRatio(d))
		lp[d+1] = up.Value()
	}
	for d := mode; d > 0; d-- {
		down.Add(-logRatio(d - 1))
		lp[d-1] = down.Value()
	}
	z := logSum(lp)
	for d := range lp {
		lp[d] -= z
	}
	return lp
}

// logSum returns log Σ exp(v), -Inf for no terms.
func logSum(v []float64) float64 {
	top := math.Inf(-1)
	for _, x := range v {
		top = math.Max(top, x)
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, x := range v {
		sum += math.Exp(x - top)
	}
	return top + math.Log(sum)
}

// AllDown returns how likely and how often all k = replicas identical and
// independent replicas, each with its own repair, are down at once: the
// [SteadyState] of a set that needs one.
func AllDown(c Component, replicas int) (SteadyState, error) {
	const fn = "AllDown"
	if err := all(c.check(fn), atLeast(fn, "replicas", replicas, 1)); err != nil {
		return SteadyState{}, err
	}
	k := float64(replicas)
	logU := k * c.logDown()
	logRate := logU + math.Log(k) - math.Log(c.MTTR)
	return SteadyState{
		Availability: -math.Expm1(logU), Unavailability: math.Exp(logU), LogUnavailability: logU,
		OutageRate: math.Exp(logRate), LogOutageRate: logRate,
		MeanOutage: c.MTTR / k,
	}, nil
}
