package lp

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Model is a linear program, mixed-integer when some variable is integer:
//
//	min (or max) offset + Σ c_j x_j,  L_i ≤ Σ a_ij x_j ≤ U_i,  l_j ≤ x_j ≤ u_j.
type Model struct {
	Name      string
	Maximize  bool
	Offset    float64
	Variables []Variable
	Rows      []Row
}

// A Variable is one column. The zero value is fixed at 0: bounds must be set.
type Variable struct {
	Name         string // may be empty
	Cost         float64
	Lower, Upper float64 // Lower ≤ Upper, ±Inf for none
	Integer      bool
}

// A Row is one constraint, with a bound on one side, on both, or an equation.
type Row struct {
	Name         string // may be empty
	Lower, Upper float64
	Terms        []Term // each variable at most once
}

// A Term is one coefficient of a row.
type Term struct {
	Variable    int // index in Model.Variables
	Coefficient float64
}

// A ModelError says which part of a model or of a model file is wrong.
type ModelError struct {
	Place string // "rows[3].terms[0]" or "line 12"
	Want  string
}

func (e *ModelError) Error() string { return fmt.Sprintf("lp: %s: %s", e.Place, e.Want) }

// A SyntaxError says what is wrong with a model file, and where. It is a
// [ModelError] as well.
type SyntaxError struct {
	Line   int    // from 1
	Column int    // byte of the line, from 1; 0: the whole line
	Text   string // the line
	Want   string // what is wrong or wanted
}

// Error names the column where it is known.
func (e *SyntaxError) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("lp: line %d: %s", e.Line, e.Want)
	}
	return fmt.Sprintf("lp: line %d, column %d: %s", e.Line, e.Column, e.Want)
}

// Unwrap returns the same as a *ModelError.
func (e *SyntaxError) Unwrap() error { return &ModelError{fmt.Sprintf("line %d", e.Line), e.Want} }

// errNoStream is of a model that nothing is to hold.
var errNoStream = &ModelError{"file", "no reader or writer is given"}

// maxLine is the most that a line of a model file may have, in bytes.
const maxLine = 1 << 24

// What a model file may hold is bounded, for a few bytes of text can become a
// hundred of memory: at these bounds a model takes some 700 MB to read.
const (
	maxFileNames        = 1_000_000 // rows and variables together
	maxFileCoefficients = 5_000_000
)

// overfull says that a model file holds too much, "" that it does not.
func overfull(names, coefficients int) string {
	switch {
	case names > maxFileNames:
		return fmt.Sprintf("more than %d rows and variables", maxFileNames)
	case coefficients > maxFileCoefficients:
		return fmt.Sprintf("more than %d coefficients", maxFileCoefficients)
	}
	return ""
}

// scanError turns what a reader of lines says: a line too long is a fault of
// the file.
func scanError(err error, line int) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return &SyntaxError{Line: line, Want: fmt.Sprintf("a line of more than %d bytes", maxLine)}
	}
	return fmt.Errorf("lp: line %d: %w", line, err)
}

// Check reports the first thing that makes the model meaningless: a number
// that is NaN or infinite where it must not be, a term of an unknown variable
// or of one that the row has already. Lower bounds above upper ones are
// allowed: such a model is infeasible.
func (m *Model) Check() error {
	if m == nil {
		return &ModelError{"model", "none given"}
	}
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	bounds := func(place string, lower, upper float64) error {
		if math.IsNaN(lower) || math.IsNaN(upper) || math.IsInf(lower, 1) || math.IsInf(upper, -1) {
			return &ModelError{place,
				fmt.Sprintf("bounds %v and %v, want numbers, or -Inf or +Inf for none", lower, upper)}
		}
		return nil
	}
	if !finite(m.Offset) {
		return &ModelError{"offset", fmt.Sprintf("%v, want a finite number", m.Offset)}
	}
	for j, v := range m.Variables {
		place := fmt.Sprintf("variables[%d]", j)
		if !finite(v.Cost) {
			return &ModelError{place, fmt.Sprintf("cost = %v, want a finite number", v.Cost)}
		}
		if err := bounds(place, v.Lower, v.Upper); err != nil {
			return err
		}
	}
	seen := make([]int, len(m.Variables)) // last row, from 1, that had the variable
	for i, r := range m.Rows {
		place := fmt.Sprintf("rows[%d]", i)
		if err := bounds(place, r.Lower, r.Upper); err != nil {
			return err
		}
		for n, t := range r.Terms {
			switch {
			case t.Variable < 0 || t.Variable >= len(m.Variables):
				return &ModelError{fmt.Sprintf("%s.terms[%d]", place, n),
					fmt.Sprintf("variable %d of %d", t.Variable, len(m.Variables))}
			case seen[t.Variable] == i+1:
				return &ModelError{fmt.Sprintf("%s.terms[%d]", place, n),
					fmt.Sprintf("variable %d appears twice", t.Variable)}
			case !finite(t.Coefficient):
				return &ModelError{fmt.Sprintf("%s.terms[%d]", place, n),
					fmt.Sprintf("coefficient = %v, want a finite number", t.Coefficient)}
			}
			seen[t.Variable] = i + 1
		}
	}
	return nil
}

