package queues

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/loss"
)

// engsetQueue answers for loss with finitely many sources. Loads are per idle source; where
// no service time is given, the mean service is the unit of time and rates and
// times are left out of the answer.
func engsetQueue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	switch {
	case q.Sources == nil:
		return nil, ask.Inputf("sources", "engset wants the number of sources, such as {sources} 200")
	case q.LoadPerSource == nil:
		return nil, ask.Inputf("load_per_source",
			"engset wants the load of one idle source in erlangs, such as {load_per_source} 0.1")
	}
	service, clock := 1.0, q.ServiceTime != nil
	if clock {
		if service = float64(q.ServiceTime.Nominal()); !(service > 0) {
			return nil, ask.Inputf("service_time", "want a duration above 0 such as 90s")
		}
	}
	// The model takes a rate, which is the load of an idle source over the
	// service time.
	m := loss.Engset{Sources: float64(*q.Sources), IdleRate: float64(*q.LoadPerSource) / service,
		ServiceTime: service}
	g, err := m.At(q.Servers)
	if err != nil {
		return nil, ask.FromQueueing("servers", err)
	}
	// The lost load is that of the calls: offered load times call congestion, and
	// not time congestion, which counts what an outside observer sees.
	a := &QueueAnswer{Queue: q.Queue, Servers: q.Servers, TimeCongestion: ask.Figure(g.TimeCongestion),
		CallCongestion: ask.Figure(g.CallCongestion),
		CarriedLoad:    ask.Figure(g.CarriedLoad), LostLoad: ask.Figure(g.OfferedLoad * g.CallCongestion),
		Log10Blocking: ask.Figure(g.LogCallCongestion / math.Ln10)}
	a.Figures = sizing.Figures{OfferedLoad: g.OfferedLoad, Blocking: ask.Figure(g.CallCongestion),
		MeanWait: ask.Figure(0)}
	// Without servers the model has no share of them that is busy.
	if q.Servers > 0 {
		a.Utilization = ask.Figure(g.Utilization)
	}
	if clock {
		a.Throughput, a.MeanResponse = ask.Figure(g.Throughput), ask.Figure(service)
		a.ArrivalRate = ask.Figure(g.OfferedLoad / service)
	}
	if q.Explain {
		e := &ask.Explanation{Model: "Engset: finitely many sources, blocked requests lost"}
		e.Step("time congestion", "E(N, c, α) = C(N, c)αᶜ / Σ C(N, j)αʲ",
			ask.Sprintf("E(%d, %v, %v) = %v", *q.Sources, q.Servers, float64(*q.LoadPerSource), g.TimeCongestion),
			"Engset 1918")
		e.Step("call congestion", "E(N − 1, c, α)", ask.Digits(g.CallCongestion), "a source sees only the others")
		e.Assume(
			"each idle source starts requests at a constant rate; the law of service counts through its mean only")
		a.Explanation = e
	}
	return a, nil
}

// mmckQueue answers for a finite waiting room. Customers who find the room full are lost;
// the waits of the others are known exactly.
func mmckQueue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	if err := q.Complete(); err != nil {
		return nil, err
	}
	if q.Capacity == nil {
		return nil, ask.Inputf("capacity",
			"mmck wants the number of customers that there is room for, waiting and served, such as {capacity} 50")
	}
	room := float64(*q.Capacity) - q.Servers
	switch {
	// Between whole numbers of servers Erlang B and C are continued; for a room
	// in front of half a server no formula says what one customer more would
	// find.
	case q.Servers != math.Trunc(q.Servers):
		return nil, ask.Inputf("servers", "%g with a waiting room, want a whole number", q.Servers)
	case room < 0:
		return nil, ask.Inputf("capacity",
			"%d is less than the %g servers, want at least as many: it counts all customers, including those in "+
				"service",
			*q.Capacity, q.Servers)
	case *q.Capacity > 1e12:
		return nil, ask.Inputf("capacity", "%d, want at most 1e12", *q.Capacity)
	}
	a, g, err := q.solved(func(rate, service float64) (queueing.Figures, error) {
		return queueing.MMCK{ArrivalRate: rate, ServiceTime: service, Buffer: int(room)}.At(q.Servers)
	})
	if err != nil {
		return nil, err
	}
	a.Blocking = ask.Figure(g.Blocking)
	if q.Explain {
		e := &ask.Explanation{Model: "M/M/c/K, finite waiting room"}
		e.Step("blocking probability", "P(lost) = rᵐ/(1/B(c, a) + Σ rʲ), r = a/c, m = K − c",
			ask.Sprintf("c = %v, K = %d, a = %v: %v", q.Servers, *q.Capacity, g.OfferedLoad, g.Blocking),
			"Allen 1990, section 5.2")
		e.Assume("Poisson arrivals, exponential service, first come, first served; waits are those of customers who " +
			"are let in")
		a.Explanation = e
	}
	return a, nil
}

