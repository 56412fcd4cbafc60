package lp

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// ReadLP reads a model in the LP format of CPLEX: an objective, Subject To,
// Bounds, Generals, Binaries, End; rows with one relation or, for a range,
// two; a backslash begins a comment. Quadratic terms, semicontinuous variables
// and special ordered sets are refused. Errors are of type *ModelError and
// name the line.
func ReadLP(r io.Reader) (*Model, error) {
	p := &lpReader{m: &Model{}, at: map[string]int{}}
	if err := p.split(r); err != nil {
		return nil, err
	}
	if err := p.parse(); err != nil {
		return nil, err
	}
	for j := range p.m.Variables {
		if !p.seenLower[j] && p.m.Variables[j].Upper < 0 {
			p.m.Variables[j].Lower = math.Inf(-1)
		}
	}
	if err := p.m.Check(); err != nil {
		return nil, err
	}
	return p.m, nil
}

// token is a number, a name, a relation (<=, >=, =), a sign or a colon.
type token struct {
	text string
	kind byte // 'n' number, 'a' name, 'r' relation, '+', '-', ':', 0 the end
	v    float64
	line int
	head bool // first on its line
}

type lpReader struct {
	m         *Model
	at        map[string]int
	seenLower []bool
	tokens    []token
	next      int
}

func (p *lpReader) bad(t token, format string, args ...any) error {
	return &ModelError{fmt.Sprintf("line %d", t.line), fmt.Sprintf(format, args...)}
}

// split cuts the text into tokens.
func (p *lpReader) split(r io.Reader) error {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<24)
	line := 0
	for scanner.Scan() {
		line++
		s := scanner.Text()
		if i := strings.IndexByte(s, '\\'); i >= 0 {
			s = s[:i]
		}
		head := true
		for i := 0; i < len(s); {
			c := s[i]
			t := token{line: line, head: head}
			switch {
			case c == ' ' || c == '\t' || c == '\r':
				i++
				continue
			case c == '+' || c == '-' || c == ':':
				t.kind, t.text = c, s[i:i+1]
				i++
			case c == '<' || c == '>' || c == '=':
				j := i + 1
				for j < len(s) && (s[j] == '<' || s[j] == '>' || s[j] == '=') {
					j++
				}
				t.kind = 'r'
				switch s[i:j] {
				case "<", "<=", "=<":
					t.text = "<="
				case ">", ">=", "=>":
					t.text = ">="
				case "=":
					t.text = "="
				default:
					return p.bad(t, "%q is no relation", s[i:j])
				}
				i = j
			case (c >= '0' && c <= '9') || c == '.':
				j := numberEnd(s, i)
				v, err := strconv.ParseFloat(s[i:j], 64)
				if err != nil {
					return p.bad(t, "%q is no number", s[i:j])
				}
				t.kind, t.text, t.v = 'n', s[i:j], v
				i = j
			case lpRune(c):
				j := i
				for j < len(s) && lpRune(s[j]) {
					j++
				}
				t.kind, t.text = 'a', s[i:j]
				if w := strings.ToLower(t.text); w == "inf" || w == "infinity" {
					t.kind, t.v = 'n', math.Inf(1)
				}
				i = j
			default:
				return p.bad(t, "unexpected %q", s[i:i+1])
			}
			head = false
			p.tokens = append(p.tokens, t)
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("lp: line %d: %w", line+1, err)
	}
	p.tokens = append(p.tokens, token{line: line, head: true})
	return nil
}

// numberEnd returns where the number that starts at i ends.
func numberEnd(s string, i int) int {
	digits := func() {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
	}
	digits()
	if i < len(s) && s[i] == '.' {
		i++
		digits()
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		start := i
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if first := i; first < len(s) {
			if digits(); i > first {
				return i
			}
		}
		return start
	}
	return i
}

func (p *lpReader) peek() token { return p.tokens[p.next] }

func (p *lpReader) take() token {
	t := p.tokens[p.next]
	if t.kind != 0 {
		p.next++
	}
	return t
}

// section returns the section that begins here, "" for none. A word begins a
// section only at the head of a line and when no colon follows.
func (p *lpReader) section() string {
	t := p.peek()
	if t.kind == 0 {
		return "end"
	}
	if t.kind != 'a' || !t.head || p.tokens[p.next+1].kind == ':' {
		return ""
	}
	switch strings.ToLower(t.text) {
	case "max", "maximize", "maximise", "maximum":
		return "max"
	case "min", "minimize", "minimise", "minimum":
		return "min"
	case "st", "s.t.", "st.":
		return "rows"
	case "subject", "such":
		if w := strings.ToLower(p.tokens[p.next+1].text); w == "to" || w == "that" {
			return "rows"
		}
	case "bound", "bounds":
		return "bounds"
	case "general", "generals", "gen", "integer", "integers", "int":
		return "integers"
	case "binary", "binaries", "bin":
		return "binaries"
	case "semi-continuous", "semis", "semi", "sos", "sos1", "sos2":
		return "refused"
	case "end":
		return "end"
	}
	return ""
}

