package lp

import (
	"context"
	"fmt"
	"math"
)

// A Proof says what shows that a vector is an optimum, that there is none, or that
// the objective has no limit.
type Proof string

const (
	ByExact   Proof = "exact arithmetic"    // as rational numbers, an optimum to within 1e-6
	ByBasis   Proof = "a basis"             // whose dual values, solved anew, leave no gap
	ByDual    Proof = "dual values"         // of the backend, which leave no gap
	ByWeights Proof = "weights of the rows" // by which they contradict each other (Farkas)
	ByRay     Proof = "a ray"               // along which the objective has no limit
	ByWord    Proof = "the solver's word"
)

// sloppy is the relative gap that dual values of a backend may leave in a model
// that is too large for exact arithmetic, rounded the violation by which numbers
// that were rounded when they were written contradict each other.
const (
	sloppy  = 1e-3
	rounded = 1e-9
)

// undisputed returns s, with what shows it, or in its place what is known
// where that does not hold. Exact arithmetic has the last word wherever it is cheap:
// an answer can keep to every tolerance and agree with its own dual values, and be
// far from the optimum where rows nearly repeat each other.
func undisputed(m *Model, s *Solution) *Solution {
	if s.Status == Feasible || s.Status == Unknown {
		return s
	}
	if s.Status == Optimal && math.IsInf(s.Objective, 0) {
		return None(Numerical, Unknown, "called optimal at a value beyond the range of numbers")
	}
	n, _ := m.minimizing()
	small := exactlySmall(n)
	if m.integers() {
		return searched(m, n, s, small)
	}
	gap, size := math.Inf(1), 1+math.Abs(s.Objective)
	if s.Status == Optimal && s.Dual != nil {
		gap = m.dualGap(s)
	}
	exact := exactAnswer{status: Unknown}
	if small || s.Dual != nil && !(gap <= tolerance*size) {
		if exact = exactly(context.Background(), n); exact.status == Optimal {
			exact.z = m.Objective(exact.x)
		}
	}
	switch {
	case s.Status != Optimal:
		return without(s, exact)
	case exact.status == Optimal && math.Abs(exact.z-s.Objective) <= tolerance*size:
		s.Proof = ByExact
		return s
	case exact.status == Optimal:
		return None(Numerical, Unknown, fmt.Sprintf("called optimal at %.6g, but exact arithmetic finds %.6g: rows or "+
			"columns nearly depend on each other, or coefficients are too far apart", s.Objective, exact.z))
	case exact.status == Unbounded:
		return None(Numerical, Unknown, "called optimal, but the objective is unbounded by exact arithmetic")
	case exact.status == Infeasible && m.Violation(s.X) > rounded:
		return None(Numerical, Unknown, "called optimal, but rows contradict each other by exact arithmetic")
	case exact.status == Infeasible: // but for the last digits of numbers that were rounded
		s.Proof = ""
	case gap <= tolerance*size:
		s.Proof = ByDual
		return s
	case s.Dual != nil && exact.status == Unknown && !(gap <= sloppy*size):
		return unshown(s, fmt.Sprintf("called optimal, though its dual values leave a gap of %.3g", gap))
	}
	return believed(m, s)
}

// exactlySmall reports whether exact arithmetic takes some milliseconds for the
// relaxation of a model.
func exactlySmall(m *Model) bool {
	rows, columns := standardSize(m)
	return (rows+2)*(columns+1) <= smallSize
}

// without returns an answer without a vector, unless exact arithmetic speaks
// against it.
func without(s *Solution, exact exactAnswer) *Solution {
	switch {
	case exact.status == Optimal:
		return None(Numerical, Unknown,
			fmt.Sprintf("called %s, but exact arithmetic finds the optimum %.6g", s.Status, exact.z))
	case exact.status == Unbounded && s.Status == Infeasible, exact.status == Infeasible && s.Status == Unbounded:
		return None(Numerical, Unknown,
			fmt.Sprintf("called %s, but the model is %s by exact arithmetic", s.Status, exact.status))
	}
	return vouched(s, exact.status == s.Status)
}

// shown returns an answer without a vector that something shows.
func shown(status Status, by Proof, message string) *Solution {
	s := None(Finished, status, message)
	s.Proof = by
	return s
}

// vouched returns an answer without a vector with what shows it: exact arithmetic where
// that says the same, what the backend has proven, or its word.
func vouched(s *Solution, exact bool) *Solution {
	switch {
	case s.Status == InfeasibleOrUnbounded:
		s.Proof = ""
	case exact:
		s.Proof = ByExact
	case s.Proof == "":
		s.Proof = ByWord
	}
	return s
}

// searchNodes is how many nodes of branch and bound may be spent on showing the
// answer of another: some tenths of a second.
const searchNodes = 300

