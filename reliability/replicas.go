package reliability

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/fault"
)

// A ReplicaCount answers how many replicas keep at least one alive with the
// probability asked for. All probabilities are in 0..1.
type ReplicaCount struct {
	Real     float64 // real solution of 1 - (1-p)^k = P, > 0
	Replicas int     // least integer k >= 1 that meets P; k-1 fails

	AvailabilityOne   float64 // p of one replica
	UnavailabilityOne float64 // 1 - p
	AvailabilityAll   float64 // 1 - (1-p)^k at k = Replicas
	UnavailabilityAll float64 // (1-p)^k, the chance that all are down at once
	LogUnavailability float64 // k log(1-p), finite where the line above underflows
	AvailabilityFewer float64 // with one replica fewer, 0 if that is none
}

// Replicas returns the number of identical, independent replicas that keeps
// at least one alive with probability P = target in the steady state:
//
//	k = log(1 - P) / log(1 - p),    p = MTTF / (MTTF + MTTR)
//
// and the least integer that meets P. Decimal inputs are not exact in binary:
// k counts as meeting P when it does so for a number that rounds to P, so
// that p = 0.9 and P = 0.9999 need 4 replicas and not 5, and Real is 4 then.
// Where the numbers that round to P leave several k open, none is passed over:
// k ≥ Real always. For P within about
// 1e-12 of 1 use [ReplicasForFailure].
//
// Domain: 0 < P < 1; P = 1 returns ErrNoFiniteCount. PCU 4.6 prints
// 1 - P(X < 0) for 1 - P(X = 0) and leaves k unrounded.
func Replicas(c Component, target float64) (ReplicaCount, error) {
	const fn = "Replicas"
	if err := all(c.check(fn), checkTarget(fn, target)); err != nil {
		return ReplicaCount{}, err
	}
	return leastReplicas(fn, c, math.Log1p(-target), targetSlack(target))
}

// ReplicasForFailure is [Replicas] with the target given as the permitted
// probability q = 1 - P that all replicas are down, 0 < q < 1, which keeps
// its precision however small q is. q = 0 returns ErrNoFiniteCount.
func ReplicasForFailure(c Component, q float64) (ReplicaCount, error) {
	const fn = "ReplicasForFailure"
	if err := c.check(fn); err != nil {
		return ReplicaCount{}, err
	}
	if q == 0 {
		return ReplicaCount{}, fmt.Errorf("reliability: %s: q = 0: %w", fn, ErrNoFiniteCount)
	}
	if !(q > 0 && q < 1) {
		return ReplicaCount{}, &DomainError{fn, "q", q, "0 < q < 1"}
	}
	return leastReplicas(fn, c, math.Log(q), 0)
}

// targetSlack returns how far log(1-P) moves as P moves by half a unit in its
// last place.
func targetSlack(p float64) float64 { return (math.Nextafter(p, 2) - p) / 2 / (1 - p) }

// meets reports whether the log unavailability is at most logQ, up to slack
// and to the rounding of the logarithms.
func meets(logU, logQ, slack float64) bool { return logU <= logQ+slack-logQ*0x1p-50 }

// leastPower returns the least k ≥ 1 with k·logU ≤ logQ, and the real solution,
// which is at most k; false from 2^53 on.
//
// One fewer counts where it differs from the solution by no more than slack
// and the rounding of the logarithms, if these tell one k from the next: among
// many they are worth many, and one fewer would fall short.
func leastPower(logQ, logU, slack float64) (k int, exact float64, ok bool) {
	exact = logQ / logU
	if !(exact < 1<<53) {
		return 0, exact, false
	}
	k = max(1, int(math.Ceil(exact)))
	blur := slack/-logU + exact*0x1p-50
	if fewer := float64(k - 1); fewer >= 1 && blur < 0.5 && exact-fewer <= blur {
		k, exact = k-1, fewer
	}
	return k, exact, true
}

func leastReplicas(fn string, c Component, logQ, slack float64) (ReplicaCount, error) {
	logU := c.logDown()
	k, exact, ok := leastPower(logQ, logU, slack)
	if !ok {
		return ReplicaCount{}, fault.New("reliability", fn, fmt.Sprintf("%v", c), ErrCountTooLarge)
	}
	logAll := float64(k) * logU
	return ReplicaCount{
		Real: exact, Replicas: k,
		AvailabilityOne: c.up(), UnavailabilityOne: c.down(),
		AvailabilityAll: -math.Expm1(logAll), UnavailabilityAll: math.Exp(logAll),
		LogUnavailability: logAll,
		AvailabilityFewer: -math.Expm1(float64(k-1) * logU),
	}, nil
}
