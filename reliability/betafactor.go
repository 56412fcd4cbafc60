package reliability

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/fault"
)

// A BetaFactor is a set of identical replicas with a common cause: a share β
// of the unavailability u of one replica comes from a cause that takes all of
// them down together, the rest is independent:
//
//	c = β u,    v = (u - c)/(1 - c),
//	P(all k down) = c + (1 - c) v^k,
//
// so that one replica alone has unavailability u whatever β. The textbook
// form β u + ((1-β) u)^k is the limit for small u; it is not used because it
// is not a probability model for every u and β.
// Source: the beta-factor model of Fleming 1975.
type BetaFactor struct {
	Component
	Beta float64 // share of the unavailability that is common, 0..1
}

func (b BetaFactor) check(fn string) error {
	return all(b.Component.check(fn), fraction(fn, "Beta", b.Beta))
}

// split returns c and v.
func (b BetaFactor) split() (common, own float64) {
	u := b.down()
	common = b.Beta * u
	return common, (1 - b.Beta) * u / (1 - common)
}

// AtLeast returns the probability that at least m of k replicas are up, and
// that fewer are, each a sum of positive terms. 1 <= m <= k.
func (b BetaFactor) AtLeast(m, k int) (up, fewer float64, err error) {
	const fn = "BetaFactor.AtLeast"
	if err := all(b.check(fn), atLeast(fn, "m", m, 1), atLeast(fn, "k", k, m)); err != nil {
		return 0, 0, err
	}
	up, fewer = b.atLeast(m, k)
	return up, fewer, nil
}

func (b BetaFactor) atLeast(m, k int) (up, fewer float64) {
	c, v := b.split()
	a, f := binomialSplit(k, m, 1-v, v)
	return (1 - c) * a, c + (1-c)*f
}

// A CorrelatedCount answers how many replicas reach a target under correlated
// failures.
type CorrelatedCount struct {
	Real           float64 // real solution k; 0 where the model has none
	Replicas       int     // least integer; one fewer fails
	Availability   float64 // P(enough are up) with that many
	Unavailability float64
	Floor          float64 // unavailability that no number of replicas undercuts
	PerGroup       []int   // replicas in each group, nil for a beta factor
}

// Replicas returns the least number k of replicas of which at least one is up
// with probability P = target:
//
//	k = log((1 - P - c)/(1 - c)) / log v.
//
// As k grows the unavailability falls to c = β u and not to 0, so 1 - P <= c
// returns an *AvailabilityError with the greatest availability reachable.
// 0 < P < 1; P = 1 returns ErrNoFiniteCount.
func (b BetaFactor) Replicas(target float64) (CorrelatedCount, error) {
	const fn = "BetaFactor.Replicas"
	if err := all(b.check(fn), checkTarget(fn, target)); err != nil {
		return CorrelatedCount{}, err
	}
	c, v := b.split()
	q := 1 - target
	slack := targetSlack(target)
	r := CorrelatedCount{Replicas: 1, Floor: c}
	if c >= q*(1-slack-0x1p-50) && v > 0 || v == 0 && c > q*(1+slack+0x1p-50) {
		return CorrelatedCount{}, &AvailabilityError{fn, target, 1 - c, c,
			fmt.Sprintf("the common cause (beta = %v) takes all replicas down together", b.Beta)}
	}
	if v > 0 { // else one replica has all there is
		logQ := math.Log1p(-target / (1 - c))
		if target > 0.5 {
			logQ = math.Log((q - c) / (1 - c))
		}
		logV := math.Log(v)
		if v > 0.5 {
			logV = math.Log1p(-b.up() / (1 - c))
		}
		// The rounding of 1-P counts for more once c is taken off it.
		var ok bool
		if r.Replicas, r.Real, ok = leastPower(logQ, logV, slack*q/(q-c)); !ok {
			return CorrelatedCount{}, fault.New("reliability",
				fn, fmt.Sprintf("%v, beta %v", b.Component, b.Beta), ErrCountTooLarge)
		}
	}
	r.Availability, r.Unavailability = b.atLeast(1, r.Replicas)
	return r, nil
}
