package document

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// A Document is a YAML or JSON file, read whole, whose values know where they
// stand. Want is the form of the file, for messages.
type Document struct {
	Name, Want string
	Content    []byte
	Text       *source.Transcript // instead of content, of what is read as a stream
	characters bool               // columns of nodes are characters, not bytes
	limits     limits
	Root       *Node
}

// nodeKind says what a node is: a scalar, a list, a mapping or null. JSON and YAML have the same
// four.
type nodeKind uint8

const (
	ScalarNode nodeKind = iota
	NullNode
	MappingNode
	SequenceNode
)

func (k nodeKind) String() string {
	return [...]string{"a value", "nothing", "a mapping", "a list"}[k]
}

// A Node is one value. Numbers stay text until the field that they are read into says what they
// are.
type Node struct {
	Kind         nodeKind
	Line, Column int32  // from 1
	Text         string // of a scalar
	Fields       []Field
	Items        []*Node
}

// A Field is one key of a mapping with its value.
type Field struct {
	Key          string
	Line, Column int32
	Value        *Node
}

// Field returns the value of a key, nil where there is none. A nil node has no fields, so that a
// path can be followed in one line.
func (n *Node) Field(key string) *Node {
	if n != nil {
		for i := range n.Fields {
			if n.Fields[i].Key == key {
				return n.Fields[i].Value
			}
		}
	}
	return nil
}

// Item returns the i-th item of a list, nil where there is none.
func (n *Node) Item(i int) *Node {
	if n == nil || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}

// maxNesting bounds the levels of a document: a hundred are far beyond any file that is meant, and
// keep recursion from using up the stack.
const maxNesting = 100

// Read reads YAML, or JSON where the content starts with {" or {}, of at most 64
// MiB. want is the form that messages show. Errors: *source.FileError; that of the context.
func Read(ctx context.Context, name, want string, r io.Reader) (*Document, error) {
	return readWithin(ctx, name, want, r, ofQuestions)
}

// ReadLarge is [Read] for what programs write and people do not: batches, answers
// and kernels, of at most 256 MiB.
func ReadLarge(ctx context.Context, name, want string, r io.Reader) (*Document, error) {
	return readWithin(ctx, name, want, r, ofData)
}

// readWithin reads a document under limits of size, depth and number of values. Compressed, binary
// and non-UTF-8 content is reported as such, before a parser says something odd.
func readWithin(ctx context.Context, name, want string, r io.Reader, l limits) (*Document, error) {
	ctx = given.Context(ctx)
	d := &Document{Name: name, Want: want, limits: l}
	content, err := readWhole(source.Until(ctx, r), l.bytes)
	switch {
	case errors.Is(err, errLongYAML):
		return nil, d.tooMuchYAML()
	case errors.Is(err, errLong):
		return nil, d.Whole(fmt.Sprintf("holds more than %d MiB", l.bytes>>20), source.ErrMemory)
	case err != nil:
		return nil, d.ReadError(ctx, err)
	}
	d.Content = bytes.TrimPrefix(content, []byte(source.ByteOrderMark))
	if len(bytes.TrimSpace(d.Content)) == 0 {
		return nil, d.Whole("holds no content", source.ErrEmpty)
	}
	if what := source.Sniff(d.Content[:min(len(d.Content), source.SniffLen)]); what != "" {
		return nil, d.Whole("holds "+what, source.ErrBinary)
	}
	if at := InvalidUTF8(d.Content); at >= 0 {
		line, column := position(d.Content, at)
		return nil, d.At(line, column, "a byte that is not UTF-8", "text in UTF-8")
	}
	return d.parse(ctx)
}

// errLongYAML says that a text is longer than YAML may be, and no JSON; errLong
// that it is longer than any may be.
var (
	errLongYAML = errors.New("too much YAML")
	errLong     = errors.New("too long")
)

