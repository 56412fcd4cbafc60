package unlike

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/waits"
)

// A Group is a number of servers of one speed.
type Group struct {
	Servers float64 // n ≥ 0, real by the continuation of [Blocking]
	Speed   float64 // s > 0; 1 is the speed for which the service time is given
}

// Blocking returns the probability that an arrival finds all servers busy and is lost, if servers
// of several speeds stand side by side and an arrival that finds several idle takes one of them at
// random:
//
//	P(busy set S) ∝ λᵏ (n − k)!/n! ∏_{i∈S} 1/μᵢ,   k = |S|
//	1/B = Σₖ λ^(k−n) (n − k)! e_k(1/μ) / ∏ 1/μᵢ = ∫₀^∞ e^(−t) ∏_j (1 + t/a_j)^(n_j) dt
//
// where n = Σ n_j is the number of servers, n_j of them of speed s_j, μ = s_j/E[S] the rate of such
// a server, e_k the elementary symmetric polynomials, and a_j = a/s_j the offered load in erlangs
// if served at speed s_j; a = λ·E[S] is the load on servers of speed 1. The integral, by (n−k)! = ∫
// t^(n−k) e^(−t) dt, continues the sum to real n_j. The result depends on the laws of the service
// times only through their means, because each server is in balance by itself. It is not
// [queueing.ErlangB] of Σ n_j s_j servers: a fast server finishes sooner but holds one job at a
// time.
//
// 1/B rises with every n_j and s_j, so that an additional server never increases B, and its
// logarithm is convex in the n_j. Time is independent of the counts and linear in the number of
// groups. The relative error is about 1e-12 up to 1e6 servers (TestUnlikeReference); beyond, only
// servers of one speed were checked, where it grows to 1e-9 at 1e12. Arguments outside the domain
// return a *DomainError. Source: Gumbel, Waiting lines with heterogeneous servers, Oper. Res. 8,
// 1960.
func Blocking(load float64, groups ...Group) (float64, error) {
	m := Queue{ArrivalRate: load, ServiceTime: 1, Beside: groups, WhenFull: Lossy}
	f, err := m.At(0)
	if err != nil {
		return 0, err
	}
	return f.Blocking, nil
}

// WhenFull says what happens to an arrival that finds all servers busy.
type WhenFull int

// The values of WhenFull.
const (
	Lossy     WhenFull = iota // it is lost
	Queued                    // it waits, in order of arrival
	Impatient                 // it waits and gives up after an exponential patience
)

// Queue is a queue of servers of unlike speeds. An arrival that finds several idle takes one of
// them at random. It is a [queueing.Model] in the number of servers added to the groups of Beside.
//
//	Lossy:     B as in [Blocking]
//	Queued:    C = B/(1 − ρ(1 − B)), P(W > t) = C·e^(−(M−λ)t), E[W] = C/(M − λ)
//	Impatient: the law of [queueing.ErlangA] with M in the place of nμ
//
// where M = Σ n_j·s_j/E[S] is the rate of all servers and ρ = λ/M. While all servers are busy the
// queue is that of one server of rate M, and the states below are entered from it only by the state
// with all busy and nobody waiting, so that the product form holds. Waiting assumes exponential
// services. Each of B, C, P(W > t), E[W] and the probability to give up falls as servers of any
// speed are added. E[T] and P(T > t) need not: a slow server also takes jobs that a fast one would
// have served. P(T > t), for wait and service, is known for Queued with both SCVs 1. Utilization is
// the share of the rate M that is in use, not the share of servers that are busy.
//
// If faster servers are taken first, the loss and the waits are smaller (checked on the full chain
// of small fleets, TestUnlikeFastestFirst, not proven), but the loss is never below B(n, a/max s),
// that of as many servers of the greatest speed.
type Queue struct {
	ArrivalRate float64 // λ ≥ 0, per s
	ServiceTime float64 // E[S] > 0, s, of a server of speed 1
	Beside      []Group // servers that are always there
	AddedSpeed  float64 // s > 0 of the servers that [Queue.At] adds; 0: 1
	WhenFull    WhenFull
	Patience    float64 // mean 1/θ > 0, s; for Impatient
	// ArrivalSCV and ServiceSCV are squared coefficients of variation as in [queueing.GGC], for
	// Queued. They scale the wait by (c_a² + c_s²)/2, which is an approximation. Both 0 means 1 and
	// 1.
	ArrivalSCV, ServiceSCV float64
	Work                   *Work // counts the steps taken; nil: they are not counted
}

// At returns the figures if real servers ≥ 0 of speed AddedSpeed are added. Figures.Servers counts
// all servers, and Utilization is the share of their total rate. Errors: *DomainError, and
// *UnstableError for Queued with λ ≥ M.
func (m Queue) At(servers float64) (queueing.Figures, error) {
	groups, err := m.groups(servers)
	if err != nil {
		return queueing.Figures{}, err
	}
	if f, ok, err := m.alike(groups); ok || err != nil {
		return f, err
	}
	f, _, err := m.unlike(groups)
	return f, err
}

