package workload

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf16"
)

// parseJSON checks the syntax with encoding/json, which then need not be done
// again for each token, and makes nodes of it.
func (d *document) parseJSON(ctx context.Context) error {
	var syntax *json.SyntaxError
	if !json.Valid(d.content) {
		err := json.Unmarshal(d.content, &json.RawMessage{})
		if !errors.As(err, &syntax) {
			return d.whole(fmt.Sprintf("no JSON: %v", err), ErrMalformed)
		}
		// The offset is that behind the byte at fault, or the end.
		line, column := position(d.content, max(0, int(syntax.Offset)-1))
		return d.at(line, column, "no JSON: "+syntax.Error(), d.want)
	}
	if at := halfPair(d.content); at >= 0 {
		line, column := position(d.content, at)
		return d.at(line, column, noPair, wantPair)
	}
	if n := values(d.content); n > maxJSONValues {
		return d.whole(fmt.Sprintf("holds more than %d million values", maxJSONValues/1_000_000), ErrMemory)
	}
	p := &jsonParser{ctx: ctx, d: d, line: 1}
	var err error
	d.root, err = p.value(0)
	return err
}

const (
	noPair   = "half of a surrogate pair, which is no character"
	wantPair = `both halves, as in "\ud834\udd1e", or the character itself`
)

// halfPair returns the offset of the first escape in JSON that is half of a
// surrogate pair without the other, or -1.
func halfPair(content []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(content[from:], '\\')
		if i < 0 {
			return -1
		}
		at := from + i
		first, ok := unicodeEscape(content[at:])
		switch {
		case !ok:
			from = at + 2
		case !utf16.IsSurrogate(first):
			from = at + 6
		default:
			second, _ := unicodeEscape(content[at+6:])
			if utf16.DecodeRune(first, second) == unicode.ReplacementChar {
				return at
			}
			from = at + 12
		}
		from = min(from, len(content))
	}
}

// unicodeEscape reads the escape of a UTF-16 unit at the start of a text.
func unicodeEscape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(v), err == nil
}

// jsonParser walks content that is known to be JSON.
type jsonParser struct {
	ctx   context.Context
	d     *document
	at    int   // offset
	line  int32 // of at
	start int   // offset of the line
	slab  []node
	count int
}

// skip goes to the next byte that is no blank, comma or colon.
func (p *jsonParser) skip() byte {
	for ; ; p.at++ {
		switch c := p.d.content[p.at]; c {
		case '\n':
			p.line, p.start = p.line+1, p.at+1
		case ' ', '\t', '\r', ',', ':':
		default:
			return c
		}
	}
}

func (p *jsonParser) node() *node {
	if len(p.slab) == 0 {
		p.slab = make([]node, 512)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	n.line, n.column = p.line, int32(p.at-p.start)+1
	return n
}

func (p *jsonParser) value(depth int) (*node, error) {
	if p.count++; p.count%4096 == 0 && p.ctx.Err() != nil {
		return nil, fmt.Errorf("%s: stopped: %w", p.d.name, p.ctx.Err())
	}
	c := p.skip()
	n := p.node()
	if depth > maxNesting {
		return nil, p.d.on(n, fmt.Sprintf("more than %d levels of nesting", maxNesting), p.d.want)
	}
	var err error
	switch c {
	case '{':
		n.kind = mappingNode
		err = p.mapping(n, depth)
	case '[':
		n.kind = sequenceNode
		for p.at++; p.skip() != ']' && err == nil; {
			var item *node
			if item, err = p.value(depth + 1); err == nil {
				n.items = append(n.items, item)
			}
		}
		p.at++
	case '"':
		n.text = p.text()
	default:
		from := p.at
		for p.at < len(p.d.content) && bytes.IndexByte([]byte(" \t\r\n,]}"), p.d.content[p.at]) < 0 {
			p.at++
		}
		if n.text = string(p.d.content[from:p.at]); n.text == "null" {
			n.kind, n.text = nullNode, ""
		}
	}
	return n, err
}

func (p *jsonParser) mapping(n *node, depth int) error {
	n.fields = make([]docField, 0, 3)
	keys := keys{d: p.d, n: n}
	for p.at++; p.skip() != '}'; {
		line, column := p.line, int32(p.at-p.start)+1
		key := p.text()
		if err := keys.add(key, line, column); err != nil {
			return err
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.fields = append(n.fields, docField{key, line, column, v})
	}
	p.at++
	return nil
}

// text reads the string that starts here.
func (p *jsonParser) text() string {
	from, escaped := p.at, false
	for p.at++; p.d.content[p.at] != '"'; p.at++ {
		if p.d.content[p.at] == '\\' {
			escaped = true
			p.at++
		}
	}
	p.at++
	if !escaped {
		return string(p.d.content[from+1 : p.at-1])
	}
	var s string
	// It cannot fail: the content was found to be JSON.
	_ = json.Unmarshal(p.d.content[from:p.at], &s)
	return s
}
