package lp

import "math"

// row reads "expr rel number", "number rel expr" or "number <= expr <= number".
func (p *lpReader) row() error {
	start := p.peek()
	r := Row{Name: p.label(), Lower: math.Inf(-1), Upper: math.Inf(1)}
	if r.Name != "" {
		if p.rowNames[r.Name] {
			return p.bad(start, "row %q appears twice, want names that differ", r.Name)
		}
		p.rowNames[r.Name] = true
	}
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
			return p.bad(start, "want a row with variables on one side and a number on the other")
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
				return p.bad(second, "want the same relation on both sides of a range")
			}
			bound(second.text, last-rightConstant)
		}
	default:
		return p.bad(start, "want a row with variables on one side and a number on the other")
	}
	if !(r.Lower < math.Inf(1)) || !(r.Upper > math.Inf(-1)) {
		return p.bad(start, "bounds %v and %v of the row, want numbers, or -inf <= or <= inf for none", r.Lower, r.Upper)
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
	p.coefficients += len(r.Terms)
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
