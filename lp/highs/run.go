//go:build highs && cgo

package highs

import (
	"context"
	"math"
	"runtime"
	"time"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/lp"
)

// arrays is a model as the C interface takes it, by rows.
type arrays struct {
	maximize                  bool
	offset                    float64
	cost, columnLower         []float64
	columnUpper               []float64
	rowLower, rowUpper, value []float64
	start, index, integer     []int32
}

func layOut(m *lp.Model) (*arrays, error) {
	n := 0
	for _, r := range m.Rows {
		n += len(r.Terms)
	}
	if max(n, len(m.Rows), len(m.Variables)) >= math.MaxInt32 {
		return nil, ErrTooLarge
	}
	p := &arrays{
		maximize: m.Maximize,
		offset:   m.Offset,
		integer:  make([]int32, len(m.Variables)),
		start:    make([]int32, 0, len(m.Rows)+1),
		index:    make([]int32, 0, n),
		value:    make([]float64, 0, n),
	}
	for j, v := range m.Variables {
		p.cost, p.columnLower, p.columnUpper =
			append(p.cost, v.Cost), append(p.columnLower, v.Lower), append(p.columnUpper, v.Upper)
		if v.Integer {
			p.integer[j] = 1
		}
	}
	for _, r := range m.Rows {
		p.start = append(p.start, int32(len(p.index)))
		p.rowLower, p.rowUpper = append(p.rowLower, r.Lower), append(p.rowUpper, r.Upper)
		for _, t := range r.Terms {
			p.index, p.value = append(p.index, int32(t.Variable)), append(p.value, t.Coefficient)
		}
	}
	p.start = append(p.start, int32(len(p.index)))
	return p, nil
}

// grace is how long a run may take to stop when the context ends. Then it is
// left to end by itself, and the best vector that it has told of is taken.
const grace = 500 * time.Millisecond

// Solve implements [lp.Solver]. When the context ends and HiGHS does not look
// up in time, its thread goes on alone until it does.
func (s Solver) Solve(ctx context.Context, m *lp.Model, settings lp.Settings) (*lp.Solution, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return lp.Checked(m, lp.None(lp.Interrupted, lp.Unknown, ctx.Err().Error()), settings.Start), nil
	}
	for _, r := range m.Rows {
		if r.Lower > r.Upper {
			return lp.Checked(m, lp.None(lp.Finished, lp.Infeasible, "a row's lower bound above its upper one"),
				nil), nil
		}
	}
	p, err := layOut(m)
	if err != nil {
		return nil, err
	}
	h, err := newInstance(len(m.Variables), len(m.Rows))
	if err != nil {
		return nil, err
	}
	integer := false
	for _, v := range p.integer {
		integer = integer || v == 1
	}
	type end struct {
		sol      *lp.Solution
		err      error
		panicked *parallel.Panic
	}
	done, release := make(chan end, 1), make(chan bool)
	parallel.Start(func() (none struct{}) {
		// HiGHS keeps its scheduler by thread: this one ends with the goroutine.
		runtime.LockOSThread()
		var e end
		e.panicked = parallel.Catch(func() { e.sol, e.err = s.solve(h, p, settings, integer) })
		done <- e
		<-release
		h.free()
		return none
	})
	defer close(release)
	var e end
	select {
	case e = <-done:
	case <-ctx.Done():
		h.stop()
		select {
		case e = <-done:
		case <-time.After(grace):
			x, bound := h.incumbent()
			e.sol = lp.None(lp.Interrupted, lp.Unknown, "left behind")
			e.sol.Bound = bound
			if x != nil {
				e.sol.X, e.sol.Status = x, lp.Feasible
			}
		}
	}
	e.panicked.Again()
	if e.err != nil {
		return nil, e.err
	}
	return lp.Checked(m, e.sol, settings.Start), nil
}

// solve is the run itself.
func (s Solver) solve(h *instance, p *arrays, settings lp.Settings, integer bool) (*lp.Solution, error) {
	type option struct {
		name  string
		value any
	}
	options := []option{
		{"output_flag", false}, {"threads", max(1, s.Threads)}, {"random_seed", int(max(0, s.Seed))},
		{"mip_rel_gap", settings.RelativeGap()}, {"mip_abs_gap", 1e-9}, {"allow_unbounded_or_infeasible", false},
	}
	// An hour, as of the other solvers, where nothing is said.
	limit := settings.TimeLimit
	if limit <= 0 {
		limit = time.Hour
	}
	options = append(options, option{"time_limit", limit.Seconds()})
	if settings.Nodes > 0 {
		options = append(options, option{"mip_max_nodes", min(settings.Nodes, math.MaxInt32)})
	}
	for _, o := range options {
		if err := h.option(o.name, o.value); err != nil {
			return nil, err
		}
	}
	if err := h.pass(p); err != nil {
		return nil, err
	}
	if integer && len(settings.Start) == h.columns && h.columns > 0 {
		// A start that it does not like costs nothing: Checked keeps it.
		_ = h.setSolution(settings.Start)
	}
	status := h.run()
	sol := lp.None(lp.OtherReason, lp.Unknown, statusText(status))
	sol.Reason, sol.Status = meaning(status)
	x, dual, primalFeasible, dualFeasible := h.solution()
	if sol.Status == lp.Unknown && sol.Reason != lp.Numerical && primalFeasible {
		sol.Status = lp.Feasible
	}
	if integer {
		sol.Bound = h.bound()
	}
	switch {
	case sol.Status == lp.Optimal && !integer && dualFeasible:
		sol.X, sol.Dual = x, dual
	case sol.Status == lp.Optimal || sol.Status == lp.Feasible:
		sol.X = x
	}
	return sol, nil
}

// meaning splits HiGHS's model status into why it stopped and what is known;
// Unknown becomes Feasible when there is a feasible vector.
func meaning(status int) (lp.Reason, lp.Status) {
	switch status {
	case 6, 7: // empty, optimal
		return lp.Finished, lp.Optimal
	case 8:
		return lp.Finished, lp.Infeasible
	case 9:
		return lp.Finished, lp.InfeasibleOrUnbounded
	case 10:
		return lp.Finished, lp.Unbounded
	case 13:
		return lp.TimeLimit, lp.Unknown
	case 14, 16: // iterations or nodes, solutions
		return lp.NodeLimit, lp.Unknown
	case 17:
		return lp.Interrupted, lp.Unknown
	case 1, 2, 3, 4, 5:
		return lp.Numerical, lp.Unknown
	}
	return lp.OtherReason, lp.Unknown
}

// statusText is HiGHS's own word.
func statusText(status int) string {
	words := []string{"not set", "load error", "model error", "presolve error", "solve error", "postsolve error", "empty", "optimal",
		"infeasible", "unbounded or infeasible", "unbounded", "objective bound", "objective target", "time limit",
		"iteration limit",
		"unknown", "solution limit", "interrupted"}
	if status >= 0 && status < len(words) {
		return words[status]
	}
	return "another status"
}
