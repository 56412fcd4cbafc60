package chart

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const margin = 11 // around the drawing, in points

// A panel is a chart with its axes settled.
type panel struct {
	Chart
	x, y, scale axis
	upright     bool // the names of x are
}

// newPanel settles the axes for a drawing area of about the given size.
func newPanel(c Chart, width, height vg.Length) *panel {
	p := &panel{Chart: c, x: c.xAxis(), y: c.yAxis()}
	p.markScale(height)
	width -= p.scaleRoom()
	p.y.settle(c.YMin, c.YMax, c.Heat == nil && !c.hasRows())
	p.x.settle(c.XMin, c.XMax, c.hasRows())
	p.roomForLabels(width, height)
	p.markY(width, height)
	p.markX(width, height)
	p.sayStart()
	return p
}

// sayStart adds to the label of y from where its axis goes, unless it shows 0: by
// lengths on such an axis nobody can judge a ratio.
func (p *panel) sayStart() {
	if p.y.log || p.y.min <= 0 || p.YMin != nil || len(p.YNames) > 0 || p.Heat != nil || p.YLabel == "" || len(p.y.ticks) < 2 {
		return
	}
	step := p.y.ticks[1].value - p.y.ticks[0].value
	p.YLabel += ", from " + labeller(p.y.max, math.Min(step, p.y.min))(p.y.min)
}

// hasRows reports whether values run along x.
func (c *Chart) hasRows() bool {
	return slices.ContainsFunc(c.Series, func(s Series) bool { return s.Style == Rows })
}

func fitsAlways([]tick) bool { return true }

// markY chooses the ticks of the vertical axis, as many as the height has room for.
func (p *panel) markY(width, height vg.Length) {
	p.y.ticks = nil
	if len(p.YNames) > 0 {
		p.markYNames(width, height)
		return
	}
	most := max(2, int(height/30))
	if p.y.log {
		most = max(2, int(height/20))
	}
	free := p.Heat == nil && !p.hasRows() // cells and rows fill the axis
	p.y.mark(most, 0, free && p.YMin == nil, free && p.YMax == nil, fitsAlways)
}

// markX sets the x ticks so that their labels stand apart.
func (p *panel) markX(width, height vg.Length) {
	p.x.ticks = nil
	if len(p.XNames) > 0 {
		p.markXNames(width, height)
		return
	}
	sty := textStyle(smallSize, inkColor)
	pos := func(v float64) vg.Length { return width * vg.Length(p.x.norm(v)) }
	values := p.hasRows()
	p.x.mark(12, p.XStep, values && p.XMin == nil, values && p.XMax == nil, func(ticks []tick) bool {
		end := vg.Length(math.Inf(-1))
		for _, t := range ticks {
			if t.minor() {
				continue
			}
			w := sty.Width(t.label)
			if pos(t.value)-w/2 < end+10 {
				return false
			}
			end = pos(t.value) + w/2
		}
		return true
	})
}

// xAxis returns the range of all x drawn.
func (c *Chart) xAxis() axis {
	a := axis{
		min:   math.Inf(1),
		max:   math.Inf(-1),
		log:   c.XLog,
		whole: len(c.Series) > 0,
		steps: c.XSteps,
		clock: c.XClock,
	}
	for i := range c.Series {
		s := &c.Series[i]
		for j, x := range s.X {
			a.grow(x)
			a.whole = a.whole && x == math.Trunc(x)
			if s.Style == Step {
				a.grow(s.stepEnd(j))
			}
		}
	}
	c.growBars(&a, &axis{})
	if c.Heat != nil {
		at := edges(c.Heat.X, c.XLog)
		a.grow(at[0])
		a.grow(at[len(at)-1])
	}
	for _, r := range c.VLines {
		a.grow(r.Value)
	}
	for _, m := range c.Marks {
		a.grow(m.X)
	}
	return a
}

// yAxis returns the range of all y drawn; bars stand on Base.
func (c *Chart) yAxis() axis {
	a := axis{min: math.Inf(1), max: math.Inf(-1), log: c.YLog, whole: len(c.Series) > 0}
	for _, s := range c.Series {
		for _, ys := range [][]float64{s.Y, s.YLow, s.YHigh} {
			for _, y := range ys {
				a.grow(y)
				a.whole = a.whole && y == math.Trunc(y)
			}
		}
	}
	c.growBars(&axis{}, &a)
	if c.Heat != nil {
		at := edges(c.Heat.Y, c.YLog)
		a.grow(at[0])
		a.grow(at[len(at)-1])
	}
	for _, r := range c.HLines {
		a.grow(r.Value)
	}
	for _, m := range c.Marks {
		a.grow(m.Y)
	}
	return a
}

// paint draws everything inside the axes, which c is.
func (p *panel) paint(c draw.Canvas) {
	x := func(v float64) vg.Length { return c.X(p.x.norm(v)) }
	y := func(v float64) vg.Length { return c.Y(p.y.norm(v)) }
	grid := draw.LineStyle{Color: gridColor, Width: 0.6}
	for _, t := range p.x.ticks {
		if at := x(t.value); !t.minor() && len(p.XNames) == 0 && inside(c, vg.Point{X: at, Y: c.Min.Y}) {
			c.StrokeLine2(grid, at, c.Min.Y, at, c.Max.Y)
		}
	}
	for _, t := range p.y.ticks {
		if at := y(t.value); !t.minor() && len(p.YNames) == 0 && inside(c, vg.Point{X: c.Min.X, Y: at}) {
			c.StrokeLine2(grid, c.Min.X, at, c.Max.X, at)
		}
	}
	if p.Heat != nil {
		p.Heat.paint(c, edges(p.Heat.X, p.XLog), edges(p.Heat.Y, p.YLog), x, y, &p.scale)
	}
	near := crowd{frame: c.Rectangle}
	traces := p.traces(x, y)
	p.paintBars(c, traces)
	p.baseLine(c, x, y)
	for _, t := range traces {
		if p.Heat != nil && len(t.line) > 1 { // seen on every colour
			c.StrokeLines(draw.LineStyle{Color: haloColor, Width: 4}, c.ClipLinesXY(t.line)...)
		}
		t.paint(c)
		near.add(&t)
	}
	p.barLabels(c, &near, traces)
	p.rules(c, &near, x, y)
	p.marks(c, &near, x, y)
}

// traces returns the series with areas first and lines last.
func (p *panel) traces(x, y func(float64) vg.Length) []trace {
	low := math.Inf(-1) // of the axis along the bars, where 0 is not on it
	if p.hasRows() && p.x.log {
		low = p.x.min
	} else if !p.hasRows() && p.y.log {
		low = p.y.min
	}
	bars, marked := p.slabs(), p.marked()
	var back, front []trace
	for i := range p.Series {
		s := &p.Series[i]
		if len(s.X) == 0 {
			continue
		}
		t := s.trace(i, bars[i], x, y, low, marked[i])
		if s.isBar() || s.Style == Band {
			back = append(back, t)
		} else {
			front = append(front, t)
		}
	}
	return append(back, front...)
}
