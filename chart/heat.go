package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mostCells bounds a grid: beyond it a cell is smaller than a dot of the
// standard size.
const mostCells = 250_000

// A Heat is a grid of values drawn as colours, with a scale beside it. A cell
// reaches half way to its neighbours, on a logarithmic axis by ratio; the
// outermost reach as far outwards as inwards.
type Heat struct {
	X, Y  []float64   // the middles of columns and rows, increasing
	Value [][]float64 // Value[i][j] belongs to Y[i] and X[j]; NaN: there is none, and the cell is left empty
	Label string      // of the scale, with the unit: "mean wait (s)"
	Log   bool        // colours by the logarithm; every value is then > 0
	Empty string      // what an empty cell means; "" stands for "no value"
	// Floor is where the scale ends: what is less has its colour, and the scale
	// says "≤" there. 0: the scale reaches down to the least value.
	Floor float64
}

// checkHeat returns a *DataError for the first thing that cannot be drawn.
func (c *Chart) checkHeat() error {
	h := c.Heat
	if len(h.X) == 0 || len(h.Y) == 0 {
		return &DataError{"heat map",
			fmt.Sprintf("%d columns and %d rows, want at least one of each", len(h.X), len(h.Y))}
	}
	if len(h.X) > mostCells/len(h.Y) {
		return &DataError{"heat map", fmt.Sprintf("%d by %d cells, want at most %d", len(h.X), len(h.Y), mostCells)}
	}
	for _, d := range []struct {
		at    []float64
		where string
		log   bool
	}{{h.X, "heat map, column", c.XLog}, {h.Y, "heat map, row", c.YLog}} {
		for i, v := range d.at {
			where := fmt.Sprintf("%s %d", d.where, i+1)
			if err := finite(v, d.log, where, "place"); err != nil {
				return err
			}
			if i > 0 && v <= d.at[i-1] {
				return &DataError{where, fmt.Sprintf("%v after %v, want increasing places", v, d.at[i-1])}
			}
		}
	}
	if len(h.Value) != len(h.Y) {
		return &DataError{"heat map",
			fmt.Sprintf("%d rows of values for %d of y, want as many", len(h.Value), len(h.Y))}
	}
	if !(h.Floor >= 0 && h.Floor <= most) {
		return &DataError{"heat map", fmt.Sprintf("Floor = %v, want a finite value >= 0", h.Floor)}
	}
	some := false
	for i, row := range h.Value {
		if len(row) != len(h.X) {
			return &DataError{fmt.Sprintf("heat map, row %d", i+1),
				fmt.Sprintf("%d values for %d columns, want as many", len(row), len(h.X))}
		}
		for j, v := range row {
			if math.IsNaN(v) {
				continue
			}
			some = true
			// What lies below the floor is drawn as the floor, and needs no logarithm.
			if err := finite(v, h.Log && h.Floor == 0, fmt.Sprintf("heat map, row %d, column %d", i+1, j+1), "value"); err != nil {
				return err
			}
		}
	}
	if !some {
		return &DataError{"heat map", "every cell is empty, want a value to draw"}
	}
	return nil
}

// edges returns the borders of the cells about the middles, one more than
// these.
func edges(middle []float64, log bool) []float64 {
	at := func(v float64) float64 {
		if log {
			return math.Log(v)
		}
		return v
	}
	back := func(v float64) float64 {
		if log { // the outermost may reach past what is drawn
			return math.Min(most, math.Max(1/most, math.Exp(v)))
		}
		return v
	}
	n := len(middle)
	out := make([]float64, n+1)
	for i := 1; i < n; i++ {
		a, b := at(middle[i-1]), at(middle[i])
		out[i] = back(a + (b-a)/2)
	}
	first, last := at(middle[0]), at(middle[n-1])
	reach := func(from, to float64) float64 { return (to - from) / 2 }
	if n == 1 {
		width := 0.5
		if !log && math.Abs(first) > 1e-280 {
			width = math.Abs(first) / 20
		}
		out[0], out[1] = back(first-width), back(first+width)
		return out
	}
	out[0] = back(first - reach(first, at(middle[1])))
	out[n] = back(last + reach(at(middle[n-2]), last))
	return out
}

// shades is the number of colours that cells are drawn in: more cannot be
// told apart, and equal neighbours become one shape.
const shades = 256

// paint draws the cells.
func (h *Heat) paint(c draw.Canvas, xs, ys []float64, x, y func(float64) vg.Length, scale *axis) {
	const overlap = 0.75 // hides the seams that a viewer leaves between shapes
	px, py := make([]vg.Length, len(xs)), make([]vg.Length, len(ys))
	for j, v := range xs {
		px[j] = x(v)
	}
	for i, v := range ys {
		py[i] = y(v)
	}
	cell := func(i, from, to int, grow vg.Length) []vg.Point {
		r := vg.Rectangle{Min: vg.Point{X: px[from], Y: py[i]}, Max: vg.Point{X: px[to] + grow, Y: py[i+1] + grow}}
		return c.ClipPolygonXY(corners(r))
	}
	for i, row := range h.Value {
		for from := 0; from < len(row); {
			k := h.shade(row[from], scale)
			to := from + 1
			for to < len(row) && h.shade(row[to], scale) == k {
				to++
			}
			if k >= 0 {
				if area := cell(i, from, to, overlap); len(area) > 2 {
					c.FillPolygon(heatColor(float64(k)/(shades-1)), area)
				}
			}
			from = to
		}
	}
	for i, row := range h.Value {
		for j := range row {
			if math.IsNaN(row[j]) {
				if area := cell(i, j, j+1, 0); len(area) > 2 {
					empty(c, area)
				}
			}
		}
	}
}

// shade returns the number of the colour of v, -1 for no value.
func (h *Heat) shade(v float64, scale *axis) int {
	if math.IsNaN(v) {
		return -1
	}
	return int(math.Round((shades - 1) * math.Min(1, math.Max(0, scale.norm(math.Max(v, h.Floor))))))
}

// empty draws a cell that has no value: white, crossed by a thin line.
func empty(c draw.Canvas, area []vg.Point) {
	r := vg.Rectangle{Min: area[0], Max: area[0]}
	for _, p := range area {
		r.Min.X, r.Min.Y = min(r.Min.X, p.X), min(r.Min.Y, p.Y)
		r.Max.X, r.Max.Y = max(r.Max.X, p.X), max(r.Max.Y, p.Y)
	}
	c.FillPolygon(blankColor, corners(r))
	line := draw.LineStyle{Color: crossColor, Width: 0.5}
	c.StrokeLine2(line, r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
	c.StrokeLine2(line, r.Min.X, r.Max.Y, r.Max.X, r.Min.Y)
}

// hasEmpty reports whether a cell has no value.
func (h *Heat) hasEmpty() bool {
	for _, row := range h.Value {
		for _, v := range row {
			if math.IsNaN(v) {
				return true
			}
		}
	}
	return false
}
