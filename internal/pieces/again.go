package pieces

import (
	"context"

	"github.com/capplan/capplan/internal/parallel"
)

// portion is how many pieces one goroutine reads at a time.
const portion = 128

// portions is how many those of n pieces are.
func portions(n int) int { return (n + portion - 1) / portion }

// Given reports whether the pieces of the outermost [Fold] were kept and can be taken: then work
// whose partials are too many to be held may go through them with [Skim] and [Again] as well.
func Given(ctx context.Context) bool { return at(ctx).giver != nil }

// Skim looks at the pieces of a work in no order, on all cores. It stands for the
// Fold of that work. The context has a giver.
func Skim(ctx context.Context, w Work, look func(Kept) error) error {
	return at(ctx).giver.Skim(ctx, w, look)
}

// Again goes once more through the pieces of the work that came last: on all cores
// read makes one value of some of them, and the values are taken in order. The
// context has a giver.
func Again[Q any](ctx context.Context, w Work, read func(some []Kept) (Q, error), take func(Q) error) error {
	return at(ctx).giver.Again(ctx, w, func(some []Kept) error {
		values := make([]Q, portions(len(some)))
		err := parallel.All(ctx, len(values), func(k int) (err error) {
			values[k], err = read(some[k*portion : min((k+1)*portion, len(some))])
			return err
		})
		for k := 0; k < len(values) && err == nil; k++ {
			err = take(values[k])
		}
		return err
	})
}
