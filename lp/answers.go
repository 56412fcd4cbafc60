package lp

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parsed is what a solution file says.
type parsed struct {
	reason  Reason
	status  Status
	message string
	x, dual []float64
	hasDual bool
	bound   float64 // NaN when the log has none
	bad     string  // why the file could not be read
}

// printedBound reads a bound from below and takes half a unit of its last digit
// off, by which it may have been rounded up.
func printedBound(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	digits, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	unit := 1.0
	if _, fraction, ok := strings.Cut(digits, "."); ok {
		unit = math.Pow10(-len(fraction))
	}
	if e, err := strconv.Atoi(exponent); err == nil {
		unit *= math.Pow10(e)
	}
	return v - unit/2
}

// after returns the first word behind the last occurrence of mark, "" for none.
func after(log, mark string) string {
	i := strings.LastIndex(log, mark)
	if i < 0 {
		return ""
	}
	return at(strings.Fields(log[i+len(mark):]), 0)
}

func (a *parsed) fail(format string, args ...any) {
	if a.bad == "" {
		a.bad = fmt.Sprintf(format, args...)
	}
}

// set puts a value where its number says, which a solver's file may have wrong.
func (a *parsed) set(into []float64, index int, text string) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || index < 0 || index >= len(into) {
		a.fail("value %q of number %d", text, index)
		return
	}
	into[index] = v
}

// named sets the value of a variable or row by its made-up name, "x7" or "r3".
func (a *parsed) named(name, text string, into []float64, prefix string) {
	n, err := strconv.Atoi(strings.TrimPrefix(name, prefix))
	if err != nil || !strings.HasPrefix(name, prefix) {
		a.fail("name %q", name)
		return
	}
	a.set(into, n, text)
}

// glpk reads the file that glpsol --write makes: a line "s bas rows columns
// primal-status dual-status objective" (or "s mip rows columns status
// objective"), then "i row status primal dual" and "j column …", without the
// row of the objective.
func (a *parsed) glpk(answer, log string) {
	a.reason, a.status = OtherReason, Unknown
	kind := ""
	for _, line := range strings.Split(answer, "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		switch f[0] {
		case "s":
			if len(f) < 6 {
				a.fail("line %q", line)
				return
			}
			kind = f[1]
			if kind == "mip" {
				a.reason, a.status = glpkStatus(f[4], f[4] == "o", log)
			} else {
				a.hasDual = f[5] == "f"
				a.reason, a.status = glpkStatus(f[4], f[4] == "f" && f[5] == "f", log)
			}
		case "i", "j":
			if a.status != Optimal && a.status != Feasible {
				continue
			}
			n, err := strconv.Atoi(at(f, 1))
			if err != nil {
				a.fail("line %q", line)
				return
			}
			value, dual := at(f, 3), at(f, 4)
			if kind == "mip" {
				value, dual = at(f, 2), ""
			}
			if f[0] == "j" {
				a.set(a.x, n-1, value)
			} else if dual != "" {
				a.set(a.dual, n-1, dual)
			}
		}
	}
	if answer == "" {
		a.fail("no solution file%s", tail(log))
	}
	if a.status == Unknown || a.status == Feasible {
		a.message = strings.TrimPrefix(tail(log), ": ")
	}
	// "+  1234: mip =   1.2e+03 >=   1.1e+03   8.3% (5; 0)", or "tree is empty".
	for _, line := range strings.Split(log, "\n") {
		if strings.Contains(line, "mip =") || strings.Contains(line, ">>>>>") {
			if bound := after(line, ">="); bound != "tree" && a.status != Optimal {
				a.bound = printedBound(bound)
			}
		}
	}
}

// glpkStatus reads GLPK's letters: o optimal, f feasible, i infeasible found
// by the method, n no feasible solution exists, u undefined.
func glpkStatus(primal string, optimal bool, log string) (Reason, Status) {
	reason := Finished
	if strings.Contains(log, "TIME LIMIT EXCEEDED") {
		reason = TimeLimit
	}
	switch {
	case optimal:
		return reason, Optimal
	case strings.Contains(log, "HAS UNBOUNDED"):
		return Finished, Unbounded
	case strings.Contains(log, "NO DUAL FEASIBLE"):
		return Finished, InfeasibleOrUnbounded
	case strings.Contains(log, "NO PRIMAL FEASIBLE") || strings.Contains(log, "NO FEASIBLE SOLUTION") ||
		primal == "n" || strings.Contains(log, "NO INTEGER FEASIBLE"):
		return Finished, Infeasible
	case primal == "f":
		if reason == Finished {
			reason = OtherReason
		}
		return reason, Feasible
	}
	if reason == Finished {
		reason = OtherReason
	}
	return reason, Unknown
}

// at is a field of a line, empty where the line is shorter.
func at(f []string, i int) string {
	if i < len(f) {
		return f[i]
	}
	return ""
}

// cbc reads the file that cbc -solution makes: a line with the status, then
// "[**] index name value cost" for rows (dual in the last column) and columns.
func (a *parsed) cbc(answer, log string) {
	lines := strings.Split(answer, "\n")
	head := strings.ToLower(lines[0])
	a.bound = printedBound(after(log, "\nLower bound:"))
	a.reason, a.message = Finished, strings.TrimSpace(lines[0])
	values := false
	switch {
	case answer == "":
		a.fail("no solution file%s", tail(log))
		return
	case strings.HasPrefix(head, "optimal"):
		a.status, values = Optimal, true
	case strings.Contains(head, "unbounded") && strings.Contains(head, "infeasible"):
		a.status = InfeasibleOrUnbounded
	case strings.HasPrefix(head, "infeasible"), strings.HasPrefix(head, "integer infeasible"):
		a.status = Infeasible
	case strings.HasPrefix(head, "unbounded"):
		a.status = Unbounded
	case strings.HasPrefix(head, "stopped on time"):
		a.reason, a.status, values = TimeLimit, Feasible, !strings.Contains(head, "no integer solution")
	case strings.HasPrefix(head, "stopped on node"), strings.HasPrefix(head, "stopped on iteration"):
		a.reason, a.status, values = NodeLimit, Feasible, !strings.Contains(head, "no integer solution")
	default:
		a.reason, a.status = OtherReason, Unknown
		return
	}
	if !values {
		if a.status == Feasible {
			a.status = Unknown
		}
		return
	}
	a.hasDual = true
	for _, line := range lines[1:] {
		f := strings.Fields(strings.ReplaceAll(line, "**", " "))
		if len(f) < 4 {
			continue
		}
		if strings.HasPrefix(f[1], "x") {
			a.named(f[1], f[2], a.x, "x")
		} else {
			a.named(f[1], f[3], a.dual, "r")
		}
	}
}
