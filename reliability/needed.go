package reliability

import (
	"context"
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
)

// ReplicasNeeded is [BetaFactor.Replicas] where at least m of the replicas
// have to be up:
//
//	least k with (1 - c) P(Bin(k, 1-v) >= m) >= P,
//
// by doubling and bisection. Real is 0: there is no closed form. For m = 1 it
// is Replicas.
func (b BetaFactor) ReplicasNeeded(m int, target float64) (CorrelatedCount, error) {
	const fn = "BetaFactor.ReplicasNeeded"
	if m == 1 {
		return b.Replicas(target)
	}
	if err := all(b.check(fn), atLeast(fn, "m", m, 1), checkTarget(fn, target)); err != nil {
		return CorrelatedCount{}, err
	}
	c, v := b.split()
	if reach := 1 - c; reach < target || reach == target && v > 0 {
		return CorrelatedCount{}, &AvailabilityError{fn, target, reach, c,
			fmt.Sprintf("the common cause (beta = %v) takes all replicas down together", b.Beta)}
	}
	r := CorrelatedCount{Floor: c}
	var err error
	if r.Replicas, err = leastCount(m, func(k int) bool {
		up, fewer := b.atLeast(m, k)
		return enough(target, up, fewer)
	}); err != nil {
		return CorrelatedCount{}, fmt.Errorf("reliability: %s: %v, beta %v: %w", fn, b.Component, b.Beta, err)
	}
	r.Availability, r.Unavailability = b.atLeast(m, r.Replicas)
	return r, nil
}

// ReplicasWithCrews returns the least number k of replicas of which at least
// m = needed are up with probability P = target in the steady state, repaired
// by a given number c >= 1 of crews: the [ReplicaSet] whose availability
// reaches P, while that with k - 1 does not.
//
// However many there are, c crews return c/MTTR of them per unit of time, so
// the number up is at most that of M/M/∞ with c MTTF/MTTR erlangs:
//
//	P < P(Poisson(c MTTF/MTTR) >= m),
//
// and a target at or beyond it returns an *AvailabilityError. Sets of more
// than 10^7 return ErrCountTooLarge. Time O(k log k).
func ReplicasWithCrews(c Component, needed, crews int, target float64) (CorrelatedCount, error) {
	const fn = "ReplicasWithCrews"
	if err := all(c.check(fn), atLeast(fn, "needed", needed, 1), atLeast(fn, "crews", crews, 1),
		checkTarget(fn, target)); err != nil {
		return CorrelatedCount{}, err
	}
	load := float64(crews) * (c.MTTF / c.MTTR)
	r := CorrelatedCount{}
	reach := 1.0
	if !math.IsInf(load, 1) {
		r.Floor = mathext.GammaIncRegComp(float64(needed), load)
		reach = mathext.GammaIncReg(float64(needed), load)
	}
	if target >= reach {
		return CorrelatedCount{}, &AvailabilityError{fn, target, reach, r.Floor,
			fmt.Sprintf("repair crews (%d of them) return no more than %.6g machines in the time one stays up",
				crews, load)}
	}
	var at SteadyState
	var failed error
	k, err := leastCount(needed, func(k int) bool {
		if failed != nil {
			return true
		}
		if at, failed = (ReplicaSet{c, k, needed, crews}).SteadyState(); failed != nil {
			return true
		}
		return enough(target, at.Availability, at.Unavailability)
	})
	if err == nil && failed != nil {
		err = ErrCountTooLarge
	}
	if err == nil {
		at, err = ReplicaSet{c, k, needed, crews}.SteadyState()
	}
	if err != nil {
		return CorrelatedCount{}, fmt.Errorf("reliability: %s: %v, %d crews: %w", fn, c, crews, err)
	}
	r.Replicas, r.Availability, r.Unavailability = k, at.Availability, at.Unavailability
	return r, nil
}

// ReplicasForWindow returns the least number k of replicas of s that come
// through a window of the given length from the given start with probability
// at least target, and how they do; the field Replicas of s is ignored. With
// more than `most` replicas needed it returns ErrCountTooLarge: crews that
// cannot keep up make some targets impossible.
func ReplicasForWindow(ctx context.Context, s ReplicaSet, window float64, start Start, target float64,
	most int) (int, Interval, error) {
	ctx = given.Context(ctx)
	const fn = "ReplicasForWindow"
	if err := all(checkTarget(fn, target), atLeast(fn, "most", most, 1)); err != nil {
		return 0, Interval{}, err
	}
	at := func(k int) (Interval, error) {
		s.Replicas = k
		return IntervalReliability(ctx, s, window, start)
	}
	// A chain has a state for each replica beyond those needed, and one more: the spares
	// double, not the replicas.
	lo, hi := s.Needed-1, s.Needed
	var best Interval
	for spares := 1; ; spares *= 2 {
		i, err := at(hi)
		if err != nil {
			return 0, Interval{}, err
		}
		if best = i; enough(target, i.Survival, i.Failure) {
			break
		}
		if hi >= most {
			return 0, Interval{}, fault.New("reliability",
				fn, fmt.Sprintf("%v, more than %d replicas", s.Component, most), ErrCountTooLarge)
		}
		lo, hi = hi, s.Needed+min(spares, most-s.Needed)
	}
	// Within these bounds the exponential law is near, and steps from there double.
	mid := s.Needed + sort.Search(hi-s.Needed, func(spares int) bool {
		s.Replicas = s.Needed + spares
		survival, failure := s.nearly(window, start)
		return enough(target, survival, failure)
	})
	for step := 1; hi-lo > 1; step *= 2 {
		if mid <= lo || mid >= hi {
			mid = lo + (hi-lo)/2
		}
		i, err := at(mid)
		if err != nil {
			return 0, Interval{}, err
		}
		if enough(target, i.Survival, i.Failure) {
			hi, best, mid = mid, i, mid-step
		} else {
			lo, mid = mid, mid+step
		}
	}
	return hi, best, nil
}

// enough reports whether a probability meets its target, given it and its
// complement, up to the rounding of the target.
func enough(target, up, fewer float64) bool {
	slack := targetSlack(target) + 1e-13
	if target < 0.5 {
		return up >= target*(1-slack)
	}
	return fewer <= (1-target)*(1+slack)
}
