package lp

import (
	"math"
	"strconv"
	"strings"
)

// highs reads the file that HiGHS writes: "Model status" and its word, then
// the sections "# Primal solution values" and "# Dual solution values", each
// with "# Columns n" and "# Rows n".
func (a *parsed) highs(answer, log string) {
	a.reason, a.status = OtherReason, Unknown
	if v, err := strconv.ParseFloat(after(log, "\n  Dual bound"), 64); err == nil {
		a.bound = v - 1e-11*math.Abs(v) // printed with 12 digits
	}
	primal, section := true, ""
	known := false // the values of this half are there
	lines := strings.Split(answer, "\n")
	for i, line := range lines {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		switch {
		case strings.HasPrefix(line, "Model status") && i+1 < len(lines):
			a.reason, a.status = highsStatus(strings.TrimSpace(lines[i+1]))
			a.message = strings.TrimSpace(lines[i+1])
		case strings.HasPrefix(line, "# Primal"), strings.HasPrefix(line, "# Dual"):
			primal, section = strings.HasPrefix(line, "# Primal"), ""
			known = i+1 < len(lines) && strings.TrimSpace(lines[i+1]) == "Feasible"
			if primal && !known && (a.status == Optimal || a.status == Feasible) {
				a.status = Unknown
			}
			a.hasDual = a.hasDual || (!primal && known)
		case strings.HasPrefix(line, "# Columns"):
			section = "columns"
		case strings.HasPrefix(line, "# Rows"):
			section = "rows"
		case strings.HasPrefix(line, "#"): // the basis, and what else follows
			section, known = "", false
		case section == "columns" && primal && known && len(f) == 2:
			a.named(f[0], f[1], a.x, "x")
		case section == "rows" && !primal && known && len(f) == 2:
			a.named(f[0], f[1], a.dual, "r")
		}
	}
	if answer == "" {
		a.fail("no solution file%s", tail(log))
	}
}

// highsStatus reads the words of HiGHS. What stopped for a limit is feasible if a
// solution follows.
func highsStatus(word string) (Reason, Status) {
	switch word {
	case "Optimal":
		return Finished, Optimal
	case "Infeasible":
		return Finished, Infeasible
	case "Unbounded":
		return Finished, Unbounded
	case "Primal infeasible or unbounded":
		return Finished, InfeasibleOrUnbounded
	case "Time limit reached":
		return TimeLimit, Feasible
	case "Interrupted by user":
		return Interrupted, Feasible
	case "Iteration limit reached", "Solution limit reached":
		return NodeLimit, Feasible
	}
	return OtherReason, Unknown
}

// scip reads the file that SCIP's "write solution" makes: "solution status:"
// with words, "objective value:", then "name value (obj:cost)" of the
// variables that are not 0. It has no dual values.
func (a *parsed) scip(answer, log string) {
	a.reason, a.status = OtherReason, Unknown
	a.bound = printedBound(after(log, "\nDual Bound         :"))
	if answer == "" {
		a.fail("no solution file%s", tail(log))
	}
	for _, line := range strings.Split(answer, "\n") {
		f := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "solution status:"):
			a.message = strings.TrimSpace(strings.TrimPrefix(line, "solution status:"))
			a.reason, a.status = scipStatus(a.message)
		case strings.HasPrefix(line, "no solution available"):
			if a.status == Feasible || a.status == Optimal {
				a.status = Unknown
			}
		case strings.HasPrefix(line, "objective value:"), len(f) < 2:
		default:
			a.named(f[0], f[1], a.x, "x")
		}
	}
}

// scipStatus reads the words of SCIP, as highsStatus.
func scipStatus(words string) (Reason, Status) {
	switch words {
	case "optimal solution found", "gap limit reached":
		return Finished, Optimal
	case "infeasible":
		return Finished, Infeasible
	case "unbounded":
		return Finished, Unbounded
	case "infeasible or unbounded":
		return Finished, InfeasibleOrUnbounded
	case "time limit reached":
		return TimeLimit, Feasible
	case "node limit reached", "total node limit reached":
		return NodeLimit, Feasible
	case "user interrupt":
		return Interrupted, Feasible
	}
	return OtherReason, Unknown
}
