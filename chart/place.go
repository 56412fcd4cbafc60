package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// A crowd is what labels keep away from: the points along the lines drawn and
// the labels already there.
type crowd struct {
	frame  vg.Rectangle
	points []vg.Point
	labels []vg.Rectangle
}

// add puts the trace into the crowd, its lines as points 3 apart.
func (w *crowd) add(t *trace) {
	w.points = append(w.points, t.dots...)
	lines := append([][]vg.Point{t.line}, t.edges...)
	lines = append(lines, t.bars...)
	lines = append(lines, t.ranges...)
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			a, b := line[i-1], line[i]
			n := math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)) / 3
			if n > 2000 { // far outside the frame
				n = 2000
			}
			for k := 0.; k <= n; k++ {
				f := vg.Length(k / math.Max(n, 1))
				w.points = append(w.points, vg.Point{X: a.X + f*(b.X-a.X), Y: a.Y + f*(b.Y-a.Y)})
			}
		}
	}
}

// cost counts what a label in r would cover; leaving the frame is the worst,
// another label the next.
func (w *crowd) cost(r vg.Rectangle) float64 {
	out := math.Max(0, float64(w.frame.Min.X-r.Min.X)) + math.Max(0, float64(r.Max.X-w.frame.Max.X)) +
		math.Max(0, float64(w.frame.Min.Y-r.Min.Y)) + math.Max(0, float64(r.Max.Y-w.frame.Max.Y))
	cost := 1e6 * out
	for _, l := range w.labels {
		if r.Min.X < l.Max.X && l.Min.X < r.Max.X && r.Min.Y < l.Max.Y && l.Min.Y < r.Max.Y {
			cost += 1e4
		}
	}
	for _, p := range w.points {
		if r.Min.X-2 < p.X && p.X < r.Max.X+2 && r.Min.Y-2 < p.Y && p.Y < r.Max.Y+2 {
			cost++
		}
	}
	return cost
}

// place returns the first of the rectangles with the least cost and keeps
// later labels away from it.
func (w *crowd) place(candidates []vg.Rectangle) vg.Rectangle {
	best, least := candidates[0], math.Inf(1)
	for _, r := range candidates {
		if cost := w.cost(r); cost < least {
			best, least = r, cost
		}
	}
	w.labels = append(w.labels, best)
	return best
}

// box returns the rectangle of the given size at a lower left corner.
func box(x, y, width, height vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + width, Y: y + height}}
}

// besideRow returns the places of a label above and below a horizontal line,
// from right to left: close to it first, and off it for a line on which others lie.
func (w *crowd) besideRow(y, width, height vg.Length) []vg.Rectangle {
	var rs []vg.Rectangle
	room := w.frame.Max.X - w.frame.Min.X - width - 6
	for _, off := range []vg.Length{2, 8, 14} {
		for k := 0; k <= 8; k++ {
			x := w.frame.Max.X - 3 - width - room*vg.Length(k)/8
			rs = append(rs, box(x, y+off, width, height), box(x, y-off-height, width, height))
		}
	}
	return rs
}

// besideColumn returns the places of a label right and left of a vertical
// line, from top to bottom.
func (w *crowd) besideColumn(x, width, height vg.Length) []vg.Rectangle {
	var rs []vg.Rectangle
	room := w.frame.Max.Y - w.frame.Min.Y - height - 6
	for k := 0; k <= 8; k++ {
		y := w.frame.Max.Y - 3 - height - room*vg.Length(k)/8
		rs = append(rs, box(x+4, y, width, height), box(x-4-width, y, width, height))
	}
	return rs
}

// around returns the places of a label about a point, near ones first.
func around(p vg.Point, width, height vg.Length) []vg.Rectangle {
	var rs []vg.Rectangle
	for _, d := range []vg.Length{6, 14, 26} {
		rs = append(rs,
			box(p.X+d, p.Y+d/2, width, height),
			box(p.X-d-width, p.Y+d/2, width, height),
			box(p.X+d, p.Y-d/2-height, width, height),
			box(p.X-d-width, p.Y-d/2-height, width, height),
			box(p.X-width/2, p.Y+d, width, height),
			box(p.X-width/2, p.Y-d-height, width, height),
			box(p.X+d, p.Y-height/2, width, height),
			box(p.X-d-width, p.Y-height/2, width, height),
		)
	}
	return rs
}