// finiteQueue answers for finitely many customers that think, wait and are served. They come
// back after a time to think, so that the load follows the speed of the servers:
// a slow system is asked less. The system therefore always has a steady state.
func finiteQueue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	switch {
	case q.Sources == nil:
		return nil, ask.Inputf("sources", "finite wants the number of customers, such as {sources} 400")
	case q.ServiceTime == nil || !(q.ServiceTime.Nominal() > 0):
		return nil, ask.Inputf("service_time", "finite wants a mean service time above 0, such as {service_time} 90s")
	case q.ThinkTime == nil:
		return nil, ask.Inputf("think_time",
			"finite wants the mean time between service and the next request, such as {think_time} 5s")
	}
	c, err := wholeServers(q.Servers)
	if err != nil {
		return nil, err
	}
	m := queueing.FiniteSource{Customers: int(*q.Sources), ThinkTime: float64(*q.ThinkTime),
		ServiceTime: float64(q.ServiceTime.Nominal()), Servers: c}
	g, err := m.Figures()
	if err != nil {
		return nil, ask.FromQueueing("sources", err)
	}
	// Times are given by the question, and so always have a unit.
	o, err := q.waits(true)
	if err != nil {
		return nil, err
	}
	a := q.presented(g, true, o)
	if q.Explain {
		e := &ask.Explanation{Model: "M/M/c//N, finitely many customers"}
		e.Step("throughput", "states j with weights ∏ (N−j+1)/Z · S/min(j, c)",
			ask.Sprintf("N = %d, Z = %v s, S = %v s, c = %d: %v/s", *q.Sources, m.ThinkTime, m.ServiceTime, c,
				g.Throughput), "Allen 1990, section 5.2")
		e.Assume(
			"exponential thinking and service, first come, first served; waits as seen by an arrival, who finds one " +
				"customer fewer")
		a.Explanation = e
	}
	return a, nil
}

// PeakedMethods are the formulas that hayward offers; without one it takes the
// first for a peakedness above 1, the second below. The equivalent random theory
// holds for overflows, which are peaked; Hayward's takes both and is the only one
// for smooth traffic.
var PeakedMethods = []string{"ert", "hayward"}

