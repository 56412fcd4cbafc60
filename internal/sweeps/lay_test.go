package sweeps

import "context"

// lay makes the rows of one or two axes.
func lay(ctx context.Context, axes []Axis) ([]Row, error) {
	g, err := NewGrid(axes)
	if err != nil {
		return nil, err
	}
	return g.Rows(ctx)
}