// Objective returns the objective at x, NaN where x is not of one value per
// variable.
func (m *Model) Objective(x []float64) float64 {
	if len(x) != len(m.Variables) {
		return math.NaN()
	}
	z := m.Offset
	for j, v := range m.Variables {
		z += v.Cost * x[j]
	}
	return z
}

// Violation returns by how much x breaks the bounds, rows and integrality of
// the model at most, each measured against 1 + the size of its bound and, in
// rows, of its terms. It is +Inf where x is not of one value per variable, where
// a value or the sum of a row is not finite, or where a row speaks of a variable
// that the model has not.
func (m *Model) Violation(x []float64) float64 {
	if len(x) != len(m.Variables) {
		return math.Inf(1)
	}
	worst := 0.0
	against := func(v, lower, upper, scale float64) {
		for _, e := range []float64{lower - v, v - upper} {
			if !(e <= 0) {
				worst = math.Max(worst, e/(1+scale))
			}
		}
		if !(math.Abs(v) <= math.MaxFloat64) { // whatever NaN came of it above
			worst = math.Inf(1)
		}
	}
	for j, v := range m.Variables {
		against(x[j], v.Lower, v.Upper, math.Abs(x[j]))
		if v.Integer {
			worst = math.Max(worst, math.Abs(x[j]-math.Round(x[j])))
		}
	}
	for _, r := range m.Rows {
		sum, scale := 0.0, 0.0
		for _, t := range r.Terms {
			if t.Variable < 0 || t.Variable >= len(x) {
				return math.Inf(1)
			}
			sum += t.Coefficient * x[t.Variable]
			scale = math.Max(scale, math.Abs(t.Coefficient*x[t.Variable]))
		}
		against(sum, r.Lower, r.Upper, scale)
	}
	return worst
}

// integers reports whether some variable is integer.
func (m *Model) integers() bool {
	return slices.ContainsFunc(m.Variables, func(v Variable) bool { return v.Integer })
}

// minimizing returns the model with the objective turned to a minimum, and the
// sign that turns the objective back.
func (m *Model) minimizing() (*Model, float64) {
	if !m.Maximize {
		return m, 1
	}
	n := *m
	n.Maximize, n.Offset = false, -m.Offset
	n.Variables = append([]Variable(nil), m.Variables...)
	for j := range n.Variables {
		n.Variables[j].Cost = -n.Variables[j].Cost
	}
	return &n, -1
}

// Named returns the model with names made up where there are none: "x7" of
// variables, "r3" of rows, counted from 1. Names that are there twice are a
// *ModelError.
func (m *Model) Named() (*Model, error) {
	variables, rows, err := m.nameAll(func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	n := *m
	n.Variables, n.Rows = append([]Variable(nil), m.Variables...), append([]Row(nil), m.Rows...)
	for j := range n.Variables {
		n.Variables[j].Name = variables[j]
	}
	for i := range n.Rows {
		n.Rows[i].Name = rows[i]
	}
	return &n, nil
}

// nameAll returns the names of variables and rows, made up where there are
// none. Names that are there twice or that the format cannot hold return a
// *ModelError.
func (m *Model) nameAll(valid func(string) bool) (variables, rows []string, err error) {
	list := func(kind, prefix string, n int, name func(int) string) ([]string, error) {
		names, seen := make([]string, n), make(map[string]bool, n)
		for i := range names {
			if names[i] = name(i); names[i] == "" {
				continue
			}
			if !valid(names[i]) {
				return nil, &ModelError{fmt.Sprintf("%s[%d]", kind, i),
					fmt.Sprintf("the format cannot hold the name %q", names[i])}
			}
			if seen[names[i]] {
				return nil, &ModelError{fmt.Sprintf("%s[%d]", kind, i),
					fmt.Sprintf("the name %q appears twice", names[i])}
			}
			seen[names[i]] = true
		}
		next := 0
		for i := range names {
			for names[i] == "" {
				next++
				if made := fmt.Sprintf("%s%d", prefix, next); !seen[made] {
					names[i] = made
				}
			}
		}
		return names, nil
	}
	if variables, err = list("variables", "x",
		len(m.Variables), func(j int) string { return m.Variables[j].Name }); err != nil {
		return nil, nil, err
	}
	rows, err = list("rows", "r", len(m.Rows), func(i int) string { return m.Rows[i].Name })
	return variables, rows, err
}
