package hosts

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/law"
)

// Day in seconds.
const Day = 86400.0

// chances are those of the knots of a law through quartiles.
var chances = []float64{0, 0.25, 0.5, 0.75, 0.99, 1}

// FromQuartiles returns the log-linear law through the quartiles of a published
// table, with tails that follow them:
//
//	least    max(1 s, q25²/q50)
//	99 %     q75 (q75/q50)^1.5
//	greatest min(longest, q75 (q75/q50)^2.5), the 99 % point at least
//
// A lognormal law cannot be put through three such quartiles, and one fitted to
// them has means beyond reason (σ up to 5.7). Errors: a *DomainError for
// quartiles that are not positive and growing, and for a longest below the third.
func FromQuartiles(q25, q50, q75, longest float64) (law.LogLinear, error) {
	if err := checkQuartiles("FromQuartiles", q25, q50, q75); err != nil {
		return law.LogLinear{}, err
	}
	if !(longest >= q75) {
		return law.LogLinear{}, &DomainError{"FromQuartiles", "longest", longest, "at least the third quartile"}
	}
	last := min(longest, q75*math.Pow(q75/q50, 2.5))
	return law.NewLogLinear(chances, []float64{
		least(q25, q50), q25, q50, q75, min(last, q75*math.Pow(q75/q50, 1.5)), last,
	})
}

// leastTail is how far the greatest time lies at least above the third quartile
// where a mean is asked for that the quartiles do not allow. 1.25 is what gives
// Notre Dame's 206 machines.
const leastTail = 1.25

// FromQuartilesWithMean returns the log-linear law through the quartiles whose
// greatest time is such that the mean comes out, with
//
//	ln q99 = ln q75 + 0.8 (ln greatest − ln q75)
//
// The greatest time is at least 1.25 q75; where the mean lies below what that
// gives, the law has the mean that it has. Errors as [FromQuartiles].
func FromQuartilesWithMean(q25, q50, q75, mean float64) (law.LogLinear, error) {
	if err := checkQuartiles("FromQuartilesWithMean", q25, q50, q75); err != nil {
		return law.LogLinear{}, err
	}
	if !(mean > 0) || math.IsInf(mean, 1) {
		return law.LogLinear{}, &DomainError{"FromQuartilesWithMean", "mean", mean, "a finite time > 0"}
	}
	with := func(stretch float64) law.LogLinear { // stretch is ln(greatest/q75)
		return law.LogLinear{P: chances, T: []float64{
			least(q25, q50), q25, q50, q75, q75 * math.Exp(0.8*stretch), q75 * math.Exp(stretch),
		}}
	}
	missing := func(stretch float64) float64 { return mean - with(stretch).Mean() }
	low, high := math.Log(leastTail), 1.0
	if missing(low) <= 0 {
		return law.NewLogLinear(chances, with(low).T)
	}
	for missing(high) > 0 {
		if high *= 2; high > 600 {
			return law.LogLinear{}, &DomainError{"FromQuartilesWithMean", "mean",
				mean, "one that a tail of less than e^600 times the third quartile gives"}
		}
	}
	return law.NewLogLinear(chances, with(numeric.Root(missing, low, missing(low), high, missing(high))).T)
}

func least(q25, q50 float64) float64 { return min(q25, max(1, q25*q25/q50)) }

func checkQuartiles(fn string, q ...float64) error {
	before := 0.0
	for _, v := range q {
		if !(v > before) || math.IsInf(v, 1) {
			return &DomainError{fn, "quartile", v, "finite times > 0, each more than the one before"}
		}
		before = v
	}
	return nil
}
