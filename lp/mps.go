package lp

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// MPSFormat says how the fields of an MPS file are separated.
type MPSFormat int

const (
	FreeMPS  MPSFormat = iota // by blanks
	FixedMPS                  // by columns: 2-3, 5-12, 15-22, 25-36, 40-47, 50-61
)

// ReadMPS reads a model in MPS format: NAME, OBJSENSE, ROWS, COLUMNS with
// integer markers, RHS, RANGES, BOUNDS (LO UP FX FR MI PL BV LI UI), ENDATA.
// The first N row is the objective, further ones are dropped; a right side of
// the objective is minus its constant. Integer variables without bounds lie
// within 0..∞; an upper bound below 0 without a lower one makes the lower one
// −∞; a bound of ±1e20 or beyond is none. Errors are of type *SyntaxError, or of the
// reader.
func ReadMPS(r io.Reader, format MPSFormat) (*Model, error) {
	if r == nil {
		return nil, errNoStream
	}
	p := &mpsReader{m: &Model{}, format: format, rowAt: map[string]int{}, colAt: map[string]int{}}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine)
	for scanner.Scan() {
		p.line++
		text := strings.TrimRight(scanner.Text(), "\r \t")
		p.text = text
		if text == "" || text[0] == '*' {
			continue
		}
		done, err := p.read(text)
		if err != nil {
			return nil, err
		}
		if full := overfull(len(p.m.Rows)+len(p.m.Variables), p.coefficients); full != "" {
			return nil, p.bad("%s", full)
		}
		if done {
			return p.finish()
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, scanError(err, p.line+1)
	}
	return nil, p.bad("the file ends without ENDATA, want it on the last line")
}

// An mpsReader is what ReadMPS keeps between lines.
type mpsReader struct {
	m         *Model
	format    MPSFormat
	line      int
	text      string // of the line
	section   string
	objective string
	rowAt     map[string]int // −1 the objective, −2 another N row
	colAt     map[string]int
	kind      []byte // of the rows
	rhs       []float64
	ranges    []float64 // NaN for none
	integer   bool
	hasLower  []bool
	last      []int // by row, last column that had a term, from 1
	costAt    int   // column, from 1, whose cost was given last

	coefficients int // of the rows so far
}

func (p *mpsReader) bad(format string, args ...any) error {
	return &SyntaxError{Line: max(p.line, 1), Text: p.text, Want: fmt.Sprintf(format, args...)}
}

// badWord is bad with the column of a word, the last of its like on the line.
func (p *mpsReader) badWord(word, format string, args ...any) error {
	e := &SyntaxError{Line: p.line, Text: p.text, Want: fmt.Sprintf(format, args...)}
	for i := strings.LastIndex(p.text, word); i >= 0 && word != ""; i = strings.LastIndex(p.text[:i], word) {
		end := i + len(word)
		if (i == 0 || p.text[i-1] == ' ' || p.text[i-1] == '\t') &&
			(end == len(p.text) || p.text[end] == ' ' || p.text[end] == '\t') {
			e.Column = i + 1
			break
		}
	}
	return e
}

// read takes one line; done is true at ENDATA.
func (p *mpsReader) read(text string) (done bool, err error) {
	if text[0] != ' ' && text[0] != '\t' {
		fields := strings.Fields(text)
		if len(fields) == 0 {
			return false, nil
		}
		p.section = strings.ToUpper(fields[0])
		switch p.section {
		case "NAME":
			p.m.Name = strings.TrimSpace(text[len(fields[0]):])
		case "OBJSENSE":
			if len(fields) > 1 {
				return false, p.sense(fields[1])
			}
		case "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS":
		case "ENDATA":
			return true, nil
		default:
			return false, p.badWord(fields[0],
				"unknown section %q, want NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS or ENDATA", fields[0])
		}
		return false, nil
	}
	var f []string
	if p.format == FixedMPS && p.section != "OBJSENSE" {
		var err error
		if f, err = p.fixed(text); err != nil {
			return false, err
		}
	} else {
		f = strings.Fields(text)
	}
	if len(f) == 0 {
		return false, nil
	}
	switch p.section {
	case "OBJSENSE":
		return false, p.sense(f[0])
	case "ROWS":
		return false, p.row(f)
	case "COLUMNS":
		return false, p.column(f)
	case "RHS":
		return false, p.pairs(f, "right side", p.setRHS)
	case "RANGES":
		return false, p.pairs(f, "range", func(row int, v float64) error {
			if row < 0 {
				return p.bad("a range on the objective, want a row of kind L, G or E")
			}
			p.ranges[row] = v
			return nil
		})
	case "BOUNDS":
		return false, p.bound(f)
	}
	return false, p.bad("data outside of a section, want a line such as ROWS before them")
}