// readWhole reads all there is, at most limit bytes, in blocks that are joined once
// their end is known: a text that is too long takes no more memory than the limit.
// What does not begin as JSON does is read no farther than YAML may go.
func readWhole(r io.Reader, limit int64) ([]byte, error) {
	const block = 4 << 20
	// The first grows: most files are small.
	b, err := io.ReadAll(io.LimitReader(r, block))
	if err != nil || len(b) < block {
		return b, err
	}
	full := [][]byte{b}
	for total := int64(block); ; {
		first := bytes.TrimSpace(bytes.TrimPrefix(full[0], []byte(source.ByteOrderMark)))
		if total > maxYAML && len(first) > 0 && !LooksJSON(first) {
			return nil, errLongYAML
		}
		b := make([]byte, block)
		n, err := 0, error(nil)
		for n < block && err == nil { // io.ReadFull could not tell a connection that broke from the end
			var more int
			more, err = r.Read(b[n:])
			n += more
		}
		full, total = append(full, b[:n]), total+int64(n)
		switch {
		case total > limit:
			return nil, errLong
		case err == io.EOF:
			return bytes.Join(full, nil), nil
		case err != nil:
			return nil, err
		}
	}
}

// ReadError is an error of reading, that of the context where that is done. A reader that knows
// more of the cause is quoted.
func (d *Document) ReadError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: stopped: %w", d.Name, ctx.Err())
	}
	e := d.Whole(source.Cause(err), err)
	if f := (*source.FileError)(nil); errors.As(err, &f) {
		e.Problem, e.Err = f.Problem, f.Err
	}
	return e
}

// LooksJSON distinguishes JSON from YAML that starts with a brace. content has to hold more than
// blanks.
func LooksJSON(content []byte) bool {
	s := bytes.TrimSpace(content)
	if s[0] != '{' {
		return false
	}
	s = bytes.TrimSpace(s[1:])
	return len(s) == 0 || s[0] == '"' || s[0] == '}'
}

// InvalidUTF8 returns the offset of the first byte that is no UTF-8, or -1. Valid texts take one
// quick pass.
func InvalidUTF8(content []byte) int {
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

// Whole is an error of the document as a whole.
func (d *Document) Whole(problem string, err error) *source.FileError {
	return &source.FileError{File: d.Name, Problem: problem, Want: d.Want, Err: err}
}

// At is an error at a place; it shows the line. column counts as the document's nodes do, in bytes
// or in characters; that of the error in bytes.
func (d *Document) At(line, column int32, problem, want string) *source.FileError {
	text := bytes.TrimRight(d.lineAt(line), "\r")
	if d.characters {
		at := 0
		for c := int32(1); c < column && at < len(text); c++ {
			_, n := utf8.DecodeRune(text[at:])
			at += n
		}
		column = int32(at) + 1
	}
	return &source.FileError{
		File:    d.Name,
		Line:    int(line),
		Column:  int(column),
		Text:    source.Shown(text),
		Problem: problem,
		Want:    want,
		Err:     source.ErrMalformed,
	}
}

// On is an error at a node, of the whole document where that is nil.
func (d *Document) On(n *Node, problem, want string) *source.FileError {
	n = cmp.Or(n, d.Root)
	return d.At(n.Line, n.Column, problem, want)
}

// lineAt is the text of a line, which errors quote. Lines count from 1.
func (d *Document) lineAt(line int32) []byte {
	if d.Text != nil {
		return d.Text.Line(line, source.MaxShown+1)
	}
	rest := d.Content
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

// Size is the number of values of a node, itself among them and what aliases
// stand for each time, counted up to a limit. The limit ends the walk, since aliases of aliases
// could make it last for ever.
func (n *Node) Size(limit int) int {
	size := 1
	for i := 0; i < len(n.Fields) && size < limit; i++ {
		size += n.Fields[i].Value.Size(limit - size)
	}
	for i := 0; i < len(n.Items) && size < limit; i++ {
		size += n.Items[i].Size(limit - size)
	}
	return size
}
