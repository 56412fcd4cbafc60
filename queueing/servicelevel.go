package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/waits"
)

// A ServiceLevelOf says among whom a service level counts those served after a
// wait of at most t, where some give up. With the wait W, cut short by giving
// up, and the abandonment P(ab):
//
//	Offered  P(served, W ≤ t)                              of all arrivals
//	Served   P(served, W ≤ t) / (1 − P(ab))                of those served
//	Stayed   P(served, W ≤ t) / (1 − P(ab, W ≤ t))         less those who gave up within t
//	Waits    P(W ≤ t)                                      who gave up within t counts as in time
//
// Without abandonment the four are one. Each rises with the servers: the
// virtual wait falls in the order of likelihood ratios as servers are added,
// which carries over to the weight e^(−θv) of those who stay.
type ServiceLevelOf int

// The service levels; the zero value is Offered.
const (
	Offered ServiceLevelOf = iota
	Served
	Stayed
	Waits
)

// Late returns what the service level falls short of 1 by, from terms that are
// not negative, so that small shares keep their accuracy. Where nobody is
// served it is 1, but for Waits. t is in seconds; for t < 0 everybody is late.
func (f Figures) Late(of ServiceLevelOf, t float64) float64 {
	law, ok := f.law.(PatientLaw)
	switch {
	case !ok || of == Waits:
		return f.WaitTail(t)
	case t < 0 || f.Abandonment >= 1:
		return 1
	}
	late := law.ServedLate(t)
	switch of {
	case Served:
		return math.Min(late/(1-f.Abandonment), 1)
	case Stayed:
		tail := law.Tail(t)
		// Who gave up within t: P(ab) less those who did so later.
		soon := math.Max(f.Abandonment-math.Max(tail-late, 0), 0)
		return math.Min(tail/(1-soon), 1)
	}
	return math.Min(f.Abandonment+late, 1)
}

// LevelPercentile returns the least t at which the service level of the given
// meaning reaches p, 0 ≤ p < 1, in seconds: for Waits that of
// [Figures.WaitPercentile]. It is +Inf where no wait reaches it: of all offered
// no more than 1 − P(ab) are ever served.
func (f Figures) LevelPercentile(of ServiceLevelOf, p float64) float64 {
	if _, ok := f.law.(PatientLaw); !ok || of == Waits || f.ArrivalRate == 0 {
		return f.WaitPercentile(p)
	}
	limit := math.Log1p(-p) + tie
	over := func(t float64) float64 { return math.Log(f.Late(of, t)) - limit }
	first := over(0)
	if first <= 0 {
		return 0
	}
	if of == Offered && math.Log(f.Abandonment) >= limit {
		return math.Inf(1)
	}
	high := 1.0
	for ; over(high) > 0; high *= 4 {
		if high > 1e300 {
			return math.Inf(1)
		}
	}
	t, _ := numeric.Bracket(over, 0, first, high, over(high))
	return t
}

// nobodyServes is the wait at no servers: that of the patience.
type nobodyServes struct{ waits.Exponential }

func (nobodyServes) ServedLate(float64) float64 { return 0 }
