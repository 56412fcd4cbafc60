package queueing

import (
	"fmt"
	"math"
)

// A Metric is a figure that an objective bounds from above.
type Metric int

// The metrics. Each falls as servers are added and rises with the load.
const (
	Blocking        Metric = iota // Figures.Blocking
	WaitProbability               // Figures.WaitProbability
	WaitTail                      // Figures.WaitTail(Objective.Wait): chance to wait longer
	MeanWait                      // Figures.MeanWait, s
	MeanResponse                  // Figures.MeanResponse, s
	Utilization                   // Figures.Utilization
	Abandonment                   // Figures.Abandonment
	LateShare                     // Figures.Late(Objective.Of, Objective.Wait): what the service level lacks
	// Figures.ResponseLate(Objective.Of, Objective.Wait): share whose response takes longer
	ResponseShare
)

var metricNames = [...]string{"blocking", "wait probability", "wait tail", "mean wait", "mean response", "utilization",
	"abandonment", "late share", "late responses"}

func (m Metric) String() string {
	if m < 0 || int(m) >= len(metricNames) {
		return fmt.Sprintf("Metric(%d)", int(m))
	}
	return metricNames[m]
}

// An Objective is an upper limit on a metric. A percentile objective, "95 % of
// arrivals wait no longer than 20 s", is WaitTail with Wait 20 and Limit 0.05.
// Where some give up LateShare asks that they be served within it.
type Objective struct {
	Metric Metric
	Limit  float64        // probabilities within 0..1, MeanWait and MeanResponse in s ≥ 0
	Wait   float64        // s ≥ 0, for WaitTail, LateShare and ResponseShare only
	Of     ServiceLevelOf // for LateShare and ResponseShare only
}

func (o Objective) String() string {
	if o.Metric == WaitTail || o.Metric == LateShare {
		return fmt.Sprintf("P(wait > %g s) <= %g", o.Wait, o.Limit)
	}
	if o.Metric == ResponseShare {
		return fmt.Sprintf("P(response > %g s) <= %g", o.Wait, o.Limit)
	}
	return fmt.Sprintf("%v <= %g", o.Metric, o.Limit)
}

// Value returns the figure that the objective bounds. Where nobody arrives nobody is lost, though
// B(0, 0) = 1.
func (o Objective) Value(f Figures) float64 {
	switch o.Metric {
	case Blocking:
		if f.ArrivalRate == 0 {
			return 0
		}
		return f.Blocking
	case WaitProbability:
		return f.WaitProbability
	case WaitTail:
		return f.WaitTail(o.Wait)
	case MeanWait:
		return f.MeanWait
	case MeanResponse:
		return f.MeanResponse
	case Utilization:
		return f.Utilization
	case Abandonment:
		return f.Abandonment
	case LateShare:
		return f.Late(o.Of, o.Wait)
	case ResponseShare:
		if share, ok := f.ResponseLate(o.Of, o.Wait); ok {
			return share
		}
	}
	return math.Inf(1)
}

// tie is the relative slack within which a figure counts as equal to its
// limit: the error of the figures themselves. Without it a limit that is met
// exactly (utilization 0.8 with 0.8·n erlangs) would cost one more server or
// not, at the whim of rounding.
const tie = 1e-12

// Met reports whether the figures meet the objective: value ≤ limit, where a
// relative excess of 1e-12 counts as equal. No servers meet no limit on waits,
// responses or the utilization, however soon those who come give up.
func (o Objective) Met(f Figures) bool { return o.slack(f) >= 0 }

// Slack is ln(limit/value), the tie of [Objective.Met] allowed for: ≥ 0 where
// the figures meet the objective, ±Inf where one of the two is 0.
func (o Objective) Slack(f Figures) float64 { return o.slack(f) }

// slack is ln(limit/value) with the tie allowed for, ≥ 0 where met: close to
// a straight or parabolic line in the number of servers, which suits a root
// finder.
func (o Objective) slack(f Figures) float64 {
	if f.ArrivalRate == 0 {
		if o.Metric == MeanResponse && o.Limit < f.MeanResponse || o.Metric == ResponseShare && o.Limit < o.Value(f) {
			return math.Inf(-1)
		}
		return math.Inf(1)
	}
	if f.Servers == 0 && o.serves() {
		return math.Inf(-1)
	}
	log := math.Log(o.Value(f))
	if o.Metric == Blocking {
		log = f.logOfBlocking()
	}
	if math.IsInf(log, -1) {
		return math.Inf(1) // value 0 meets any limit
	}
	return math.Log(o.Limit) + tie - log
}

// logOfBlocking is ln B. A model of another package gives B alone: its logarithm
// is then that of what it gave.
func (f Figures) logOfBlocking() float64 {
	if f.logBlocking == 0 {
		return math.Log(f.Blocking)
	}
	return f.logBlocking
}

// serves reports whether the objective is about arrivals being served, and not about a share that
// is lost.
func (o Objective) serves() bool {
	return o.Metric != Blocking && o.Metric != WaitProbability && o.Metric != Abandonment
}

func (o Objective) Check(fn string) error {
	c := Domain{Func: fn}
	switch o.Metric {
	case Blocking, WaitProbability, Utilization, Abandonment:
		c.Fraction(o.Metric.String(), o.Limit)
	case WaitTail, LateShare, ResponseShare:
		c.Fraction(o.Metric.String(), o.Limit)
		c.AtLeastZero("wait", o.Wait)
		if o.Of < Offered || o.Of > Waits {
			c.Fail("service level of", float64(o.Of), "one of Offered, Served, Stayed, Waits")
		}
	case MeanWait, MeanResponse:
		c.AtLeastZero(o.Metric.String(), o.Limit)
	default:
		c.Fail("metric", float64(o.Metric), "one of the metrics of this package")
	}
	if o.Limit > 0 && o.Limit < 1e-300 {
		c.Fail(o.Metric.String(), o.Limit, "0, or at least 1e-300")
	}
	return c.Err
}