// fixed cuts a line at the columns of the format; fields that are empty at
// the end are left out, a missing name of a set stays as an empty string. Text
// in a column between the fields is an error: it would be lost.
func (p *mpsReader) fixed(text string) ([]string, error) {
	text = strings.ReplaceAll(text, "\t", " ")
	for _, gap := range [][2]int{{3, 4}, {12, 14}, {22, 24}, {36, 39}, {47, 49}} {
		for i := gap[0]; i < min(gap[1], len(text)); i++ {
			if text[i] != ' ' {
				return nil, &SyntaxError{Line: p.line, Column: i + 1, Text: p.text,
					Want: "text between the fields of the fixed format (2-3, 5-12, 15-22, 25-36, 40-47, 50-61)"}
			}
		}
	}
	cut := func(from, to int) string {
		if len(text) <= from {
			return ""
		}
		return strings.TrimSpace(text[from:min(to, len(text))])
	}
	kind := cut(1, 3)
	f := []string{cut(4, 12), cut(14, 22), cut(24, 36), cut(39, 47), cut(49, 61)}
	if kind != "" {
		f = append([]string{kind}, f...)
	}
	for len(f) > 0 && f[len(f)-1] == "" {
		f = f[:len(f)-1]
	}
	return f, nil
}

// sense reads the section OBJSENSE; without it costs are made least.
func (p *mpsReader) sense(s string) error {
	switch strings.ToUpper(s) {
	case "MAX", "MAXIMIZE", "MAXIMISE":
		p.m.Maximize = true
	case "MIN", "MINIMIZE", "MINIMISE":
		p.m.Maximize = false
	default:
		return p.badWord(s, "objective sense %q, want MIN or MAX", s)
	}
	return nil
}

// row reads a line of ROWS. The first N row is the objective, and others are left
// out.
func (p *mpsReader) row(f []string) error {
	if len(f) != 2 {
		return p.bad("want the kind of a row and its name")
	}
	kind, name := strings.ToUpper(f[0]), f[1]
	if name == "" {
		return p.bad("a row without a name, want its kind and name")
	}
	if _, twice := p.rowAt[name]; twice {
		return p.badWord(name, "row %q appears twice, want names that differ", name)
	}
	switch kind {
	case "N":
		p.rowAt[name] = -2
		if p.objective == "" {
			p.objective, p.rowAt[name] = name, -1
		}
		return nil
	case "L", "G", "E":
		p.rowAt[name] = len(p.m.Rows)
		p.m.Rows = append(p.m.Rows, Row{Name: name})
		p.kind = append(p.kind, kind[0])
		p.rhs, p.ranges, p.last = append(p.rhs, 0), append(p.ranges, math.NaN()), append(p.last, 0)
		return nil
	}
	return p.badWord(f[0], "kind of row %q, want N, L, G or E", f[0])
}

// number reads Fortran's exponents too.
func (p *mpsReader) number(s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.Map(func(r rune) rune {
		if r == 'd' || r == 'D' {
			return 'e' // Fortran's exponent
		}
		return r
	}, s), 64)
	if err != nil || math.IsNaN(v) {
		return 0, p.badWord(s, "%q is not a number, want one such as 2.5 or 1e3", s)
	}
	if lost(v, s) {
		return 0, p.badWord(s, "%q is too small, want 0 or at least 5e-324", s)
	}
	return v, nil
}

// finite is number where the format has no infinities.
func (p *mpsReader) finite(s string) (float64, error) {
	v, err := p.number(s)
	if err == nil && math.IsInf(v, 0) {
		err = p.badWord(s, "%q, want a finite number", s)
	}
	return v, err
}

