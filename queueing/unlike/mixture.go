package unlike

import (
	"cmp"
	"errors"
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// A mixture averages the figures of one queue over several fleets, weighted by their chances.
type mixture struct {
	sum      queueing.Figures // chance times figure, over the fleets so far
	served   float64
	rare     float64 // chance of the states that mean waits leave out
	stuck    float64 // chance that there is no steady state
	counted  float64 // chance of the states in the mean wait
	endless  bool    // a fleet that counts in the mean wait has no steady state
	law      mixtureLaw
	warning  *queueing.Warning
	approx   *queueing.Approximation // how the first figures were approximated; nil: they are exact
	response float64
	whole    mixtureLaw // of the response: wait and service
	partly   bool       // the law of the response of some fleet is not known
}

// add adds the figures of one fleet with its chance. Fleets must come in ascending order of their
// servers, since mean waits leave out the first ones.
func (x *mixture) add(chance float64, f queueing.Figures, err error) error {
	unstable := errors.Is(err, queueing.ErrUnstable)
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
		x.warning = f.Warning()
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
	laws := f.Laws()
	x.approx = cmp.Or(x.approx, laws.Approximation)
	if laws.Wait != nil {
		x.law.chances, x.law.laws = append(x.law.chances, chance), append(x.law.laws, laws.Wait)
	}
	_, leaves := laws.Wait.(queueing.PatientLaw)
	// Whether the law is known does not depend on the time; time 0 costs nothing.
	switch _, known := f.ResponseLate(queueing.Offered, 0); {
	case leaves || !known: // a job that gives up has no service
		x.partly = true
	case laws.Response != nil:
		x.whole.chances, x.whole.laws = append(x.whole.chances, chance), append(x.whole.laws, laws.Response)
	default:
		x.whole.chances, x.whole.laws = append(x.whole.chances, chance), append(x.whole.laws, figuresResponse{f})
	}
	return nil
}

// figures returns the means.
func (x *mixture) figures(m Varying, servers, rate float64) queueing.Figures {
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
	f.Throughput += x.stuck * m.ArrivalRate // these jobs are served later
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
	laws := queueing.Laws{LogBlocking: math.Log(f.Blocking), Warning: x.warning, Approximation: x.approx}
	if len(x.law.laws) > 0 || x.law.never > 0 {
		laws.Wait = &x.law
	}
	if !x.partly && (len(x.whole.laws) > 0 || x.whole.never > 0) {
		m.respond(&laws, &x.whole)
	}
	return f.With(laws)
}

// A mixtureLaw is the law of the wait over several fleets, weighted by their chances; never is the
// chance of a fleet without steady state, in which the wait exceeds any time.
type mixtureLaw struct {
	chances []float64
	laws    []queueing.WaitLaw
	never   float64
}

func (l *mixtureLaw) Tail(t float64) float64 {
	sum, served := l.never, new(servedBy)
	for i, c := range l.chances {
		if r, ok := l.laws[i].(*unlikeResponse); ok {
			sum += c * r.tail(t, served)
		} else {
			sum += c * l.laws[i].Tail(t)
		}
	}
	return sum
}

// ServedLate counts every late job of a fleet in which nobody gives up: all of them are served.
func (l *mixtureLaw) ServedLate(t float64) float64 {
	sum := l.never
	for i, c := range l.chances {
		if law, ok := l.laws[i].(queueing.PatientLaw); ok {
			sum += c * law.ServedLate(t)
		} else {
			sum += c * l.laws[i].Tail(t)
		}
	}
	return sum
}

func (l *mixtureLaw) Quantile(p float64) float64 {
	switch {
	case l.never >= 1-p:
		return math.Inf(1)
	case l.Tail(0) <= 1-p:
		return 0
	}
	over := func(t float64) float64 { return math.Log(l.Tail(t)) - math.Log1p(-p) }
	high := 1.0
	for over(high) >= 0 && high < 1e300 {
		high *= 4
	}
	t, _ := numeric.Bracket(over, 0, over(0), high, over(high))
	return t
}
