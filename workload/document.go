package workload

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// A document is a YAML or JSON file, read whole, whose values know where they
// stand.
type document struct {
	name, want string
	content    []byte
	text       *transcript // instead of content, of what is read as a stream
	characters bool        // columns of nodes are characters, not bytes
	root       *node
}

// The kinds of node.
type nodeKind uint8

const (
	scalarNode nodeKind = iota
	nullNode
	mappingNode
	sequenceNode
)

func (k nodeKind) String() string {
	return [...]string{"a value", "nothing", "a mapping", "a list"}[k]
}

// A node is one value.
type node struct {
	kind         nodeKind
	line, column int32  // from 1
	text         string // of a scalar
	fields       []docField
	items        []*node
}

// A docField is one key of a mapping with its value.
type docField struct {
	key          string
	line, column int32
	value        *node
}

// field returns the value of a key, nil where there is none.
func (n *node) field(key string) *node {
	if n != nil {
		for i := range n.fields {
			if n.fields[i].key == key {
				return n.fields[i].value
			}
		}
	}
	return nil
}

// item returns the i-th item of a list, nil where there is none.
func (n *node) item(i int) *node {
	if n == nil || i >= len(n.items) {
		return nil
	}
	return n.items[i]
}

const (
	maxDocument = 256 << 20 // bytes of JSON
	maxYAML     = 32 << 20
	maxNesting  = 100
)

// readDocument reads YAML, or JSON where the content starts with {" or {}.
// want is the form that messages show.
func readDocument(ctx context.Context, name, want string, r io.Reader) (*document, error) {
	d := &document{name: name, want: want}
	content, err := readWhole(&contextReader{ctx, r}, maxDocument+1)
	if err != nil {
		return nil, d.readError(ctx, err)
	}
	if len(content) > maxDocument {
		return nil, d.whole(fmt.Sprintf("holds more than %d MiB", maxDocument>>20), ErrMemory)
	}
	d.content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(d.content)) == 0 {
		return nil, d.whole("holds no content", ErrEmpty)
	}
	if what := sniff(d.content[:min(len(d.content), sniffLen)]); what != "" {
		return nil, d.whole("holds "+what, ErrBinary)
	}
	if at := invalidUTF8(d.content); at >= 0 {
		line, column := position(d.content, at)
		return nil, d.at(line, column, "a byte that is no UTF-8", "text in UTF-8")
	}
	if looksJSON(d.content) {
		return d, d.parseJSON(ctx)
	}
	return d, d.parseYAML(ctx)
}

// readWhole reads up to limit bytes, in blocks: a buffer that doubles would take
// three times as much to find out that there is more.
func readWhole(r io.Reader, limit int64) ([]byte, error) {
	const block = 4 << 20
	r = io.LimitReader(r, limit)
	var full [][]byte
	for {
		// The first is small: most files are.
		b, err := io.ReadAll(io.LimitReader(r, block))
		if err != nil || len(full) == 0 && len(b) < block {
			return b, err
		}
		full = append(full, b)
		if len(b) < block {
			return bytes.Join(full, nil), nil
		}
	}
}

// readError is an error of reading, that of the context where that is done.
func (d *document) readError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: stopped: %w", d.name, ctx.Err())
	}
	e := d.whole(cause(err), err)
	if f := (*FileError)(nil); errors.As(err, &f) {
		e.Problem, e.Err = f.Problem, f.Err
	}
	return e
}

// looksJSON tells JSON from YAML that starts with a brace.
func looksJSON(content []byte) bool {
	s := bytes.TrimSpace(content)
	if s[0] != '{' {
		return false
	}
	s = bytes.TrimSpace(s[1:])
	return len(s) == 0 || s[0] == '"' || s[0] == '}'
}

// invalidUTF8 returns the offset of the first byte that is no UTF-8, or -1.
func invalidUTF8(content []byte) int {
	if utf8.Valid(content) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(content[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// position returns line and column, from 1, of an offset.
func position(content []byte, at int) (line, column int32) {
	head := content[:min(at, len(content))]
	return int32(bytes.Count(head, []byte("\n"))) + 1, int32(len(head)-bytes.LastIndexByte(head, '\n')-1) + 1
}

// whole is an error of the document as a whole.
func (d *document) whole(problem string, err error) *FileError {
	return &FileError{File: d.name, Problem: problem, Want: d.want, Err: err}
}

// at is an error at a place; it shows the line.
func (d *document) at(line, column int32, problem, want string) *FileError {
	text := bytes.TrimRight(d.lineAt(line), "\r")
	if d.characters {
		at := 0
		for c := int32(1); c < column && at < len(text); c++ {
			_, n := utf8.DecodeRune(text[at:])
			at += n
		}
		column = int32(at) + 1
	}
	return &FileError{d.name, int(line), int(column), shown(text), problem, want, ErrMalformed}
}

// on is an error at a node, of the whole document where that is nil.
func (d *document) on(n *node, problem, want string) *FileError {
	if n == nil {
		n = d.root
	}
	return d.at(n.line, n.column, problem, want)
}

func (d *document) lineAt(line int32) []byte {
	if d.text != nil {
		return d.text.line(line, maxShown+1)
	}
	rest := d.content
	for ; line > 1; line-- {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			return nil
		}
		rest = rest[i+1:]
	}
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// contextReader stops reading when the context is done.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
