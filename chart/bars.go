package chart

import (
	"math"
	"sort"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An Arrangement is where the bars of several series at the same place go.
type Arrangement int

// The arrangements of bars.
const (
	Grouped  Arrangement = iota // beside each other
	Stacked                     // each on the end of the one before, those below 0 downwards
	Overlaid                    // all in the same place, a shorter one in front: two series make a tornado
)

// isBar reports whether the series is drawn as bars.
func (s *Series) isBar() bool { return s.Style == Bars || s.Style == Rows }

// places returns where the bars of s stand, and lengths where they end.
func (s *Series) places() (places, lengths []float64) {
	if s.Style == Rows {
		return s.Y, s.X
	}
	return s.X, s.Y
}

// A slab is one bar: where it stands, how wide, and from where to where.
type slab struct {
	place, width float64
	from, to     float64
}

// slabs returns the bars of each series, nil for a series of another style.
func (c *Chart) slabs() [][]slab {
	out := make([][]slab, len(c.Series))
	width, bars := c.barWidth(), 0
	for i := range c.Series {
		if c.Series[i].isBar() {
			bars++
		}
	}
	type end struct{ up, down float64 }
	ends := map[float64]*end{}
	k := 0
	for i := range c.Series {
		s := &c.Series[i]
		if !s.isBar() {
			continue
		}
		places, lengths := s.places()
		for j, at := range places {
			b := slab{at, width, c.Base, lengths[j]}
			switch c.Arrange {
			case Grouped:
				b.width = width / float64(bars)
				b.place = at - width/2 + (float64(k)+0.5)*b.width
				if s.Style == Rows && len(c.YNames) > 0 { // the first on top
					b.place = at + width/2 - (float64(k)+0.5)*b.width
				}
			case Stacked:
				e := ends[at]
				if e == nil {
					e = &end{c.Base, c.Base}
					ends[at] = e
				}
				if lengths[j] >= 0 {
					b.from, b.to = e.up, e.up+lengths[j]
					e.up = b.to
				} else {
					b.from, b.to = e.down, e.down+lengths[j]
					e.down = b.to
				}
			}
			out[i] = append(out[i], b)
		}
		k++
	}
	return out
}

// barWidth returns four fifths of the least distance between bars of one
// series.
func (c *Chart) barWidth() float64 {
	d := math.Inf(1)
	for i := range c.Series {
		s := &c.Series[i]
		if !s.isBar() {
			continue
		}
		if s.Style == Bars && len(c.XNames) > 0 || s.Style == Rows && len(c.YNames) > 0 {
			return 0.8
		}
		places, _ := s.places()
		for j := 1; j < len(places); j++ {
			d = math.Min(d, places[j]-places[j-1])
		}
	}
	if math.IsInf(d, 1) {
		d = 1
	}
	return 0.8 * d
}

// growBars widens the axes to hold the bars.
func (c *Chart) growBars(x, y *axis) {
	for i, bars := range c.slabs() {
		along, across := y, x
		if c.Series[i].Style == Rows {
			along, across = x, y
		}
		for _, b := range bars {
			across.grow(b.place - b.width/2)
			across.grow(b.place + b.width/2)
			along.grow(b.to)
			if !along.log {
				along.grow(b.from)
			}
		}
	}
}

// corners returns the bar in the coordinates of the canvas, from the foot.
func (b slab) corners(style Style, x, y func(float64) vg.Length, low float64) []vg.Point {
	l, r := b.place-b.width/2, b.place+b.width/2
	from := math.Max(b.from, low)
	if style == Rows {
		l, r, f, t := y(l), y(r), x(from), x(b.to)
		return []vg.Point{{X: f, Y: l}, {X: t, Y: l}, {X: t, Y: r}, {X: f, Y: r}}
	}
	lx, rx, f, t := x(l), x(r), y(from), y(b.to)
	return []vg.Point{{X: lx, Y: f}, {X: lx, Y: t}, {X: rx, Y: t}, {X: rx, Y: f}}
}

// A drawnBar is a bar in the coordinates of the canvas.
type drawnBar struct {
	index  int // of the series
	area   []vg.Point
	length vg.Length
}

// paintBars draws the bars of all series, the long ones first where they
// cover each other.
func (p *panel) paintBars(c draw.Canvas, traces []trace) {
	var bars []drawnBar
	for _, t := range traces {
		for _, b := range t.bars {
			length := b[1].Y - b[0].Y
			if t.style == Rows {
				length = b[1].X - b[0].X
			}
			bars = append(bars, drawnBar{t.index, b, max(length, -length)})
		}
	}
	if p.Arrange == Overlaid {
		sort.SliceStable(bars, func(i, j int) bool { return bars[i].length > bars[j].length })
	}
	for _, b := range bars {
		if area := c.ClipPolygonXY(b.area); len(area) > 2 {
			c.FillPolygon(barColor(b.index), area)
		}
	}
}

// baseLine draws the line that the bars stand on where it is not the axis.
func (p *panel) baseLine(c draw.Canvas, x, y func(float64) vg.Length) {
	line := draw.LineStyle{Color: paleColor, Width: 0.8}
	for i := range p.Series {
		s := &p.Series[i]
		if len(s.X) == 0 {
			continue
		}
		switch {
		case s.Style == Rows && !p.XLog && inside(c, vg.Point{X: x(p.Base), Y: c.Min.Y}):
			c.StrokeLine2(line, x(p.Base), c.Min.Y, x(p.Base), c.Max.Y)
		case s.Style == Bars && !p.YLog && inside(c, vg.Point{X: c.Min.X, Y: y(p.Base)}):
			c.StrokeLine2(line, c.Min.X, y(p.Base), c.Max.X, y(p.Base))
		default:
			continue
		}
		return
	}
}

// roomForLabels widens a linear axis along the bars for the labels at their
// ends, where its ends are free.
func (p *panel) roomForLabels(width, height vg.Length) {
	sty := textStyle(smallSize, inkColor)
	for i, bars := range p.slabs() {
		s := &p.Series[i]
		a, low, high, room := &p.y, p.YMin, p.YMax, float64((smallSize+6)/height)
		if s.Style == Rows {
			a, low, high = &p.x, p.XMin, p.XMax
		}
		if len(s.Labels) == 0 || a.log {
			continue
		}
		span := a.max - a.min
		for j, b := range bars {
			if s.Style == Rows {
				room = math.Min(0.3, float64((sty.Width(s.Labels[j])+10)/width))
			}
			if s.Labels[j] == "" {
				continue
			}
			if b.to >= b.from && high == nil {
				a.grow(b.to + span*room)
			} else if b.to < b.from && low == nil {
				a.grow(b.to - span*room)
			}
		}
	}
}

// barLabels writes the labels of bars at their ends.
func (p *panel) barLabels(c draw.Canvas, near *crowd, traces []trace) {
	sty := textStyle(smallSize, inkColor)
	for _, t := range traces {
		labels := p.Series[t.index].Labels
		if len(labels) == 0 {
			continue
		}
		for j, b := range t.bars {
			if labels[j] == "" || !inside(c, vg.Point{X: b[1].X, Y: c.Min.Y}) ||
				!inside(c, vg.Point{X: c.Min.X, Y: b[1].Y}) {
				continue
			}
			text := fit(labels[j], sty, c.Max.X-c.Min.X-6)
			w := sty.Width(text)
			mid := vg.Point{X: (b[1].X + b[2].X) / 2, Y: (b[1].Y + b[2].Y) / 2}
			var rs []vg.Rectangle
			if t.style == Rows {
				right, left := box(mid.X+4, mid.Y-smallSize/2, w,
					smallSize), box(mid.X-4-w, mid.Y-smallSize/2, w, smallSize)
				if rs = []vg.Rectangle{right, left}; b[1].X < b[0].X {
					rs[0], rs[1] = left, right
				}
			} else {
				above, below := box(mid.X-w/2, mid.Y+3, w, smallSize), box(mid.X-w/2, mid.Y-3-smallSize, w, smallSize)
				if rs = []vg.Rectangle{above, below}; b[1].Y < b[0].Y {
					rs[0], rs[1] = below, above
				}
			}
			label(c, text, near.place(rs))
		}
	}
}
