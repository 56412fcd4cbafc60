package unlike

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/waits"
)

// An unlikeResponse is the law of wait and service in a queue of unlike servers
// with Poisson arrivals and exponential services, an idle server taken at random:
//
//	P(T > t) = Σ_j aⱼ·e^(−μⱼt) + bⱼ·(μⱼ·e^(−θt) − θ·e^(−μⱼt))/(μⱼ − θ)
//
// where μⱼ = s_j/E[S], θ = M − λ the rate of a wait that is not 0, bⱼ = C·n_j·s_j/Σ n·s
// the chance to wait and be served by group j (the server that comes free is of j
// as its share of the rate, however long that took), and aⱼ the chance to be
// served by j at once: with L_j busy servers of j on average, all jobs of j are
// λ·(aⱼ + bⱼ) = μⱼ·L_j. TestUnlikeResponse holds it to the full chain.
type unlikeResponse struct {
	parts []unlikePart
	wait  float64 // θ, per s
}

// An unlikePart is what one group of servers does.
type unlikePart struct{ atOnce, waited, rate float64 }

// response returns the law of responses; nil where arrivals or services are not
// exponential, or nobody comes.
func (m Queue) response(groups []Group, busy []float64, speed, wait float64) queueing.WaitLaw {
	arrival, service := m.scvs()
	if m.WhenFull != Queued || arrival != 1 || service != 1 || !(m.ArrivalRate > 0) {
		return nil
	}
	r := &unlikeResponse{wait: speed/m.ServiceTime - m.ArrivalRate}
	for i, g := range groups {
		rate := g.Speed / m.ServiceTime
		waited := wait * g.Servers * g.Speed / speed
		r.parts = append(r.parts, unlikePart{math.Max(0, busy[i]*rate/m.ArrivalRate-waited), waited, rate})
	}
	return r
}

// respond puts a law of responses into figures, with that of the service on the
// servers that [Queue.At] adds: what is left where there are ever more of them.
func (m Queue) respond(laws *queueing.Laws, law queueing.WaitLaw) {
	if laws.Response = law; law != nil {
		laws.Service = queueing.Exponential{Mean: m.ServiceTime / m.added()}
	}
}

func (r *unlikeResponse) Tail(t float64) float64 {
	sum := 0.0
	for _, p := range r.parts {
		served := math.Exp(-p.rate * t)
		sum += p.atOnce*served + p.waited*(math.Exp(-r.wait*t)+waits.TwoDecays(p.rate, r.wait, t))
	}
	return sum
}

func (r *unlikeResponse) Quantile(p float64) float64 {
	over := func(t float64) float64 { return math.Log(r.Tail(t)) - math.Log1p(-p) }
	high := 1 / r.wait
	for over(high) >= 0 && high < 1e300 {
		high *= 4
	}
	t, _ := numeric.Bracket(over, 0, over(0), high, over(high))
	return t
}

// aloneResponse is the law where jobs come one at a time, each taking any of the
// servers.
func (m Queue) aloneResponse(groups []Group, n float64) queueing.WaitLaw {
	if m.WhenFull != Queued {
		return nil
	}
	r := &unlikeResponse{wait: 1}
	for _, g := range groups {
		r.parts = append(r.parts, unlikePart{g.Servers / n, 0, g.Speed / m.ServiceTime})
	}
	return r
}

// A figuresResponse is the law of responses that figures know.
type figuresResponse struct{ queueing.Figures }

func (f figuresResponse) Tail(t float64) float64 {
	share, _ := f.ResponseLate(queueing.Offered, t)
	return share
}

func (f figuresResponse) Quantile(p float64) float64 {
	t, _ := f.ResponsePercentile(queueing.Offered, p)
	return t
}
