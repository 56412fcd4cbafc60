package lp

import (
	"math"
	"strings"
)

// bound reads "x free", "x rel number", "number rel x" or "number <= x <= number".
func (p *lpReader) bound() error {
	var j int
	set := func(t token, rel string, v float64) error {
		x := &p.m.Variables[j]
		if rel != ">=" {
			if math.IsInf(v, -1) {
				return p.bad(t, "an upper bound of -inf, want a number or inf")
			}
			x.Upper = v
		}
		if rel != "<=" {
			if math.IsInf(v, 1) {
				return p.bad(t, "a lower bound of inf, want a number or -inf")
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
