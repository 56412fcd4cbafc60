package lp

import (
	"context"
	"errors"
	"math"
)

// Go is the solver that is always there: gonum's dense simplex method, and
// branch and bound by depth first for integer variables. It is meant for
// small models: it refuses those whose standard form has more than Most
// entries, it has no dual values, and a linear program once begun is left
// running in the background when the context ends, or after a minute: on
// degenerate models gonum's method may cycle.
type Go struct {
	Most int // rows × (rows + columns) of the standard form; 0 means 4,000,000
}

// Name returns "go".
func (Go) Name() string { return "go" }

// Solve implements [Solver]. Settings.Nodes is 100,000 by default.
func (g Go) Solve(ctx context.Context, m *Model, s Settings) (*Solution, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	most := g.Most
	if most == 0 {
		most = 4_000_000
	}
	limited := ctx
	if s.TimeLimit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, s.TimeLimit)
		defer cancel()
	}
	n, sign := m.minimizing()
	b := &bounding{model: n, most: most, nodes: s.Nodes, gap: s.gap(), best: math.Inf(1)}
	if b.nodes == 0 {
		b.nodes = 100_000
	}
	sol, err := b.solve(limited)
	if err != nil {
		return nil, err
	}
	if sol.Reason == Interrupted && ctx.Err() == nil {
		sol.Reason = TimeLimit
	}
	sol.Bound *= sign
	return accept(m, sol), nil
}

// bounding is one run of branch and bound on a minimizing model.
type bounding struct {
	model *Model
	most  int
	nodes int
	gap   float64
	x     []float64
	best  float64
}

// node is a subproblem: tightened bounds of integer variables.
type node struct {
	lower, upper []float64
	bound        float64 // of the parent's relaxation
}

func (b *bounding) solve(ctx context.Context) (*Solution, error) {
	root := node{bound: math.Inf(-1)}
	for _, v := range b.model.rounded().Variables {
		root.lower, root.upper = append(root.lower, v.Lower), append(root.upper, v.Upper)
	}
	stack := []node{root}
	stop := func(r Reason, message string) *Solution {
		bound := b.best
		for _, n := range stack {
			bound = math.Min(bound, n.bound)
		}
		if b.x == nil {
			s := without(r, Unknown, message)
			if !math.IsInf(bound, 0) {
				s.Bound = bound
			}
			return s
		}
		return &Solution{Reason: r, Status: Feasible, X: b.x, Bound: bound, Message: message}
	}
	for first := true; len(stack) > 0; first = false {
		n := stack[len(stack)-1]
		if n.bound >= b.best-b.gap*math.Abs(b.best) {
			stack = stack[:len(stack)-1]
			continue
		}
		if b.nodes--; b.nodes < 0 {
			return stop(NodeLimit, ""), nil
		}
		relaxed, err := relax(ctx, n.model(b.model), b.most)
		if err != nil {
			var size *SizeError
			if errors.As(err, &size) && !first {
				return stop(Numerical, err.Error()), nil
			}
			return nil, err
		}
		if relaxed.Reason != Finished {
			return stop(relaxed.Reason, relaxed.Message), nil
		}
		stack = stack[:len(stack)-1]
		if relaxed.X == nil {
			if relaxed.Status == Unbounded {
				if b.model.integers() {
					// Whether an integer point exists on the ray is not known.
					return without(Finished, InfeasibleOrUnbounded, relaxed.Message), nil
				}
				return relaxed, nil
			}
			continue // infeasible
		}
		z := b.model.Objective(relaxed.X)
		if z >= b.best-b.gap*math.Abs(b.best) {
			continue
		}
		j := b.fractional(relaxed.X)
		if j < 0 {
			b.x, b.best = relaxed.X, z
			continue
		}
		down, up := n.child(z), n.child(z)
		down.upper[j], up.lower[j] = math.Floor(relaxed.X[j]), math.Ceil(relaxed.X[j])
		// The nearer side last, to be looked at first.
		if relaxed.X[j]-math.Floor(relaxed.X[j]) < 0.5 {
			stack = append(stack, up, down)
		} else {
			stack = append(stack, down, up)
		}
	}
	if b.x == nil {
		return without(Finished, Infeasible, ""), nil
	}
	return &Solution{Reason: Finished, Status: Optimal, X: b.x, Bound: b.best}, nil
}

// fractional returns the integer variable farthest from a whole number, −1
// when all are whole.
func (b *bounding) fractional(x []float64) int {
	at, most := -1, tolerance
	for j, v := range b.model.Variables {
		if f := math.Abs(x[j] - math.Round(x[j])); v.Integer && f > most {
			at, most = j, f
		}
	}
	return at
}

func (n node) child(bound float64) node {
	return node{append([]float64(nil), n.lower...), append([]float64(nil), n.upper...), bound}
}

// model returns m with the bounds of the node, without integrality.
func (n node) model(m *Model) *Model {
	r := *m
	r.Variables = append([]Variable(nil), m.Variables...)
	for j := range r.Variables {
		r.Variables[j].Lower, r.Variables[j].Upper, r.Variables[j].Integer = n.lower[j], n.upper[j], false
	}
	return &r
}
