package chart

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colour scale stands at the right of the data.
const (
	scaleGap   = 12 // from the data
	scaleWidth = 11
)

// valueAxis returns the range of the colours.
func (h *Heat) valueAxis() axis {
	a := axis{min: math.Inf(1), max: math.Inf(-1), log: h.Log}
	for _, row := range h.Value {
		for _, v := range row {
			if !math.IsNaN(v) {
				a.grow(math.Max(v, h.Floor))
			}
		}
	}
	if h.Floor > 0 {
		a.grow(h.Floor)
	}
	a.settle(nil, nil, false)
	return a
}

// markScale sets the ticks of the scale.
func (p *panel) markScale(height vg.Length) {
	if p.Heat == nil {
		return
	}
	p.scale = p.Heat.valueAxis()
	most := max(2, int(height/30))
	if p.scale.log {
		most = max(2, int(height/20))
	}
	p.scale.mark(most, 0, false, false, fitsAlways)
	if p.Heat.Floor > 0 {
		p.scale.markFloor(p.Heat.Floor)
	}
}

// markFloor labels the lower end of a scale that stands for all that is less.
func (a *axis) markFloor(v float64) {
	a.ticks = slices.DeleteFunc(a.ticks, func(t tick) bool { return t.value <= v*(1+1e-9) })
	a.ticks = slices.Insert(a.ticks, 0, tick{v, "≤ " + plain(v)})
}

// scaleRoom returns the width that the scale takes beside the data.
func (p *panel) scaleRoom() vg.Length {
	if p.Heat == nil {
		return 0
	}
	room := vg.Length(scaleGap + scaleWidth + 6 + p.scaleText())
	if p.Heat.Label != "" {
		room += labelSize + 5
	}
	return room
}

// scaleText returns the width of the widest label of the scale.
func (p *panel) scaleText() vg.Length {
	sty := textStyle(smallSize, inkColor)
	var widest vg.Length
	for _, t := range p.scale.ticks {
		widest = max(widest, sty.Width(t.label))
	}
	if p.Heat.hasEmpty() {
		widest = max(widest, sty.Width(p.emptyText()))
	}
	return widest
}

// emptyText is the key of a cell without a value.
func (p *panel) emptyText() string {
	if p.Heat.Empty == "" {
		return "no value"
	}
	return fit(p.Heat.Empty, textStyle(smallSize, inkColor), 90)
}

// drawScale draws the scale beside the data at the given place.
func (f *frame) drawScale(at vg.Rectangle) {
	p := f.panel
	if p.Heat == nil {
		return
	}
	left, bottom, top := at.Max.X+scaleGap, at.Min.Y, at.Max.Y
	sty := textStyle(smallSize, inkColor)
	text := left + scaleWidth + 6
	if p.Heat.hasEmpty() {
		r := box(left, bottom, scaleWidth, scaleWidth)
		empty(f.outer, corners(r))
		f.outer.StrokeLines(draw.LineStyle{Color: paleColor, Width: 0.5}, append(corners(r), r.Min))
		f.outer.FillText(sty, vg.Point{X: text, Y: bottom + 2}, p.emptyText())
		bottom += scaleWidth + 12
	}
	height := top - bottom
	for k := range shades {
		y := bottom + height*vg.Length(k)/shades
		end := min(top, y+height/shades+0.75)
		f.outer.FillPolygon(heatColor(float64(k)/(shades-1)),
			corners(vg.Rectangle{Min: vg.Point{X: left, Y: y}, Max: vg.Point{X: left + scaleWidth, Y: end}}))
	}
	line := draw.LineStyle{Color: paleColor, Width: 0.5}
	last := vg.Length(math.Inf(-1))
	for _, t := range p.scale.ticks {
		y := bottom + height*vg.Length(p.scale.norm(t.value))
		if y < bottom-0.1 || y > top+0.1 {
			continue
		}
		f.outer.StrokeLine2(line, left+scaleWidth, y, left+scaleWidth+3, y)
		if !t.minor() && y > last+smallSize {
			f.outer.FillText(sty, vg.Point{X: text, Y: y - smallSize*0.35}, t.label)
			last = y
		}
	}
	if p.Heat.Label == "" {
		return
	}
	sty = textStyle(labelSize, inkColor)
	label := fit(p.Heat.Label, sty, f.outer.Max.Y-f.outer.Min.Y)
	sty.XAlign = draw.XCenter
	centre := min((bottom+top)/2, f.outer.Max.Y-sty.Width(label)/2)
	centre = max(centre, f.outer.Min.Y+sty.Width(label)/2)
	sty.Rotation = math.Pi / 2
	f.outer.FillText(sty, vg.Point{X: text + p.scaleText() + 4 + labelSize*0.8, Y: centre}, label)
}
