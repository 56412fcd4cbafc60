package chart_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	. "github.com/capplan/capplan/chart"
)

const orange = "#E69F00"

// bars returns the bars of a colour, without the sample of the legend.
func bars(t *testing.T, c Chart, color string) []shape {
	t.Helper()
	var out []shape
	for _, s := range shapes(t, c) {
		if s.color == color {
			out = append(out, s)
		}
	}
	return out
}

func two(style Style, a, b []float64, how Arrangement) Chart {
	at := span(0, float64(len(a)-1), 1)
	s, u := Series{X: at, Y: a, Style: style}, Series{X: at, Y: b, Style: style}
	if style == Rows {
		s, u = Series{X: a, Y: at, Style: style}, Series{X: b, Y: at, Style: style}
	}
	return Chart{Series: []Series{s, u}, Arrange: how}
}

// Stacked bars stand on each other, those below 0 under it.
func TestStacked(t *testing.T) {
	c := two(Bars, []float64{2, -1}, []float64{4, -3}, Stacked)
	a, b := bars(t, c, blue), bars(t, c, orange)
	if a[0].top != b[0].bottom || math.Abs((b[0].top-b[0].bottom)-2*(a[0].top-a[0].bottom)) > 0.05 {
		t.Errorf("%+v below %+v, want twice as high", a[0], b[0])
	}
	if a[1].bottom != b[1].top || math.Abs((b[1].top-b[1].bottom)-3*(a[1].top-a[1].bottom)) > 0.05 {
		t.Errorf("%+v above %+v, want three times as high", a[1], b[1])
	}
	if a[0].bottom != a[1].top {
		t.Errorf("feet at %v and %v", a[0].bottom, a[1].top)
	}
}

// Grouped bars stand beside each other, in the order of the series.
func TestGrouped(t *testing.T) {
	c := two(Bars, []float64{2, 1}, []float64{4, 3}, Grouped)
	a, b := bars(t, c, blue), bars(t, c, orange)
	for i := range a {
		if math.Abs(a[i].right-b[i].left) > 0.05 {
			t.Errorf("%+v and %+v do not touch", a[i], b[i])
		}
	}
	rows := two(Rows, []float64{2, 1}, []float64{4, 3}, Grouped)
	rows.YNames = []string{"p", "q"}
	a, b = bars(t, rows, blue), bars(t, rows, orange)
	if a[0].bottom < a[1].top || math.Abs(a[0].bottom-b[0].top) > 0.05 {
		t.Errorf("rows %+v, %+v: want the first name and the first series on top", a, b)
	}
}

// In a tornado both bars start at the base; of two on one side the shorter is
// drawn later.
func TestTornado(t *testing.T) {
	c := two(Rows, []float64{112, 142}, []float64{171, 140}, Overlaid)
	c.Base = 138
	var order []shape
	for _, s := range shapes(t, c) {
		if s.color == blue || s.color == orange {
			order = append(order, s)
		}
	}
	if len(order) != 4 {
		t.Fatalf("%d bars, want 4", len(order))
	}
	unit := (order[0].right - order[0].left) / (171 - 138)
	for i, want := range []struct {
		color string
		ends  float64
	}{{orange, 33}, {blue, -26}, {blue, 4}, {orange, 2}} {
		s := order[i]
		length := s.right - order[0].left
		if want.ends < 0 {
			length = s.left - order[0].left
		}
		if s.color != want.color || math.Abs(length-want.ends*unit) > 0.05 {
			t.Errorf("bar %d is %+v, want %s to %v", i, s, want.color, want.ends)
		}
	}
}

// A whisker reaches from low to high, on a bar at its middle.
func TestWhiskers(t *testing.T) {
	c := Chart{Series: []Series{{X: []float64{0, 1}, Y: []float64{2, 4}, YLow: []float64{1, 4}, YHigh: []float64{3, 6}, Style: Bars}}}
	b := bars(t, c, blue)
	unit := (b[0].top - b[0].bottom) / 2
	found := 0
	for _, p := range paths(t, draw(t, c, "svg"), "#222222") {
		for i, low := range []float64{1, 4} {
			mid, y := (b[i].left+b[i].right)/2, b[i].bottom+low*unit
			if len(p) == 2 && p[0][0] == p[1][0] && math.Abs(p[0][0]-mid) < 0.05 && math.Abs(p[0][1]-y) < 0.05 && math.Abs(p[1][1]-y-2*unit) < 0.05 {
				found++
			}
		}
	}
	if found != 2 {
		t.Errorf("%d whiskers in place, want 2", found)
	}
}

