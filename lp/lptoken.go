package lp

import (
	"bufio"
	"fmt"
	"io"
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
