package chart_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	. "github.com/capplan/capplan/chart"
)

var arcs = regexp.MustCompile(`<path d="[^"]*A[^"]*"`)

// drawn is a chart as SVG.
func drawn(t *testing.T, c Chart) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, c, "svg", Size{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func labelled(c Chart, x, y string) Chart {
	c.XLabel, c.YLabel = x, y
	return c
}

// A line through few points shows where they are; one through many does not, nor
// one of two points to compare with.
func TestFewPointsAreMarked(t *testing.T) {
	glyphs := func(series ...Series) int { // circles have arcs
		return len(arcs.FindAllString(drawn(t, Chart{Series: series}), -1))
	}
	few := Series{X: []float64{100, 120, 140}, Y: []float64{117, 138, 159}}
	if n := glyphs(few); n != 3 {
		t.Errorf("a line through 3 points has %d glyphs", n)
	}
	if n := glyphs(Series{X: span(0, 12, 1), Y: span(0, 12, 1)}); n != 0 {
		t.Errorf("a line through 13 points has %d glyphs", n)
	}
	two := Series{X: []float64{1, 4}, Y: []float64{5, 0}}
	if alone, beside := glyphs(two), glyphs(two, Series{X: span(0, 50, 1), Y: span(0, 50, 1)}); alone != 2 || beside != 0 {
		t.Errorf("a line through 2 points has %d glyphs alone and %d beside a longer one", alone, beside)
	}
}

// Thousands have a comma, those below ten thousand too, as in the text of an answer. An axis of two
// powers of ten has labels between them.
func TestLabelsOfThousands(t *testing.T) {
	straight := drawn(t, Chart{Series: []Series{{X: []float64{0, 35000}, Y: []float64{0, 35000}}}})
	log := drawn(t, Chart{XLog: true, Series: []Series{{X: []float64{12, 100, 1200}, Y: []float64{1, 2, 3}}}})
	for svg, labels := range map[string][]string{straight: {"5,000", "30,000"}, log: {"20", "50", "100", "200", "500", "1,000"}} {
		for _, want := range labels {
			if !strings.Contains(svg, ">"+want+"<") {
				t.Errorf("no label %s", want)
			}
		}
	}
}

// Only an axis of y that begins above 0 says so.
func TestAxisSaysWhereItBegins(t *testing.T) {
	high := Chart{Series: []Series{{X: []float64{1, 2, 3}, Y: []float64{117, 138, 159}}}}
	if svg := drawn(t, labelled(high, "load", "servers")); !strings.Contains(svg, ">servers, from 110<") &&
		!strings.Contains(svg, ">servers, from 115<") {
		t.Error("the axis from above 0 does not say so")
	}
	low := Chart{Series: []Series{{X: []float64{1, 2, 3}, Y: []float64{17, 138, 159}}}}
	if svg := drawn(t, labelled(low, "load", "servers")); !strings.Contains(svg, ">servers<") {
		t.Error("the axis from 0 is not labelled servers alone")
	}
	given := 0.5
	high.YMin = &given
	if svg := drawn(t, labelled(high, "load", "state")); !strings.Contains(svg, ">state<") {
		t.Error("an axis whose beginning is given says it again")
	}
}

// Hours of the clock are times of day, and midnights of a longer axis days.
func TestClock(t *testing.T) {
	day := Series{X: span(0, 23, 1), Y: span(0, 23, 1), Style: Step}
	svg := drawn(t, Chart{XClock: true, XSteps: HourSteps(), Series: []Series{day}})
	for _, want := range []string{">00:00<", ">06:00<", ">12:00<", ">24:00<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no label %s on the axis of a day", want)
		}
	}
	week := Series{X: span(0, 167, 1), Y: span(0, 167, 1), Style: Step}
	svg = drawn(t, Chart{XClock: true, XSteps: HourSteps(), Series: []Series{week}})
	for _, want := range []string{">day 1<", ">day 7<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no label %s on the axis of a week", want)
		}
	}
	const start = 20_459 * 24 // 2026-01-06
	dated := Series{X: span(start, start+167, 1), Y: span(0, 167, 1), Style: Step}
	if svg = drawn(t, Chart{XClock: true, XSteps: HourSteps(), Series: []Series{dated}}); !strings.Contains(svg, ">2026-01-07<") {
		t.Error("days of Unix time are no dates")
	}
}

// There is no machine number 0.2.
func TestWholeNumbersHaveWholeLabels(t *testing.T) {
	law := Series{X: []float64{0, 1, 2}, Y: []float64{1, 0.9, 0.5}}
	svg := drawn(t, Chart{Series: []Series{law}})
	if !strings.Contains(svg, ">2<") || strings.Contains(svg, ">1.5<") {
		t.Error("an axis of whole numbers has others")
	}
}
