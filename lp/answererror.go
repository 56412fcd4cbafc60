package lp

import (
	"fmt"
	"math"
)

// An AnswerError says that what a backend returned is no answer to the model:
// another number of values than there are variables, values that are no numbers
// or break the model, a status that is none. It is a mistake of the backend, not
// numerical trouble, which a backend says by the status [Unknown].
type AnswerError struct {
	Solver string // its name
	Reason string
}

func (e *AnswerError) Error() string {
	return "lp: the backend " + oneLine(e.Solver) + " gave no answer to the model: " + e.Reason
}

// wrong says what keeps s from being an answer to the model; empty where nothing
// does.
func wrong(m *Model, s *Solution) string {
	if s == nil {
		return "neither a solution nor an error"
	}
	switch s.Status {
	case Optimal, Feasible:
	case Infeasible, Unbounded, InfeasibleOrUnbounded, Unknown:
		return ""
	default:
		return fmt.Sprintf("unknown status %q", oneLine(string(s.Status)))
	}
	if len(s.X) != len(m.Variables) {
		return fmt.Sprintf("%d values for %d variables", len(s.X), len(m.Variables))
	}
	x := make([]float64, len(s.X))
	for j, v := range s.X {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("the value of variable %d%s is %v", j+1, named(m.Variables[j].Name), v)
		}
		if x[j] = v; m.Variables[j].Integer && math.Abs(v-math.Round(v)) <= tolerance {
			x[j] = math.Round(v)
		}
	}
	if e := m.Violation(x); e > tolerance {
		return fmt.Sprintf("its values violate the model by %.3g", e)
	}
	return ""
}

// named is a name between commas, nothing where there is none.
func named(name string) string {
	if name == "" {
		return ""
	}
	return ", " + oneLine(name) + ","
}
