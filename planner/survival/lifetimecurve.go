package survival

import (
	"cmp"
	"math"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
)

// summaries fills in median and mean. The median may not be reached; the mean is
// restricted to the longest duration, beyond which nothing was seen.
func (a *LifetimeAnswer) summaries(c law.SurvivalCurve) error {
	if m, err := c.Quantile(0.5); err == nil {
		a.Median, a.MedianLow, a.MedianTop = ask.Figure(m.Time), ask.Figure(m.Lower), ask.Figure(m.Upper)
	}
	if c.Last > 0 {
		m, err := c.RestrictedMean(c.Last)
		if err != nil {
			return ask.FromReliability(err)
		}
		a.Mean, a.MeanUntil = ask.Figure(m.Mean), ask.Figure(m.Until)
		// Greenwood's sum is empty if all ends are at one age or there is none: an error of 0 would
		// claim that the mean is known exactly.
		if m.StdErr > 0 {
			a.MeanErr = ask.Figure(m.StdErr)
		}
	}
	return nil
}

// boundMean says what may be said of the mean where every duration is
// censored: over a time T in all, lives of mean m see no end with chance
// exp(−T/m), so m is above T/−ln(1 − level), the rule of three at 95 %.
func (a *LifetimeAnswer) boundMean(o law.Observations) {
	if a.Events > 0 {
		return
	}
	total := 0.0
	for _, t := range o.Durations {
		total += t
	}
	a.MeanLower = ask.Figure(total / -math.Log1p(-a.Level))
}

// thinned keeps at most n steps, the first and the last among them.
func thinned(all []law.SurvivalStep, n int) []SurvivalStep {
	n = cmp.Or(n, defaultSteps)
	n = min(n, len(all))
	out := make([]SurvivalStep, 0, n)
	for i := range n {
		at := len(all) - 1
		if n > 1 {
			at = i * (len(all) - 1) / (n - 1)
		}
		s := all[at]
		out = append(out, SurvivalStep{s.Time, s.AtRisk, s.Events, s.Survival, s.StdErr, s.Lower, s.Upper, s.CumHazard})
	}
	return out
}

// hazardEdges divides the ages at failure into bins of about as many
// failures each; nil where there is no failure. Bins of equal numbers of failures
// have rates of about equal relative errors; equal widths would leave old ages
// with hardly any.
func hazardEdges(c law.SurvivalCurve) []float64 {
	// The square root of the failures is as many bins as leave each about as many
	// failures as there are bins.
	bins := min(hazardBins, int(math.Sqrt(float64(c.Events))))
	if bins < 1 {
		return nil
	}
	edges := []float64{0}
	seen := 0
	for _, s := range c.Steps {
		seen += s.Events
		if len(edges) < bins && seen*bins >= c.Events*len(edges) && s.Time > edges[len(edges)-1] && s.Time < c.Last {
			// An edge lies just above an age, so that the failures at it belong
			// to the bin before.
			edges = append(edges, math.Nextafter(s.Time, math.Inf(1)))
		}
	}
	if last := math.Nextafter(c.Last, math.Inf(1)); last > edges[len(edges)-1] {
		edges = append(edges, last)
	}
	if len(edges) < 2 {
		return nil
	}
	return edges
}
