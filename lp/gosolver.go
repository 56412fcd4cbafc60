package lp

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/capplan/capplan/internal/given"
)

// Go is the solver that is always there: gonum's dense simplex method, and
// branch and bound by depth first for integer variables. It is meant for
// small models: it refuses those whose standard form has more than Most
// entries before it takes memory for them (4,000,000 take about 200 MB), it has
// no dual values, and a linear program once begun is left running in the
// background when the context ends, or after one to six seconds by its size:
// on degenerate models gonum's method may cycle. An optimum that no basis proves
// in floating point is found again by exact arithmetic, for about two seconds, or is
// not given ([Unknown]); so is a contradiction of the rows that no weights of them show.
type Go struct {
	Most int // rows × (rows + columns) of the standard form; 0 means 4,000,000
	// Limit is the time limit of a run whose Settings have none; 0 means an hour.
	Limit time.Duration
}

// Name returns "go".
func (Go) Name() string { return "go" }

// Solve implements [Solver]. Settings.Nodes is 100,000 by default.
func (g Go) Solve(ctx context.Context, m *Model, s Settings) (*Solution, error) {
	ctx = given.Context(ctx)
	if err := m.Check(); err != nil {
		return nil, err
	}
	most := g.Most
	most = cmp.Or(most, 4_000_000)
	if s.TimeLimit <= 0 {
		if s.TimeLimit = g.Limit; s.TimeLimit <= 0 {
			s.TimeLimit = time.Hour
		}
	}
	limited, cancel := context.WithTimeout(ctx, s.TimeLimit)
	defer cancel()
	n, sign := m.minimizing()
	b := &bounding{model: n, most: most, nodes: s.Nodes, gap: s.RelativeGap(), best: math.Inf(1), left: math.Inf(1)}
	if usable(m, s.Start) {
		b.x, b.best = append([]float64(nil), s.Start...), n.Objective(s.Start)
	}
	b.nodes = cmp.Or(b.nodes, 100_000)
	sol, err := b.tried(limited)
	if err != nil {
		return nil, err
	}
	if sol.Reason == Interrupted && ctx.Err() == nil {
		sol.Reason = TimeLimit
	}
	sol.Bound *= sign
	if sol.Status == Optimal {
		sol.Proof = ByBasis
	}
	return Checked(m, sol, s.Start), nil
}

// bounding is one run of branch and bound on a minimizing model.
type bounding struct {
	model *Model
	most  int
	nodes int
	gap   float64
	x     []float64
	best  float64
	left  float64 // least bound of what was cut off within the gap
	// strict says that rows hold as they are written: nothing that breaks one by no more
	// than the rounding of its numbers counts.
	strict bool
	// weighed says that rows were found to contradict each other by weights in floating
	// point, not by exact arithmetic alone.
	weighed bool
}

// tried returns the answer as rows are written, where that is cheap and there is one,
// else one that leaves numbers their rounding.
func (b *bounding) tried(ctx context.Context) (*Solution, error) {
	if b.model.integers() && exactlySmall(b.model) {
		strict := *b
		strict.strict = true
		if sol, err := strict.solve(ctx); err != nil || sol.Status != Infeasible && sol.Reason != Numerical {
			return sol, err
		}
	}
	return b.solve(ctx)
}

// relaxed solves the relaxation of a node.
func (b *bounding) relaxed(ctx context.Context, m *Model) (*Solution, error) {
	if !b.strict {
		return relax(ctx, m, b.most)
	}
	exact := exactly(ctx, m)
	switch {
	case ctx.Err() != nil:
		return None(Interrupted, Unknown, ""), nil
	case exact.status == Unknown:
		return None(Numerical, Unknown, "too large for exact arithmetic"), nil
	case exact.status == Infeasible:
		return shown(Infeasible, ByExact, ""), nil
	}
	return settled(m, nil, exact), nil
}

// enough reports whether a node of this bound cannot better the best by more
// than the gap.
func (b *bounding) enough(bound float64) bool {
	if !(bound >= b.best-b.gap*math.Abs(b.best)) { // NaN without a best
		return false
	}
	b.left = math.Min(b.left, bound)
	return true
}

// node is a subproblem: its parent's, with one bound of an integer variable
// tightened.
type node struct {
	parent       *node // nil at the root
	variable     int
	lower, upper float64
	bound        float64 // of the parent's relaxation
}

