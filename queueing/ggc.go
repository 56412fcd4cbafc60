package queueing

import (
	"math"

	"github.com/capplan/capplan/queueing/internal/erlang"
	"github.com/capplan/capplan/queueing/internal/waits"
)

// GGC is the GI/G/c queue by the Allen-Cunneen approximation. It is exact for
// M/M/c (both SCVs 1) and for M/G/1.
type GGC struct {
	ArrivalRate float64 // λ ≥ 0, per s
	ServiceTime float64 // E[S] > 0, s
	ArrivalSCV  float64 // squared coefficient of variation of the gaps, ≥ 0; 1 for Poisson
	ServiceSCV  float64 // of the service times, ≥ 0; 1 for exponential
}

// At returns the figures with real servers c > a:
//
//	E[W] ≈ (c_a² + c_s²)/2 · C(c, a)·E[S]/(c − a),   P(W > 0) ≈ C(c, a)
//
// and, as if a wait that is not 0 were exponential,
// P(W > t) ≈ C·exp(−t·C/E[W]). Outside M/M/c every one of these is an
// approximation, and a coarse one: in the simulations of docs/APPROXIMATIONS.md
// nine of ten means were within 73 %, the worst −100 and +863 %
// (TestGIGCErrorsAreMeasured); [GIGC] does better. [Figures.Approximation] has
// the errors. Errors: *DomainError, and *UnstableError for c ≤ a. Source: Allen
// 1990, section 5.3.
func (m GGC) At(servers float64) (Figures, error) {
	return m.at("GGC", servers)
}

// at answers for the model of the given name, which errors speak of.
func (m GGC) at(name string, servers float64) (Figures, error) {
	f, err := figures(name, servers, m.ArrivalRate, m.ServiceTime)
	if err != nil {
		return Figures{}, err
	}
	c := Domain{Func: name}
	c.AtLeastZero("arrival SCV", m.ArrivalSCV)
	c.AtLeastZero("service SCV", m.ServiceSCV)
	if c.Err != nil {
		return Figures{}, c.Err
	}
	if err := checkStable(name, servers, f.OfferedLoad); err != nil {
		return Figures{}, err
	}
	f.Throughput = m.ArrivalRate
	f.MeanResponse = m.ServiceTime
	if m.ServiceSCV == 1 {
		f.service.law = Exponential{m.ServiceTime}
	}
	if f.OfferedLoad == 0 {
		return f, nil
	}
	f.Utilization = f.OfferedLoad / servers
	f.WaitProbability = erlang.C(servers, f.OfferedLoad)
	variability := m.ArrivalSCV/2 + m.ServiceSCV/2
	conditional := variability * m.ServiceTime / (servers - f.OfferedLoad)
	if variability == 0 { // work on a clock: nobody waits at ρ < 1
		f.WaitProbability = 0
	}
	f.MeanWait = f.WaitProbability * conditional
	f.MeanResponse = f.MeanWait + m.ServiceTime
	f.MeanQueueLength = m.ArrivalRate * f.MeanWait
	if variability > 0 {
		f.law = waits.Exponential{Wait: f.WaitProbability, Rate: 1 / conditional}
	}
	if variability > 0 && (m.ArrivalSCV != 1 || m.ServiceSCV != 1) {
		f.approximation = &ggcErrors[0]
		f.remark = m.remarkOf(f)
	}
	if math.IsInf(f.MeanWait, 1) {
		return Figures{}, &DomainError{name, "service SCV", m.ServiceSCV, "a mean wait within the range of numbers"}
	}
	return f, nil
}

// Floor returns the offered load a, which the servers must exceed.
func (m GGC) Floor() float64 { return m.ArrivalRate * m.ServiceTime }
