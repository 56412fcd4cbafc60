package unlike

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/waits"
)

// An unlikeResponse is the law of the response, wait plus service, in a queue of unlike servers
// with Poisson arrivals and exponential services, if an arrival takes an idle server at random:
//
//	P(T > t) = Σ_j aⱼ·e^(−μⱼt) + bⱼ·(μⱼ·e^(−θt) − θ·e^(−μⱼt))/(μⱼ − θ)
//
// where μⱼ = s_j/E[S], and θ = M − λ is the rate of a wait that is not 0. bⱼ = C·n_j·s_j/Σ n·s is
// the probability to wait and then be served by group j: the server that becomes free belongs to j
// with the group's share of the rate, however long the wait was. aⱼ is the probability to be served
// by j at once: if L_j servers of j are busy on average, the jobs served by j are λ·(aⱼ + bⱼ) =
// μⱼ·L_j. TestUnlikeResponse compares it with the full chain.
type unlikeResponse struct {
	parts []unlikePart
	wait  float64 // θ, per s
}

// An unlikePart is the contribution of one group of servers.
type unlikePart struct{ atOnce, waited, rate float64 }

// response returns the law of the response; nil if arrivals or services are not exponential or
// there are no arrivals.
func (m Queue) response(groups []Group, busy []float64, speed, wait float64) queueing.WaitLaw {
	arrival, service := m.scvs()
	if m.WhenFull != Queued || arrival != 1 || service != 1 || !(m.ArrivalRate > 0) {
		return nil
	}
	m.Work.add(responseSteps * float64(len(groups)))
	r := &unlikeResponse{wait: speed/m.ServiceTime - m.ArrivalRate, parts: make([]unlikePart, 0, len(groups))}
	for i, g := range groups {
		if g.Servers == 0 {
			continue
		}
		rate := g.Speed / m.ServiceTime
		waited := wait * g.Servers * g.Speed / speed
		r.parts = append(r.parts, unlikePart{math.Max(0, busy[i]*rate/m.ArrivalRate-waited), waited, rate})
	}
	return r
}

// respond sets the law of the response, and as law of the service that on the added servers: what
// the response tends to as ever more of them are added.
func (m Queue) respond(laws *queueing.Laws, law queueing.WaitLaw) {
	if laws.Response = law; law != nil {
		laws.Service = queueing.Exponential{Mean: m.ServiceTime / m.added()}
	}
}

func (r *unlikeResponse) Tail(t float64) float64 { return r.tail(t, new(servedBy)) }

// A servedBy keeps e^(−μⱼt) of the groups by their places: of the states of a fleet, which have the
// same groups, each exponential is taken once, not once a state.
type servedBy struct{ rates, left []float64 }

// at returns e^(−rate·t) for the group at place i, always with the same t.
func (s *servedBy) at(i int, rate, t float64) float64 {
	if i == len(s.rates) {
		s.rates, s.left = append(s.rates, rate), append(s.left, math.Exp(-rate*t))
	} else if s.rates[i] != rate {
		s.rates[i], s.left[i] = rate, math.Exp(-rate*t)
	}
	return s.left[i]
}

// tail is Tail with what is known of the services.
func (r *unlikeResponse) tail(t float64, known *servedBy) float64 {
	sum, queued := 0.0, math.Exp(-r.wait*t)
	for i, p := range r.parts {
		served := known.at(i, p.rate, t)
		both := 0.0 // θ·(e^(−μⱼt) − e^(−θt))/(θ − μⱼ)
		if gap := r.wait - p.rate; math.Abs(gap)*t > 1 {
			both = r.wait / gap * (served - queued)
		} else if p.waited > 0 { // the two cancel
			both = waits.TwoDecays(p.rate, r.wait, t)
		}
		sum += p.atOnce*served + p.waited*(queued+both)
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

// aloneResponse is the law of the response if jobs come one at a time and take any server with
// equal probability.
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

// A figuresResponse is the law of the response that figures know in closed form.
type figuresResponse struct{ queueing.Figures }

func (f figuresResponse) Tail(t float64) float64 {
	share, _ := f.ResponseLate(queueing.Offered, t)
	return share
}

func (f figuresResponse) Quantile(p float64) float64 {
	t, _ := f.ResponsePercentile(queueing.Offered, p)
	return t
}