func TestBarsRefuse(t *testing.T) {
	one := []float64{1}
	bar := func(s Series) Chart { s.Name, s.X, s.Y = "b", one, one; return Chart{Series: []Series{s}} }
	named := func(c Chart, x, y []string) Chart { c.XNames, c.YNames = x, y; return c }
	with := func(c Chart, f func(*Chart)) Chart { f(&c); return c }
	for name, c := range map[string]struct {
		chart         Chart
		where, reason string
	}{
		"both":          {Chart{Series: []Series{{X: one, Y: one, Style: Bars}, {X: one, Y: one, Style: Rows}}}, "chart", "Bars and Rows"},
		"arrangement":   {with(bar(Series{Style: Bars}), func(c *Chart) { c.Arrange = 3 }), "chart", "arrangement 3"},
		"base":          {with(bar(Series{Style: Bars}), func(c *Chart) { c.Base = math.NaN() }), "chart", "base = NaN"},
		"stacked log":   {with(bar(Series{Style: Bars}), func(c *Chart) { c.Arrange, c.YLog = Stacked, true }), "chart", "stacked bars on a logarithmic"},
		"stacked range": {with(bar(Series{Style: Bars, YLow: one, YHigh: one}), func(c *Chart) { c.Arrange = Stacked }), `series "b"`, "whiskers on stacked bars"},
		"rows range":    {bar(Series{Style: Rows, YLow: one, YHigh: one}), `series "b"`, "low and high on Rows"},
		"rows log":      {with(bar(Series{Style: Rows}), func(c *Chart) { c.YLog = true }), `series "b"`, "rows on a logarithmic y axis"},
		"rows order":    {Chart{Series: []Series{{Name: "b", X: []float64{1, 2}, Y: []float64{1, 1}, Style: Rows}}}, `series "b", point 2`, "want increasing y"},
		"labels":        {bar(Series{Style: Bars, Labels: []string{"p", "q"}}), `series "b"`, "2 labels for 1 points"},
		"labelled line": {bar(Series{Labels: []string{"p"}}), `series "b"`, "none without bars"},
		"half a range":  {bar(Series{YLow: one}), `series "b"`, "1 values of low and 0 of high"},
		"range order":   {bar(Series{YLow: []float64{2}, YHigh: one}), `series "b", point 1`, "low = 2 above high = 1"},
		"name of x":     {named(bar(Series{Style: Bars}), []string{"p"}, nil), `series "b", point 1`, "x = 1 is beside the 1 names, want 0 to 0"},
		"name of y":     {named(bar(Series{Style: Rows}), nil, []string{"p"}), `series "b", point 1`, "y = 1 is beside the 1 names"},
		"names and log": {with(named(bar(Series{}), []string{"p", "q"}, nil), func(c *Chart) { c.XLog = true }), "chart", "names on a logarithmic"},
	} {
		var de *DataError
		err := Write(io.Discard, c.chart, "svg", Size{})
		if !errors.As(err, &de) || de.Where != c.where || !strings.Contains(de.Reason, c.reason) {
			t.Errorf("%s: %v, want %s: %s", name, err, c.where, c.reason)
		}
	}
}

// Bars beside each other differ in grey, as a print shows them: by a tenth of the way from black to white.
func TestBarsDifferInGrey(t *testing.T) {
	var c Chart
	for range 6 {
		c.Series = append(c.Series, Series{X: []float64{0}, Y: []float64{1}, Style: Bars})
	}
	var grey []float64
	for _, s := range shapes(t, c) {
		var r, g, b int
		if n, err := fmt.Sscanf(s.color, "#%02X%02X%02X", &r, &g, &b); n == 3 && err == nil && r+g+b < 3*0xE0 {
			grey = append(grey, (0.299*float64(r)+0.587*float64(g)+0.114*float64(b))/255)
		}
	}
	if len(grey) != 6 {
		t.Fatalf("%d bars, want 6", len(grey))
	}
	for i := 1; i < len(grey); i++ {
		if d := math.Abs(grey[i] - grey[i-1]); d < 0.1 {
			t.Errorf("bars %d and %d differ by %.2g in grey", i, i+1, d)
		}
	}
}
