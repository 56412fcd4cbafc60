package sweeps

import (
	"context"
	"fmt"
)

// A Grid is the points of one or two axes, the last axis fastest. A shard makes only the rows that
// it answers, so that points are laid out by their number.
type Grid struct {
	axes []Axis
	of   *points
	n    int
}

// NewGrid returns the points of axes. Errors: *OptionError for too many.
func NewGrid(axes []Axis) (*Grid, error) {
	g := &Grid{axes: axes, of: &points{}, n: 1}
	for _, a := range axes {
		if g.n *= len(a.Values); g.n > MostPoints {
			return nil, &OptionError{"over", fmt.Sprintf("more than %d points", MostPoints)}
		}
		g.of.swept = append(g.of.swept, a.Flag)
	}
	return g, nil
}

// Len is how many points there are.
func (g *Grid) Len() int { return g.n }

// Row is the row of a point that is not answered. i counts from 0.
func (g *Grid) Row(i int) Row {
	first := g.axes[0].Values
	if len(g.axes) == 1 {
		return Row{of: g.of, Values: first[i : i+1 : i+1]}
	}
	second := g.axes[1].Values
	return Row{of: g.of, Values: []string{first[i/len(second)], second[i%len(second)]}}
}

// Rows lays all points out.
func (g *Grid) Rows(ctx context.Context) ([]Row, error) {
	rows := make([]Row, g.n)
	for i := range rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rows[i] = g.Row(i)
	}
	return rows, nil
}
