package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// hasWhiskers reports whether each point of s has a range drawn about it.
func (s *Series) hasWhiskers() bool {
	return len(s.YLow) > 0 && (s.Style == Line || s.Style == Points || s.Style == Bars)
}

// whiskers returns the ranges of s as lines from low to high, at the middle of
// bars.
func (s *Series) whiskers(bars []slab, x, y func(float64) vg.Length) [][]vg.Point {
	if !s.hasWhiskers() {
		return nil
	}
	out := make([][]vg.Point, len(s.X))
	for j := range s.X {
		at := s.X[j]
		if s.Style == Bars {
			at = bars[j].place
		}
		out[j] = []vg.Point{{X: x(at), Y: y(s.YLow[j])}, {X: x(at), Y: y(s.YHigh[j])}}
	}
	return out
}

// paintWhiskers draws the ranges with a stroke across each end that is seen.
func (t *trace) paintWhiskers(c draw.Canvas) {
	const cap = 3
	line := draw.LineStyle{Color: shade(t.index, 0xFF), Width: 1}
	if t.style == Bars {
		line.Color = inkColor
	}
	for _, w := range t.ranges {
		for _, part := range c.ClipLinesXY(w) {
			c.StrokeLines(line, part)
		}
		for _, end := range w {
			if inside(c, end) {
				c.StrokeLine2(line, end.X-cap, end.Y, end.X+cap, end.Y)
			}
		}
	}
}
