package chart_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	. "github.com/capplan/capplan/chart"
)

// A shape is a filled polygon of a drawing.
type shape struct {
	color                    string
	left, right, bottom, top float64
}

// shapes returns the filled polygons of a drawing in the order of drawing.
func shapes(t *testing.T, c Chart) []shape {
	t.Helper()
	var all []shape
	for _, m := range regexp.MustCompile(`<path d="([^"]*)"\s*style="fill:(#[0-9A-F]{6})`).FindAllSubmatch(draw(t, c, "svg"), -1) {
		s := shape{string(m[2]), math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
		for _, p := range regexp.MustCompile(`[ML]([-0-9.e]+),([-0-9.e]+)`).FindAllSubmatch(m[1], -1) {
			x, _ := strconv.ParseFloat(string(p[1]), 64)
			y, _ := strconv.ParseFloat(string(p[2]), 64)
			s.left, s.right = math.Min(s.left, x), math.Max(s.right, x)
			s.bottom, s.top = math.Min(s.bottom, y), math.Max(s.top, y)
		}
		all = append(all, s)
	}
	return all
}

// luminance is the relative luminance of WCAG 2, the lightness that stays in a
// grey print.
func luminance(t *testing.T, color string) float64 {
	t.Helper()
	v, err := strconv.ParseUint(strings.TrimPrefix(color, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	linear := func(b uint64) float64 {
		s := float64(b&0xFF) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(v>>16) + 0.7152*linear(v>>8) + 0.0722*linear(v)
}

// The larger value is the lighter one, from end to end of the scale.
func TestHeatLightness(t *testing.T) {
	xs := span(0, 255, 1)
	c := Chart{Heat: &Heat{X: xs, Y: []float64{0}, Value: [][]float64{xs}}}
	cells := shapes(t, c)[1:257] // the first is the ground, the last the scale
	for i := 1; i < len(cells); i++ {
		if cells[i].left <= cells[i-1].left {
			t.Fatalf("cell %d is not right of the one before", i)
		}
		// Over four steps: between two the rounding to 8 bits shows.
		if i < 4 {
			continue
		}
		if a, b := luminance(t, cells[i-4].color), luminance(t, cells[i].color); b <= a {
			t.Errorf("value %d is %s of luminance %.4f, after %.4f", i, cells[i].color, b, a)
		}
	}
	if first, last := cells[0].color, cells[255].color; first != "#440154" || last != "#FDE725" {
		t.Errorf("ends %s and %s, want those of viridis", first, last)
	}
}

// Each cell stands where its place says, with the colour of its value; a
// logarithmic scale has the geometric mean in the middle.
func TestHeatCells(t *testing.T) {
	c := Chart{Heat: &Heat{X: []float64{1, 2, 4}, Y: []float64{10, 20}, Value: [][]float64{{1, 100, 10}, {10, 1, 100}}, Log: true}}
	cells := shapes(t, c)[1:7]
	low, mid, high := "#440154", cells[2].color, "#FDE725"
	for i, want := range []string{low, high, mid, mid, low, high} {
		if cells[i].color != want {
			t.Errorf("cell %d is %s, want %s", i, cells[i].color, want)
		}
	}
	if mid == low || mid == high {
		t.Errorf("the middle is %s", mid)
	}
	// Columns from 0.5 to 1.5, 3 and 5: widths 1, 1.5, 2. Rows are equal.
	unit := cells[1].left - cells[0].left
	for i, width := range []float64{1, 1.5, 2} {
		right := cells[2].right
		if i < 2 {
			right = cells[i+1].left
		}
		if got := right - cells[i].left; math.Abs(got-width*unit) > 0.05 {
			t.Errorf("column %d is %v wide, want %v", i, got, width*unit)
		}
	}
	if a, b := cells[3].bottom-cells[0].bottom, cells[3].top-cells[3].bottom; math.Abs(a-b) > 0.05 {
		t.Errorf("rows %v and %v high", a, b)
	}
}

// A cell without a value is white and crossed, and the scale says so.
func TestHeatEmpty(t *testing.T) {
	c := Chart{Heat: &Heat{X: []float64{1, 2}, Y: []float64{1}, Value: [][]float64{{3, math.NaN()}}}}
	white := func(c Chart) (n int) {
		for _, s := range shapes(t, c) {
			if s.color == "#FFFFFF" {
				n++
			}
		}
		return n
	}
	if n := white(c); n != 3 { // the ground, the cell, the sample beside the scale
		t.Errorf("%d white shapes, want 3", n)
	}
	if s := string(draw(t, c, "svg")); !strings.Contains(s, ">no value<") {
		t.Error("the scale does not name the empty cell")
	}
	c.Heat.Empty = "unstable"
	if s := string(draw(t, c, "svg")); !strings.Contains(s, ">unstable<") {
		t.Error("the scale has not the name given")
	}
	c.Heat.Value[0][1] = 4
	if n := white(c); n != 1 {
		t.Errorf("%d white shapes without empty cells, want 1", n)
	}
}

func TestHeatRefuses(t *testing.T) {
	nan := math.NaN()
	two := []float64{1, 2}
	for name, c := range map[string]struct {
		heat          Heat
		where, reason string
	}{
		"no column": {Heat{Y: two, Value: [][]float64{{}, {}}}, "heat map", "0 columns"},
		"no rows":   {Heat{X: two}, "heat map", "0 rows"},
		"order":     {Heat{X: []float64{2, 1}, Y: two, Value: [][]float64{two, two}}, "heat map, column 2", "1 after 2"},
		"rows":      {Heat{X: two, Y: two, Value: [][]float64{two}}, "heat map", "1 rows of values for 2"},
		"columns":   {Heat{X: two, Y: two, Value: [][]float64{two, {1}}}, "heat map, row 2", "1 values for 2 columns"},
		"infinite":  {Heat{X: two, Y: two, Value: [][]float64{two, {1, math.Inf(1)}}}, "heat map, row 2, column 2", "value = +Inf"},
		"log":       {Heat{X: two, Y: two, Value: [][]float64{two, {1, 0}}, Log: true}, "heat map, row 2, column 2", "value = 0 on a logarithmic"},
		"empty":     {Heat{X: two, Y: []float64{1}, Value: [][]float64{{nan, nan}}}, "heat map", "every cell is empty"},
		"place":     {Heat{X: []float64{1, nan}, Y: two, Value: [][]float64{two, two}}, "heat map, column 2", "place = NaN"},
		"many":      {Heat{X: span(1, 501, 1), Y: span(1, 500, 1)}, "heat map", "501 by 500 cells"},
	} {
		var de *DataError
		err := Write(io.Discard, Chart{Heat: &c.heat}, "svg", Size{})
		if !errors.As(err, &de) || de.Where != c.where || !strings.Contains(de.Reason, c.reason) {
			t.Errorf("%s: %v, want %s: %s", name, err, c.where, c.reason)
		}
	}
}

// A heat map leaves what it is given alone.
func TestHeatLeavesChart(t *testing.T) {
	h := &Heat{X: []float64{0}, Y: []float64{0, 1}, Value: [][]float64{{1}, {2}}, Label: "a\nb"}
	if err := Write(io.Discard, Chart{Heat: h, YNames: []string{"p", "q"}}, "svg", Size{}); err != nil {
		t.Fatal(err)
	}
	if h.Label != "a\nb" || h.Y[0] != 0 || h.Value[0][0] != 1 {
		t.Errorf("changed to %+v", h)
	}
}

// Any grid is drawn or refused.
func FuzzHeat(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, uint8(0))
	f.Add(1e-300, 1e300, -1e300, uint8(7))
	f.Add(0.0, 5e-324, 1e-290, uint8(3))
	f.Fuzz(func(t *testing.T, a, b, v float64, how uint8) {
		c := Chart{XLog: how&1 > 0, YLog: how&2 > 0, Heat: &Heat{X: []float64{a, b}, Y: []float64{v, b}, Value: [][]float64{{a, v}, {math.NaN(), b}}, Log: how&4 > 0}}
		if how&8 > 0 {
			c.XNames = []string{"p", "q"}
		}
		if how&16 > 0 {
			c.YNames = []string{"p", "q"}
		}
		var out bytes.Buffer
		if err := Write(&out, c, "svg", Size{}); err == nil && (bytes.Contains(out.Bytes(), []byte("NaN")) || bytes.Contains(out.Bytes(), []byte("Inf"))) {
			t.Fatalf("a coordinate of %+v is not finite", c.Heat)
		}
	})
}

// A scale that is cut says so, and what lies below the cut has its colour.
func TestHeatFloor(t *testing.T) {
	c := Chart{Heat: &Heat{X: []float64{0, 2, 4, 6}, Y: []float64{0}, Log: true, Floor: 1e-6,
		Value: [][]float64{{1, 1e-6, 1e-180, 0}}}}
	cells := shapes(t, c)
	if darkest := cells[2]; cells[1].color == darkest.color || darkest.right-darkest.left < 2*(cells[1].right-cells[1].left) {
		t.Errorf("%v beside %v, want three cells of one colour beside the first", darkest, cells[1])
	}
	if !bytes.Contains(draw(t, c, "svg"), []byte("≤ 1e-6")) {
		t.Error("the scale does not say that it is cut")
	}
	c.Heat.Floor = 0
	var wrong *DataError
	if err := Write(io.Discard, c, "svg", Size{}); !errors.As(err, &wrong) {
		t.Errorf("%v for a value of 0 on a logarithmic scale without a floor, want a DataError", err)
	}
}