// Floor returns the number of added servers that must be exceeded for a steady state; 0 if Beside
// suffices.
func (m Queue) Floor() float64 {
	if m.WhenFull != Queued {
		return 0
	}
	rest := m.ArrivalRate * m.ServiceTime
	for _, g := range m.Beside {
		rest -= g.Servers * g.Speed
	}
	return math.Max(rest/m.added(), 0)
}

func (m Queue) added() float64 {
	if m.AddedSpeed == 0 {
		return 1
	}
	return m.AddedSpeed
}

// leastLoad is the least load above 0, in erlangs: powers of less leave the range of numbers.
const leastLoad = 1e-100

// groups checks the model and returns all groups that have servers, including the added one.
func (m Queue) groups(servers float64) ([]Group, error) {
	total := servers
	c := queueing.Domain{Func: "Unlike"}
	c.AtLeastZero("servers", servers)
	all := make([]Group, 0, len(m.Beside)+1)
	for _, g := range append(m.Beside[:len(m.Beside):len(m.Beside)], Group{servers, m.added()}) {
		c.AtLeastZero("servers", g.Servers)
		c.Positive("speed", g.Speed)
		if total += g.Servers; g.Servers > 0 {
			all = append(all, g)
		}
	}
	c.Magnitude("servers", total)
	if load := m.ArrivalRate * m.ServiceTime; load > 0 && load < leastLoad {
		c.Fail("load", load, "0, or at least 1e-100")
	}
	if m.WhenFull != Lossy && m.WhenFull != Queued && m.WhenFull != Impatient {
		c.Fail("when full", float64(m.WhenFull), "Lossy, Queued or Impatient")
	}
	return all, c.Err
}

// alike answers by the closed forms if all servers have one speed; else ok is false.
func (m Queue) alike(groups []Group) (f queueing.Figures, ok bool, err error) {
	n, speed := 0.0, m.added()
	for i, g := range groups {
		if i > 0 && g.Speed != speed {
			return f, false, nil
		}
		n, speed = n+g.Servers, g.Speed
	}
	m.Work.add(closedSteps)
	service := m.ServiceTime / speed
	switch m.WhenFull {
	case Lossy:
		f, err = queueing.Loss{ArrivalRate: m.ArrivalRate, ServiceTime: service}.At(n)
	case Impatient:
		f, err = queueing.ErlangA{ArrivalRate: m.ArrivalRate, ServiceTime: service, Patience: m.Patience}.At(n)
	default:
		arrival, scv := m.scvs()
		f, err = queueing.GGC{ArrivalRate: m.ArrivalRate, ServiceTime: service, ArrivalSCV: arrival, ServiceSCV: scv}.At(n)
	}
	// The closed forms saw the service time at that speed; load and service time are reported at
	// speed 1.
	f.OfferedLoad, f.ServiceTime = m.ArrivalRate*m.ServiceTime, m.ServiceTime
	return f, true, err
}

// unlikeWarning and unlikeWaits say that waits of servers of several speeds are approximated where
// an SCV is not 1. The errors were not measured.
var (
	unlikeWarning = queueing.Warning{
		Model:  "Allen-Cunneen on unlike servers",
		Regime: "squared coefficients of variation near 1",
		Advice: "confirm by simulation before relying on the waits",
	}
	unlikeWaits = queueing.Approximation{Method: unlikeWarning.Model, Regime: unlikeWarning.Regime}
)

func (m Queue) scvs() (arrival, service float64) {
	if m.ArrivalSCV == 0 && m.ServiceSCV == 0 {
		return 1, 1
	}
	return m.ArrivalSCV, m.ServiceSCV
}

// unlike evaluates the product form. It also returns the mean number of busy servers of each group.
func (m Queue) unlike(groups []Group) (queueing.Figures, []float64, error) {
	return m.product(groups, nil, numeric.DecayIntegrals)
}

// powers returns the groups as factors of the integral; a > 0.
func powers(groups []Group, a float64) []numeric.Power {
	factors := make([]numeric.Power, len(groups))
	for i, g := range groups {
		factors[i] = numeric.Power{Scale: a / g.Speed, Count: g.Servers}
	}
	return factors
}

