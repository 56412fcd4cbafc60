package ask

import (
	"context"
	"errors"
)

// A Plotter is an answer that knows its curves.
type Plotter interface {
	// Plots returns what can be drawn of the answer. Plots that follow one
	// another with the same X stand one above the other. An *InputError of the
	// field plot says why there is nothing to draw.
	Plots(context.Context) ([]Plot, error)
}

// A Plot is curves over one axis, in base units. Scales, colours and fonts are
// the business of who draws it.
type Plot struct {
	Title, Subtitle string
	X, Y            Axis
	Curves          []Curve
	Marks           []Mark // the answer itself
	Across          []Rule // at a y: a limit, a target
	Upright         []Rule // at an x
}

// An Axis is what is measured along an edge of a plot.
type Axis struct {
	Name string
	// Unit is that of JSON keys: s, per_s, erl or fraction; any other is written
	// as it is, and empty for a plain number.
	Unit string
	// Min and Max are the ends; nil: such that all is seen, on a linear y axis
	// from 0.
	Min, Max *float64
	Scale    Scale
	// Step is the distance of labelled values, 0 for any.
	Step float64
	// Clock says that the values are hours since a midnight, to be written as 09:00.
	Clock bool
	// Names stand in the place of numbers: the i-th at i, counted from 0.
	Names []string
}

// A Scale is how values lie along an axis.
type Scale int

// The scales.
const (
	Linear  Scale = iota
	Decades       // logarithmic where a linear one would show the largest values only
	Log           // logarithmic
)

// A Curve is a row of points of increasing X.
type Curve struct {
	Name      string
	X, Y      []float64
	Low, High []float64 // nil, or the ends of an interval at each point
	Style     CurveStyle
}

// A CurveStyle says what lies between the points of a curve.
type CurveStyle int

// The styles.
const (
	Joined CurveStyle = iota // a line
	Held                     // each value holds until the next
	Apart                    // nothing: values that only whole numbers have
	Filled                   // a line with its interval as a band
	Bars                     // a bar from 0
)

// A Mark is a point of interest. Behind its name stands its Y, or with ByX its X.
type Mark struct {
	X, Y float64
	Name string
	ByX  bool
}

// A Rule is a line through a whole plot. The value is written behind the name.
type Rule struct {
	Value float64
	Name  string
}

// Add appends a point.
func (c *Curve) Add(x, y float64) { c.X, c.Y = append(c.X, x), append(c.Y, y) }

// AddEvery appends the points of 0, 1, … n: all, or some 300 evenly spaced ones and the last, which
// a drawing cannot be told apart from.
func (c *Curve) AddEvery(n int, point func(k int) (x, y float64)) {
	if c == nil || point == nil || n < 0 {
		return
	}
	stride := max(1, n/300)
	for k := 0; k < n; k += min(stride, n-k) {
		c.Add(point(k))
	}
	c.Add(point(n))
}

// NotDrawn says why an answer has no plot.
func NotDrawn(format string, args ...any) error { return Inputf("plot", format, args...) }

// NothingDrawn is [NotDrawn] of an answer that is right, and of which a plot would be empty: the
// answer is told without one, see [NothingToDraw].
func NothingDrawn(format string, args ...any) error {
	return &emptyPlot{Inputf("plot", format, args...)}
}

type emptyPlot struct{ error }

func (e *emptyPlot) Unwrap() error { return e.error }

// NothingToDraw returns why a plot would be empty, where an error is that of [NothingDrawn].
func NothingToDraw(err error) (why string, empty bool) {
	var none *emptyPlot
	var input *InputError
	if empty = errors.As(err, &none) && errors.As(err, &input); empty {
		why = input.Reason
	}
	return why, empty
}
