package traffic

import (
	"fmt"
	"math"
	"sort"

	"github.com/capplan/capplan/internal/source"
)

// A Curve is an arrival rate that is constant between given times. Rate[i]
// holds from Start[i] to Start[i+1], the last one to End; the curve then
// repeats with its period, as the days of a daily curve do.
type Curve struct {
	Start []float64 `json:"time_s"`     // strictly increasing
	Rate  []float64 `json:"rate_per_s"` // >= 0, as many
	End   float64   `json:"end_s"`      // > the last Start
	// Clock says that times are of the clock of the place: their midnights are
	// multiples of 86,400 s.
	Clock bool `json:"clock,omitempty"`
	// Notes say what was made of the record that the curve comes from.
	Notes []string `json:"-"`
}

// Period returns End − Start[0], in seconds; 0 for an empty curve.
func (c *Curve) Period() float64 {
	if len(c.Start) == 0 {
		return 0
	}
	return c.End - c.Start[0]
}

// Mean returns the time-weighted mean rate per second:
//
//	Σ Rate[i] (Start[i+1] − Start[i]) / Period
//
// It is 0 for an empty curve, and not the mean of the rows unless these are
// evenly spaced.
func (c *Curve) Mean() float64 {
	sum, period := 0.0, c.Period()
	for i, r := range c.Rate[:min(len(c.Rate), len(c.Start))] {
		end := c.End
		if i+1 < len(c.Start) {
			end = c.Start[i+1]
		}
		sum += r * ((end - c.Start[i]) / period)
	}
	return sum
}

// Peak returns the highest rate per second; 0 for an empty curve.
func (c *Curve) Peak() float64 {
	peak := 0.0
	for _, r := range c.Rate {
		peak = max(peak, r)
	}
	return peak
}

// RateAt returns the rate per second at time t, in seconds: that of the last
// Start not above t, after t is brought into [Start[0], End) by whole periods.
// t that is not finite, or an empty curve, gives a *DomainError. O(log n).
func (c *Curve) RateAt(t float64) (float64, error) {
	if len(c.Start) == 0 {
		return 0, source.Outside("RateAt", "Start", c.Start, "a curve with rows")
	}
	if math.IsNaN(t) || math.IsInf(t, 0) {
		return 0, source.Outside("RateAt", "t", t, "a finite time in seconds")
	}
	if first := c.Start[0]; t < first || t >= c.End {
		period := c.Period()
		if t = math.Mod(t-first, period); t < 0 {
			t += period
		}
		t += first
	}
	i := sort.Search(len(c.Start), func(i int) bool { return c.Start[i] > t })
	if i = max(i-1, 0); i >= len(c.Rate) {
		return 0, c.Validate()
	}
	return c.Rate[i], nil
}

// Validate returns a *DomainError for the first field that does not hold what
// [Curve] says, or exceeds 1e15.
func (c *Curve) Validate() error {
	const fn = "Curve.Validate"
	if len(c.Start) == 0 || len(c.Start) != len(c.Rate) {
		return source.Outside(fn, "len(Start), len(Rate)", fmt.Sprint(len(c.Start), ", ", len(c.Rate)),
			"equal numbers >= 1")
	}
	for i, t := range c.Start {
		if !(math.Abs(t) <= source.MaxField) || i > 0 && t <= c.Start[i-1] {
			return source.Outside(fn, fmt.Sprintf("Start[%d]", i), t, "a finite time above the one before")
		}
		if r := c.Rate[i]; !(r >= 0 && r <= source.MaxField) {
			return source.Outside(fn, fmt.Sprintf("Rate[%d]", i), r, "a finite rate >= 0")
		}
	}
	if !(c.End > c.Start[len(c.Start)-1] && c.End <= 3*source.MaxField) {
		return source.Outside(fn, "End", c.End, "a finite time above the last Start")
	}
	return nil
}
