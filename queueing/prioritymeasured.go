package queueing

import (
	"fmt"
	"math"
	"slices"
)

// chains returns the waits of all classes by exact chains, where these apply
// to every one that the closed forms do not get right; else nil. A NaN stands
// for a class whose closed form is exact.
func (q Priority) chains(servers int, p prioritySums) []float64 {
	classes := q.Classes
	if servers < 2 || servers > 60 || p.exact || len(classes) < 2 || p.gap[len(classes)] <= 0 {
		return nil
	}
	for _, class := range classes {
		if class.ServiceSCV != 1 || class.ArrivalRate == 0 {
			return nil
		}
	}
	waits := make([]float64, len(classes))
	if !q.Preemptive {
		if len(classes) != 2 {
			return nil
		}
		queues, ok := waitingChain(servers, classes[0], classes[1])
		if !ok {
			return nil
		}
		for k := range waits {
			waits[k] = queues[k] / classes[k].ArrivalRate
		}
		return waits
	}
	waits[0] = math.NaN() // alone on the servers: M/M/c
	for k := 1; k < len(classes); k++ {
		number, ok := preemptiveChain(servers, classes[:k+1])
		if !ok {
			return nil
		}
		waits[k] = math.Max(0, number/classes[k].ArrivalRate-classes[k].ServiceTime)
	}
	return waits
}

// The measured spreads of the classes' mean service times, and the errors in
// the mean waits by scaling against the exact chains of two exponential
// classes: non-preemptive, and preemptive below the highest class, which is
// exact. Rounded outwards to whole per cents; TestPriorityErrorsAreMeasured
// computes them. They grow with the servers and fall with the load.
var (
	prioritySpreads = [...]float64{2, 5, 20}
	priorityErrors  = [2][len(prioritySpreads)]ErrorRange{
		{{-0.08, 0.18, 0.13}, {-0.04, 0.84, 0.56}, {0, 3.93, 2.92}},
		{{-0.05, 0.12, 0.06}, {-0.07, 0.47, 0.26}, {-0.06, 2.31, 1.07}},
	}
)

// The most servers and the greatest utilization of the exact chains behind
// priorityErrors; TestPriorityErrorsAreMeasured has no more.
const (
	measuredServers = 10
	measuredLoad    = 0.85
)

// priorityApproximation describes the scaling for the question at hand. Errors
// are quoted only where they were measured: two exponential classes on no more
// servers than the chains had, of the next greater spread of means. Anything
// else says that its error was not measured, and why.
func (q Priority) priorityApproximation() (*Approximation, *Warning) {
	a := &Approximation{Method: "scaling by M/M/c over M/M/1 (Bondi-Buzen)"}
	w := &Warning{Model: a.Method, Regime: "exponential classes of like means (of one mean it is exact)"}
	low, high, load := math.Inf(1), 0.0, 0.0
	exponential := true
	for _, class := range q.Classes {
		exponential = exponential && class.ServiceSCV == 1
		low, high = math.Min(low, class.ServiceTime), math.Max(high, class.ServiceTime)
		load += class.ArrivalRate * class.ServiceTime
	}
	spread := slices.IndexFunc(prioritySpreads[:], func(s float64) bool { return high <= s*low })
	unmeasured := ""
	switch {
	case !exponential:
		unmeasured = "for service times that are not exponential"
	case len(q.Classes) > 2:
		unmeasured = fmt.Sprintf("for %d classes at once", len(q.Classes))
	case q.Servers > measuredServers:
		unmeasured = fmt.Sprintf("on more than %d servers, and it grows with them", measuredServers)
	case spread < 0:
		unmeasured = fmt.Sprintf("for means that are %.3g times apart", high/low)
	case load > measuredLoad*float64(q.Servers):
		unmeasured = fmt.Sprintf("above a utilization of %g", measuredLoad)
	}
	if unmeasured != "" {
		w.Advice = "the error was not measured " + unmeasured + ": confirm by simulation"
		return a, w
	}
	kind := 0
	if q.Preemptive {
		kind = 1
	}
	a.MeanWait = priorityErrors[kind][spread]
	a.Regime = fmt.Sprintf("two exponential classes with means %.0f times apart on 2 to %d servers", prioritySpreads[spread], measuredServers)
	a.Source = "exact chains"
	w.Advice = fmt.Sprintf("for %s the waits were off by %+.0f to %+.0f %% against %s", a.Regime, 100*a.MeanWait.Low, 100*a.MeanWait.High, a.Source)
	return a, w
}
