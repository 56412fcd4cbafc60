package smp

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
)

// trust is the residual above which the block method is not believed.
const trust = 3e-13

// directLimit is the number of multiply-adds up to which the direct recursion
// may replace a block solution that is not believed.
const directLimit = 2e10

// A solution says how a system was solved.
type solution struct {
	method   Method
	residual float64
	repeated bool
}

// smallWork is the number of arcs and steps below which dividing a pass over
// them costs more than it saves.
const smallWork = 1 << 13

// solveRenewal solves one system in place for the right-hand sides that build
// makes, and returns their solutions. The first decides the tilt; the others
// are densities or not; base is memory already spoken for.
func solveRenewal(ctx context.Context, fn string, r *renewal, build func() [][][]float64, densities bool, o Options,
	base float64) ([][][]float64, solution, error) {
	sides := build()
	r.tell = o.Progress
	pairs := r.pairs()
	directWork := float64(r.n) * float64(r.size)
	method := o.Method
	if method == Auto {
		method = r.method(pairs)
	}
	workers := min(o.Workers, len(sides))
	errs := make([]error, len(sides))
	direct := func(side int) { errs[side] = r.direct(ctx, sides[side]) }
	if method == Sparse {
		spread(workers, len(sides), direct)
		return sides, solution{method: Sparse}, firstOf(ctx, errs)
	}
	need := 2*base + blockBytes(r.n, len(r.rows), pairs) + 16*float64(len(r.rows)*(r.n+1))*float64(workers)
	if need > o.MaxMemory {
		return nil, solution{}, &SizeError{fn, need, o.MaxMemory}
	}
	t := newTilt(r.decay(sides[0]), r.n)
	solver, err := newBlockSolver(ctx, r, t, o.Workers)
	if err != nil {
		return nil, solution{}, err
	}
	defects := make([]float64, len(sides))
	spread(workers, len(sides), func(side int) {
		x := sides[side]
		given := r.looked(x)
		for i := range x {
			t.apply(x[i])
		}
		if errs[side] = solver.solve(ctx, x); errs[side] != nil {
			return
		}
		for i := range x {
			t.undo(x[i])
		}
		defects[side] = r.residual(x, given, densities && side > 0)
	})
	out := solution{method: Dense, repeated: slices.Max(defects) > trust && directWork <= directLimit}
	if err := firstOf(ctx, errs); err != nil {
		return nil, out, err
	}
	if out.repeated {
		fresh := build()
		spread(workers, len(sides), func(side int) {
			if defects[side] > trust {
				sides[side], defects[side] = fresh[side], 0
				direct(side)
			}
		})
	}
	out.residual = slices.Max(defects)
	return sides, out, firstOf(ctx, errs)
}

// method is the cheaper one, by an estimate of the operations.
func (r *renewal) method(pairs int) Method {
	if r.n >= 2*baseBlock && float64(r.n)*float64(r.size) > blockCost(r.n, len(r.rows), pairs) {
		return Dense
	}
	return Sparse
}

// balance is the defect of a sum that has to be 1 above which a solution is not
// believed.
const balance = 3e-12

// solveBalanced solves right-hand sides whose solutions have to add up to 1 as
// lost measures. A tilt that does not fit the decay may leave one side right,
// or right where it is looked at, and spoil another: where the sum does not
// hold, the direct recursion solves all of them.
func solveBalanced(ctx context.Context, fn string, r *renewal, build func() [][][]float64,
	lost func([][][]float64) float64, densities bool, o Options, base float64) ([][][]float64, solution, error) {
	sides, how, err := solveRenewal(ctx, fn, r, build, densities, o, base)
	if err != nil || how.method != Dense {
		return sides, how, err
	}
	defect := lost(sides)
	switch {
	case defect <= balance:
	case float64(r.n)*float64(r.size) > directLimit:
		how.residual = math.Max(how.residual, defect)
	default:
		o.Method = Sparse
		sides, _, err = solveRenewal(ctx, fn, r, build, densities, o, base)
		how.residual, how.repeated = 0, true
	}
	return sides, how, err
}

// spread calls f for 0..n−1, on the given number of goroutines.
func spread(workers, n int, f func(i int)) {
	_ = parallel.Each(context.Background(), max(workers, 1), n, func(i int) error {
		f(i)
		return nil
	})
}

// firstOf returns the first error, that of an ended context if there is none.
func firstOf(ctx context.Context, errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
