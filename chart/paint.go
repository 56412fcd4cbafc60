package chart

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The palette of Okabe and Ito without its yellow, which is faint on white,
// in an order in which neighbours differ in grey too.
var palette = []color.NRGBA{
	{0x00, 0x72, 0xB2, 0xFF}, // blue
	{0xD5, 0x5E, 0x00, 0xFF}, // vermillion
	{0x00, 0x9E, 0x73, 0xFF}, // bluish green
	{0xCC, 0x79, 0xA7, 0xFF}, // reddish purple
	{0xE6, 0x9F, 0x00, 0xFF}, // orange
	{0x56, 0xB4, 0xE9, 0xFF}, // sky blue
	{0x00, 0x00, 0x00, 0xFF}, // black
}

// Five dashes beside seven colours give 35 different lines.
var dashes = [][]vg.Length{
	nil,
	{6, 2.5},
	{1.5, 2},
	{8, 2.5, 1.5, 2.5},
	{3, 2},
}

var glyphs = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{},
	draw.RingGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{},
}

var (
	gridColor = color.NRGBA{0xE4, 0xE4, 0xE4, 0xFF}
	inkColor  = color.NRGBA{0x22, 0x22, 0x22, 0xFF}
	paleColor = color.NRGBA{0x55, 0x55, 0x55, 0xFF}
	haloColor = color.NRGBA{0xFF, 0xFF, 0xFF, 0xD8}
)

func lineStyle(i int) draw.LineStyle {
	return draw.LineStyle{Color: palette[i%len(palette)], Width: 1.6, Dashes: dashes[i%len(dashes)]}
}

func glyphStyle(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: palette[i%len(palette)], Radius: 2.6, Shape: glyphs[i%len(glyphs)]}
}

// barColor is the colour of bars, which have no dashes to tell them apart: vermillion and orange change
// places, since in grey vermillion is as dark as the green and the blue beside it.
func barColor(i int) color.NRGBA {
	i %= len(palette)
	switch i {
	case 1:
		i = 4
	case 4:
		i = 1
	}
	return palette[i]
}

func shade(i int, alpha uint8) color.NRGBA {
	c := palette[i%len(palette)]
	c.A = alpha
	return c
}

// A trace is a series in the coordinates of the canvas.
type trace struct {
	index int
	style Style
	line  []vg.Point   // of a Line, Step, or the middle of a Band
	area  []vg.Point   // of a Band
	edges [][]vg.Point // of a Band
	dots  []vg.Point   // of Points, of a marked line, and a Line or Step of one point
	bars  [][]vg.Point
	// The whiskers, from low to high.
	ranges [][]vg.Point
}

// trace converts a series. low is the least value on the axis along the bars.
func (s *Series) trace(i int, bars []slab, x, y func(float64) vg.Length, low float64, marked bool) trace {
	t := trace{index: i, style: s.Style, ranges: s.whiskers(bars, x, y)}
	at := func(ys []float64) []vg.Point {
		ps := make([]vg.Point, len(ys))
		for j := range ys {
			ps[j] = vg.Point{X: x(s.X[j]), Y: y(ys[j])}
		}
		return ps
	}
	switch s.Style {
	case Line:
		t.line = thin(at(s.Y))
	case Step:
		for j := range s.X {
			yj := y(s.Y[j])
			t.line = append(t.line, vg.Point{X: x(s.X[j]), Y: yj}, vg.Point{X: x(s.stepEnd(j)), Y: yj})
		}
		t.line = thin(t.line)
	case Points:
		t.dots = at(s.Y)
	case Band:
		low, high := at(s.YLow), at(s.YHigh)
		t.edges = [][]vg.Point{low, high}
		t.area = append(t.area, high...)
		for j := len(low) - 1; j >= 0; j-- {
			t.area = append(t.area, low[j])
		}
		t.line = at(s.Y)
	case Bars, Rows:
		for _, b := range bars {
			t.bars = append(t.bars, b.corners(s.Style, x, y, low))
		}
	}
	if marked || len(s.X) == 1 && (s.Style == Line || s.Style == Step) {
		t.dots = at(s.Y)
	}
	return t
}

// fewPoints is up to how many points of a line are marked: through so few a line
// is drawn to guide the eye, and says nothing between them.
const fewPoints = 12