// searched holds the answer to an integer model against branch and bound over exact
// relaxations, as far as that is cheap; n is the minimizing model. A vector may keep
// to the tolerance and be better than all that keep to the rows, so the search
// begins at the exact objective of its whole numbers.
func searched(m, n *Model, s *Solution, small bool) *Solution {
	if !small || s.Status != Optimal && s.Status != Infeasible {
		if s.Status != Optimal {
			return vouched(s, false)
		}
		return believed(m, s)
	}
	b := &bounding{model: n, most: smallSize * smallSize, nodes: searchNodes, gap: rounded,
		best: math.Inf(1), left: math.Inf(1), strict: true}
	hidden := false // what is wrong with it, the rounding of its numbers may hide
	size := 1 + math.Abs(s.Objective)
	if s.Status == Optimal {
		switch own := exactly(context.Background(), n.fixed(s.X)); {
		case own.status == Optimal && math.Abs(m.Objective(own.x)-s.Objective) <= tolerance*size:
			b.x, b.best = own.x, own.z
		case own.status == Infeasible && m.Violation(s.X) <= rounded:
			hidden = true
		case own.status == Infeasible:
			return None(Numerical, Unknown, "called optimal, but rows contradict its whole numbers by exact arithmetic")
		case own.status == Optimal:
			return None(Numerical, Unknown, fmt.Sprintf("called optimal at %.6g, but exact arithmetic finds %.6g with its "+
				"whole numbers", s.Objective, m.Objective(own.x)))
		}
	}
	claimed, sign := b.best, 1.0
	if m.Maximize {
		sign = -1
	}
	if !math.IsNaN(s.Bound) { // within the gap that was asked for
		claimed = math.Min(claimed, sign*s.Bound)
	}
	found, err := b.solve(context.Background())
	switch {
	case err != nil && s.Status == Infeasible:
		return vouched(s, false)
	case err != nil:
		return believed(m, s)
	case s.Status == Infeasible && found.X != nil:
		return None(Numerical, Unknown, fmt.Sprintf("called infeasible, but exact arithmetic finds a solution of %.6g",
			m.Objective(found.X)))
	case s.Status == Infeasible:
		return vouched(s, found.Status == Infeasible)
	case found.Status == InfeasibleOrUnbounded:
		return None(Numerical, Unknown, "called optimal, but the objective is unbounded by exact arithmetic")
	case hidden && found.X == nil:
		return believed(m, s)
	case hidden, b.best < claimed-tolerance*size:
		return None(Numerical, Unknown, fmt.Sprintf("called optimal at %.6g, but exact arithmetic finds %.6g: rows nearly "+
			"depend on each other, or coefficients are too far apart", s.Objective, m.Objective(b.x)))
	case found.Status == Optimal:
		s.Proof = ByExact
		return s
	}
	return believed(m, s)
}

// fixed returns the model with its integer variables fixed at the whole numbers
// next to x.
func (m *Model) fixed(x []float64) *Model {
	n := *m
	n.Variables = append([]Variable(nil), m.Variables...)
	for j := range n.Variables {
		if v := &n.Variables[j]; v.Integer {
			v.Lower, v.Upper, v.Integer = math.Round(x[j]), math.Round(x[j]), false
		}
	}
	return &n
}

// unsafeSpread is the ratio of two coefficients of a row from which on the smaller
// one is lost in the tolerances of solvers in floating point, 1e-9 to 1e-6.
const unsafeSpread = 1e9

// believed returns an optimum that nothing here shows: by the solver's word, or
// where coefficients are too far apart for that, a feasible vector.
func believed(m *Model, s *Solution) *Solution {
	if s.Status != Optimal || s.Proof == ByBasis || s.Proof == ByExact {
		return s
	}
	s.Proof = ByWord
	if spread := m.spread(); spread > unsafeSpread {
		return unshown(s, fmt.Sprintf("called optimal, which is not proven: coefficients of a row differ by a factor of %.1g",
			spread))
	}
	return s
}

// unshown returns s as a feasible vector of which no more is known.
func unshown(s *Solution, message string) *Solution {
	s.Status, s.Reason, s.Bound, s.Proof, s.Message = Feasible, Numerical, math.NaN(), "", message
	return s
}

// spread returns the greatest ratio of two coefficients of a row.
func (m *Model) spread() float64 {
	worst := 1.0
	for _, r := range m.Rows {
		least, most := math.Inf(1), 0.0
		for _, t := range r.Terms {
			if a := math.Abs(t.Coefficient); a > 0 {
				least, most = math.Min(least, a), math.Max(most, a)
			}
		}
		if most > 0 {
			worst = math.Max(worst, most/least)
		}
	}
	return worst
}