// column reads a line of COLUMNS, or a marker before and after whole numbers. The
// lines of a column stand together.
func (p *mpsReader) column(f []string) error {
	if len(f) >= 3 && strings.Trim(f[1], "'") == "MARKER" {
		switch strings.Trim(f[len(f)-1], "'") {
		case "INTORG":
			p.integer = true
		case "INTEND":
			p.integer = false
		default:
			return p.badWord(f[len(f)-1], "marker %s, want 'INTORG' or 'INTEND'", f[len(f)-1])
		}
		return nil
	}
	if len(f) != 3 && len(f) != 5 {
		return p.bad("want a column and one or two pairs of row and number")
	}
	if f[0] == "" {
		return p.bad("a column without a name, want it before its rows")
	}
	j, known := p.colAt[f[0]]
	if !known {
		j = len(p.m.Variables)
		p.colAt[f[0]] = j
		p.m.Variables = append(p.m.Variables, Variable{Name: f[0], Upper: math.Inf(1), Integer: p.integer})
		p.hasLower = append(p.hasLower, false)
	} else if j != len(p.m.Variables)-1 {
		return p.badWord(f[0], "column %q appears in two places, want its lines together", f[0])
	}
	for i := 1; i < len(f); i += 2 {
		row, ok := p.rowAt[f[i]]
		if !ok {
			return p.badWord(f[i], "unknown row %q, want one of the section ROWS", f[i])
		}
		v, err := p.finite(f[i+1])
		if err != nil {
			return err
		}
		switch {
		case row == -1:
			if p.costAt == j+1 {
				return p.badWord(f[0], "column %q has a second cost, want one", f[0])
			}
			p.costAt = j + 1
			p.m.Variables[j].Cost = v
		case row >= 0:
			if p.last[row] == j+1 {
				return p.badWord(f[i], "column %q has row %q twice, want it once", f[0], f[i])
			}
			p.last[row] = j + 1
			p.m.Rows[row].Terms = append(p.m.Rows[row].Terms, Term{j, v})
			p.coefficients++
		}
	}
	return nil
}

// pairs reads an optional name of a set and one or two pairs of row and
// number.
func (p *mpsReader) pairs(f []string, what string, set func(row int, v float64) error) error {
	if len(f)%2 == 1 {
		f = f[1:]
	}
	if len(f) != 2 && len(f) != 4 {
		return p.bad("want one or two pairs of row and %s", what)
	}
	for i := 0; i < len(f); i += 2 {
		row, ok := p.rowAt[f[i]]
		if !ok {
			return p.badWord(f[i], "unknown row %q, want one of the section ROWS", f[i])
		}
		v, err := p.finite(f[i+1])
		if err != nil {
			return err
		}
		if row == -2 {
			continue
		}
		if err := set(row, v); err != nil {
			return err
		}
	}
	return nil
}

// setRHS sets a right side; that of the objective is the constant with its sign
// turned.
func (p *mpsReader) setRHS(row int, v float64) error {
	if row == -1 {
		p.m.Offset = 0 - v
	} else {
		p.rhs[row] = v
	}
	return nil
}

// finish makes bounds of right sides and ranges. A range reaches from the right
// side to where the row may go; of an equation its sign says which way.
func (p *mpsReader) finish() (*Model, error) {
	for i := range p.m.Rows {
		r, rhs, span := &p.m.Rows[i], p.rhs[i], p.ranges[i]
		r.Lower, r.Upper = rhs, rhs
		has := !math.IsNaN(span)
		switch p.kind[i] {
		case 'L':
			r.Lower = math.Inf(-1)
			if has {
				r.Lower = rhs - math.Abs(span)
			}
		case 'G':
			r.Upper = math.Inf(1)
			if has {
				r.Upper = rhs + math.Abs(span)
			}
		case 'E':
			if has && span > 0 {
				r.Upper = rhs + span
			} else if has {
				r.Lower = rhs + span
			}
		}
	}
	openFar(p.m)
	if err := p.m.Check(); err != nil {
		return nil, err
	}
	return p.m, nil
}
