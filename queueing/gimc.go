package queueing

import (
	"github.com/capplan/capplan/queueing/internal/waits"
	"math"
)

// GIMC is the GI/M/c queue: renewal arrivals with any law of the gaps, c
// servers, exponential service, unlimited waiting room, order of arrival.
type GIMC struct {
	Gap         Law     // between arrivals
	ServiceTime float64 // 1/μ > 0, s
	Servers     int     // c ≥ 1, at most 1e6
}

// Figures returns the exact figures. With A the transform of the gap, the root
// 0 < σ < 1 of σ = A(cμ(1−σ)) is the ratio by which the chance to find one
// customer more falls, and so
//
//	P(W > t) = P(W > 0)·e^(−cμ(1−σ)t),   E[W] = P(W > 0)/(cμ(1−σ))
//
// The chance to wait is Takács' sum, with φ_j = A(jμ) and
// C_j = Π_{i≤j} φ_i/(1−φ_i):
//
//	1/P(W > 0) = 1 + (1−σ) Σ_{j=1}^{c} (c over j)/(C_j(1−φ_j)) · (c(1−φ_j) − j)/(c(1−σ) − j)
//
// Both differences change sign at j = c(1−σ), so that all terms are positive;
// they are taken as (j/ρ)(φₑ(cμ(1−σ)) − φₑ(jμ)), where φₑ is one minus the
// transform of the equilibrium gap, which keeps its digits as ρ → 1. The work
// is at most c transforms of the gap. For M/M/c it is Erlang's C, for c = 1 [GIM1].
// Errors: *DomainError, and *UnstableError for ρ ≥ 1. Source: Takács,
// Introduction to the theory of queues, 1962, chapter 2, theorem 3.
func (q GIMC) Figures() (Figures, error) {
	if q.Servers < 1 || q.Servers > 1e6 {
		return Figures{}, &DomainError{"GIMC", "servers", float64(q.Servers), "1 <= servers <= 1e6"}
	}
	// A transform by quadrature takes a tenth of a millisecond, that of values as many steps.
	switch gap := q.Gap.(type) {
	case Lognormal:
		if q.Servers > 5e4 {
			return Figures{}, &DomainError{"GIMC", "servers", float64(q.Servers), "1 <= servers <= 5e4 with lognormal gaps"}
		}
	case Empirical:
		if float64(q.Servers)*float64(len(gap.Times)) > 1e8 {
			return Figures{}, &DomainError{"GIMC", "servers", float64(q.Servers),
				"at most 1e8 servers times values of gaps"}
		}
	}
	c := float64(q.Servers)
	gap, _, _, err := checkLaw("GIMC", q.Gap, "gap")
	if err != nil {
		return Figures{}, err
	}
	f, err := figures("GIMC", c, 1/gap, q.ServiceTime)
	if err != nil {
		return Figures{}, err
	}
	f.OfferedLoad = q.ServiceTime / gap
	spare := (c*gap - q.ServiceTime) / (c * gap) // 1 − ρ
	if spare <= 0 {
		return Figures{}, &UnstableError{"GIMC", f.OfferedLoad / c}
	}
	rest := gim1Rest(q.Gap, q.ServiceTime/c, spare)
	f.service.law = Exponential{q.ServiceTime}
	f.Utilization, f.Throughput = f.OfferedLoad/c, f.ArrivalRate
	f.WaitProbability = takacs(q.Gap, q.ServiceTime, c, gap, spare, rest, whollySmall)
	drain := c * rest / q.ServiceTime
	f.MeanWait = f.WaitProbability / drain
	f.MeanResponse = f.MeanWait + q.ServiceTime
	f.MeanQueueLength = f.ArrivalRate * f.MeanWait
	if f.WaitProbability > 0 {
		f.law = waits.Exponential{Wait: f.WaitProbability, Rate: drain}
	}
	return f, nil
}

// whollySmall is the part of a sum below which no term changes a digit of it.
const whollySmall = 1e-18

// takacs returns P(W > 0); mean is that of the gap, rest is 1 − σ. The terms have
// one peak, near j = c − a, and those that follow it at a distance of a few √c are
// too small to be seen: the sum ends at the part small of itself (TestTakacsStops).
func takacs(gap Law, service, c, mean, spare, rest, small float64) float64 {
	root, rho := c*rest, 1-spare
	equilibrium := func(j float64) float64 { return real(gap.residual(complex(j/service, 0))) }
	sum, log := 0.0, 0.0 // Σ = sum·e^log
	binomial := 1.0      // (c over j)/C_j·e^(−log)
	last := 0.0          // the term before
	for j := 1.0; j <= c; j++ {
		r := equilibrium(j)
		phi := real(gap.Transform(complex(j/service, 0)))
		none := j * mean / service * (1 - r) // 1 − φ_j, also where φ_j is close to 1
		if phi <= 0 {
			return 0 // not even e^(−700) of the gaps let a server stay busy
		}
		binomial *= (c - j + 1) / j * none / phi
		ratio := (spare - r) / (root - j)
		if math.Abs(root-j) < 1e-6*root {
			step := root * 1e-30
			ratio = imag(gap.residual(complex(root/service, step/service))) / step
		}
		term := binomial / none * j / rho * ratio
		if term < last && term < sum*small {
			break
		}
		sum, last = sum+term, term
		if binomial > 1e200 {
			sum, log, binomial = sum*1e-200, log+200*math.Ln10, binomial*1e-200
			if log+math.Log(rest*sum) > 800 {
				return 0 // all terms are positive: a chance below 1e-300 only falls
			}
		}
	}
	return 1 / (1 + math.Exp(log+math.Log(rest*sum)))
}