// haywardQueue answers for loss of traffic that is more or less peaked than Poisson. Such
// traffic is what overflows from another group, or comes in bursts.
func haywardQueue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	if err := q.Complete(); err != nil {
		return nil, err
	}
	if q.Peakedness == nil {
		return nil, ask.Inputf("peakedness",
			"hayward wants the peakedness of the traffic (variance over mean of busy servers), such as {peakedness} 2")
	}
	// The empty name is the choice by peakedness, which is one of the model and
	// not of this table.
	method, ok := map[string]loss.PeakedMethod{
		"": loss.BestPeaked, "ert": loss.EquivalentRandomTheory, "hayward": loss.HaywardMethod,
	}[q.Method]
	if !ok {
		return nil, ask.Inputf("method", "%q is not a method, want one of %v", q.Method, PeakedMethods)
	}
	s := q.Nominal()
	stream := loss.Peaked{Load: s.Offered(), Peakedness: float64(*q.Peakedness)}
	b, approximated, err := loss.PeakedLoss(q.Servers, stream, method)
	if err != nil {
		return nil, ask.FromQueueing("peakedness", err)
	}
	// The carried load is asked of the model. Load times 1 − b would lose its
	// digits where nearly all is lost.
	carried, busy := 0.0, 0.0
	if q.Servers > 0 {
		if busy, err = loss.PeakedCarried(q.Servers, stream, method); err != nil {
			return nil, ask.FromQueueing("peakedness", err)
		}
		carried = busy * q.Servers
	}
	a := &QueueAnswer{Queue: q.Queue, Servers: q.Servers, CarriedLoad: ask.Figure(carried),
		LostLoad: ask.Figure(stream.Load * b)}
	a.Figures = sizing.Figures{OfferedLoad: stream.Load, Blocking: ask.Figure(b), MeanWait: ask.Figure(0),
		Approximation: ask.ApproximationOf(approximated)}
	if q.Servers > 0 {
		a.Utilization = ask.Figure(busy)
	}
	if s.Clock {
		a.ArrivalRate, a.Throughput, a.MeanResponse =
			ask.Figure(s.Rate), ask.Figure(carried/s.Service), ask.Figure(s.Service)
	}
	// Both formulas are given where both apply, for comparison.
	if h, _, err := loss.PeakedLoss(q.Servers, stream, loss.HaywardMethod); err == nil {
		a.Hayward = ask.Figure(h)
	}
	// Below a peakedness of 1 there is no group of which such traffic is the
	// overflow.
	if stream.Peakedness > 1 && stream.Load > 0 {
		if ert, _, err := loss.PeakedLoss(q.Servers, stream, loss.EquivalentRandomTheory); err == nil {
			a.EquivalentRandom = ask.Figure(ert)
		}
	}
	if r := approximated; r != nil {
		a.Warnings = []string{fmt.Sprintf("%s is an approximation that uses two moments of the traffic: compared "+
			"with %s (%s), nine of ten losses were within %.0f%%, at worst %+.0f to %+.0f%%",
			r.Method, r.Source, r.Regime, 100*r.Blocking.Most, 100*r.Blocking.Low, 100*r.Blocking.High)}
	}
	if q.Explain {
		a.Explanation = explainPeaked(q, stream, a)
	}
	return a, nil
}

// explainPeaked shows both formulas where both apply, in the order of
// [PeakedMethods]. They are evaluated again since the answer holds the losses and
// not the equivalent group.
func explainPeaked(q *QueueQuestion, stream loss.Peaked, a *QueueAnswer) *ask.Explanation {
	e := &ask.Explanation{Model: "loss of peaked traffic"}
	if a.Approximate {
		e.Model += " by " + a.Method
	}
	z := stream.Peakedness
	if a.EquivalentRandom != nil {
		if load, first, err := loss.EquivalentRandom(stream); err == nil {
			e.Step("equivalent group", "A*·B(N*, A*) = M, N* = A*(M + z)/(M + z − 1) − M − 1",
				ask.Sprintf("M = %v, z = %v: A* = %v, N* = %v", stream.Load, z, load, first),
				"Wilkinson 1956; Rapp 1964")
			e.Step("by equivalent random theory", "A*·B(N* + n, A*)/M",
				ask.Digits(*a.EquivalentRandom), "Wilkinson 1956")
		}
	}
	if a.Hayward != nil {
		e.Step("by Hayward", "B(n/z, a/z)", ask.Sprintf("B(%v, %v) = %v", q.Servers/z, stream.Load/z, *a.Hayward),
			"Fredericks 1980")
	}
	e.Assume("the traffic counts through its mean and peakedness only")
	return e
}

// presented restates figures of a queue that waits. The warnings are those of the
// model, such as for a servers' load close to 1.
func (q *QueueQuestion) presented(g queueing.Figures, clock bool, o *sizing.Objectives) *QueueAnswer {
	a := &QueueAnswer{Queue: q.Queue, Servers: g.Servers, Figures: sizing.FiguresOf(g, sizing.Wait, clock, o)}
	if w := g.Warning(); w != nil {
		a.Warnings = []string{w.String()}
	}
	return a
}

// wholeServers checks a number of servers that cannot be fractional.
func wholeServers(v float64) (int, error) {
	if v != math.Trunc(v) || v < 1 || v > 1e7 {
		return 0, ask.Inputf("servers", "%s, want a whole number from 1 to 1e7", strconv.FormatFloat(v, 'f', -1, 64))
	}
	return int(v), nil
}
