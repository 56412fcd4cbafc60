package traffic

import (
	"bytes"
	"strings"

	"github.com/capplan/capplan/internal/source"
)

// plainResult reads one line of a result as load tests write it: an object whose names and texts
// hold no escape. Of whatever else it says false, also of what is no JSON: encoding/json reads
// that, or tells it (TestPlainResult holds the two against each other).
func plainResult(line []byte) (r result, ok bool) {
	p := &plainJSON{text: line}
	ok = p.next() == '{' && p.object(func(name []byte) bool {
		switch string(name) {
		case "type":
			return p.known(&r.Type, "Point")
		case "metric":
			return p.known(&r.Metric, "http_req_duration")
		case "latency":
			r.Latency = new(float64)
			return p.number(r.Latency)
		case "data":
			return p.next() == '{' && p.object(func(name []byte) bool {
				if string(name) == "value" {
					return p.number(&r.Data.Value)
				}
				return small(name) && p.value()
			})
		case "requests", "latencies", "metrics":
			return false
		}
		return small(name) && p.value()
	})
	return r, ok && p.next() == 0 && p.at == len(line)
}

// small reports whether a name is no other by case: encoding/json takes "Value" for "value".
func small(name []byte) bool {
	for _, c := range name {
		if c >= 0x80 || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// plainJSON goes through a text; its methods report whether what comes is plain, and as they want it.
type plainJSON struct {
	text      []byte
	at, depth int
}

// next returns the next byte that is no space, and stays there; 0 at the end.
func (p *plainJSON) next() byte {
	for ; p.at < len(p.text); p.at++ {
		if c := p.text[p.at]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// word takes a text in quotes.
func (p *plainJSON) word() ([]byte, bool) {
	if p.next() != '"' {
		return nil, false
	}
	from := p.at + 1
	for i, c := range p.text[from:] {
		switch {
		case c == '"':
			p.at = from + i + 1
			return p.text[from : from+i], true
		case c < ' ' || c == '\\':
			return nil, false
		}
	}
	return nil, false
}

// known takes a text, and keeps it where it is the one that is asked for.
func (p *plainJSON) known(into *string, want string) bool {
	w, ok := p.word()
	*into = ""
	if string(w) == want {
		*into = want
	}
	return ok
}

// number takes one.
func (p *plainJSON) number(into *float64) (ok bool) {
	p.next()
	from := p.at
	for p.at < len(p.text) && strings.IndexByte("+-.0123456789eE", p.text[p.at]) >= 0 {
		p.at++
	}
	tok := p.text[from:p.at]
	*into, ok = source.ParseNumber(tok)
	// What that takes and JSON does not: +1, .5, 1. and 01.
	digit := func(i int) bool { return i < len(tok) && '0' <= tok[i] && tok[i] <= '9' }
	first := 0
	if ok && tok[0] == '-' {
		first = 1
	}
	point := bytes.IndexByte(tok, '.')
	return ok && digit(first) && !(tok[first] == '0' && digit(first+1)) && (point < 0 || digit(point+1))
}

// object takes one, of whose fields each takes the value.
func (p *plainJSON) object(each func(name []byte) bool) bool {
	return p.list('}', func() bool {
		name, ok := p.word()
		if !ok || p.next() != ':' {
			return false
		}
		p.at++
		return each(name)
	})
}

// list takes what is between brackets, from the first on.
func (p *plainJSON) list(last byte, each func() bool) bool {
	p.at++
	if p.next() == last {
		p.at++
		return true
	}
	if p.depth++; p.depth > 100 {
		return false
	}
	for each() {
		c := p.next()
		p.at++
		if c == last {
			p.depth--
			return true
		}
		if c != ',' {
			break
		}
	}
	return false
}

// value takes any.
func (p *plainJSON) value() bool {
	switch c := p.next(); c {
	case '"':
		_, ok := p.word()
		return ok
	case '{':
		return p.object(func([]byte) bool { return p.value() })
	case '[':
		return p.list(']', p.value)
	case 't', 'f', 'n':
		w := "true"
		if c != 't' {
			if w = "null"; c == 'f' {
				w = "false"
			}
		}
		at := p.at
		p.at += len(w)
		return strings.HasPrefix(string(p.text[at:min(p.at, len(p.text))]), w)
	}
	return p.number(new(float64))
}
