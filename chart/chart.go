package chart

import (
	"fmt"
	"math"
)

// A Style is the way a series is drawn.
type Style int

// The styles of a series.
const (
	Line   Style = iota // a line through the points
	Step                // Y[i] holds from X[i] to X[i+1]; the last as long as the one before
	Points              // a glyph at each point
	Band                // the area from YLow to YHigh, with a line where Y is given
	Bars                // a bar at each X from Base to Y
	Rows                // a bar at each Y from Base to X, along x
)

// A Series is a row of points. X increases for Step, Band and Bars, Y for
// Rows.
type Series struct {
	Name        string    // in the legend; none where empty
	X, Y        []float64 // finite, of the same length; Y may be nil for a Band
	YLow, YHigh []float64 // as long as X, YLow ≤ YHigh: the area of a Band, whiskers of a Line, Points and Bars
	Labels      []string  // Bars and Rows: at the end of each bar, as many as bars; nil: none
	Style       Style
}

// A Rule is a straight line across the whole drawing.
type Rule struct {
	Value float64 // finite
	Label string  // drawn at the line
}

// A Mark is one point of interest.
type Mark struct {
	X, Y  float64 // finite
	Label string  // drawn beside the point
}

// A Chart is what is drawn.
type Chart struct {
	Title, Subtitle string
	XLabel, YLabel  string // with units as given: "servers", "wait (s)"
	XLog, YLog      bool   // logarithmic axes; every coordinate is then > 0
	Series          []Series
	HLines, VLines  []Rule // at a y and at an x
	Marks           []Mark
	XMin, XMax      *float64 // nil: chosen so that everything is seen
	YMin, YMax      *float64
	XStep           float64     // between labelled x values; 0: chosen
	XSteps          []float64   // to choose from where they are not too dense, increasing; nil: 1, 2 and 5 · 10ⁿ
	XClock          bool        // x is hours since a midnight, labelled 09:00
	XNames, YNames  []string    // instead of numbers: the i-th stands at i, counted from 0 and from the top
	Arrange         Arrangement // of the bars of several series
	Base            float64     // where bars start, such as today's answer in a tornado
	Heat            *Heat       // drawn below the series
}

// A Size is the size of the drawing in px of 1/96 inch. The zero value means
// 800 by 500, and 800 by 700 for panels. Each side is from 200 to 10000.
type Size struct {
	Width, Height float64
}

// A DataError reports a chart that cannot be drawn.
type DataError struct {
	Where  string // the part of the chart: `series "blocking", point 3`
	Reason string // what is wrong and what is wanted
}

// Error returns the part and the reason.
func (e *DataError) Error() string { return "chart: Write: " + e.Where + ": " + e.Reason }

// most is the largest magnitude drawn; beyond it differences overflow.
const most = 1e300

// check returns a *DataError for the first thing that cannot be drawn.
func (c *Chart) check() error {
	points := 0
	for i := range c.Series {
		s := &c.Series[i]
		if err := c.checkSeries(s, fmt.Sprintf("series %q", s.name(i))); err != nil {
			return err
		}
		points += len(s.X)
	}
	if c.Heat != nil {
		if err := c.checkHeat(); err != nil {
			return err
		}
	} else if points == 0 {
		return &DataError{"chart", "nothing to draw, want a series with at least one point"}
	}
	if err := c.checkBars(); err != nil {
		return err
	}
	if err := c.checkNames(); err != nil {
		return err
	}
	for i, r := range c.HLines {
		if err := finite(r.Value, c.YLog, fmt.Sprintf("horizontal line %d (%q)", i+1, r.Label), "value"); err != nil {
			return err
		}
	}
	for i, r := range c.VLines {
		if err := finite(r.Value, c.XLog, fmt.Sprintf("vertical line %d (%q)", i+1, r.Label), "value"); err != nil {
			return err
		}
	}
	for i, m := range c.Marks {
		where := fmt.Sprintf("mark %d (%q)", i+1, m.Label)
		if err := finite(m.X, c.XLog, where, "x"); err != nil {
			return err
		}
		if err := finite(m.Y, c.YLog, where, "y"); err != nil {
			return err
		}
	}
	if err := checkLimits(c.XMin, c.XMax, c.XLog, "x"); err != nil {
		return err
	}
	if err := checkLimits(c.YMin, c.YMax, c.YLog, "y"); err != nil {
		return err
	}
	if !(c.XStep >= 0 && c.XStep <= most) {
		return &DataError{"chart", fmt.Sprintf("XStep = %v, want a finite step >= 0", c.XStep)}
	}
	return nil
}

