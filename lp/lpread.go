package lp

import (
	"bufio"
	"io"
	"math"
	"strings"
)

// ReadLP reads a model in the LP format of CPLEX: an objective, Subject To,
// Bounds, Generals, Binaries, End; rows with one relation or, for a range,
// two; a backslash begins a comment. Quadratic terms, semicontinuous variables
// and special ordered sets are refused; a bound of ±1e20 or beyond is none. Errors are
// of type *SyntaxError, or of the reader.
func ReadLP(r io.Reader) (*Model, error) {
	if r == nil {
		return nil, errNoStream
	}
	p := &lpReader{m: &Model{}, at: map[string]int{}, rowNames: map[string]bool{}, lines: bufio.NewScanner(r)}
	p.lines.Buffer(nil, maxLine)
	if err := p.parse(); err != nil {
		if p.failed != nil { // what was read wrong came before
			return nil, p.failed
		}
		return nil, err
	}
	for j := range p.m.Variables {
		if !p.seenLower[j] && p.m.Variables[j].Upper < 0 {
			p.m.Variables[j].Lower = math.Inf(-1)
		}
	}
	openFar(p.m)
	if err := p.m.Check(); err != nil {
		return nil, err
	}
	return p.m, nil
}

// parse reads section by section; the objective has to come first.
func (p *lpReader) parse() error {
	started := false
	for {
		t, s := p.peek(), p.section()
		if p.failed != nil {
			return p.failed
		}
		if !started && s != "max" && s != "min" {
			return p.bad(t, "want Maximize or Minimize first, or a section of MPS such as NAME")
		}
		switch s {
		case "":
			return p.bad(t, "%q, want Subject To, Bounds, General, Binary or End", t.text)
		case "end":
			if t.kind == 0 {
				return p.bad(t, "the file ends without End, want End behind the last section")
			}
			return nil
		case "refused":
			return p.bad(t, "%s is not supported, want Subject To, Bounds, General, Binary or End", t.text)
		}
		p.take()
		if word := strings.ToLower(t.text); word == "subject" || word == "such" {
			p.take()
		}
		var err error
		switch s {
		case "max", "min":
			if started {
				return p.bad(t, "a second objective, want one of Maximize or Minimize")
			}
			started = true
			p.m.Maximize = s == "max"
			err = p.objective()
		default:
			for err == nil && p.section() == "" {
				switch s {
				case "rows":
					err = p.row()
				case "bounds":
					err = p.bound()
				default:
					err = p.mark(s == "binaries")
				}
				if full := overfull(len(p.m.Rows)+len(p.m.Variables), p.coefficients); err == nil && full != "" {
					err = p.bad(p.peek(), "%s", full)
				}
			}
		}
		if err != nil {
			return err
		}
	}
}

// variable returns the index of a name, which is new when first met.
func (p *lpReader) variable(name string) int {
	j, ok := p.at[name]
	if !ok {
		j = len(p.m.Variables)
		p.at[name] = j
		p.m.Variables = append(p.m.Variables, Variable{Name: name, Upper: math.Inf(1)})
		p.seenLower = append(p.seenLower, false)
	}
	return j
}

// label takes "name :" if it is there.
func (p *lpReader) label() string {
	if p.peek().kind == 'a' && p.look(1).kind == ':' {
		name := p.take().text
		p.take()
		return name
	}
	return ""
}

// expression reads signs, numbers and names up to something else; terms of
// the same variable add up.
func (p *lpReader) expression() (terms []Term, constant float64, err error) {
	place, begin := map[int]int{}, p.peek()
	for first := true; p.section() == ""; first = false {
		t := p.peek()
		if t.kind != '+' && t.kind != '-' && (!first || (t.kind != 'n' && t.kind != 'a')) {
			break // a term after the first wants a sign
		}
		sign := 1.0
		for p.peek().kind == '+' || p.peek().kind == '-' {
			if p.take().kind == '-' {
				sign = -sign
			}
		}
		value, hasNumber := sign, false
		if n := p.peek(); n.kind == 'n' {
			value, hasNumber = sign*p.take().v, true
		}
		if n := p.peek(); n.kind == 'a' && p.section() == "" && p.look(1).kind != ':' {
			j := p.variable(p.take().text)
			i, twice := place[j]
			if twice {
				value += terms[i].Coefficient
			}
			if math.IsInf(value, 0) {
				return nil, 0, p.bad(t, "the coefficient of %s is %v, want a finite number", n.text, value)
			}
			if twice {
				terms[i].Coefficient = value
			} else {
				place[j] = len(terms)
				terms = append(terms, Term{j, value})
				if full := overfull(len(p.m.Variables), len(terms)); full != "" {
					return nil, 0, p.bad(n, "%s", full)
				}
			}
			continue
		}
		if !hasNumber {
			return nil, 0, p.bad(p.peek(), "want a number or a name after a sign")
		}
		constant += value
	}
	if len(terms) > 0 && (math.IsInf(constant, 0) || math.IsNaN(constant)) {
		return nil, 0, p.bad(begin, "a constant of %v beside variables, want a finite number", constant)
	}
	return terms, constant, nil
}

// objective reads costs, and a constant, which moves the optimum's value only.
func (p *lpReader) objective() error {
	p.label()
	start := p.peek()
	terms, constant, err := p.expression()
	if err != nil {
		return err
	}
	if math.IsInf(constant, 0) || math.IsNaN(constant) {
		return p.bad(start, "a constant of %v, want a finite number", constant)
	}
	for _, t := range terms {
		p.m.Variables[t.Variable].Cost = t.Coefficient
	}
	p.m.Offset = constant
	return nil
}
