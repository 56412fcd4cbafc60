package page

import (
	"context"
	"fmt"
	"io"
	"sort"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
)

// A Figure is a drawing. Top, if set, stands above it on the same x axis.
type Figure struct {
	ID, Caption string
	Top         *chart.Chart
	Chart       chart.Chart
}

// Write draws a figure in the format svg, png or pdf.
func (f *Figure) Write(w io.Writer, format string) error { return f.write(w, format, chart.Size{}) }

// write draws the figure in a format. A zero size is the default of package chart.
func (f *Figure) write(w io.Writer, format string, size chart.Size) error {
	// Bars along x need their own height each, whatever the screen.
	if n := float64(len(f.Chart.YNames)); n > 0 && f.Chart.Heat == nil {
		bars := 1.0
		if f.Chart.Arrange == chart.Grouped {
			bars = float64(len(f.Chart.Series))
		}
		// A group takes 14 for each of its bars and 14 of room, in the units of the drawing; the
		// title and the axis take 150.
		if size.Height = max(220, 150+n*(14+14*bars)); size.Width == 0 {
			size.Width = 800
		}
	}
	if f.Top != nil {
		return chart.WritePanels(w, *f.Top, f.Chart, format, size)
	}
	return chart.Write(w, f.Chart, format, size)
}

// Plots gives a section the figures of an answer that knows its curves, each
// with its caption. Nothing is drawn until a figure is asked for. A second call takes the place of
// the first.
func (s *Section) Plots(a ask.Plotter, captions ...string) {
	s.Draws = func(ctx context.Context) ([]Figure, error) {
		plots, err := a.Plots(ctx)
		if err != nil {
			return nil, err
		}
		return s.Figures(plots, captions...), nil
	}
}

// Figures makes figures of plots: two that follow one another over the same x
// are panels of one. The first figure has the ID of the section, the others a number behind it.
func (s *Section) Figures(plots []ask.Plot, captions ...string) []Figure {
	var all []Figure
	for i := 0; i < len(plots); i++ {
		f := Figure{ID: s.ID}
		if n := len(all); n > 0 {
			f.ID = fmt.Sprintf("%s-%d", s.ID, n+1)
		}
		if n := len(all); n < len(captions) {
			f.Caption = captions[n]
		}
		xs := horizontal(&plots[i])
		// Panels share an axis, so that both get the unit that suits the values of the two.
		if i+1 < len(plots) && plots[i].X.Name == plots[i+1].X.Name {
			xs = append(xs, horizontal(&plots[i+1])...)
			f.Top = new(laidOut(&plots[i], xs))
			i++
		}
		f.Chart = laidOut(&plots[i], xs)
		all = append(all, f)
	}
	return all
}

// AddCurve adds the points that are defined, in the order of x, if there are
// any. The given list stays as it is.
func AddCurve[T any](p *ask.Plot, name string, all []T, x func(T) float64, y func(T) *float64) {
	// The points are sorted, not the values that they are made of, and by reflection: sorting is
	// otherwise compiled anew for each type.
	var points [][2]float64
	for _, v := range all {
		if at := y(v); at != nil {
			points = append(points, [2]float64{x(v), *at})
		}
	}
	sort.SliceStable(points, func(i, j int) bool { return points[i][0] < points[j][0] })
	c := ask.Curve{Name: name}
	for _, v := range points {
		c.Add(v[0], v[1])
	}
	if len(c.X) > 0 {
		p.Curves = append(p.Curves, c)
	}
}
