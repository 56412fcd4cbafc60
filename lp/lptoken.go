package lp

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// token is a number, a name, a relation (<=, >=, =), a sign or a colon.
type token struct {
	text string
	kind byte // 'n' number, 'a' name, 'r' relation, '+', '-', ':', 0 the end
	v    float64
	line int
	from int  // byte of the line, from 0
	head bool // first on its line
}

// An lpReader reads tokens, with a few read ahead, since a name may be a label, a
// variable or a word of the format.
type lpReader struct {
	m         *Model
	at        map[string]int
	seenLower []bool
	rowNames  map[string]bool

	coefficients int // of the rows so far

	lines  *bufio.Scanner
	line   int
	now    string    // the line that the last tokens come from
	before [2]string // and the two before it
	tokens []token   // read ahead
	ended  bool
	failed error // of the reading
}

// bad is an error at a token. Its line may have been read past by two.
func (p *lpReader) bad(t token, format string, args ...any) error {
	if p.failed != nil {
		return p.failed
	}
	e := &SyntaxError{Line: t.line, Column: t.from + 1, Want: fmt.Sprintf(format, args...)}
	switch p.line - t.line {
	case 0:
		e.Text = p.now
	case 1, 2:
		e.Text = p.before[p.line-t.line-1]
	}
	return e
}

// look returns the nth token from here without taking it; beyond the end, and
// after an error, it is the end.
func (p *lpReader) look(n int) token {
	for len(p.tokens) <= n && !p.ended {
		if !p.lines.Scan() {
			p.ended = true
			if err := p.lines.Err(); err != nil {
				p.failed = scanError(err, p.line+1)
			}
			break
		}
		p.line++
		p.before[0], p.before[1], p.now = p.now, p.before[0], p.lines.Text()
		if p.failed = p.split(p.now); p.failed != nil {
			p.ended = true
		}
	}
	if n < len(p.tokens) {
		return p.tokens[n]
	}
	return token{line: max(p.line, 1), head: true}
}

// split cuts a line into tokens.
func (p *lpReader) split(s string) error {
	line := p.line
	if i := strings.IndexByte(s, '\\'); i >= 0 {
		s = s[:i]
	}
	head := true
	for i := 0; i < len(s); {
		c := s[i]
		t := token{line: line, from: i, head: head}
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
				return p.bad(t, "%q is not a relation, want <=, >= or =", s[i:j])
			}
			i = j
		case (c >= '0' && c <= '9') || c == '.':
			j := numberEnd(s, i)
			v, err := strconv.ParseFloat(s[i:j], 64)
			if err != nil {
				return p.bad(t, "%q is not a number, want one such as 2.5 or 1e3", s[i:j])
			}
			if lost(v, s[i:j]) {
				return p.bad(t, "%q is too small, want 0 or at least 5e-324", s[i:j])
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
			return p.bad(t, "%q, want a name, a number, + or -, or a relation", s[i:i+1])
		}
		head = false
		p.tokens = append(p.tokens, t)
	}
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

func (p *lpReader) peek() token { return p.look(0) }

// take reads a token; behind the last it is the end again.
func (p *lpReader) take() token {
	t := p.look(0)
	if t.kind != 0 {
		p.tokens = p.tokens[1:]
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
	if t.kind != 'a' || !t.head || p.look(1).kind == ':' {
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
		if w := strings.ToLower(p.look(1).text); w == "to" || w == "that" {
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

// lost reports whether a number was read as 0 and is not: it is below what a float64 holds, and
// without it the model is another.
func lost(v float64, text string) bool {
	if v != 0 {
		return false
	}
	mantissa := text
	if i := strings.IndexAny(text, "eEdD"); i >= 0 {
		mantissa = text[:i]
	}
	return strings.ContainsAny(mantissa, "123456789")
}
