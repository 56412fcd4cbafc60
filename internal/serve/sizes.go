package serve

import (
	"context"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
)

// undrawn refuses what drives draws where none are drawn, as the command does. A seed of 1 is that of
// a question without one. Errors: *ask.InputError.
func undrawn(q *sizing.SizeQuestion) error {
	const why = "only used with a load that is a range, such as 80..130"
	switch {
	case q.Uncertain():
	case q.Samples != 0:
		return ask.Inputf("samples", why)
	case q.Seed > 1:
		return ask.Inputf("seed", why)
	}
	return nil
}

func size(ctx context.Context, q *sizing.SizeQuestion) (*sizing.SizeAnswer, error) {
	if err := undrawn(q); err != nil {
		return nil, err
	}
	return sizing.Size(ctx, q)
}

func check(ctx context.Context, q *sizing.CheckQuestion) (*sizing.CheckAnswer, error) {
	if err := undrawn(&q.SizeQuestion); err != nil {
		return nil, err
	}
	return sizing.Check(ctx, q)
}
