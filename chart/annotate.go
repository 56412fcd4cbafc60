package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rules draws the straight lines and their labels.
func (p *panel) rules(c draw.Canvas, near *crowd, x, y func(float64) vg.Length) {
	line := draw.LineStyle{Color: inkColor, Width: 0.8, Dashes: []vg.Length{4, 2}}
	sty := textStyle(smallSize, inkColor)
	for _, r := range p.HLines {
		if at := y(r.Value); inside(c, vg.Point{X: c.Min.X, Y: at}) {
			c.StrokeLine2(line, c.Min.X, at, c.Max.X, at)
			near.add(&trace{line: []vg.Point{{X: c.Min.X, Y: at}, {X: c.Max.X, Y: at}}})
		}
	}
	for _, r := range p.VLines {
		if at := x(r.Value); inside(c, vg.Point{X: at, Y: c.Min.Y}) {
			c.StrokeLine2(line, at, c.Min.Y, at, c.Max.Y)
			near.add(&trace{line: []vg.Point{{X: at, Y: c.Min.Y}, {X: at, Y: c.Max.Y}}})
		}
	}
	width := c.Max.X - c.Min.X - 6
	for _, r := range p.HLines {
		if at := y(r.Value); inside(c, vg.Point{X: c.Min.X, Y: at}) && r.Label != "" {
			text := fit(r.Label, sty, width)
			label(c, text, near.place(near.besideRow(at, sty.Width(text), smallSize)))
		}
	}
	for _, r := range p.VLines {
		if at := x(r.Value); inside(c, vg.Point{X: at, Y: c.Min.Y}) && r.Label != "" {
			text := fit(r.Label, sty, width)
			label(c, text, near.place(near.besideColumn(at, sty.Width(text), smallSize)))
		}
	}
}

// marks draws the points of interest and their labels.
func (p *panel) marks(c draw.Canvas, near *crowd, x, y func(float64) vg.Length) {
	sty := textStyle(smallSize, inkColor)
	for _, m := range p.Marks {
		at := vg.Point{X: x(m.X), Y: y(m.Y)}
		if !inside(c, at) {
			continue
		}
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: color.White, Radius: markRadius, Shape: draw.CircleGlyph{}}, at)
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: inkColor, Radius: 3.2, Shape: draw.CircleGlyph{}}, at)
		near.points = append(near.points, at)
		p.uncover(c, at, x, y)
	}
	for _, m := range p.Marks {
		at := vg.Point{X: x(m.X), Y: y(m.Y)}
		if inside(c, at) && m.Label != "" {
			text := fit(m.Label, sty, c.Max.X-c.Min.X-6)
			label(c, text, near.place(around(at, sty.Width(text), smallSize)))
		}
	}
}

// markRadius is that of a mark with its halo.
const markRadius = 4.2

// uncover draws anew the points that a mark hides, but those of the first series, of
// which the mark mostly is one: a bound that is met would be in the legend alone.
func (p *panel) uncover(c draw.Canvas, mark vg.Point, x, y func(float64) vg.Length) {
	for i, s := range p.Series {
		for j := range s.X {
			if i == 0 || s.Style != Points {
				break
			}
			at := vg.Point{X: x(s.X[j]), Y: y(s.Y[j])}
			if math.Hypot(float64(at.X-mark.X), float64(at.Y-mark.Y)) < markRadius {
				c.DrawGlyphNoClip(glyphStyle(i), at)
			}
		}
	}
}

// label writes text into r on a light ground.
func label(c draw.Canvas, text string, r vg.Rectangle) {
	ground := vg.Rectangle{Min: vg.Point{X: r.Min.X - 1.5, Y: r.Min.Y - 1},
		Max: vg.Point{X: r.Max.X + 1.5, Y: r.Max.Y + 0.5}}
	c.FillPolygon(haloColor, corners(ground))
	c.FillText(textStyle(smallSize, inkColor), vg.Point{X: r.Min.X, Y: r.Min.Y + 1.5}, text)
}
