package page

import (
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/say"
)

// horizontal returns all values that have to be seen along x.
func horizontal(p *ask.Plot) []float64 {
	var xs []float64
	for _, c := range p.Curves {
		xs = append(xs, c.X...)
	}
	for _, m := range p.Marks {
		xs = append(xs, m.X)
	}
	return xs
}

// laidOut lays a plot out for people, in units that suit its values. It converts values from base
// units, chooses between linear and logarithmic axes, and writes marks with their values. The unit of x
// suits the given values: panels above each other share it. Whether an axis is logarithmic follows
// from the values where the plot leaves it open (ask.Decades): along x it takes steps of equal
// ratios, along y a range of three decades.
func laidOut(p *ask.Plot, xs []float64) chart.Chart {
	// Ends of bands are drawn too, and have to be within the axis.
	var ys []float64
	for _, c := range p.Curves {
		ys = slices.Concat(ys, c.Y, c.Low, c.High)
	}
	for _, m := range p.Marks {
		ys = append(ys, m.Y)
	}
	xScale, yScale := scaleOf(&p.X, xs), scaleOf(&p.Y, ys)
	d := chart.Chart{
		Title:    p.Title,
		Subtitle: p.Subtitle,
		XLabel:   xScale.label,
		YLabel:   yScale.label,
		XMin:     xScale.end(p.X.Min),
		XMax:     xScale.end(p.X.Max),
		YMin:     yScale.end(p.Y.Min),
		YMax:     yScale.end(p.Y.Max),
		XStep:    p.X.Step,
		XSteps:   xScale.steps,
		XClock:   p.X.Clock,
		XNames:   p.X.Names,
		XLog:     p.X.Scale == ask.Log || p.X.Scale == ask.Decades && ByRatio(p.Curves[0].X),
		YLog:     p.Y.Scale == ask.Log || p.Y.Scale == ask.Decades && Decades(ys),
	}
	// Values that are never negative are seen against 0, so that a small change does not look like a
	// large one; a logarithmic axis has none.
	if d.YMin == nil && !d.YLog && slices.Min(ys) >= 0 {
		d.YMin = new(float64)
	}
	for _, c := range p.Curves {
		d.Series = append(d.Series, chart.Series{
			Name:  c.Name,
			X:     xScale.all(c.X),
			Y:     yScale.all(c.Y),
			YLow:  yScale.all(c.Low),
			YHigh: yScale.all(c.High),
			Style: styles[c.Style],
		})
	}
	for _, m := range p.Marks {
		value := yScale.text(m.Y)
		if m.ByX {
			value = xScale.text(m.X)
		}
		d.Marks = append(d.Marks, chart.Mark{X: m.X / xScale.unit, Y: m.Y / yScale.unit, Label: named(m.Name, value)})
	}
	for _, r := range p.Across {
		d.HLines = append(d.HLines,
			chart.Rule{Value: r.Value / yScale.unit, Label: named(r.Name, yScale.text(r.Value))})
	}
	for _, r := range p.Upright {
		d.VLines = append(d.VLines,
			chart.Rule{Value: r.Value / xScale.unit, Label: named(r.Name, xScale.text(r.Value))})
	}
	return d
}

// styles says how a kind of curve is drawn. A style that is not listed is a line.
var styles = map[ask.CurveStyle]chart.Style{
	ask.Held: chart.Step, ask.Apart: chart.Points, ask.Filled: chart.Band, ask.Bars: chart.Bars,
}

// A scale is how the values of an axis are written.
type scale struct {
	unit  float64   // in base units
	steps []float64 // between labels; nil: any
	label string
	text  func(float64) string
}

// named puts the name of a line before its value.
func named(name, value string) string {
	if name == "" {
		return value
	}
	return name + " " + value
}

