package ranking

import (
	"fmt"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/smp"
	"math"
)

// A MeanLoad returns L(t), the mean load (0..1) that a host is expected to
// carry over the next t seconds.
type MeanLoad func(t float64) float64

// ConstantLoad is a load that does not change.
func ConstantLoad(load float64) MeanLoad { return func(float64) float64 { return load } }

// A Job is a guest task on one host.
type Job struct {
	Length float64  // TL: s on a dedicated host of rate 1
	Rate   float64  // CR: speed of the host, 1 = the host by which Length is measured
	Load   MeanLoad // L of the host's own processes
}

func (j Job) check(fn string) error {
	if err := positive(fn, "Job.Length", j.Length); err != nil {
		return err
	}
	if err := positive(fn, "Job.Rate", j.Rate); err != nil {
		return err
	}
	if j.Load == nil {
		return &smp.DomainError{Func: fn, Arg: "Job.Load", Value: math.NaN(), Want: "a load, for example ConstantLoad(0)"}
	}
	return nil
}

// speed returns CR·(1 − L(t)).
func (j Job) speed(fn string, t float64) (float64, error) {
	l := j.Load(t)
	if err := within01(fn, "Job.Load", l); err != nil {
		return 0, err
	}
	return j.Rate * (1 - l), nil
}

// JCT returns the job's completion time in seconds if the host does not fail:
//
//	JCT = TL / (CR·(1 − L(TL)))
//
// A host without any share to give returns an *InfiniteError. Source: iShare
// 8.4.
func (j Job) JCT() (float64, error) {
	const fn = "Job.JCT"
	if err := j.check(fn); err != nil {
		return 0, err
	}
	v, err := j.speed(fn, j.Length)
	if err != nil {
		return 0, err
	}
	if v == 0 {
		return 0, &smp.InfiniteError{Func: fn, State: "the host", Reason: "is fully loaded"}
	}
	return j.Length / v, nil
}

// ETL returns the effective task length, the work in seconds of a dedicated
// host that is expected to be done before the host fails:
//
//	ETL = MTTF·CR·(1 − L(MTTF))
//
// with the MTTF in seconds. Source: iShare eq. 6.
func (j Job) ETL(mttf float64) (float64, error) {
	const fn = "Job.ETL"
	if err := j.check(fn); err != nil {
		return 0, err
	}
	if err := nonNegative(fn, "mttf", mttf); err != nil {
		return 0, err
	}
	v, err := j.speed(fn, mttf)
	return mttf * v, err
}

// JCTF returns the completion time x in seconds that takes failures into
// account:
//
//	TL = CR·(1 − L(x))·∫₀ˣ TR(t) dt
//
// where TR(t) = R(⌊t/d⌋) for the curve's reliability R and the step d in
// seconds, so that the integral over all time is the MTTF. x is the least
// solution. A curve that ends before it returns an error that wraps
// [smp.ErrHorizon]: take a longer horizon, or there may be none because the MTTF
// is too short. Source: iShare eq. 7.
func (j Job) JCTF(reliability []float64, step float64) (float64, error) {
	return j.jctf(reliability, step, math.Inf(1))
}

// jctf is JCTF, or +Inf for a time above most, which is found sooner.
func (j Job) jctf(reliability []float64, step, most float64) (float64, error) {
	const fn = "Job.JCTF"
	if err := j.check(fn); err != nil {
		return 0, err
	}
	if err := positive(fn, "step", step); err != nil {
		return 0, err
	}
	var area numeric.Sum // ∫₀^{kd} TR
	for k, r := range reliability {
		if err := within01(fn, "reliability", r); err != nil {
			return 0, err
		}
		from := float64(k) * step
		if from > most {
			return math.Inf(1), nil
		}
		done := func(x float64) (float64, error) {
			v, err := j.speed(fn, x)
			return v * (area.Value() + r*(x-from)), err
		}
		end, err := done(from + step)
		if err != nil {
			return 0, err
		}
		if end >= j.Length {
			low, high := from, from+step
			for range 60 {
				mid := low + (high-low)/2
				w, err := done(mid)
				if err != nil {
					return 0, err
				}
				if w >= j.Length {
					high = mid
				} else {
					low = mid
				}
			}
			return high, nil
		}
		area.Add(r * step)
	}
	v, err := j.speed(fn, float64(len(reliability))*step)
	if err != nil {
		return 0, err
	}
	return 0, fmt.Errorf("smp: %s: %.6g s of work are expected within %.6g s, want %.6g s: %w",
		fn, v*area.Value(), float64(len(reliability))*step, j.Length, smp.ErrHorizon)
}
