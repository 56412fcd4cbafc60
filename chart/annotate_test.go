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

// Long names that begin and end alike are told apart by what differs.
func TestLongNamesKeepWhatDiffers(t *testing.T) {
	const site, domain = "machine of the third site in the south of the country ", ".internal.some.company.example.org"
	for name, c := range map[string]struct{ before, after, want string }{
		"at the end":    {site, "", ">...country %s<"},
		"at the middle": {site, domain, ">...country %s.interna...<"},
		"at the front":  {"", domain + domain, ">%s.interna...<"},
		"short":         {"node ", "", ">node %s<"},
	} {
		for _, upright := range []bool{false, true} {
			var chart Chart
			var names []string
			for _, number := range []string{"11", "22", "33"} {
				names = append(names, c.before+number+c.after)
			}
			places, chances := []float64{0, 1, 2}, []float64{1, 2, 3}
			chart.YNames, chart.Series = names, []Series{{Name: "chance", X: chances, Y: places, Style: Rows}}
			if upright {
				chart.XNames, chart.YNames, chart.Series = names, nil, []Series{{Name: "chance", X: places, Y: chances, Style: Bars}}
			}
			var b bytes.Buffer
			if err := Write(&b, chart, "svg", Size{}); err != nil {
				t.Fatal(err)
			}
			for _, number := range []string{"11", "22", "33"} {
				want := strings.ReplaceAll(c.want, "%s", number)
				if upright {
					want = number // in one line or two
				}
				if !strings.Contains(b.String(), want) {
					t.Errorf("%s, upright %v: no name %s", name, upright, want)
				}
			}
		}
	}
	var b bytes.Buffer
	one := Chart{YNames: []string{strings.Repeat(site, 9) + "end"}, Series: []Series{{X: []float64{1}, Y: []float64{0}, Style: Rows}}}
	if err := Write(&b, one, "svg", Size{}); err != nil || !strings.Contains(b.String(), "end<") || !strings.Contains(b.String(), ">machine") {
		t.Errorf("%v, one name lost its end or its beginning", err)
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
