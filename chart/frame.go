package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	tickLength = 4
	axisWidth  = 0.5 // of the lines of axes and ticks
	tickGap    = 3   // between the widest label of y and its tick
)

// A frame is a panel laid out: where its axes go.
type frame struct {
	panel *panel
	outer draw.Canvas // with the labels of the axes
	inner draw.Canvas // with the labels of the ticks
	x     []tick      // as they are labelled here: the grid may have lines without labels
}

// frame lays the panel out in c. bare leaves out the labels of x.
func (p *panel) frame(c draw.Canvas, bare bool) *frame {
	var left, bottom vg.Length
	if p.YLabel != "" {
		left = labelSize + 5
	}
	ticks := p.x.ticks
	if bare {
		p.XLabel = ""
		ticks = append([]tick(nil), ticks...)
		for i := range ticks {
			ticks[i].label = ""
		}
	}
	if p.XLabel != "" {
		bottom = labelSize + 6
	}
	return &frame{p, c, draw.Crop(c, left, -p.scaleRoom(), bottom, 0), ticks}
}

// data returns the area inside the axes: what is left beside the labels of the
// ticks, and so much less that the last labels do not leave the drawing.
func (f *frame) data() draw.Canvas {
	c := draw.Crop(f.inner, f.widthOfY(), 0, f.heightOfX(), 0)
	p, all := f.panel, c.Rectangle
	// Where a label at a part of the axis reaches furthest, that part of a shorter
	// axis is to end as far from the edge as the label needs.
	sty, furthest := p.xStyle(), all.Max.X
	for _, t := range f.x {
		if t.minor() {
			continue
		}
		box, at := sty.Rectangle(t.label), p.x.norm(t.value)
		if end := vg.Length(at)*(all.Max.X-all.Min.X) + all.Min.X + box.Max.X; end > furthest && at <= 1 {
			furthest = end
			c.Max.X = all.Min.X + (all.Max.X-box.Max.X-all.Min.X)/vg.Length(at)
		}
	}
	sty, furthest = p.yStyle(), all.Max.Y
	extents := sty.FontExtents()
	drop := extents.Height - extents.Ascent
	for _, t := range p.y.ticks {
		if t.minor() {
			continue
		}
		box, at := sty.Rectangle(t.label), p.y.norm(t.value)
		if end := vg.Length(at)*(all.Max.Y-all.Min.Y) + all.Min.Y + box.Max.Y + drop; end > furthest && at <= 1 {
			furthest = end
			c.Max.Y = all.Min.Y + (all.Max.Y-box.Max.Y-drop-all.Min.Y)/vg.Length(at)
		}
	}
	return c
}

// xStyle returns the style of the labels of x: below their ticks, or upright.
func (p *panel) xStyle() draw.TextStyle {
	sty := textStyle(smallSize, inkColor)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
	if p.upright {
		sty.Rotation = math.Pi / 2
		sty.XAlign, sty.YAlign = draw.XRight, draw.YCenter
	}
	return sty
}

// yStyle returns the style of the labels of y: left of their ticks.
func (p *panel) yStyle() draw.TextStyle {
	sty := textStyle(smallSize, inkColor)
	sty.XAlign, sty.YAlign = draw.XRight, draw.YCenter
	return sty
}

// largest returns the width and the height that hold each label of the ticks.
func largest(sty draw.TextStyle, ticks []tick) (size vg.Point) {
	for _, t := range ticks {
		if !t.minor() {
			r := sty.Rectangle(t.label).Size()
			size.X, size.Y = max(size.X, r.X), max(size.Y, r.Y)
		}
	}
	return size
}

// heightOfX returns the room of the axis below the data.
func (f *frame) heightOfX() vg.Length {
	height := vg.Length(axisWidth) / 2
	if len(f.x) > 0 {
		height += tickLength + largest(f.panel.xStyle(), f.x).Y
	}
	return height
}

// widthOfY returns the room of the axis left of the data.
func (f *frame) widthOfY() vg.Length {
	width := vg.Length(axisWidth) / 2
	if ticks := f.panel.y.ticks; len(ticks) > 0 {
		width += tickLength
		if widest := largest(f.panel.yStyle(), ticks).X; widest > 0 {
			width += widest + tickGap
		}
	}
	return width
}

// drawX draws the axis below the data, whose area is at.
func (f *frame) drawX(at draw.Canvas) {
	sty := f.panel.xStyle()
	height, descent := largest(sty, f.x).Y, sty.FontExtents().Descent
	place := func(t tick) vg.Length { return at.X(f.panel.x.norm(t.value)) }
	for _, t := range f.x {
		if x := place(t); at.ContainsX(x) && !t.minor() {
			f.inner.FillText(sty, vg.Point{X: x, Y: f.inner.Min.Y + height + descent}, t.label)
		}
	}
	line := draw.LineStyle{Color: paleColor, Width: axisWidth}
	y := at.Min.Y - axisWidth/2
	for _, t := range f.x {
		if x := place(t); at.ContainsX(x) {
			f.inner.StrokeLine2(line, x, y-t.length(), x, y)
		}
	}
	f.inner.StrokeLine2(line, at.Min.X, y, at.Max.X, y)
}

// drawY draws the axis left of the data, whose area is at.
func (f *frame) drawY(at draw.Canvas) {
	ticks, sty := f.panel.y.ticks, f.panel.yStyle()
	x, descent := f.inner.Min.X+largest(sty, ticks).X, sty.FontExtents().Descent
	place := func(t tick) vg.Length { return at.Y(f.panel.y.norm(t.value)) }
	labelled := false
	for _, t := range ticks {
		if y := place(t); at.ContainsY(y) && !t.minor() {
			f.inner.FillText(sty, vg.Point{X: x, Y: y + descent}, t.label)
			labelled = true
		}
	}
	if labelled {
		x += sty.Width(" ")
	}
	line := draw.LineStyle{Color: paleColor, Width: axisWidth}
	if len(ticks) > 0 {
		x += tickLength
	}
	for _, t := range ticks {
		if y := place(t); at.ContainsY(y) {
			f.inner.StrokeLine2(line, x-t.length(), y, x, y)
		}
	}
	f.inner.StrokeLine2(line, x, at.Min.Y, x, at.Max.Y)
}

// length is half for a tick without a label.
func (t tick) length() vg.Length {
	if t.minor() {
		return tickLength / 2
	}
	return tickLength
}

// draw draws the axes, what is inside, and the labels in the middle of the axes.
func (f *frame) draw() {
	at := f.data()
	f.drawX(at)
	f.drawY(at)
	f.panel.paint(at)
	f.drawScale(at.Rectangle)
	sty := textStyle(labelSize, inkColor)
	sty.XAlign = draw.XCenter
	x := fit(f.panel.XLabel, sty, f.outer.Max.X-f.outer.Min.X)
	centre := (at.Min.X + at.Max.X) / 2
	centre = min(centre, f.outer.Max.X-sty.Width(x)/2) // a long label may reach below the ticks of y
	f.outer.FillText(sty, vg.Point{X: centre, Y: f.outer.Min.Y + 2}, x)
	y := fit(f.panel.YLabel, sty, f.outer.Max.Y-f.outer.Min.Y)
	centre = (at.Min.Y + at.Max.Y) / 2
	centre = min(centre, f.outer.Max.Y-sty.Width(y)/2)
	sty.Rotation = math.Pi / 2
	f.outer.FillText(sty, vg.Point{X: f.outer.Min.X + labelSize*0.8, Y: centre}, y)
}
