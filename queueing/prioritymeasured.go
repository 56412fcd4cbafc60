package queueing

import (
	"fmt"
	"math"
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

// priorityApproximation describes the scaling for the question at hand: the
// errors are those of the next greater spread that was measured. Other laws
// than exponential, and greater spreads, were not measured.
func (q Priority) priorityApproximation() (*Approximation, *Warning) {
	a := &Approximation{Method: "scaling by M/M/c over M/M/1 (Bondi-Buzen)"}
	w := &Warning{
		Model:  a.Method,
		Regime: "exponential classes of like means (of one mean it is exact)",
		Advice: "service times that are not exponential were not measured: confirm by simulation",
	}
	low, high := math.Inf(1), 0.0
	for _, class := range q.Classes {
		if class.ServiceSCV != 1 {
			return a, w
		}
		low, high = math.Min(low, class.ServiceTime), math.Max(high, class.ServiceTime)
	}
	w.Advice = fmt.Sprintf("means that are %.3g times apart were not measured: confirm by simulation", high/low)
	kind := 0
	if q.Preemptive {
		kind = 1
	}
	for i, spread := range prioritySpreads {
		if high > spread*low {
			continue
		}
		e := priorityErrors[kind][i]
		a.MeanWait = e
		a.Regime = fmt.Sprintf("two exponential classes with means %.0f times apart on 2 to 10 servers", spread)
		a.Source = "exact chains"
		w.Advice = fmt.Sprintf("for %s the waits were off by %+.0f to %+.0f %% against %s", a.Regime, 100*e.Low, 100*e.High, a.Source)
		break
	}
	return a, w
}
