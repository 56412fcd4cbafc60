package chart_test

import (
	"bytes"
	"strings"
	"testing"

	. "github.com/capplan/capplan/chart"
)

// A point of a second series under a mark is painted above it, and one of the first
// is not: the mark is that point.
func TestMarkHidesNoOtherSeries(t *testing.T) {
	const ink, second = "fill:#222222", "fill:#D55E00"
	for name, c := range map[string]struct {
		points Series
		above  bool
	}{
		"under it": {Series{Name: "bound", X: []float64{2}, Y: []float64{4}, Style: Points}, true},
		"beside":   {Series{Name: "bound", X: []float64{1}, Y: []float64{1}, Style: Points}, false},
	} {
		chart := Chart{
			Series: []Series{{Name: "answer", X: []float64{1, 2, 3}, Y: []float64{1, 4, 9}, Style: Points}, c.points},
			Marks:  []Mark{{X: 2, Y: 4}},
		}
		var b bytes.Buffer
		if err := Write(&b, chart, "svg", Size{}); err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, line := range strings.Split(b.String(), "\n") {
			if strings.HasPrefix(line, "<path") {
				paths = append(paths, line)
			}
		}
		dot, bound := -1, -1
		for i, p := range paths {
			switch {
			case strings.Contains(p, ink):
				dot = i
			case strings.Contains(p, second):
				bound = i
			}
		}
		if dot < 0 || bound < 0 || bound > dot != c.above || strings.Contains(paths[len(paths)-1], "fill:#0072B2") {
			t.Errorf("%s: the mark is path %d and the point %d of %d", name, dot, bound, len(paths))
		}
	}
}

// Long names that begin alike are told apart by their ends.
func TestLongNamesKeepTheirEnds(t *testing.T) {
	var c Chart
	for _, end := range []string{"01", "02", "03"} {
		c.YNames = append(c.YNames, strings.Repeat("machine of the site ", 9)+end)
	}
	c.Series = []Series{{Name: "chance", X: []float64{1, 2, 3}, Y: []float64{0, 1, 2}, Style: Rows}}
	var b bytes.Buffer
	if err := Write(&b, c, "svg", Size{}); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"01<", "02<", "03<"} {
		if !strings.Contains(b.String(), end) || !strings.Contains(b.String(), ">machine of the site") {
			t.Errorf("no name ends in %s", end)
		}
	}
}

// A y axis of nothing but zeros has nothing below them.
func TestZerosBeginAtZero(t *testing.T) {
	zero := 0.0
	for name, c := range map[string]Chart{
		"free":    {},
		"to zero": {YMax: &zero}, // there is no other side to draw
	} {
		c.Series = []Series{{Name: "servers", X: []float64{1, 2, 3}, Y: []float64{0, 0, 0}}}
		var b bytes.Buffer
		if err := Write(&b, c, "svg", Size{}); err != nil {
			t.Fatal(err)
		}
		if below := strings.Contains(b.String(), ">-1<"); below != (name == "to zero") {
			t.Errorf("%s: -1 on the axis: %v", name, below)
		}
	}
}