// checkSeries checks lengths, values and order.
func (c *Chart) checkSeries(s *Series, where string) error {
	if s.Style < Line || s.Style > Rows {
		return &DataError{where, fmt.Sprintf("style %d, want Line, Step, Points, Band, Bars or Rows", s.Style)}
	}
	if s.Style == Bars && c.XLog {
		return &DataError{where, "bars on a logarithmic x axis, want a linear one"}
	}
	if s.Style == Rows && c.YLog {
		return &DataError{where, "rows on a logarithmic y axis, want a linear one"}
	}
	if n := len(s.Labels); n > 0 && (n != len(s.X) || !s.isBar()) {
		return &DataError{where,
			fmt.Sprintf("%d labels for %d points, want one for each bar, and none without bars", n, len(s.X))}
	}
	if (len(s.YLow) > 0) != (len(s.YHigh) > 0) {
		return &DataError{where,
			fmt.Sprintf("%d values of low and %d of high, want as many", len(s.YLow), len(s.YHigh))}
	}
	columns := []struct {
		name   string
		values []float64
		log    bool
		needed bool
	}{
		{"x", s.X, c.XLog, true},
		{"y", s.Y, c.YLog, s.Style != Band},
		{"low", s.YLow, c.YLog, s.Style == Band},
		{"high", s.YHigh, c.YLog, s.Style == Band},
	}
	for _, col := range columns {
		if n := len(col.values); n != len(s.X) && (col.needed || n > 0) {
			return &DataError{where, fmt.Sprintf("%d values of %s for %d of x, want as many", n, col.name, len(s.X))}
		}
		for i, v := range col.values {
			if err := finite(v, col.log, fmt.Sprintf("%s, point %d", where, i+1), col.name); err != nil {
				return err
			}
		}
	}
	for i := range s.X {
		at := fmt.Sprintf("%s, point %d", where, i+1)
		if i > 0 && s.Style != Line && s.Style != Points && s.Style != Rows && s.X[i] <= s.X[i-1] {
			return &DataError{at, fmt.Sprintf("x = %v after %v, want increasing x", s.X[i], s.X[i-1])}
		}
		if i > 0 && s.Style == Rows && s.Y[i] <= s.Y[i-1] {
			return &DataError{at, fmt.Sprintf("y = %v after %v, want increasing y", s.Y[i], s.Y[i-1])}
		}
		if len(s.YLow) > 0 && s.YLow[i] > s.YHigh[i] {
			return &DataError{at, fmt.Sprintf("low = %v above high = %v", s.YLow[i], s.YHigh[i])}
		}
	}
	return nil
}

// checkBars checks what all bars have in common.
func (c *Chart) checkBars() error {
	if c.Arrange < Grouped || c.Arrange > Overlaid {
		return &DataError{"chart", fmt.Sprintf("arrangement %d, want Grouped, Stacked or Overlaid", c.Arrange)}
	}
	if err := finite(c.Base, false, "chart", "base"); err != nil {
		return err
	}
	upright, along := false, false
	for i := range c.Series {
		s := &c.Series[i]
		upright, along = upright || s.Style == Bars, along || s.Style == Rows
		if c.Arrange == Stacked && s.Style == Bars && len(s.YLow) > 0 {
			return &DataError{fmt.Sprintf("series %q", s.name(i)),
				"whiskers on stacked bars, whose ends are sums; want none"}
		}
		if s.Style == Rows && len(s.YLow) > 0 {
			return &DataError{fmt.Sprintf("series %q", s.name(i)), "low and high on Rows, want none"}
		}
	}
	if upright && along {
		return &DataError{"chart", "Bars and Rows in one chart, want one of them"}
	}
	if c.Arrange == Stacked && (upright && c.YLog || along && c.XLog) {
		return &DataError{"chart", "stacked bars on a logarithmic axis, want a linear one"}
	}
	for i, bars := range c.slabs() {
		for j, b := range bars {
			if math.Abs(b.to) > most {
				return &DataError{fmt.Sprintf("series %q, point %d", c.Series[i].name(i), j+1),
					"the stack is higher than 1e300"}
			}
		}
	}
	return nil
}

// name returns the name of the i-th series for an error.
func (s *Series) name(i int) string {
	if s.Name == "" {
		return fmt.Sprint(i + 1)
	}
	return s.Name
}

// finite returns a *DataError unless v can be drawn on the axis.
func finite(v float64, log bool, where, name string) error {
	switch {
	case math.IsNaN(v) || math.Abs(v) > most:
		return &DataError{where, fmt.Sprintf("%s = %v, want a finite number up to 1e300", name, v)}
	case log && v < 1/most:
		return &DataError{where, fmt.Sprintf("%s = %v on a logarithmic axis, want more than 0", name, v)}
	}
	return nil
}

// checkLimits checks the ends of an axis where they are given.
func checkLimits(low, high *float64, log bool, axis string) error {
	for _, v := range []*float64{low, high} {
		if v == nil {
			continue
		}
		if err := finite(*v, log, "chart", axis+" limit"); err != nil {
			return err
		}
	}
	if low == nil || high == nil {
		return nil
	}
	if w := *high - *low; w <= 1e-9*math.Max(math.Abs(*low), math.Abs(*high)) || w < 1e-290 && !log {
		return &DataError{"chart",
			fmt.Sprintf("%s from %v to %v, want the first well below the second", axis, *low, *high)}
	}
	return nil
}