// product is unlike with given integrals; nil: it computes them.
func (m Queue) product(groups []Group, integrals *numeric.Powers, decay waits.Decaying) (queueing.Figures, []float64, error) {
	n, speed := 0.0, 0.0
	for _, g := range groups {
		n += g.Servers
		speed += g.Servers * g.Speed
	}
	if n == 0 { // without servers the closed forms answer
		f, _, err := m.alike(nil)
		return f, make([]float64, len(groups)), err
	}
	f, err := m.load(n)
	if err != nil {
		return queueing.Figures{}, nil, err
	}
	a := f.OfferedLoad
	if a == 0 {
		// A job that is alone takes any server with equal probability.
		f.MeanResponse = 0
		for _, g := range groups {
			f.MeanResponse += g.Servers / n * m.ServiceTime / g.Speed
		}
		var laws queueing.Laws
		m.respond(&laws, m.aloneResponse(groups, n))
		return f.With(laws), make([]float64, len(groups)), nil
	}
	p := integrals
	if p == nil {
		for _, g := range groups {
			if g.Servers > 0 {
				m.Work.add(integralSteps)
			}
		}
		whole := numeric.PowerIntegrals(powers(groups, a))
		p = &whole
	}
	var laws queueing.Laws
	rho := a / speed
	full := 0.0 // chance of states beyond those of the loss system: all busy, and a job came since
	switch m.WhenFull {
	case Lossy:
		laws.LogBlocking = -p.Log
		f.Blocking = math.Exp(-p.Log)
		f.Throughput = m.ArrivalRate * math.Exp(p.LogExcess-p.Log)
	case Queued:
		if err := steady("Unlike", speed, a); err != nil {
			return queueing.Figures{}, nil, err
		}
		f.WaitProbability = math.Exp(-p.LogDelay)
		full = rho * f.WaitProbability
		arrival, service := m.scvs()
		conditional := (arrival/2 + service/2) * m.ServiceTime / (speed - a)
		f.MeanWait = f.WaitProbability * conditional
		laws.Wait = waits.Exponential{Wait: f.WaitProbability, Rate: 1 / conditional}
		if arrival+service == 0 {
			f.WaitProbability, laws.Wait = 0, nil
		}
		if arrival != 1 || service != 1 {
			laws.Warning, laws.Approximation = &unlikeWarning, &unlikeWaits
		}
		f.MeanQueueLength = m.ArrivalRate * f.MeanWait
		f.Throughput = m.ArrivalRate
	case Impatient:
		if full, err = m.impatient(&f, &laws, *p, speed, decay); err != nil {
			return queueing.Figures{}, nil, err
		}
	}
	busy, jobs := make([]float64, len(groups)), 0.0
	for i, g := range groups {
		busy[i] = g.Servers * (p.Left[i]*(1-full) + full)
		jobs += busy[i]
	}
	if f.Throughput > 0 { // Little's law for the jobs that are served
		f.MeanResponse += jobs / f.Throughput
	}
	if m.WhenFull == Queued {
		f.MeanResponse += f.MeanWait
		m.respond(&laws, m.response(groups, busy, speed, f.WaitProbability))
	}
	f.Utilization = f.Throughput / m.ArrivalRate * rho
	return f.With(laws), busy, nil
}

// impatient fills in the figures if jobs wait and may give up. It returns the probability that all
// servers are busy, beyond the states of the loss system.
func (m Queue) impatient(
	f *queueing.Figures, laws *queueing.Laws, p numeric.Powers, speed float64, decay waits.Decaying,
) (full float64, err error) {
	c := queueing.Domain{Func: "Unlike"}
	c.Positive("patience", m.Patience)
	y, b := m.ArrivalRate*m.Patience, speed*(m.Patience/m.ServiceTime)
	if c.Err == nil && (y > waits.MostPatient || b > waits.MostPatient) {
		c.Fail("patience", m.Patience, "at most 1e18 arrivals and services within the mean patience")
	}
	if c.Err != nil {
		return 0, c.Err
	}
	whole := decay(b, y, 0)
	m.Work.add(decaySteps)
	// Weights relative to the state just below all busy: E of the states below all busy, λJ of the
	// states with all busy, of which the first weighs λ/M.
	first := math.Log(f.OfferedLoad / speed)
	logE, logJ := p.LogExcess+first, math.Log(y)+whole.Log
	law := &waits.Patient{Y: y, B: b, Patience: m.Patience, Wait: 1 / (1 + math.Exp(logE-logJ)), Idle: 1 / (1 + math.Exp(logJ-logE)), Whole: whole, Decay: decay}
	laws.Wait = law
	f.WaitProbability = law.Wait
	f.Abandonment = law.Wait * whole.Spent
	f.MeanWait = f.Abandonment * m.Patience
	f.MeanQueueLength = m.ArrivalRate * f.MeanWait
	served := 1 - law.Wait + law.Wait*whole.Left
	f.MeanResponse = law.Wait * whole.WLeft * m.Patience / served
	f.Throughput = m.ArrivalRate * served
	return law.Wait * -math.Expm1(math.Min(first-logJ, 0)), nil
}

// load checks n and the load, and returns figures that hold them.
func (m Queue) load(n float64) (queueing.Figures, error) {
	c := queueing.Domain{Func: "Unlike"}
	c.AtLeastZero("servers", n)
	c.Magnitude("servers", n)
	c.AtLeastZero("arrival rate", m.ArrivalRate)
	c.Positive("service time", m.ServiceTime)
	load := m.ArrivalRate * m.ServiceTime
	if c.Err == nil {
		c.AtLeastZero("load", load)
		c.Magnitude("load", load)
	}
	if c.Err != nil {
		return queueing.Figures{}, c.Err
	}
	return queueing.Figures{
		Servers:     n,
		ArrivalRate: m.ArrivalRate,
		ServiceTime: m.ServiceTime,
		OfferedLoad: load,
	}, nil
}

// steady returns an error if servers of this total speed cannot carry the load.
func steady(fn string, speed, load float64) error {
	if load > 0 && speed <= load {
		return &queueing.UnstableError{Func: fn, Utilization: load / speed}
	}
	return nil
}
