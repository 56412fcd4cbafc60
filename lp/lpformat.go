package lp

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// WriteLP writes a model in the LP format of CPLEX, which HiGHS, CBC, GLPK
// and SCIP read as well, so that [ReadLP] gives it back. Names are made up
// where there are none; a *ModelError is returned for those that the format
// cannot hold, and for rows without bounds or without any variable in the
// model.
func WriteLP(w io.Writer, m *Model) error {
	if w == nil {
		return errNoStream
	}
	if err := m.Check(); err != nil {
		return err
	}
	variables, rows, err := m.nameAll(lpName)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if name := strings.Join(strings.Fields(m.Name), " "); name != "" {
		fmt.Fprintf(out, "\\ %s\n", name)
	}
	fmt.Fprintln(out, map[bool]string{true: "Maximize", false: "Minimize"}[m.Maximize])
	fmt.Fprint(out, " obj:")
	objective := make([]Term, 0, len(m.Variables))
	for j, v := range m.Variables {
		objective = append(objective, Term{j, v.Cost})
	}
	// Every variable is there, with cost 0 if need be: the order is kept.
	lpTerms(out, objective, variables)
	if m.Offset != 0 {
		fmt.Fprintf(out, " %s", signed(m.Offset))
	}
	fmt.Fprint(out, "\nSubject To\n")
	for i, r := range m.Rows {
		lower, upper := !math.IsInf(r.Lower, -1), !math.IsInf(r.Upper, 1)
		if !lower && !upper {
			return &ModelError{fmt.Sprintf("rows[%d]", i), "a row without bounds"}
		}
		terms := r.Terms
		if len(terms) == 0 {
			if len(variables) == 0 {
				return &ModelError{fmt.Sprintf("rows[%d]", i), "a row in a model without variables"}
			}
			terms = []Term{{0, 0}}
		}
		fmt.Fprintf(out, " %s:", rows[i])
		if lower && upper && r.Lower != r.Upper {
			fmt.Fprintf(out, " %s <=", number(r.Lower))
		}
		lpTerms(out, terms, variables)
		switch {
		case lower && upper && r.Lower == r.Upper:
			fmt.Fprintf(out, " = %s\n", number(r.Lower))
		case upper:
			fmt.Fprintf(out, " <= %s\n", number(r.Upper))
		default:
			fmt.Fprintf(out, " >= %s\n", number(r.Lower))
		}
	}
	fmt.Fprintln(out, "Bounds")
	var integers []string
	for j, v := range m.Variables {
		if v.Integer {
			integers = append(integers, variables[j])
		}
		switch {
		case v.Lower == 0 && math.IsInf(v.Upper, 1):
		case math.IsInf(v.Lower, -1) && math.IsInf(v.Upper, 1):
			fmt.Fprintf(out, " %s free\n", variables[j])
		case v.Lower == v.Upper:
			fmt.Fprintf(out, " %s = %s\n", variables[j], number(v.Lower))
		default:
			fmt.Fprintf(out, " %s <= %s <= %s\n", number(v.Lower), variables[j], number(v.Upper))
		}
	}
	if len(integers) > 0 {
		fmt.Fprintln(out, "Generals")
		for _, name := range integers {
			fmt.Fprintf(out, " %s\n", name)
		}
	}
	fmt.Fprintln(out, "End")
	return out.Flush()
}

// number writes all digits, and infinities by their names in the format.
func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// signed writes a number with its sign apart, as terms are added up.
func signed(v float64) string {
	if v < 0 || (v == 0 && math.Signbit(v)) {
		return "- " + strconv.FormatFloat(-v, 'g', -1, 64)
	}
	return "+ " + strconv.FormatFloat(v, 'g', -1, 64)
}

// lpTerms writes terms, a few to a line.
func lpTerms(w io.Writer, terms []Term, names []string) {
	for n, t := range terms {
		if n > 0 && n%8 == 0 {
			fmt.Fprint(w, "\n  ")
		}
		fmt.Fprintf(w, " %s %s", signed(t.Coefficient), names[t.Variable])
	}
}

// lpWords are words with a meaning of their own.
var lpWords = []string{
	"max", "maximize", "maximise", "maximum", "min", "minimize", "minimise", "minimum", "subject", "such", "st", "s.t.",
	"st.",
	"bound", "bounds", "general", "generals", "gen", "integer", "integers", "int", "binary", "binaries", "bin", "end",
	"free", "inf", "infinity",
	"semi-continuous", "semis", "semi", "sos", "sos1", "sos2",
}

// lpName reports whether the format can hold a name: letters, digits and
// !"#$%&(),.;?@_'`{}~, not beginning with a digit, a dot, or what could be an
// exponent, and no word of the format.
func lpName(name string) bool {
	if name == "" || slices.Contains(lpWords, strings.ToLower(name)) {
		return false
	}
	for i := range len(name) {
		if !lpRune(name[i]) {
			return false
		}
	}
	c := name[0]
	if (c >= '0' && c <= '9') || c == '.' {
		return false
	}
	if c == 'e' || c == 'E' {
		return len(name) > 1 && !(name[1] >= '0' && name[1] <= '9')
	}
	return true
}

func lpRune(c byte) bool {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		strings.IndexByte("!\"#$%&(),.;?@_'`{}~", c) >= 0
}
