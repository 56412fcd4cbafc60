package law

import (
	"fmt"
	"math"
	"sort"
)

// A HazardBin is the failure rate within an interval of age.
type HazardBin struct {
	From, To float64
	Events   int     // failures at ages in [From, To)
	Exposure float64 // time lived at these ages, all durations together
	Rate     float64 // Events / Exposure; 0 where nobody was watched
	StdErr   float64 // √Events / Exposure
}

// HazardRates estimates the hazard as constant within each interval between
// successive edges: failures over time at risk, the maximum-likelihood
// estimate of a piecewise exponential law. edges: at least two, >= 0, growing;
// ages outside them are left out. Time O(n (log b + b)) at most for b bins.
func HazardRates(o Observations, edges []float64) ([]HazardBin, error) {
	const fn = "HazardRates"
	if err := o.check(fn); err != nil {
		return nil, err
	}
	if len(edges) < 2 {
		return nil, &DomainError{fn, "edges", float64(len(edges)), "at least two edges"}
	}
	for i, e := range edges {
		if !(e >= 0) || math.IsInf(e, 1) || i > 0 && !(e > edges[i-1]) {
			return nil, &DomainError{fn, fmt.Sprintf("edges[%d]", i), e, "finite, >= 0 and above the edge before"}
		}
	}
	bins := make([]HazardBin, len(edges)-1)
	through := make([]int, len(bins)) // durations that end beyond bin i, by their last bin
	for i := range bins {
		bins[i].From, bins[i].To = edges[i], edges[i+1]
	}
	for i, t := range o.Durations {
		b := sort.Search(len(edges), func(j int) bool { return edges[j] > t }) - 1
		switch {
		case b < 0:
			continue
		case b < len(bins):
			bins[b].Exposure += t - edges[b]
			if !o.censored(i) {
				bins[b].Events++
			}
		}
		if b > 0 {
			through[b-1]++
		}
	}
	whole := 0
	for i := len(bins) - 1; i >= 0; i-- {
		whole += through[i]
		b := &bins[i]
		b.Exposure += float64(whole) * (b.To - b.From)
		if b.Exposure > 0 {
			b.Rate = float64(b.Events) / b.Exposure
			b.StdErr = math.Sqrt(float64(b.Events)) / b.Exposure
		}
	}
	return bins, nil
}
