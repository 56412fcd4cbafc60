package workload

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// parseYAML reads one YAML document. Anchors, aliases and merge keys are
// followed; tags are not.
func (d *document) parseYAML(ctx context.Context) error {
	if len(d.content) > maxYAML {
		return d.whole(fmt.Sprintf("holds more than %d MiB of YAML", maxYAML>>20), ErrMemory).wanting("JSON for a file of this size")
	}
	if line := deepLine(d.content); line > 0 {
		return d.at(line, 0, fmt.Sprintf("more than %d levels of nesting", maxNesting), d.want)
	}
	d.characters = true
	// A carriage return ends a line too.
	d.content = bytes.ReplaceAll(bytes.ReplaceAll(d.content, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	if line, problem := longRun(d.content); line > 0 {
		return d.at(line, 0, problem, "a list, or JSON for a file of this size")
	}
	type parsed struct {
		file *ast.File
		err  error
	}
	// The parser cannot be stopped; whoever gave up need not wait for it.
	task := parallel.Start(func() (p parsed) {
		// What the parser panics at is text that it does not understand.
		if panicked := parallel.Catch(func() { p.file, p.err = parser.ParseBytes(d.content, 0) }); panicked != nil {
			return parsed{nil, fmt.Errorf("no YAML: %w", panicked)}
		}
		return p
	})
	select {
	case <-task.Done():
	case <-ctx.Done():
		return fmt.Errorf("workload: %s: %s: stopped: %w", d.fn, d.name, ctx.Err())
	}
	result := task.Value()
	if result.err != nil {
		var syntax yaml.Error
		if errors.As(result.err, &syntax) && syntax.GetToken() != nil {
			return d.token(syntax.GetToken(), "no YAML: "+syntax.GetMessage(), d.want)
		}
		return d.whole("no YAML: "+result.err.Error(), ErrMalformed)
	}
	var bodies []ast.Node
	for _, doc := range result.file.Docs {
		if doc.Body != nil {
			bodies = append(bodies, doc.Body)
		}
	}
	switch {
	case len(bodies) == 0:
		return d.whole("holds no content", ErrEmpty)
	case len(bodies) > 1:
		return d.token(bodies[1].GetToken(), "a second YAML document", "one document in a file")
	}
	y := &yamlParser{d: d, anchors: map[string]*node{}}
	var err error
	d.root, err = y.node(bodies[0], 0)
	return err
}

// token is an error at a token of the parser.
func (d *document) token(t *token.Token, problem, want string) *FileError {
	line, column := place(t)
	return d.at(line, column, problem, want)
}

// place returns line and column of a token.
func place(t *token.Token) (line, column int32) {
	if t == nil || t.Position == nil {
		return 1, 1
	}
	return int32(t.Position.Line), int32(t.Position.Column)
}

// wanting replaces what an error wants.
func (e *FileError) wanting(want string) *FileError {
	e.Want = want
	return e
}

type yamlParser struct {
	d       *document
	anchors map[string]*node
}

func (y *yamlParser) node(n ast.Node, depth int) (*node, error) {
	if depth > maxNesting {
		return nil, y.d.token(n.GetToken(), fmt.Sprintf("more than %d levels of nesting", maxNesting), y.d.want)
	}
	out := &node{}
	out.line, out.column = place(n.GetToken())
	switch n := n.(type) {
	case *ast.NullNode:
		out.kind = nullNode
	case *ast.StringNode:
		out.text = n.Value
	case *ast.LiteralNode:
		out.text = n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		out.text = n.GetToken().Value
	case *ast.SequenceNode:
		out.kind = sequenceNode
		for _, v := range n.Values {
			item, err := y.node(v, depth+1)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, item)
		}
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 { // its own token is the first colon
			out.line, out.column = place(n.Values[0].Key.GetToken())
		}
		return out, y.mapping(out, n.Values, depth)
	case *ast.MappingValueNode:
		out.line, out.column = place(n.Key.GetToken())
		return out, y.mapping(out, []*ast.MappingValueNode{n}, depth)
	case *ast.AnchorNode:
		v, err := y.node(n.Value, depth+1)
		if err != nil {
			return nil, err
		}
		y.anchors[n.Name.GetToken().Value] = v
		return v, nil
	case *ast.AliasNode:
		name := n.Value.GetToken().Value
		v, ok := y.anchors[name]
		if !ok {
			return nil, y.d.token(n.GetToken(), fmt.Sprintf("alias *%s of no anchor before it", name), "an anchor such as &"+name+" further up")
		}
		return v, nil
	default:
		return nil, y.d.token(n.GetToken(), fmt.Sprintf("YAML of a kind that is not read here (%s)", n.Type()), "values, lists and mappings")
	}
	return out, nil
}

func (y *yamlParser) mapping(out *node, values []*ast.MappingValueNode, depth int) error {
	out.kind = mappingNode
	keys := keys{d: y.d, n: out}
	var merged []*node
	for _, v := range values {
		if v.Key.IsMergeKey() {
			from, err := y.node(v.Value, depth+1)
			if err != nil {
				return err
			}
			if from.kind != mappingNode {
				return y.d.token(v.Key.GetToken(), "<< of "+from.kind.String(), "<< of a mapping, such as <<: *default")
			}
			merged = append(merged, from)
			continue
		}
		k := v.Key.GetToken()
		line, column := place(k)
		if err := keys.add(k.Value, line, column); err != nil {
			return err
		}
		value, err := y.node(v.Value, depth+1)
		if err != nil {
			return err
		}
		out.fields = append(out.fields, docField{k.Value, line, column, value})
	}
	for _, from := range merged {
		for _, f := range from.fields {
			if out.field(f.key) == nil { // what stands here wins
				out.fields = append(out.fields, f)
			}
		}
	}
	return nil
}
