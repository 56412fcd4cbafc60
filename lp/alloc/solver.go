package alloc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/capplan/capplan/lp"
)

// MaxSolverCells is the most variables that a problem may have to be handed to
// a general solver: about 2 GB in HiGHS.
const MaxSolverCells = 5_000_000

// turns shares what is left of a time limit among the problems that are still
// to come.
type turns struct{ left atomic.Int64 }

// take returns the time that one problem may spend, 0 for any.
func (t *turns) take(ctx context.Context) time.Duration {
	left := max(t.left.Add(-1)+1, 1)
	deadline, limited := ctx.Deadline()
	if !limited {
		return 0
	}
	cores := min(int64(runtime.GOMAXPROCS(0)), left)
	return max(time.Until(deadline)*time.Duration(cores)/time.Duration(left), time.Millisecond)
}

// generally hands a problem to the general solver, from the solution that is
// there (level nil: none). It returns the better solution, the better bound,
// whether that there is no solution is proven, and in words why the solver
// leaves the question open, "" when it does not.
func generally(ctx context.Context, o Options, p *problem, sol solution,
	bound float64) (solution, float64, bool, string, error) {
	limit := o.turns.take(ctx)
	if ctx.Err() != nil {
		return sol, bound, false, "time ran out before the solver began", nil
	}
	if n := p.cells(); n > MaxSolverCells {
		return sol, bound, false, tooLarge(n), nil
	}
	m, cells := p.model()
	settings := lp.Settings{TimeLimit: limit}
	if sol.level != nil {
		settings.Start = make([]float64, len(cells))
		for v, c := range cells {
			if sol.level[c.job] == c.level && sol.bin[c.job] == c.bin {
				settings.Start[v] = 1
			}
		}
	}
	found, err := lp.Run(ctx, o.Solver, m, settings)
	if err != nil {
		return sol, bound, false, "", err
	}
	if !math.IsNaN(found.Bound) {
		bound = math.Min(bound, p.honest(found.Bound))
	}
	if found.X != nil {
		if better, ok := p.decode(found.X, cells); !ok {
			return sol, bound, false, "the solver's answer exceeds a capacity", nil
		} else if sol.level == nil || p.net(better) > p.net(sol) {
			sol = better
		}
	}
	switch {
	case found.Status == lp.Infeasible && sol.level == nil:
		return sol, bound, true, "", nil
	case sol.level != nil && p.net(sol) >= bound-1e-9*math.Abs(bound):
		return sol, p.net(sol), false, "", nil
	}
	return sol, bound, false, openBecause(ctx, found), nil
}

// openBecause says why a solver left a question open.
func openBecause(ctx context.Context, found *lp.Solution) string {
	reason := found.Reason
	if reason == lp.Interrupted && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		reason = lp.TimeLimit
	}
	why := fmt.Sprintf("%s, %s", found.Status, reason)
	if found.Message != "" && reason != lp.TimeLimit && reason != lp.Interrupted {
		why += ": " + found.Message
	}
	return why
}

func tooLarge(cells float64) string {
	return fmt.Sprintf("too large for a general solver: %.0f variables, at most %d are allowed",
		cells, MaxSolverCells)
}

// honest returns a solver's bound with room for its arithmetic: revenues are
// whole where nothing has a price.
func (p *problem) honest(bound float64) float64 {
	bound += 1e-6 * math.Max(1, math.Abs(bound)*1e-3)
	if p.price == nil {
		return math.Floor(bound)
	}
	return bound
}

// decode reads a vector of the problem's model, and reports whether it keeps
// every capacity, counted in whole numbers.
func (p *problem) decode(x []float64, cells []cell) (solution, bool) {
	s := solution{level: unplaced(p.jobs()), bin: unplaced(p.jobs())}
	used := make([]int64, len(p.cap))
	for v, c := range cells {
		if x[v] <= 0.5 {
			continue
		}
		if s.level[c.job] >= 0 {
			return s, false
		}
		s.level[c.job], s.bin[c.job] = c.level, c.bin
		s.value += p.rev[c.level]
		if c.bin >= 0 {
			if used[c.bin] += p.dem[c.level]; used[c.bin] > p.cap[c.bin] {
				return s, false
			}
		}
	}
	for _, l := range s.level {
		if l < 0 {
			return s, false
		}
	}
	return s, true
}
