package smp

import (
	"context"
	"math"
	"sync"
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

// solveRenewal solves one system for several right-hand sides in place. The
// first right-hand side decides the tilt; the others are densities or not; base
// is memory already spoken for.
func solveRenewal(ctx context.Context, fn string, r *renewal, sides [][][]float64, densities bool, o Options, base float64) (solution, error) {
	pairs := 0
	for _, row := range r.rows {
		seen := make([]bool, len(r.rows))
		for _, a := range row {
			if !seen[a.to] {
				seen[a.to] = true
				pairs++
			}
		}
	}
	directWork := float64(r.n) * float64(r.size)
	method := o.Method
	if method == Auto {
		method = Sparse
		if directWork > blockCost(r.n, len(r.rows), pairs) && r.n >= 2*baseBlock {
			method = Dense
		}
	}
	workers := min(o.Workers, len(sides))
	if method == Sparse {
		return solution{method: Sparse}, each(ctx, workers, sides, func(_ int, x [][]float64) error { return r.direct(ctx, x) })
	}
	need := base + blockBytes(r.n, len(r.rows), pairs) + 16*float64(len(r.rows)*(r.n+1))*float64(workers)
	if need > o.MaxMemory {
		return solution{}, &SizeError{fn, need, o.MaxMemory}
	}
	t := newTilt(r.decay(sides[0]), r.n)
	solver, err := newBlockSolver(ctx, r, t, o.Workers)
	if err != nil {
		return solution{}, err
	}
	var mu sync.Mutex
	out := solution{method: Dense}
	err = each(ctx, workers, sides, func(side int, x [][]float64) error {
		b := copies(x)
		for i := range x {
			t.apply(x[i])
		}
		if err := solver.solve(ctx, x); err != nil {
			return err
		}
		for i := range x {
			t.undo(x[i])
		}
		defect, again := r.residual(x, b, densities && side > 0), false
		if defect > trust && directWork <= directLimit {
			for i := range x {
				copy(x[i], b[i])
			}
			if err := r.direct(ctx, x); err != nil {
				return err
			}
			defect, again = 0, true
		}
		mu.Lock()
		out.residual = math.Max(out.residual, defect)
		out.repeated = out.repeated || again
		mu.Unlock()
		return nil
	})
	return out, err
}

// balance is the defect of a sum that has to be 1 above which a solution is not
// believed.
const balance = 3e-12

// solveBalanced solves the right-hand sides that build makes, whose solutions
// have to add up to 1 as lost measures. A tilt that does not fit the decay may
// leave one side right, or right where it is looked at, and spoil another:
// where the sum does not hold, the direct recursion solves all of them.
func solveBalanced(ctx context.Context, fn string, r *renewal, build func() [][][]float64, lost func([][][]float64) float64, densities bool, o Options, base float64) ([][][]float64, solution, error) {
	sides := build()
	how, err := solveRenewal(ctx, fn, r, sides, densities, o, base)
	if err != nil || how.method != Dense {
		return sides, how, err
	}
	defect := lost(sides)
	switch {
	case defect <= balance:
	case float64(r.n)*float64(r.size) > directLimit:
		how.residual = math.Max(how.residual, defect)
	default:
		sides, o.Method = build(), Sparse
		_, err = solveRenewal(ctx, fn, r, sides, densities, o, base)
		how.residual, how.repeated = 0, true
	}
	return sides, how, err
}

// each runs f over the sides, some at the same time.
func each(ctx context.Context, workers int, sides [][][]float64, f func(side int, x [][]float64) error) error {
	if workers <= 1 {
		for s, x := range sides {
			if err := f(s, x); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	errs := make([]error, len(sides))
	var wg sync.WaitGroup
	gate := make(chan struct{}, workers)
	for s, x := range sides {
		wg.Add(1)
		go func() {
			defer wg.Done()
			gate <- struct{}{}
			defer func() { <-gate }()
			errs[s] = f(s, x)
		}()
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func copies(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for i := range x {
		out[i] = append([]float64(nil), x[i]...)
	}
	return out
}
