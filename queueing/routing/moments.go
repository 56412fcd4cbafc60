package routing

import (
	"fmt"
	"math"
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

// TwoStage is the two-stage uniform law of r = log2 of a job's size: uniform on
// [Low, Knee] with probability LowShare, on [Knee, High] otherwise (Lublin and
// Feitelson; l, m, h, q of InterGrid table 2).
type TwoStage struct {
	Low      float64 // l, log2 of the size
	Knee     float64 // m, l < m < h
	High     float64 // h ≤ 50
	LowShare float64 // q, 0..1
}

func (t TwoStage) check(fn string) error {
	c := check{fn: fn}
	switch {
	case !(t.Low >= -50 && t.Low < t.Knee):
		c.fail("low", t.Low, fmt.Sprintf("-50 <= low < knee = %g", t.Knee))
	case !(t.High > t.Knee && t.High <= 50):
		c.fail("high", t.High, fmt.Sprintf("knee = %g < high <= 50", t.Knee))
	case !(t.LowShare >= 0 && t.LowShare <= 1):
		c.fail("low share", t.LowShare, "low share within 0..1")
	}
	return c.err
}

// MeanLog returns E[r] = (q·l + m + (1−q)h)/2 (InterGrid eq. 29).
func (t TwoStage) MeanLog() (float64, error) {
	return t.meanLog(), t.check("TwoStage.MeanLog")
}

func (t TwoStage) meanLog() float64 {
	return (t.LowShare*t.Low + t.Knee + (1-t.LowShare)*t.High) / 2
}

// Moment returns E[(2^r)ᵏ], k = 1 for the mean size before rounding:
//
//	q (2^km − 2^kl)/(k(m−l) ln 2) + (1−q)(2^kh − 2^km)/(k(h−m) ln 2)
//
// k is within 1..10.
func (t TwoStage) Moment(k int) (float64, error) {
	if err := t.checkMoment("TwoStage.Moment", k); err != nil {
		return 0, err
	}
	return t.average(func(a, b float64) float64 { return powerMean(float64(k), a, b) }), nil
}

// CeilMoment returns E[(2^⌈r⌉)ᵏ], of the size rounded up to a power of two.
func (t TwoStage) CeilMoment(k int) (float64, error) {
	if err := t.checkMoment("TwoStage.CeilMoment", k); err != nil {
		return 0, err
	}
	return t.average(func(a, b float64) float64 {
		var s sum
		for n := math.Floor(a); n < b; n++ {
			s.add(math.Exp2(float64(k)*(n+1)) * (min(b, n+1) - max(a, n)) / (b - a))
		}
		return s.value()
	}), nil
}

func (t TwoStage) checkMoment(fn string, k int) error {
	if k < 1 || k > 10 {
		return &DomainError{fn, "", "k", float64(k), "1 <= k <= 10"}
	}
	return t.check(fn)
}

// average mixes the means over the two stages.
func (t TwoStage) average(mean func(a, b float64) float64) float64 {
	return t.LowShare*mean(t.Low, t.Knee) + (1-t.LowShare)*mean(t.Knee, t.High)
}

// powerMean is the mean of 2^kr for r uniform on [a, b].
func powerMean(k, a, b float64) float64 {
	d := k * (b - a) * math.Ln2
	return math.Exp2(k*a) * math.Expm1(d) / d
}

// SizeLaw is the law of the number of VMs of a request: 1 with probability One,
// a power of two with probability Pow2, and 2^r otherwise, unrounded.
type SizeLaw struct {
	One, Pow2 float64 // ≥ 0, adding up to at most 1
	Parallel  TwoStage
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
	return l.Parallel.check(fn)
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
		m := l.Parallel.meanLog()
		return l.One + l.Pow2*math.Exp2(math.Ceil(m)) + l.rest()*math.Exp2(m), nil
	}
	return 0, &DomainError{fn, "", "reading", float64(r), "Exact or AsPrinted"}
}

func (l SizeLaw) rest() float64 { return max(0, 1-l.One-l.Pow2) }

// moment is E[vᵏ], exact.
func (l SizeLaw) moment(k int) float64 {
	up, _ := l.Parallel.CeilMoment(k)
	plain, _ := l.Parallel.Moment(k)
	return l.One + l.Pow2*up + l.rest()*plain
}

// SCV returns the squared coefficient of variation of the number of VMs, exact.
func (l SizeLaw) SCV() (float64, error) {
	if err := l.check("SizeLaw.SCV"); err != nil {
		return 0, err
	}
	m := l.moment(1)
	return max(0, l.moment(2)/(m*m)-1), nil
}

// LogNormal is the law of a duration whose logarithm is normal.
type LogNormal struct {
	LogMean float64 // a, of ln(duration in s)
	LogSD   float64 // b ≥ 0
}

func (l LogNormal) check(fn string) error {
	c := check{fn: fn}
	if math.IsNaN(l.LogMean) || math.Abs(l.LogMean) > 300 {
		c.fail("log mean", l.LogMean, "log mean within -300..300")
	}
	if !(l.LogSD >= 0 && l.LogSD <= 15) {
		c.fail("log sd", l.LogSD, "log sd within 0..15")
	}
	return c.err
}

// Mean returns e^(a + b²/2) in s (InterGrid eq. 30).
func (l LogNormal) Mean() (float64, error) {
	if err := l.check("LogNormal.Mean"); err != nil {
		return 0, err
	}
	return math.Exp(l.LogMean + l.LogSD*l.LogSD/2), nil
}

// SCV returns the squared coefficient of variation e^(b²) − 1.
func (l LogNormal) SCV() (float64, error) {
	if err := l.check("LogNormal.SCV"); err != nil {
		return 0, err
	}
	return math.Expm1(l.LogSD * l.LogSD), nil
}

// Weibull is the law of the gap between arrivals, P(gap > t) = exp(−(t/α)^β).
type Weibull struct {
	Scale float64 // α > 0, s
	Shape float64 // β, 0.05..1000
}

func (w Weibull) check(fn string) error {
	c := check{fn: fn}
	c.positive("scale", w.Scale)
	if !(w.Shape >= 0.05 && w.Shape <= 1000) {
		c.fail("shape", w.Shape, "shape within 0.05..1000")
	}
	return c.err
}

// Mean returns α Γ(1 + 1/β) in s.
func (w Weibull) Mean() (float64, error) {
	if err := w.check("Weibull.Mean"); err != nil {
		return 0, err
	}
	return w.Scale * math.Gamma(1+1/w.Shape), nil
}

// SCV returns Γ(1 + 2/β)/Γ(1 + 1/β)² − 1, to about 1e-15 absolute.
func (w Weibull) SCV() (float64, error) {
	if err := w.check("Weibull.SCV"); err != nil {
		return 0, err
	}
	g2, _ := math.Lgamma(1 + 2/w.Shape)
	g1, _ := math.Lgamma(1 + 1/w.Shape)
	return max(0, math.Expm1(g2-2*g1)), nil
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
	if speed == 0 {
		speed = 1
	}
	t := w.VMs * w.Duration * speed / w.Power
	if !(t > 0) || math.IsInf(t, 1) {
		return 0, &DomainError{"Work.ServiceTime", "", "power", w.Power, "a service time within the range of float64"}
	}
	return t, nil
}
