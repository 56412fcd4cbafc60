package survival

import (
	"context"
	"math"

	"github.com/capplan/capplan/planner/ask"
)

// A PredictedCurve is the chance that a machine, free now, is still free after each
// whole number of steps, from 0 on.
type PredictedCurve struct {
	Step    float64 // s
	Chance  []float64
	Machine string // that it is of
}

// check returns the mean rate of failure over the curve, per second. A curve must
// begin with 1, never rise, and neither stay at 1 nor fall to 0: of the first
// there is no rate, of the second no logarithm.
func (c *PredictedCurve) check() (rate float64, err error) {
	n := len(c.Chance) - 1
	if !(c.Step > 0) || math.IsInf(c.Step, 1) || n < 1 || c.Chance[0] != 1 {
		return 0, ask.Inputf("curve", "want chances that begin with 1, at steps above 0 s")
	}
	for k := 1; k <= n; k++ {
		// Rounding may let a chance rise in its last digits.
		if p := c.Chance[k]; !(p >= 0 && p <= c.Chance[k-1]*(1+1e-9)) {
			return 0, ask.Inputf("curve", "the chance after %d steps is %s, want chances that fall and stay above 0",
				k, ask.Digits(p))
		}
	}
	last := c.Chance[n]
	switch {
	case last >= 1:
		return 0, ask.Inputf("window", "%s is not expected to fail within %s: nothing says how often to save, "+
			"want a longer window",
			c.Machine, ask.Time(float64(n)*c.Step))
	case last < 1e-12:
		return 0, ask.Inputf("window", "%s is certain to fail within %s: want a shorter window", c.Machine,
			ask.Time(float64(n)*c.Step))
	}
	return -math.Log(last) / (float64(n) * c.Step), nil
}

// at returns the chance after a time: between steps at a constant rate, beyond the
// curve at the mean rate of all of it.
func (c *PredictedCurve) at(t, rate float64) float64 {
	n := len(c.Chance) - 1
	k := t / c.Step
	if k >= float64(n) {
		return c.Chance[n] * math.Exp(-rate*(t-float64(n)*c.Step))
	}
	i := int(k)
	low, high := c.Chance[i], c.Chance[i+1]
	// Where nobody is left at the next step the rate is infinite, and a straight
	// line is drawn in its place.
	if high <= 0 {
		return low * (1 - (k - float64(i)))
	}
	return low * math.Pow(high/low, k-float64(i))
}

// mostSaves bounds the checkpoints that a stretch without failure is summed over.
const mostSaves = 1e6

// saved returns the work that is expected to be saved before the first failure, with
// a checkpoint of a cost after each interval of work:
//
//	Σ_{j≥1} τ R(j(τ + C))
func (c *PredictedCurve) saved(interval, cost, rate float64) float64 {
	total := 0.0
	for j := 1.0; j <= mostSaves; j++ {
		p := c.at(j*(interval+cost), rate)
		total += interval * p
		if p < 1e-12 {
			break
		}
	}
	return total
}

// bestInterval returns the interval that saves most work before the first
// failure. The search is over the logarithm of the interval, around Young's: four
// times over 120 points, each time between the neighbours of the best.
func (c *PredictedCurve) bestInterval(ctx context.Context, cost, rate float64) (interval, saved float64, err error) {
	centre := math.Sqrt(2 * cost / rate) // Young's
	// An interval this far below the mean time between failures would be summed
	// over more checkpoints than the bound.
	if !(centre*rate > 1e-4) {
		return 0, 0, ask.Inputf("cost", "is %s of the mean time between failures, want at least %s",
			ask.Digits(cost*rate), ask.Digits(0.5e-8))
	}
	low, high := math.Log(centre/30), math.Log(centre*30)
	for zoom := range 4 { // the sum may have several peaks, as a curve has by the clock
		const points = 120
		best, at := -1.0, 0
		step := (high - low) / points
		for i := range points + 1 {
			if err := ctx.Err(); err != nil {
				return 0, 0, err
			}
			if v := c.saved(math.Exp(low+float64(i)*step), cost, rate); v > best {
				best, at = v, i
			}
		}
		interval, saved = math.Exp(low+float64(at)*step), best
		if zoom < 3 {
			low, high = low+float64(at-1)*step, low+float64(at+1)*step
		}
	}
	return interval, saved, nil
}

// predicted adds what the curve says.
func (a *CheckpointAnswer) predicted(ctx context.Context, c *PredictedCurve, cost, rate float64) error {
	interval, saved, err := c.bestInterval(ctx, cost, rate)
	if err != nil {
		return err
	}
	a.Predicted = &PredictedInterval{
		Machine:  c.Machine,
		Interval: interval,
		Saved:    saved,
		Constant: c.saved(a.Interval, cost, rate),
		MTBF:     1 / rate,
		Window:   float64(len(c.Chance)-1) * c.Step,
		Chance:   c.Chance[len(c.Chance)-1],
	}
	if a.Explanation != nil {
		a.Explanation.Step("interval by the curve",
			"τ that maximises Σ_j τ R(j(τ + C)), R the predicted chance to stay free, "+
				"after the window at the rate of the MTBF",
			ask.Sprintf("τ = %v s saves %v s before the first failure, %v s at the interval of a constant rate",
				interval, saved, a.Predicted.Constant), "renewal argument; Young 1974 for a constant rate")
	}
	return nil
}

// A PredictedInterval is the interval by a predicted curve in place of a mean time
// between failures.
type PredictedInterval struct {
	Machine  string  `json:"host"`
	Interval float64 `json:"interval_s"`            // of work between two checkpoints
	Saved    float64 `json:"saved_work_s"`          // expected before the first failure
	Constant float64 `json:"saved_work_constant_s"` // the same with the interval of a constant rate
	MTBF     float64 `json:"mtbf_s"`                // of that rate, the mean of the curve
	Window   float64 `json:"window_s"`              // of the curve
	Chance   float64 `json:"temporal_reliability"`  // to stay free through it
}
