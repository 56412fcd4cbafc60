package queueing

import "math"

// Figures are the steady-state figures of a queue with a given number of
// servers. Time is in seconds, rates per second, probabilities within 0..1.
// A figure that a model does not have is 0: nobody is blocked in a queue that
// waits, nobody waits in one that loses.
type Figures struct {
	Servers         float64 // n, real
	ArrivalRate     float64 // λ, per s
	ServiceTime     float64 // E[S], s
	OfferedLoad     float64 // a = λ·E[S], erlang
	Utilization     float64 // busy share of a server; 0 when there is none
	Blocking        float64 // chance to be lost on arrival
	WaitProbability float64 // chance to find all servers busy and wait
	Abandonment     float64 // chance to give up before service
	MeanWait        float64 // of all who are let in, s
	MeanResponse    float64 // wait and service of those served, s
	MeanQueueLength float64 // waiting, not in service
	Throughput      float64 // served per s

	logBlocking   float64
	law           WaitLaw
	service       serviceIn // nil law: not known, or not served in order of arrival
	response      WaitLaw   // the law of wait and service where it is known as such
	remark        remark
	approximation *Approximation
}

// A Warning says where an approximation leaves the regime it is known to be
// good in, and what to do.
type Warning struct {
	Model  string // for example "Allen-Cunneen"
	Regime string // where it holds
	Advice string
}

func (w *Warning) String() string {
	return w.Model + " is an approximation, good for " + w.Regime + "; " + w.Advice
}

// Warning returns a remark on an approximation used outside its regime, or nil.
func (f Figures) Warning() *Warning { return f.remark.warning() }

// WaitTail returns P(W > t), the chance that an arrival waits longer than t
// seconds; 0 in a loss system. For t < 0 it is 1.
func (f Figures) WaitTail(t float64) float64 {
	switch {
	case t < 0:
		return 1
	case f.law == nil || math.IsNaN(t):
		return 0
	}
	return f.law.Tail(t)
}

// ServiceLevel returns P(W ≤ t), the chance to wait no longer than t seconds.
// Under abandonment it counts those who gave up within t as well; see
// [Figures.Late] for the stricter counts.
func (f Figures) ServiceLevel(t float64) float64 { return 1 - f.WaitTail(t) }

// WaitPercentile returns the least t with P(W ≤ t) ≥ p, for 0 ≤ p < 1: the
// wait, in seconds, that a share p of arrivals does not exceed. It is 0 where
// at least that share does not wait at all, and +Inf for p = 1.
func (f Figures) WaitPercentile(p float64) float64 {
	switch {
	case f.law == nil || !(p > 0):
		return 0
	case p >= 1:
		return math.Inf(1)
	}
	return f.law.Quantile(p)
}

// A Model is a queue whose number of servers is still open.
type Model interface {
	// At returns the figures with the given number of servers, real and ≥ 0.
	// Too few for a steady state is an *UnstableError.
	At(servers float64) (Figures, error)
	// Floor returns the number that the servers must exceed for a steady
	// state, 0 where there always is one.
	Floor() float64
}
