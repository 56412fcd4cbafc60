package survival

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// Plots returns the survival with its band and that of the fitted laws, above
// the hazard; on logarithmic axes where the longest duration is far above the
// median.
func (a *LifetimeAnswer) Plots(context.Context) ([]ask.Plot, error) {
	if len(a.Survival) == 0 || len(a.Hazard) == 0 {
		return nil, ask.NothingDrawn("no duration was seen to its end, so there is no curve to draw")
	}
	longest := a.Hazard[len(a.Hazard)-1].To
	least := 0.0 // of the ages; above 0 if their axis is logarithmic
	// If the longest is more than twenty medians away, the early ages would be a sliver of a linear
	// axis.
	if a.Median != nil && longest > 20**a.Median {
		// A logarithmic axis begins at the first age above 0.
		for _, s := range a.Survival {
			if s.Time > 0 {
				least = s.Time
				break
			}
		}
	}
	scale := ask.Linear
	if least > 0 {
		scale = ask.Log
	}
	age := ask.Axis{Name: "age", Unit: "s", Scale: scale}
	survival := ask.Plot{
		Title: "Survival and hazard",
		Subtitle: fmt.Sprintf("%s durations, %s of them censored, %s band", units.FormatNumber(float64(a.Durations), 6),
			units.FormatNumber(float64(a.Censored), 6), units.FormatFraction(a.Level, 4)),
		X:      age,
		Y:      ask.Axis{Name: "survival", Unit: "fraction", Min: ask.Figure(0), Max: ask.Figure(1)},
		Curves: []ask.Curve{a.survivalBand(least, longest)},
	}
	hazard := ask.Plot{X: age, Y: ask.Axis{Name: "hazard", Unit: "per_s", Scale: scale}}
	observed := ask.Curve{Name: "observed", Style: ask.Apart}
	most, fewest := 0.0, math.Inf(1)
	for _, b := range a.Hazard {
		at := (b.From + b.To) / 2
		// On a logarithmic axis the middle of a bin is the geometric one.
		if least > 0 && b.From > 0 {
			at = math.Sqrt(b.From * b.To)
		}
		if b.Rate > 0 && at >= least {
			observed.Add(at, b.Rate)
			most, fewest = max(most, b.Rate), min(fewest, b.Rate)
		}
	}
	if len(observed.X) == 0 {
		return nil, ask.NothingDrawn("too few durations to draw a hazard")
	}
	// A law's hazard may have no bound: the axis ends about the data.
	low, high := 0.0, 1.3*most
	if least > 0 {
		low, high = fewest/10, 10*most
	} else {
		hazard.Y.Min, hazard.Y.Max = &low, &high
	}
	hazard.Curves = []ask.Curve{observed}
	for _, f := range a.fits {
		s, h := a.lawCurves(f.Law, least, low, high)
		if len(s.X) > 0 {
			survival.Curves = append(survival.Curves, s)
		}
		hazard.Curves = append(hazard.Curves, h) // also if empty: the colours go by number
	}
	return []ask.Plot{survival, hazard}, nil
}

// lawCurves returns survival and hazard of a law at ages up to the greatest
// duration, from there down by equal steps, or by equal ratios to the least age
// if that is above 0. A hazard is drawn from low to high; the legend has its
// law once.
func (a *LifetimeAnswer) lawCurves(l law.Law, least, low, high float64) (survival, hazard ask.Curve) {
	survival.Name = l.Name()
	for i := range 201 {
		t := a.longest * float64(i) / 200
		if least > 0 {
			t = least * math.Pow(a.longest/least, float64(i)/200)
		}
		h := law.Hazard(l, t)
		if math.IsInf(h, 0) || math.IsNaN(h) {
			continue
		}
		survival.Add(t, law.Survival(l, t))
		if h >= low && h <= high {
			hazard.Add(t, h)
		}
	}
	return survival, hazard
}

// survivalBand lays the steps out as a band with its line; a step is a jump
// between two neighbouring numbers.
func (a *LifetimeAnswer) survivalBand(least, longest float64) ask.Curve {
	c := ask.Curve{Name: "Kaplan-Meier", Style: ask.Filled}
	// A plot wants growing abscissas, and a jump has two points at one age.
	add := func(x, y, low, high float64) {
		if n := len(c.X); n > 0 && x <= c.X[n-1] {
			x = c.X[n-1] + longest*1e-12 // apart in any unit
		}
		c.Add(x, y)
		c.Low, c.High = append(c.Low, low), append(c.High, high)
	}
	y, low, high := 1.0, 1.0, 1.0
	// A logarithmic axis has no place for age 0, at which all survive.
	if least == 0 {
		add(0, y, low, high)
	}
	for _, step := range a.Survival {
		if step.Time >= least && step.Time > 0 {
			add(step.Time, y, low, high)
		}
		y, low, high = step.Survival, step.Lower, step.Upper
		if step.Time >= least {
			add(step.Time, y, low, high)
		}
	}
	add(longest, y, low, high)
	return c
}
