package routing

import (
	"cmp"
	"fmt"
	"math"

	"github.com/capplan/capplan/law"
)

// A Reading says how to take the mean of a power of two.
type Reading int

const (
	// Exact takes E[2^r] and E[2^⌈r⌉] over the law of r.
	Exact Reading = iota
	// AsPrinted takes 2^E[r] and 2^⌈E[r]⌉, as InterGrid eq. 28 does. By Jensen's
	// inequality the former is too low: 3.76 for 5.40 at l, m, h, q = 0.8, 2.5,
	// 6, 0.9.
	AsPrinted
)

// checkTwoStage refuses parameters beyond sizes that anyone has, which would
// overflow.
func checkTwoStage(fn string, t law.TwoStage) error {
	c := check{fn: fn}
	switch {
	case !(t.L >= -50 && t.L < t.M):
		c.fail("low", t.L, fmt.Sprintf("-50 <= low < knee = %g", t.M))
	case !(t.H > t.M && t.H <= 50):
		c.fail("high", t.H, fmt.Sprintf("knee = %g < high <= 50", t.M))
	case !(t.Q >= 0 && t.Q <= 1):
		c.fail("low share", t.Q, "low share within 0..1")
	}
	return c.err
}

// SizeLaw is the law of the number of VMs of a request: 1 with probability One,
// a power of two with probability Pow2, and 2^r otherwise, unrounded.
type SizeLaw struct {
	One, Pow2 float64 // ≥ 0, adding up to at most 1
	Parallel  law.TwoStage
}

func (l SizeLaw) check(fn string) error {
	c := check{fn: fn}
	c.atLeastZero("share of one VM", l.One)
	c.atLeastZero("share of powers of two", l.Pow2)
	if c.err == nil && l.One+l.Pow2 > 1+rounding {
		c.fail("shares of one and of powers of two", l.One+l.Pow2, "a sum within 0..1")
	}
	if c.err != nil {
		return c.err
	}
	return checkTwoStage(fn, l.Parallel)
}

// Mean returns the mean number of VMs (InterGrid eq. 28):
//
//	P_one + P_pow2·2^⌈r⌉ + (1 − P_one − P_pow2)·2^r
//
// with the means of the powers by the reading given.
func (l SizeLaw) Mean(r Reading) (float64, error) {
	const fn = "SizeLaw.Mean"
	if err := l.check(fn); err != nil {
		return 0, err
	}
	switch r {
	case Exact:
		return l.moment(1), nil
	case AsPrinted:
		m := l.Parallel.MeanLog2()
		return l.One + l.Pow2*math.Exp2(math.Ceil(m)) + l.rest()*math.Exp2(m), nil
	}
	return 0, &DomainError{fn, "", "reading", float64(r), "Exact or AsPrinted"}
}

func (l SizeLaw) rest() float64 { return max(0, 1-l.One-l.Pow2) }

// moment is E[vᵏ], exact.
func (l SizeLaw) moment(k int) float64 {
	return l.One + l.Pow2*l.Parallel.CeilMoment(k) + l.rest()*l.Parallel.Moment(k)
}

// SCV returns the squared coefficient of variation of the number of VMs, exact.
func (l SizeLaw) SCV() (float64, error) {
	if err := l.check("SizeLaw.SCV"); err != nil {
		return 0, err
	}
	m := l.moment(1)
	return max(0, l.moment(2)/(m*m)-1), nil
}

// checkDuration refuses durations whose moments would overflow.
func checkDuration(fn string, l law.LogNormal) error {
	c := check{fn: fn}
	if math.IsNaN(l.Mu) || math.Abs(l.Mu) > 300 {
		c.fail("log mean", l.Mu, "log mean within -300..300")
	}
	if !(l.Sigma >= 0 && l.Sigma <= 15) {
		c.fail("log sd", l.Sigma, "log sd within 0..15")
	}
	return c.err
}

// checkGap refuses gaps whose moments would overflow.
func checkGap(fn string, w law.Weibull) error {
	c := check{fn: fn}
	c.positive("scale", w.Scale)
	if !(w.Shape >= 0.05 && w.Shape <= 1000) {
		c.fail("shape", w.Shape, "shape within 0.05..1000")
	}
	return c.err
}

// Work is a mean request and the cluster it runs on as one server.
type Work struct {
	VMs            float64 // v̄ > 0, mean number
	Duration       float64 // d̄ > 0, s, mean, on a machine of ReferenceSpeed
	ReferenceSpeed float64 // MIPS; 0 means 1, with which eq. 16 is as printed
	Power          float64 // Σ s > 0 of the processing elements, MIPS; M·s where alike
}

// ServiceTime returns v̄·d̄·(reference speed)/Σs in s (InterGrid eq. 16 and 17):
// the time that the whole cluster takes as one fast server. As printed, without
// a reference speed, seconds over MIPS, it is only a time when durations are in
// millions of instructions.
func (w Work) ServiceTime() (float64, error) {
	c := check{fn: "Work.ServiceTime"}
	c.positive("VMs", w.VMs)
	c.positive("duration", w.Duration)
	c.atLeastZero("reference speed", w.ReferenceSpeed)
	c.positive("power", w.Power)
	if c.err != nil {
		return 0, c.err
	}
	speed := w.ReferenceSpeed
	speed = cmp.Or(speed, 1)
	t := w.VMs * w.Duration * speed / w.Power
	if !(t > 0) || math.IsInf(t, 1) {
		return 0, &DomainError{"Work.ServiceTime", "", "power", w.Power, "a service time within the range of numbers"}
	}
	return t, nil
}
