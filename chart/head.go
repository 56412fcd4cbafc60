package chart

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// head draws title, subtitle and legend at the top of c and returns the rest.
func (p *panel) head(c draw.Canvas, size vg.Length) draw.Canvas {
	width := c.Max.X - c.Min.X
	y := c.Max.Y
	sty := textStyle(size, inkColor)
	for _, line := range wrap(p.Title, sty, width) {
		y -= size * 1.25
		c.FillText(sty, vg.Point{X: c.Min.X, Y: y}, line)
	}
	sty = textStyle(smallSize, paleColor)
	for _, line := range wrap(p.Subtitle, sty, width) {
		y -= smallSize * 1.4
		c.FillText(sty, vg.Point{X: c.Min.X, Y: y}, line)
	}
	y = p.legend(c, y)
	if y < c.Max.Y {
		y -= 8
	}
	c.Max.Y = y
	return c
}

// legend draws the names in rows below top and returns the new top. It takes
// a third of the height at most, and counts the names that are left out.
func (p *panel) legend(c draw.Canvas, top vg.Length) vg.Length {
	const sample, gap, between, row = 24, 5, 16, smallSize * 1.5
	sty := textStyle(smallSize, inkColor)
	var named []int
	for i, s := range p.Series {
		if s.Name != "" && len(s.X) > 0 {
			named = append(named, i)
		}
	}
	if len(named) == 0 {
		return top
	}
	marked := p.marked()
	x, y := c.Min.X, top-4-row
	lowest := c.Max.Y - max((c.Max.Y-c.Min.Y)/3, c.Max.Y-y)
	for k, i := range named {
		more := ""
		if rest := len(named) - k - 1; rest > 0 && y-row < lowest {
			more = fmt.Sprintf("and %d more", rest)
		}
		room := c.Max.X - c.Min.X - sample - gap
		if more != "" {
			room -= between + sty.Width(more)
		}
		name := fitName(p.Series[i].Name, sty, room)
		w := sample + gap + sty.Width(name)
		if x > c.Min.X && x+w > c.Max.X {
			x, y = c.Min.X, y-row
		}
		p.Series[i].thumbnail(c, i, box(x, y, sample, 6), marked[i])
		c.FillText(sty, vg.Point{X: x + sample + gap, Y: y}, name)
		x += w + between
		if more == "" {
			continue
		}
		next := sample + gap + sty.Width(fitName(p.Series[named[k+1]].Name, sty, c.Max.X-c.Min.X))
		if x+next+between+sty.Width("and 99 more") > c.Max.X {
			c.FillText(sty, vg.Point{X: min(x, c.Max.X-sty.Width(more)), Y: y}, more)
			break
		}
	}
	return y
}
