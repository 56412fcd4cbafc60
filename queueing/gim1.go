package queueing

import (
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/waits"
)

// GIM1 is the GI/M/1 queue: renewal arrivals with any law of the gaps, one
// server, exponential service, unlimited waiting room, order of arrival.
type GIM1 struct {
	Gap         Law     // between arrivals
	ServiceTime float64 // 1/μ > 0, s
}

// Figures returns the exact figures by the root 0 < σ < 1 of σ = A(μ(1−σ)),
// where A is the transform of the gap:
//
//	P(W > t) = σe^(−μ(1−σ)t),   P(T > t) = e^(−μ(1−σ)t),   E[T] = 1/(μ(1−σ))
//
// WaitProbability is σ, what an arrival sees; the server is busy a share
// ρ = 1/(μ·E[gap]) of the time. The root is found as 1−σ, from
// 1 − A(s) = s·E[gap]·φₑ(s), as φₑ(μ(1−σ)) = ρ, so that it stays accurate as
// ρ → 1. An arrival law with only an SCV is not enough: see [GGC] then.
// Errors: *DomainError, and *UnstableError for ρ ≥ 1. Source: Kleinrock,
// Queueing systems I, 1975, section 6.4.
func (q GIM1) Figures() (DelayFigures, error) {
	gap, _, _, err := checkLaw("GIM1", q.Gap, "gap")
	if err != nil {
		return DelayFigures{}, err
	}
	f, err := figures("GIM1", 1, 1/gap, q.ServiceTime)
	if err != nil {
		return DelayFigures{}, err
	}
	f.OfferedLoad = q.ServiceTime / gap
	spare := (gap - q.ServiceTime) / gap // 1 − ρ
	if spare <= 0 {
		return DelayFigures{}, &UnstableError{"GIM1", f.OfferedLoad}
	}
	rest := gim1Rest(q.Gap, q.ServiceTime, spare)
	sigma := real(q.Gap.Transform(complex(rest/q.ServiceTime, 0))) // 1 − rest, also where small
	f.WaitProbability = sigma
	f.Utilization, f.Throughput = f.OfferedLoad, f.ArrivalRate
	f.MeanResponse = q.ServiceTime / rest
	f.MeanWait = sigma * f.MeanResponse
	f.MeanQueueLength = f.ArrivalRate * f.MeanWait
	f.law = waits.Exponential{Wait: sigma, Rate: rest / q.ServiceTime}
	t := f.MeanResponse
	return DelayFigures{
		Figures:          f,
		WaitVariance:     sigma * (2 - sigma) * t * t,
		ResponseVariance: t * t,
		response:         waits.Exponential{Wait: 1, Rate: rest / q.ServiceTime},
	}, nil
}

// gim1Rest returns 1 − σ.
func gim1Rest(gap Law, service, spare float64) float64 {
	// 1 − φₑ rises from 0 with s; it is 1 − ρ at s = μ(1−σ).
	over := func(x float64) float64 { return spare - real(gap.residual(complex(x/service, 0))) }
	one := over(1)
	if one >= 0 {
		return 1 // an arrival finds nobody, to rounding
	}
	return numeric.Root(over, 0, spare, 1, one)
}