func (p *lpReader) parse() error {
	started := false
	for {
		t, s := p.peek(), p.section()
		if !started && s != "max" && s != "min" {
			return p.bad(t, "want Maximize or Minimize first")
		}
		switch s {
		case "":
			return p.bad(t, "unexpected %q", t.text)
		case "end":
			if t.kind == 0 {
				return p.bad(t, "the file ends without End")
			}
			return nil
		case "refused":
			return p.bad(t, "%s is not supported", t.text)
		}
		p.take()
		if word := strings.ToLower(t.text); word == "subject" || word == "such" {
			p.take()
		}
		var err error
		switch s {
		case "max", "min":
			if started {
				return p.bad(t, "a second objective")
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
	if p.peek().kind == 'a' && p.tokens[p.next+1].kind == ':' {
		name := p.take().text
		p.take()
		return name
	}
	return ""
}

// expression reads signs, numbers and names up to something else; terms of
// the same variable add up.
func (p *lpReader) expression() (terms []Term, constant float64, err error) {
	place := map[int]int{}
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
		if n := p.peek(); n.kind == 'a' && p.section() == "" && p.tokens[p.next+1].kind != ':' {
			j := p.variable(p.take().text)
			if i, twice := place[j]; twice {
				terms[i].Coefficient += value
			} else {
				place[j] = len(terms)
				terms = append(terms, Term{j, value})
			}
			continue
		}
		if !hasNumber {
			return nil, 0, p.bad(p.peek(), "want a number or a name after a sign")
		}
		constant += value
	}
	return terms, constant, nil
}

func (p *lpReader) objective() error {
	p.label()
	terms, constant, err := p.expression()
	if err != nil {
		return err
	}
	for _, t := range terms {
		p.m.Variables[t.Variable].Cost = t.Coefficient
	}
	p.m.Offset = constant
	return nil
}

// row reads "expr rel number", "number rel expr" or "number <= expr <= number".
func (p *lpReader) row() error {
	start := p.peek()
	r := Row{Name: p.label(), Lower: math.Inf(-1), Upper: math.Inf(1)}
	left, constant, err := p.expression()
	if err != nil {
		return err
	}
	relation := p.take()
	if relation.kind != 'r' {
		return p.bad(relation, "want <=, >= or =, found %q", relation.text)
	}
	var right []Term
	var rightConstant float64
	if len(left) > 0 {
		if n := p.peek(); n.kind == 'a' {
			return p.bad(start, "a row wants variables on one side and a number on the other")
		}
		_, rightConstant, err = p.constant()
	} else {
		right, rightConstant, err = p.expression()
	}
	if err != nil {
		return err
	}
	bound := func(rel string, v float64) {
		switch rel {
		case "<=":
			r.Upper = v
		case ">=":
			r.Lower = v
		default:
			r.Lower, r.Upper = v, v
		}
	}
	flip := map[string]string{"<=": ">=", ">=": "<=", "=": "="}
	switch {
	case len(left) > 0 && len(right) == 0:
		r.Terms = left
		bound(relation.text, rightConstant-constant)
	case len(left) == 0 && len(right) > 0:
		r.Terms = right
		bound(flip[relation.text], constant-rightConstant)
		if p.peek().kind == 'r' {
			second := p.take()
			_, last, err := p.constant()
			if err != nil {
				return err
			}
			if second.text != relation.text || second.text == "=" {
				return p.bad(second, "a range wants the same relation twice")
			}
			bound(second.text, last-rightConstant)
		}
	default:
		return p.bad(start, "a row wants variables on one side and a number on the other")
	}
	kept := r.Terms[:0]
	for _, t := range r.Terms {
		if t.Coefficient != 0 {
			kept = append(kept, t)
		}
	}
	if r.Terms = kept; len(kept) == 0 {
		r.Terms = nil
	}
	p.m.Rows = append(p.m.Rows, r)
	return nil
}

// constant reads a signed number.
func (p *lpReader) constant() (token, float64, error) {
	sign := 1.0
	for p.peek().kind == '+' || p.peek().kind == '-' {
		if p.take().kind == '-' {
			sign = -sign
		}
	}
	t := p.take()
	if t.kind != 'n' {
		return t, 0, p.bad(t, "want a number, found %q", t.text)
	}
	return t, sign * t.v, nil
}

// bound reads "x free", "x rel number", "number rel x" or "number <= x <= number".
func (p *lpReader) bound() error {
	var j int
	set := func(t token, rel string, v float64) error {
		x := &p.m.Variables[j]
		if rel != ">=" {
			if math.IsInf(v, -1) {
				return p.bad(t, "an upper bound of -inf")
			}
			x.Upper = v
		}
		if rel != "<=" {
			if math.IsInf(v, 1) {
				return p.bad(t, "a lower bound of inf")
			}
			x.Lower, p.seenLower[j] = v, true
		}
		return nil
	}
	flip := map[string]string{"<=": ">=", ">=": "<=", "=": "="}
	if t := p.peek(); t.kind != 'a' {
		_, v, err := p.constant()
		if err != nil {
			return err
		}
		relation, name := p.take(), p.take()
		if relation.kind != 'r' || name.kind != 'a' {
			return p.bad(t, "want a relation and a variable after a number")
		}
		j = p.variable(name.text)
		if err := set(t, flip[relation.text], v); err != nil {
			return err
		}
		if p.peek().kind != 'r' {
			return nil
		}
	} else {
		j = p.variable(p.take().text)
		if n := p.peek(); n.kind == 'a' && strings.EqualFold(n.text, "free") {
			p.take()
			p.m.Variables[j].Lower, p.m.Variables[j].Upper, p.seenLower[j] = math.Inf(-1), math.Inf(1), true
			return nil
		}
	}
	relation := p.take()
	if relation.kind != 'r' {
		return p.bad(relation, "want a relation, found %q", relation.text)
	}
	t, v, err := p.constant()
	if err != nil {
		return err
	}
	return set(t, relation.text, v)
}

// mark makes a variable integer.
func (p *lpReader) mark(binary bool) error {
	t := p.take()
	if t.kind != 'a' {
		return p.bad(t, "want a variable, found %q", t.text)
	}
	j := p.variable(t.text)
	p.m.Variables[j].Integer = true
	if binary {
		p.m.Variables[j].Lower, p.m.Variables[j].Upper, p.seenLower[j] = 0, 1, true
	}
	return nil
}
