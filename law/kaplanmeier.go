package law

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// A SurvivalStep is one distinct time of failure in a [SurvivalCurve].
type SurvivalStep struct {
	Time      float64
	AtRisk    int     // alive and watched just before Time
	Events    int     // failures at Time
	Survival  float64 // S(Time), 0..1
	StdErr    float64 // Greenwood; 0 where S is 0
	Lower     float64 // log-log confidence band, 0..1
	Upper     float64
	CumHazard float64 // Nelson-Aalen, Σ d/n
	CumStdErr float64 // Aalen, √Σ d/n²
}

// A SurvivalCurve is a Kaplan-Meier estimate: a step function, 1 before the
// first step.
type SurvivalCurve struct {
	Steps        []SurvivalStep // by growing time
	Observations int
	Events       int
	Level        float64 // of the band
	Last         float64 // greatest duration; beyond it the estimate is open if S > 0
}

// KaplanMeier estimates the survival function from right-censored durations
// without assuming a law:
//
//	S(t)   = Π_{t_i <= t} (1 - d_i/n_i)
//	se(S)  = S √(Σ d_i/(n_i (n_i - d_i)))                    (Greenwood)
//	band   = S^{exp(±z σ)},  σ = √(Σ ...)/|log S|             (log-log)
//	H(t)   = Σ d_i/n_i,  se(H) = √(Σ d_i/n_i²)                (Nelson-Aalen)
//
// with d_i failures of n_i at risk at t_i and z the normal quantile of
// (1+level)/2, 0 < level < 1. A duration censored at the time of a failure
// counts as at risk there. The band stays within 0..1. Where the last at risk
// fail, S = 0, Greenwood's sum is infinite; StdErr is then 0, Lower 0 and
// Upper that of the step before (1 if there is none), the band being a
// statement about the curve up to there.
//
// Time O(n log n). Source: Kalbfleisch & Prentice 2002, 1.4.
func KaplanMeier(o Observations, level float64) (SurvivalCurve, error) {
	const fn = "KaplanMeier"
	if err := o.check(fn); err != nil {
		return SurvivalCurve{}, err
	}
	if !(level > 0 && level < 1) {
		return SurvivalCurve{}, &DomainError{fn, "level", level, "0 < level < 1"}
	}
	z := distuv.UnitNormal.Quantile((1 + level) / 2)
	seen := make([]float64, 0, len(o.Durations))
	var cens []float64
	for i, t := range o.Durations {
		if o.censored(i) {
			cens = append(cens, t)
		} else {
			seen = append(seen, t)
		}
	}
	slices.Sort(seen)
	slices.Sort(cens)
	c := SurvivalCurve{Observations: len(o.Durations), Events: len(seen), Level: level}
	for _, s := range [][]float64{seen, cens} {
		if len(s) > 0 {
			c.Last = math.Max(c.Last, s[len(s)-1])
		}
	}
	distinct := 0
	for i, t := range seen {
		if i == 0 || t != seen[i-1] {
			distinct++
		}
	}
	c.Steps = make([]SurvivalStep, 0, distinct)
	var logS, greenwood, cum, cumVar float64
	gone := 0 // censored before
	upper := 1.0
	for i := 0; i < len(seen); {
		t := seen[i]
		j := i + 1
		for j < len(seen) && seen[j] == t {
			j++
		}
		for gone < len(cens) && cens[gone] < t {
			gone++
		}
		n, d := float64(len(o.Durations)-i-gone), float64(j-i)
		step := SurvivalStep{Time: t, AtRisk: int(n), Events: j - i}
		cum += d / n
		cumVar += d / (n * n)
		step.CumHazard, step.CumStdErr = cum, math.Sqrt(cumVar)
		if d < n {
			logS += math.Log1p(-d / n)
			greenwood += d / (n * (n - d))
			root := math.Sqrt(greenwood)
			step.Survival = math.Exp(logS)
			step.StdErr = step.Survival * root
			sigma := z * root / -logS
			step.Lower = math.Exp(logS * math.Exp(sigma))
			upper = math.Exp(logS * math.Exp(-sigma))
		}
		step.Upper = upper
		c.Steps = append(c.Steps, step)
		i = j
	}
	return c, nil
}

// At returns the step in force at time t; before the first failure it is
// survival 1 with the band 1 to 1 and nothing else filled in.
func (c SurvivalCurve) At(t float64) SurvivalStep {
	i := sort.Search(len(c.Steps), func(i int) bool { return c.Steps[i].Time > t })
	if i == 0 {
		return SurvivalStep{Survival: 1, Lower: 1, Upper: 1}
	}
	return c.Steps[i-1]
}

// A QuantileEstimate is a time read off a survival curve with its confidence
// limits; a limit that the curve does not reach is +Inf.
type QuantileEstimate struct {
	Time, Lower, Upper float64
}

// Quantile returns the least time at which S(t) <= 1 - p, with the limits
// where the band crosses 1 - p (Brookmeyer & Crowley 1982). p = 0.5 is the
// median. A curve that stays above 1 - p returns a *DomainError. 0 < p < 1.
func (c SurvivalCurve) Quantile(p float64) (QuantileEstimate, error) {
	const fn = "SurvivalCurve.Quantile"
	if !(p > 0 && p < 1) {
		return QuantileEstimate{}, &DomainError{fn, "p", p, "0 < p < 1"}
	}
	level := (1 - p) * (1 + 1e-12) // a step equal up to rounding counts
	first := func(f func(SurvivalStep) float64) float64 {
		i := sort.Search(len(c.Steps), func(i int) bool { return f(c.Steps[i]) <= level })
		if i == len(c.Steps) {
			return math.Inf(1)
		}
		return c.Steps[i].Time
	}
	q := QuantileEstimate{
		Time:  first(func(s SurvivalStep) float64 { return s.Survival }),
		Lower: first(func(s SurvivalStep) float64 { return s.Lower }),
		Upper: first(func(s SurvivalStep) float64 { return s.Upper }),
	}
	if math.IsInf(q.Time, 1) {
		return QuantileEstimate{}, &DomainError{fn, "p",
			p, fmt.Sprintf("a share that failed: S never falls to %g", 1-p)}
	}
	return q, nil
}

// A MeanEstimate is a restricted mean lifetime.
type MeanEstimate struct {
	Mean, StdErr float64
	Until        float64 // the time it is restricted to
}

// RestrictedMean returns the mean of min(lifetime, until), the area under the
// curve up to until > 0, with its standard error
//
//	√( Σ A_i² d_i/(n_i (n_i - d_i)) ),   A_i = ∫_{t_i}^{until} S dt.
//
// An until beyond the greatest duration is cut down to it, which Until shows,
// unless the curve has reached 0.
func (c SurvivalCurve) RestrictedMean(until float64) (MeanEstimate, error) {
	if err := positive("SurvivalCurve.RestrictedMean", "until", until); err != nil {
		return MeanEstimate{}, err
	}
	if n := len(c.Steps); n == 0 || c.Steps[n-1].Survival > 0 {
		until = math.Min(until, c.Last)
	}
	m := MeanEstimate{Until: until}
	variance := 0.0
	end := until
	for i := len(c.Steps) - 1; i >= 0; i-- { // from the right: A_i grows
		s := c.Steps[i]
		if s.Time >= until {
			continue
		}
		m.Mean += s.Survival * (end - s.Time)
		end = s.Time
		if n, d := float64(s.AtRisk), float64(s.Events); d < n {
			variance += m.Mean * m.Mean * d / (n * (n - d))
		}
	}
	m.Mean += end
	m.StdErr = math.Sqrt(variance)
	return m, nil
}
