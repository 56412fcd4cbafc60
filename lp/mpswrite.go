package lp

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteMPS writes a model in MPS format, so that [ReadMPS] gives it back.
// Names are made up where there are none. A *ModelError is returned for names
// that the format cannot hold (with blanks; longer than 8 characters in the
// fixed format), for numbers that need more than the 12 characters of the
// fixed format, and for rows that no range can describe exactly.
func WriteMPS(w io.Writer, m *Model, format MPSFormat) error {
	if w == nil {
		return errNoStream
	}
	if err := m.Check(); err != nil {
		return err
	}
	variables, rows, err := m.nameAll(func(name string) bool {
		return !strings.ContainsFunc(name,
			func(r rune) bool { return r <= ' ' || r == 0x7f || r == 0x85 || r == 0xa0 || r > 0x7f }) &&
			(format == FreeMPS || len(name) <= 8) && strings.Trim(name, "'") != "MARKER" && name[0] != '*'
	})
	if err != nil {
		return err
	}
	out := &mpsWriter{w: bufio.NewWriter(w), format: format}
	out.text("NAME          %s\n", strings.Join(strings.Fields(m.Name), " "))
	if m.Maximize {
		out.text("OBJSENSE\n    MAX\n")
	}
	objective := "obj"
	for taken := true; taken; {
		taken = false
		for _, name := range rows {
			if name == objective {
				objective += "_"
				taken = true
			}
		}
	}
	if format == FixedMPS && len(objective) > 8 {
		return &ModelError{"objective", "no name of 8 characters is left"}
	}
	out.text("ROWS\n N  %s\n", objective)
	var rhs, ranges []entry
	for i, r := range m.Rows {
		kind, side, span, err := mpsRow(r)
		if err != nil {
			return &ModelError{fmt.Sprintf("rows[%d]", i), err.Error()}
		}
		out.text(" %s  %s\n", kind, rows[i])
		if side != 0 {
			rhs = append(rhs, entry{rows[i], side})
		}
		if span != 0 {
			ranges = append(ranges, entry{rows[i], span})
		}
	}
	columns := make([][]entry, len(m.Variables))
	for j, v := range m.Variables {
		if v.Cost != 0 {
			columns[j] = append(columns[j], entry{objective, v.Cost})
		}
	}
	for i, r := range m.Rows {
		for _, t := range r.Terms {
			columns[t.Variable] = append(columns[t.Variable], entry{rows[i], t.Coefficient})
		}
	}
	out.text("COLUMNS\n")
	integer, markers := false, 0
	for j, v := range m.Variables {
		if v.Integer != integer {
			integer = v.Integer
			mark := map[bool]string{true: "'INTORG'", false: "'INTEND'"}[integer]
			out.text("    %-8s  %-8s                 %s\n", fmt.Sprintf("M%d", markers), "'MARKER'", mark)
			markers++
		}
		if len(columns[j]) == 0 {
			columns[j] = []entry{{objective, 0}}
		}
		for _, e := range columns[j] {
			out.entry("", variables[j], e)
		}
	}
	if m.Offset != 0 {
		rhs = append([]entry{{objective, -m.Offset}}, rhs...)
	}
	out.section("RHS", rhs)
	out.section("RANGES", ranges)
	out.text("BOUNDS\n")
	for j, v := range m.Variables {
		for _, b := range mpsBounds(v) {
			out.entry(b.name, "BND", entry{variables[j], b.value})
		}
	}
	out.text("ENDATA\n")
	if out.err != nil {
		return out.err
	}
	return out.w.Flush()
}

// entry is a name with a number.
type entry struct {
	name  string
	value float64
}

// mpsRow returns the kind of a row, its right side and its range (0 for
// none).
func mpsRow(r Row) (kind string, rhs, span float64, err error) {
	lower, upper := !math.IsInf(r.Lower, -1), !math.IsInf(r.Upper, 1)
	switch {
	case lower && upper && r.Lower == r.Upper:
		return "E", r.Lower, 0, nil
	case lower && upper:
		for _, c := range []struct {
			kind      string
			rhs, span float64
		}{{"G", r.Lower, r.Upper - r.Lower}, {"L", r.Upper, r.Upper - r.Lower}} {
			if c.span > 0 && ((c.kind == "G" && c.rhs+c.span == r.Upper) ||
				(c.kind == "L" && c.rhs-c.span == r.Lower)) {
				return c.kind, c.rhs, c.span, nil
			}
		}
		return "", 0, 0, fmt.Errorf("no range gives bounds %v and %v exactly", r.Lower, r.Upper)
	case lower:
		return "G", r.Lower, 0, nil
	case upper:
		return "L", r.Upper, 0, nil
	}
	// A free row is an L row whose right side is beyond everything: the format
	// has only N rows for it, which readers drop.
	return "", 0, 0, fmt.Errorf("a row without bounds")
}

// mpsBounds returns the bounds of a variable that are not 0..∞. Integer
// variables get theirs in full, because readers differ on their default.
func mpsBounds(v Variable) []entry {
	noLower, noUpper := math.IsInf(v.Lower, -1), math.IsInf(v.Upper, 1)
	switch {
	case noLower && noUpper:
		return []entry{{"FR", math.NaN()}}
	case v.Lower == v.Upper:
		return []entry{{"FX", v.Lower}}
	}
	var list []entry
	if noLower {
		list = append(list, entry{"MI", math.NaN()})
	} else if v.Lower != 0 || v.Upper < 0 {
		list = append(list, entry{"LO", v.Lower})
	}
	if !noUpper {
		list = append(list, entry{"UP", v.Upper})
	} else if v.Integer {
		list = append(list, entry{"PL", math.NaN()})
	}
	return list
}

// An mpsWriter writes either form of MPS.
type mpsWriter struct {
	w      *bufio.Writer
	format MPSFormat
	err    error
}

func (o *mpsWriter) text(format string, args ...any) { fmt.Fprintf(o.w, format, args...) }

// section writes a section, RANGES only where there are any.
func (o *mpsWriter) section(name string, list []entry) {
	if name == "RANGES" && len(list) == 0 {
		return
	}
	o.text("%s\n", name)
	for _, e := range list {
		o.entry("", name, e)
	}
}

// entry writes one line: kind, first name, second name, number (NaN: none).
func (o *mpsWriter) entry(kind, first string, e entry) {
	number := ""
	if !math.IsNaN(e.value) {
		number = strconv.FormatFloat(e.value, 'g', -1, 64)
		if o.format == FixedMPS && len(number) > 12 && o.err == nil {
			o.err = &ModelError{first + " " + e.name, fmt.Sprintf("the number %s does not fit 12 characters", number)}
		}
	}
	o.text(" %-2s %-8s  %-8s  %12s\n", kind, first, e.name, number)
}