// scaleOf chooses the unit of an axis.
func scaleOf(a *ask.Axis, values []float64) scale {
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		if v != 0 {
			least, most = min(least, math.Abs(v)), max(most, math.Abs(v))
		}
	}
	// Most labels of a logarithmic axis stand about its middle.
	if a.Scale == ask.Log && most > 0 {
		most = math.Sqrt(least) * math.Sqrt(most) // the middle of the axis
	}
	s := scale{unit: 1, label: a.Name, text: func(v float64) string { return say.Number(v, 4) }}
	// A unit that is none of these is written as it is.
	unit := a.Unit
	switch a.Unit {
	case "s":
		s.unit, unit = timeUnit(most)
		s.text = func(v float64) string {
			// A value below one unit of the axis has a unit of its own: 20 s rather than 0.3333
			// min.
			if math.Abs(v) < s.unit {
				return say.Duration(v, 4)
			}
			return say.Number(v/s.unit, 4) + " " + unit
		}
	case "per_s":
		s.unit, unit = RateUnit(most)
		s.text = func(v float64) string { return say.Number(v/s.unit, 4) + "/" + strings.TrimPrefix(unit, "per ") }
	case "fraction":
		s.unit, unit = 0.01, "%"
		s.text = func(v float64) string { return say.Fraction(v, 4) }
	case "erl":
		s.text = say.Erlangs
	}
	// Labels along a clock stand at hours and not at tenths of a day.
	switch {
	case a.Clock || unit == "h":
		s.steps = chart.HourSteps()
	case unit == "min":
		s.steps = minuteSteps
	}
	if unit != "" {
		s.label += " (" + unit + ")"
	}
	return s
}

// minuteSteps are distances of labels that people expect along minutes.
var minuteSteps = []float64{1, 2, 5, 10, 15, 30, 60}

// all converts values to the unit of the axis; nil stays nil, since a curve without a band has none.
func (s *scale) all(values []float64) []float64 {
	if values == nil {
		return nil
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v / s.unit
	}
	return out
}

// end converts an end of the axis; nil, which leaves it to the curves, stays nil.
func (s *scale) end(v *float64) *float64 {
	if v == nil {
		return nil
	}
	return new(*v / s.unit)
}

// timeUnit chooses a unit in which the greatest time, given in seconds, is a handy number.
func timeUnit(longest float64) (seconds float64, name string) {
	// From three of a unit on it is used: 2 h are shown as 120 min, 4 h as 4 h. Seconds begin at 0.6.
	for _, u := range []struct {
		seconds float64
		name    string
	}{{86400, "d"}, {3600, "h"}, {60, "min"}, {0.2, "s"}} {
		if longest >= 3*u.seconds {
			return max(u.seconds, 1), u.name
		}
	}
	return 1e-3, "ms"
}

// RateUnit chooses a unit in which a rate is at least 1, as
// [units.FormatRate] does. most is per second. A rate below one a day stays in days.
func RateUnit(most float64) (perSecond float64, name string) {
	switch {
	case most >= 1 || most == 0:
		return 1, "per s"
	case most >= 1./60:
		return 1. / 60, "per min"
	case most >= 1./3600:
		return 1. / 3600, "per h"
	}
	return 1. / 86400, "per d"
}

// ByRatio reports whether values stand at about equal ratios over a factor of
// 30 or more, as in 1, 10, 100 and 1, 2, 5, 10, ..., 100. Such values were chosen for a logarithmic
// axis.
func ByRatio(v []float64) bool {
	n := len(v)
	if n < 3 || v[0] <= 0 || v[n-1] < 30*v[0] {
		return false
	}
	mean := math.Pow(v[n-1]/v[0], 1/float64(n-1))
	for i := 1; i < n; i++ {
		// Each step may be half to twice the mean one in the logarithm, as the steps 1, 2, 5, 10 are.
		if ratio := math.Log(v[i]/v[i-1]) / math.Log(mean); ratio < 0.5 || ratio > 2 {
			return false
		}
	}
	return true
}

// Decades reports whether values are positive and reach over three decades,
// where a linear scale would show the largest only.
func Decades(values []float64) bool {
	low, high := math.Inf(1), 0.0
	for _, v := range values {
		if math.IsNaN(v) {
			continue
		}
		low, high = math.Min(low, v), math.Max(high, v)
	}
	// Below 1e-290 a number is 0 but for rounding, and no axis should reach down to it.
	return low > 1e-290 && high >= 1000*low
}