// solve goes depth first: the newest branch is looked at next, so that a whole
// solution comes early.
func (b *bounding) solve(ctx context.Context) (*Solution, error) {
	root, slack := b.model.rounded(), tolerance
	if b.strict {
		slack = 0
	}
	if none := root.tightened(slack); none != "" {
		return shown(Infeasible, ByExact, none), nil
	}
	stack := []*node{{bound: math.Inf(-1)}}
	stop := func(r Reason, message string) *Solution {
		bound := math.Min(b.best, b.left)
		for _, n := range stack {
			bound = math.Min(bound, n.bound)
		}
		if math.IsInf(bound, 0) {
			bound = math.NaN()
		}
		if b.x == nil {
			s := None(r, Unknown, message)
			s.Bound = bound
			return s
		}
		return &Solution{Reason: r, Status: Feasible, X: b.x, Bound: bound, Message: message}
	}
	for first := true; len(stack) > 0; first = false {
		n := stack[len(stack)-1]
		if b.enough(n.bound) {
			stack = stack[:len(stack)-1]
			continue
		}
		if b.nodes--; b.nodes < 0 {
			return stop(NodeLimit, ""), nil
		}
		relaxed, err := b.relaxed(ctx, n.model(root))
		if err != nil {
			if errors.As(err, new(*SizeError)) && !first {
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
					return None(Finished, InfeasibleOrUnbounded, relaxed.Message), nil
				}
				return relaxed, nil
			}
			b.weighed = b.weighed || relaxed.Proof != ByExact
			continue // infeasible
		}
		z := b.model.Objective(relaxed.X)
		if b.enough(z) {
			continue
		}
		j := b.fractional(relaxed.X, tolerance)
		if j < 0 {
			var x []float64
			if x, z, j = b.whole(ctx, n.model(root), relaxed.X, z); j < 0 {
				if z < b.best {
					b.x, b.best = x, z
				}
				continue
			}
		}
		lower, upper := n.bounds(root, j)
		down := &node{n, j, lower, math.Floor(relaxed.X[j]), z}
		up := &node{n, j, math.Ceil(relaxed.X[j]), upper, z}
		// The nearer side last, to be looked at first.
		if relaxed.X[j]-math.Floor(relaxed.X[j]) < 0.5 {
			stack = append(stack, up, down)
		} else {
			stack = append(stack, down, up)
		}
	}
	switch {
	case b.x == nil && b.weighed:
		return shown(Infeasible, ByWeights, ""), nil
	case b.x == nil:
		return shown(Infeasible, ByExact, ""), nil
	}
	return &Solution{Reason: Finished, Status: Optimal, X: b.x, Bound: math.Min(b.best, b.left)}, nil
}

// fractional returns the integer variable farthest from a whole number, −1
// when none is farther than least.
func (b *bounding) fractional(x []float64, least float64) int {
	at, most := -1, least
	for j, v := range b.model.Variables {
		if f := math.Abs(x[j] - math.Round(x[j])); v.Integer && f > most {
			at, most = j, f
		}
	}
	return at
}

// whole returns the optimum of a node with the whole numbers that x nearly has. Where
// they are dearer than z or not feasible, coefficients are so great that the little
// matters: then it is a variable to branch on that comes back.
func (b *bounding) whole(ctx context.Context, m *Model, x []float64, z float64) (at []float64, cost float64, j int) {
	if j = b.fractional(x, 0); j < 0 || !b.strict {
		return x, z, -1
	}
	for k, v := range b.model.Variables {
		m.Variables[k].Integer = v.Integer
	}
	if own := exactly(ctx, m.fixed(x)); own.status == Optimal && own.z <= z+rounded*(1+math.Abs(z)) {
		return own.x, own.z, -1
	}
	return nil, z, j
}

// bounds returns those of one variable.
func (n *node) bounds(root *Model, j int) (lower, upper float64) {
	for ; n.parent != nil; n = n.parent {
		if n.variable == j {
			return n.lower, n.upper
		}
	}
	return root.Variables[j].Lower, root.Variables[j].Upper
}

// model returns the root with the bounds of the node, without integrality.
func (n *node) model(root *Model) *Model {
	r := *root
	r.Variables = append([]Variable(nil), root.Variables...)
	for j := range r.Variables {
		r.Variables[j].Integer = false
	}
	seen := make(map[int]bool)
	for ; n.parent != nil; n = n.parent {
		if !seen[n.variable] { // the deepest bounds hold
			seen[n.variable] = true
			r.Variables[n.variable].Lower, r.Variables[n.variable].Upper = n.lower, n.upper
		}
	}
	return &r
}
