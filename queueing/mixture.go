package queueing

import (
	"errors"
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A mixture adds up the figures of one queue under several fleets, by chance.
type mixture struct {
	sum      Figures // of the chances so far, weighted
	served   float64
	rare     float64 // chance of the states that mean waits leave out
	stuck    float64 // chance that there is no steady state
	counted  float64 // chance of the states in the mean wait
	endless  bool    // one of them has no steady state
	law      mixtureLaw
	warning  *Warning
	response float64
	whole    mixtureLaw // of wait and service
	partly   bool       // a state has no such law
}

// add takes in the figures of a state with its chance, the states coming from
// the fewest servers on.
func (x *mixture) add(chance float64, f Figures, err error) error {
	unstable := errors.Is(err, ErrUnstable)
	if err != nil && !unstable {
		return err
	}
	mean := true
	if x.rare+chance <= rareShortage {
		x.rare += chance
		mean = false
	}
	if unstable {
		x.stuck += chance
		x.law.never += chance
		x.whole.never += chance
		x.endless = x.endless || mean
		return nil
	}
	if x.warning == nil {
		x.warning = f.warning
	}
	x.sum.Blocking += chance * f.Blocking
	x.sum.WaitProbability += chance * f.WaitProbability
	x.sum.Abandonment += chance * f.Abandonment
	x.sum.Throughput += chance * f.Throughput
	if mean {
		x.counted += chance
		x.served += chance * f.Throughput
		x.sum.MeanWait += chance * f.MeanWait
		x.sum.MeanQueueLength += chance * f.MeanQueueLength
		x.response += chance * f.Throughput * f.MeanResponse
	}
	if f.law != nil {
		x.law.chances, x.law.laws = append(x.law.chances, chance), append(x.law.laws, f.law)
	}
	_, leaves := f.law.(patientLaw)
	switch _, known := f.ResponseLate(Offered, 1); {
	case leaves || !known: // who gives up is served in no time
		x.partly = true
	case f.response != nil:
		x.whole.chances, x.whole.laws = append(x.whole.chances, chance), append(x.whole.laws, f.response)
	default:
		x.whole.chances, x.whole.laws = append(x.whole.chances, chance), append(x.whole.laws, figuresResponse{f})
	}
	return nil
}

// figures returns the means.
func (x *mixture) figures(m Varying, servers, rate float64) Figures {
	f := x.sum
	f.ArrivalRate, f.ServiceTime = m.ArrivalRate, m.ServiceTime
	f.OfferedLoad = m.ArrivalRate * m.ServiceTime
	f.Servers = servers
	for _, g := range m.Beside {
		f.Servers += g.Servers
	}
	for _, g := range m.mean() {
		f.Servers += g.Servers
	}
	f.WaitProbability += x.stuck
	f.Throughput += x.stuck * m.ArrivalRate // served later
	f.logBlocking = math.Log(f.Blocking)
	f.MeanWait, f.MeanQueueLength = f.MeanWait/x.counted, f.MeanQueueLength/x.counted
	f.MeanResponse = m.ServiceTime
	if x.served > 0 {
		f.MeanResponse = x.response / x.served
	}
	if x.endless {
		f.MeanWait, f.MeanQueueLength, f.MeanResponse = math.Inf(1), math.Inf(1), math.Inf(1)
	}
	if rate > 0 {
		f.Utilization = f.Throughput * m.ServiceTime / rate
	}
	if len(x.law.laws) > 0 || x.law.never > 0 {
		f.law = &x.law
	}
	if !x.partly && (len(x.whole.laws) > 0 || x.whole.never > 0) {
		m.respond(&f, &x.whole)
	}
	f.warning = x.warning
	return f
}

// A mixtureLaw is the wait under several fleets, by chance; never is that to
// wait for longer than any time.
type mixtureLaw struct {
	chances []float64
	laws    []waitLaw
	never   float64
}

func (l *mixtureLaw) tail(t float64) float64 {
	sum := l.never
	for i, c := range l.chances {
		sum += c * l.laws[i].tail(t)
	}
	return sum
}

// servedLate counts all who wait longer where a fleet has nobody give up.
func (l *mixtureLaw) servedLate(t float64) float64 {
	sum := l.never
	for i, c := range l.chances {
		if law, ok := l.laws[i].(patientLaw); ok {
			sum += c * law.servedLate(t)
		} else {
			sum += c * l.laws[i].tail(t)
		}
	}
	return sum
}

func (l *mixtureLaw) quantile(p float64) float64 {
	switch {
	case l.never >= 1-p:
		return math.Inf(1)
	case l.tail(0) <= 1-p:
		return 0
	}
	over := func(t float64) float64 { return math.Log(l.tail(t)) - math.Log1p(-p) }
	high := 1.0
	for over(high) >= 0 && high < 1e300 {
		high *= 4
	}
	t, _ := numeric.Bracket(over, 0, over(0), high, over(high))
	return t
}
