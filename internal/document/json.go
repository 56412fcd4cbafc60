package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf16"

	"github.com/capplan/capplan/internal/jsonwords"
	"github.com/capplan/capplan/internal/source"
)

// parseJSON checks the syntax with encoding/json, which then need not be done
// again for each token, and makes nodes of it. Errors: *source.FileError; that of the context.
func (d *Document) parseJSON(ctx context.Context) error {
	var syntax *json.SyntaxError
	if !json.Valid(d.Content) {
		err := json.Unmarshal(d.Content, &json.RawMessage{})
		if !errors.As(err, &syntax) {
			return d.Whole("no JSON: "+jsonwords.Of(err), source.ErrMalformed)
		}
		// The offset is that behind the byte at fault, or the end.
		line, column := position(d.Content, max(0, int(syntax.Offset)-1))
		return d.At(line, column, "no JSON: "+jsonwords.Of(syntax), d.Want)
	}
	if at := HalfPair(d.Content); at >= 0 {
		line, column := position(d.Content, at)
		return d.At(line, column, NoPair, WantPair)
	}
	// The bound is checked before any node is made.
	if most := d.limits.jsonValues; values(d.Content) > most {
		return d.tooManyValues(most, "")
	}
	p := &Parser{Ctx: ctx, D: d, Line: 1}
	var err error
	d.Root, err = p.Value(0)
	return err
}

// What an error says of half of a surrogate pair, in whose place Go would put the replacement
// character in silence.
const (
	NoPair   = "half of a surrogate pair, which is not a character"
	WantPair = `both halves, as in "\ud834\udd1e", or the character itself`
)

// HalfPair returns the offset of the first escape in JSON that is half of a
// surrogate pair without the other, or -1.
func HalfPair(content []byte) int {
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

// unicodeEscape reads the escape of a UTF-16 unit at the start of a text. It has six bytes.
func unicodeEscape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(v), err == nil
}

// Parser walks content that is known to be JSON.
type Parser struct {
	Ctx   context.Context
	D     *Document
	at    int   // offset of the byte that is read next
	Line  int32 // of at
	Start int   // offset of the line
	slab  []Node
	count int

	slabbed int // nodes of the slab
}

// skip goes to the next byte that is no blank, comma or colon. Commas and colons say nothing that
// the brackets do not: the content is known to be JSON.
func (p *Parser) skip() byte {
	for ; ; p.at++ {
		switch c := p.D.Content[p.at]; c {
		case '\n':
			p.Line, p.Start = p.Line+1, p.at+1
		case ' ', '\t', '\r', ',', ':':
		default:
			return c
		}
	}
}

// node is an empty node. Nodes are taken from slabs, which saves an allocation for each value.
func (p *Parser) node() *Node {
	if len(p.slab) == 0 {
		// Slabs grow: a question of a few values is as common as a large batch.
		p.slabbed = min(max(2*p.slabbed, 16), 512)
		p.slab = make([]Node, p.slabbed)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	n.Line, n.Column = p.Line, int32(p.at-p.Start)+1
	return n
}

// Value reads the value that begins here. The context is looked at every 4096 values.
func (p *Parser) Value(depth int) (*Node, error) {
	if p.count++; p.count%4096 == 0 && p.Ctx.Err() != nil {
		return nil, fmt.Errorf("%s: stopped: %w", p.D.Name, p.Ctx.Err())
	}
	if p.count > ofData.jsonValues {
		return nil, p.D.tooManyValues(ofData.jsonValues, "")
	}
	c := p.skip()
	n := p.node()
	if depth > maxNesting {
		return nil, p.D.On(n, fmt.Sprintf("more than %d levels of nesting", maxNesting), p.D.Want)
	}
	var err error
	switch c {
	case '{':
		n.Kind = MappingNode
		err = p.mapping(n, depth)
	case '[':
		n.Kind = SequenceNode
		for p.at++; p.skip() != ']' && err == nil; {
			var item *Node
			if item, err = p.Value(depth + 1); err == nil {
				n.Items = append(n.Items, item)
			}
		}
		p.at++
	case '"':
		n.Text = p.text()
	default:
		from := p.at
		for p.at < len(p.D.Content) && bytes.IndexByte([]byte(" \t\r\n,]}"), p.D.Content[p.at]) < 0 {
			p.at++
		}
		if n.Text = string(p.D.Content[from:p.at]); n.Text == "null" {
			n.Kind, n.Text = NullNode, ""
		}
	}
	return n, err
}

// mapping reads an object, whose brace is read already. Three fields are what most objects in lists
// have.
func (p *Parser) mapping(n *Node, depth int) error {
	n.Fields = make([]Field, 0, 3)
	keys := keys{d: p.D, n: n}
	for p.at++; p.skip() != '}'; {
		line, column := p.Line, int32(p.at-p.Start)+1
		key := p.text()
		if err := keys.add(key, line, column); err != nil {
			return err
		}
		v, err := p.Value(depth + 1)
		if err != nil {
			return err
		}
		n.Fields = append(n.Fields, Field{key, line, column, v})
	}
	p.at++
	return nil
}

// text reads the string that starts here.
func (p *Parser) text() string {
	from, escaped := p.at, false
	for p.at++; p.D.Content[p.at] != '"'; p.at++ {
		if p.D.Content[p.at] == '\\' {
			escaped = true
			p.at++
		}
	}
	p.at++
	if !escaped {
		return string(p.D.Content[from+1 : p.at-1])
	}
	var s string
	// It cannot fail: the content was found to be JSON.
	_ = json.Unmarshal(p.D.Content[from:p.at], &s)
	return s
}
