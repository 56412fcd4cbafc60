package priority

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/measured"
)

// chains returns the waits of all classes by exact chains, where these apply
// to every one that the closed forms do not get right; else nil. A NaN stands
// for a class whose closed form is exact. It is nil, too, where ctx ends.
func (q Queue) chains(ctx context.Context, servers int, p prioritySums) []float64 {
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
		queues, ok := waitingChain(ctx, servers, classes[0], classes[1])
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
		number, ok := preemptiveChain(ctx, servers, classes[:k+1])
		if !ok {
			return nil
		}
		waits[k] = math.Max(0, number/classes[k].ArrivalRate-classes[k].ServiceTime)
	}
	return waits
}

// The measured spreads of the classes' mean service times, and what was found of
// scaling by kind, non-preemptive and preemptive below the highest class, which is
// exact where its services are exponential: for two classes against exact chains, for
// more of them and many servers, and for services that are not exponential, by
// simulation.
var (
	prioritySpreads = [...]float64{2, 5, 20}
	priorityErrors  = [2][len(prioritySpreads)]*measured.Measurement{
		{&measured.PriorityNonPreemptiveTwo2, &measured.PriorityNonPreemptiveTwo5, &measured.PriorityNonPreemptiveTwo20},
		{&measured.PriorityPreemptiveTwo2, &measured.PriorityPreemptiveTwo5, &measured.PriorityPreemptiveTwo20},
	}
	priorityMany = [2][len(prioritySpreads)]*measured.Measurement{
		{&measured.PriorityNonPreemptiveMany2, &measured.PriorityNonPreemptiveMany5,
			&measured.PriorityNonPreemptiveMany20},
		{&measured.PriorityPreemptiveMany2, &measured.PriorityPreemptiveMany5, &measured.PriorityPreemptiveMany20},
	}
	priorityService = [2][len(prioritySpreads)]*measured.Measurement{
		{&measured.PriorityNonPreemptiveService5, &measured.PriorityNonPreemptiveService5,
			&measured.PriorityNonPreemptiveService20},
		{&measured.PriorityPreemptiveService5, &measured.PriorityPreemptiveService5,
			&measured.PriorityPreemptiveService20},
	}
)

// The most servers and the greatest utilization of the exact chains.
const (
	measuredServers = 10
	measuredLoad    = 0.85
)

// manyServers are the simulated numbers of servers, and from which utilization on
// each was simulated: below it the waits of M/M/c are some thousandth of a service.
var manyServers = [...]struct {
	servers int
	from    float64
}{{2, 0.05}, {4, 0.1}, {10, 0.2}, {20, 0.35}, {50, 0.55}, {100, 0.7}, {300, 0.85}}

// The limits of what was simulated.
const (
	manyClasses = 8
	manyLoad    = 0.95
	serviceMost = 4 // SCV
)

// simulatedFrom returns the utilization from which on this number of servers was simulated,
// interpolated by the logarithm of the number; ok is false beyond the numbers that were.
func simulatedFrom(servers int) (use float64, ok bool) {
	i := slices.IndexFunc(manyServers[:], func(m struct {
		servers int
		from    float64
	}) bool {
		return servers <= m.servers
	})
	if i <= 0 {
		return manyServers[0].from, i == 0
	}
	low, high := manyServers[i-1], manyServers[i]
	share := math.Log(float64(servers)/float64(low.servers)) / math.Log(float64(high.servers)/float64(low.servers))
	return low.from + share*(high.from-low.from), true
}

// priorityApproximation describes the scaling for the question at hand. Errors
// are quoted only where they were measured, of the next greater spread of means.
// Anything else says that its error was not measured, and why.
func (q Queue) priorityApproximation(classes []ClassFigures) (*queueing.Approximation, *queueing.Warning) {
	a := &queueing.Approximation{Method: "scaling by M/M/c over M/M/1 (Bondi-Buzen)"}
	w := &queueing.Warning{Model: a.Method, Regime: "exponential classes of similar means (exact if they are equal)"}
	m, unmeasured := q.measuredScaling(classes)
	if m == nil {
		w.Advice = "the error was not measured " + unmeasured + ": confirm by simulation"
		return a, w
	}
	a.MeanWait, a.Regime, a.Source = queueing.ErrorRange(m.Range), m.Regime, m.Source
	w.Advice = fmt.Sprintf("for %s the waits were off by %+.0f to %+.0f%% against %s",
		a.Regime, 100*a.MeanWait.Low, 100*a.MeanWait.High, a.Source)
	return a, w
}

// measuredScaling returns what was measured of systems such as this one, or why
// nothing was.
func (q Queue) measuredScaling(classes []ClassFigures) (_ *measured.Measurement, unmeasured string) {
	low, high, load, scv := math.Inf(1), 0.0, 0.0, 0.0
	exponential, present := true, 0
	for _, class := range q.Classes {
		exponential = exponential && class.ServiceSCV == 1
		scv = math.Max(scv, class.ServiceSCV)
		low, high = math.Min(low, class.ServiceTime), math.Max(high, class.ServiceTime)
		load += class.ArrivalRate * class.ServiceTime
		present++
	}
	kind := 0
	if q.Preemptive {
		kind = 1
	}
	use := load / float64(q.Servers)
	spread := slices.IndexFunc(prioritySpreads[:], func(s float64) bool { return high <= s*low })
	if spread < 0 {
		return nil, fmt.Sprintf("for means that are %.3g times apart", high/low)
	}
	if exponential && present == 2 && q.Servers <= measuredServers && use <= measuredLoad {
		return priorityErrors[kind][spread], ""
	}
	from, simulated := simulatedFrom(q.Servers)
	switch {
	case present > manyClasses:
		return nil, fmt.Sprintf("for %d classes at once", present)
	case !simulated:
		return nil, fmt.Sprintf("on more than %d servers, and it grows with them",
			manyServers[len(manyServers)-1].servers)
	case use > manyLoad:
		return nil, fmt.Sprintf("above a utilization of %g", manyLoad)
	case use < from:
		longest := 0.0 // wait, in services
		for k, f := range classes {
			longest = math.Max(longest, f.MeanWait/q.Classes[k].ServiceTime)
		}
		return nil, fmt.Sprintf(
			"below a utilization of %.2g on %d servers, where hardly anybody waits: here %.2g of a service time at most",
			from, q.Servers, longest,
		)
	case exponential:
		return priorityMany[kind][spread], ""
	case scv > serviceMost:
		return nil, fmt.Sprintf("for an SCV of %.3g", scv)
	}
	return priorityService[kind][spread], ""
}