// marked reports for each series whether its points are marked. A line through two
// points beside longer ones is one to compare with, and has none.
func (c *Chart) marked() []bool {
	longest := 0
	for i := range c.Series {
		longest = max(longest, len(c.Series[i].X))
	}
	marked := make([]bool, len(c.Series))
	for i := range c.Series {
		s := &c.Series[i]
		n := len(s.X)
		lined := s.Style == Line || s.Style == Band && len(s.Y) > 0
		marked[i] = lined && n > 1 && n <= fewPoints && (n > 2 || longest == 2)
	}
	return marked
}

// stepEnd returns the x up to which the j-th step holds.
func (s *Series) stepEnd(j int) float64 {
	switch n := len(s.X); {
	case j+1 < n:
		return s.X[j+1]
	case n > 1:
		return s.X[j] + (s.X[j] - s.X[j-1])
	}
	return s.X[j]
}

// thin drops points of a long line that stand in the same quarter of a point of
// the canvas, except the first, lowest, highest and last, which is all one can
// see of them. A line that runs back is left alone.
func thin(ps []vg.Point) []vg.Point {
	const column = 0.25
	if len(ps) < 4000 {
		return ps
	}
	for j := 1; j < len(ps); j++ {
		if ps[j].X < ps[j-1].X {
			return ps
		}
	}
	var kept []vg.Point
	for i := 0; i < len(ps); {
		j, low, high := i, i, i
		for j < len(ps) && ps[j].X < ps[i].X+column {
			if ps[j].Y < ps[low].Y {
				low = j
			}
			if ps[j].Y > ps[high].Y {
				high = j
			}
			j++
		}
		last := -1
		for _, k := range []int{i, min(low, high), max(low, high), j - 1} {
			if k > last {
				kept = append(kept, ps[k])
				last = k
			}
		}
		i = j
	}
	return kept
}

// paint draws the trace without its bars, cut at the edge of the canvas.
func (t *trace) paint(c draw.Canvas) {
	if len(t.area) > 1 {
		if area := c.ClipPolygonXY(t.area); len(area) > 2 {
			c.FillPolygon(shade(t.index, 0x33), area)
		}
		edge := lineStyle(t.index)
		edge.Width = 0.6
		c.StrokeLines(edge, c.ClipLinesXY(t.edges...)...)
	}
	// A picture of points takes a time that grows as the square of the points of a stroke, so that a
	// long line is drawn in pieces, each from where the one before it ended.
	const piece = 1000
	for i := 0; i < len(t.line)-1; i += piece {
		c.StrokeLines(lineStyle(t.index), c.ClipLinesXY(t.line[i:min(i+piece+1, len(t.line))])...)
	}
	t.paintWhiskers(c)
	for _, p := range t.dots {
		if inside(c, p) {
			c.DrawGlyphNoClip(glyphStyle(t.index), p)
		}
	}
}

// inside reports whether p is in c or on its edge, which rounding may miss.
func inside(c draw.Canvas, p vg.Point) bool {
	const slack = 0.05
	return p.X >= c.Min.X-slack && p.X <= c.Max.X+slack && p.Y >= c.Min.Y-slack && p.Y <= c.Max.Y+slack
}

// thumbnail draws the sample of the legend into r.
func (s *Series) thumbnail(c draw.Canvas, i int, r vg.Rectangle, marked bool) {
	mid := (r.Min.Y + r.Max.Y) / 2
	switch s.Style {
	case Points:
		c.DrawGlyphNoClip(glyphStyle(i), vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: mid})
		return
	case Band:
		c.FillPolygon(shade(i, 0x33), corners(r))
		edge := lineStyle(i)
		edge.Width = 0.6
		c.StrokeLine2(edge, r.Min.X, r.Min.Y, r.Max.X, r.Min.Y)
		c.StrokeLine2(edge, r.Min.X, r.Max.Y, r.Max.X, r.Max.Y)
		if len(s.Y) == 0 {
			return
		}
	case Bars, Rows:
		c.FillPolygon(barColor(i), corners(r))
		return
	}
	c.StrokeLine2(lineStyle(i), r.Min.X, mid, r.Max.X, mid)
	if marked {
		c.DrawGlyphNoClip(glyphStyle(i), vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: mid})
	}
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}
