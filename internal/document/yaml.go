package document

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/capplan/capplan/internal/source"
)

// tooMuchYAML refuses a text that the parser would need gigabytes for.
func (d *Document) tooMuchYAML() error {
	return d.Whole(fmt.Sprintf("holds more than %d MiB and is no object of JSON", maxYAML>>20),
		source.ErrMemory).Wanting("an object of JSON, {...}, for a file of this size")
}

// LargeYAML reports whether a text is more than [ReadLarge] reads as YAML.
func LargeYAML(content []byte) bool {
	return len(content) > maxYAML || yamlValues(content) > ofData.yamlValues
}

// parseYAML reads one YAML document. Anchors, aliases and merge keys are
// followed; tags are not. Columns of YAML are in characters. Errors: *source.FileError; that of the
// context.
func (d *Document) parseYAML(ctx context.Context) error {
	if len(d.Content) > maxYAML {
		return d.tooMuchYAML()
	}
	if most := d.limits.yamlValues; yamlValues(d.Content) > most {
		return d.tooManyValues(most, " of YAML").Wanting("JSON for a file of this size")
	}
	d.characters = true
	// A carriage return ends a line too.
	d.Content = bytes.ReplaceAll(bytes.ReplaceAll(d.Content, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	// The parser has one grammar for both, and refuses the name of the other.
	if bytes.HasPrefix(d.Content, []byte("%YAML 1.2\n")) {
		d.Content = append([]byte("%YAML 1.1"), d.Content[len("%YAML 1.1"):]...)
	}
	// The parser's tree is walked once into nodes of this package, which JSON has too.
	body, err := d.yamlBody(ctx)
	if err != nil {
		return err
	}
	y := &yamlParser{d: d, known: map[*yaml.Node]known{}}
	d.Root, _, err = y.node(body, 0)
	return err
}

// yamlBody returns the one document that has content. A file of several documents has one question
// too many.
func (d *Document) yamlBody(ctx context.Context) (body *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil { // of the parser, which is not ours
			body, err = nil, d.Whole("not YAML that can be read", source.ErrMalformed)
		}
	}()
	loader, err := yaml.NewLoader(source.Until(ctx, bytes.NewReader(d.Content)),
		yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxNesting))))
	if err != nil {
		return nil, d.Whole("not YAML that can be read", source.ErrMalformed)
	}
	for {
		var doc yaml.Node
		err := loader.Load(&doc)
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%s: stopped: %w", d.Name, ctx.Err())
		case err == io.EOF && body == nil:
			return nil, d.Whole("holds no content", source.ErrEmpty)
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, d.yamlError(err)
		}
		here := &doc
		if doc.Kind == yaml.DocumentNode && len(doc.Content) > 0 {
			here = doc.Content[0]
		}
		switch {
		case here.Kind == 0 || here.Kind == yaml.ScalarNode && here.Value == "" && here.Style == 0 && here.Anchor == "":
			continue // between two marks of a document is nothing
		case body != nil:
			return nil, d.At(int32(here.Line), int32(here.Column), "a second YAML document", "one document in a file")
		}
		body = here
	}
}

// yamlError says what is wrong with the syntax, and where. The parser's own words are of its
// grammar, and are put into ours.
func (d *Document) yamlError(err error) error {
	var syntax *yaml.LoadError
	if !errors.As(err, &syntax) {
		return d.Whole("not YAML that can be read", source.ErrMalformed)
	}
	line, column := int32(max(syntax.Mark.Line, 1)), int32(max(syntax.Mark.Column, 1))
	// The parser puts a fault at the end where it noticed it.
	if text := bytes.TrimRight(d.Content, " \n\t"); int(line) > bytes.Count(text, []byte("\n"))+1 {
		// Behind the end: what misses something is the last that is there.
		line, column = position(text, len(text)-1)
		column = int32(utf8.RuneCount(text[len(text)-int(column):]))
	}
	if name, ok := strings.CutPrefix(syntax.Message, "unknown anchor '"); ok {
		name = strings.TrimSuffix(strings.TrimSuffix(name, " referenced"), "'")
		return d.noAnchor(line, column, name)
	}
	if strings.Contains(syntax.Message, "depth") {
		return d.At(line, column, fmt.Sprintf("more than %d levels of nesting", maxNesting), d.Want)
	}
	problem, want := inOurWords(syntax)
	want = cmp.Or(want, d.Want)
	return d.At(line, column, "not YAML: "+problem, want)
}

// noAnchor is the error of an alias before its anchor, or within it.
func (d *Document) noAnchor(line, column int32, name string) error {
	return d.At(line, column, fmt.Sprintf("alias *%s of no anchor before it", source.Shown([]byte(name))),
		"an anchor further up, such as &name")
}

// A yamlParser turns the parser's nodes into those of a document.
type yamlParser struct {
	d     *Document
	known map[*yaml.Node]known // with an anchor
}

// known is a node with the number of values in it, those of aliases counted
// each time.
type known struct {
	n    *Node
	size int
}

// node returns a node with its size, which aliases of aliases could make grow
// without end.
func (y *yamlParser) node(n *yaml.Node, depth int) (out *Node, size int, err error) {
	line, column := int32(n.Line), int32(n.Column)
	if depth > maxNesting {
		return nil, 0, y.d.At(line, column, fmt.Sprintf("more than %d levels of nesting", maxNesting), y.d.Want)
	}
	// All aliases of an anchor share one node.
	if n.Kind == yaml.AliasNode {
		k, ok := y.known[n.Alias]
		if !ok { // within its own anchor
			return nil, 0, y.d.noAnchor(line, column, n.Value)
		}
		return k.n, k.size, nil
	}
	if n.Style&yaml.TaggedStyle != 0 {
		return nil, 0, y.d.At(line, column,
			tagRead, tagWant)
	}
	out, size = &Node{Line: line, Column: column}, 1
	switch n.Kind {
	case yaml.ScalarNode:
		if out.Text = n.Value; n.ShortTag() == "!!null" {
			out.Kind, out.Text = NullNode, ""
		}
	case yaml.SequenceNode:
		out.Kind = SequenceNode
		for _, v := range n.Content {
			item, its, err := y.node(v, depth+1)
			if err != nil {
				return nil, 0, err
			}
			out.Items = append(out.Items, item)
			size += its
		}
	case yaml.MappingNode:
		if size, err = y.mapping(out, n.Content, depth); err != nil {
			return nil, 0, err
		}
	default:
		return nil, 0, y.d.At(line, column, "YAML of a kind that is not read here", "values, lists and mappings")
	}
	// Ten lists of ten aliases each, nine deep, would be a billion values of some hundred bytes.
	if most := y.d.limits.yamlValues; size > most {
		return nil, 0, y.d.At(line, column,
			fmt.Sprintf("more than %g million values, those of aliases counted each time", float64(most)/1e6),
			"fewer")
	}
	if n.Anchor != "" {
		y.known[n] = known{out, size}
	}
	return out, size, nil
}

// mapping fills out with pairs of a key and a value. size is the number of values, the mapping
// among them.
func (y *yamlParser) mapping(out *Node, pairs []*yaml.Node, depth int) (size int, err error) {
	out.Kind = MappingNode
	keys := keys{d: y.d, n: out}
	var merged []*Node
	for i := 0; i+1 < len(pairs); i += 2 {
		k := pairs[i]
		line, column := int32(k.Line), int32(k.Column)
		if k.Kind != yaml.ScalarNode || k.Style&yaml.TaggedStyle != 0 {
			return 0, y.d.At(line, column, "a key that is not text", "a name before the colon")
		}
		value, its, err := y.node(pairs[i+1], depth+1)
		if err != nil {
			return 0, err
		}
		size += its
		if k.Value == "<<" && k.Style == 0 {
			if value.Kind != MappingNode {
				return 0, y.d.At(line, column, "<< of "+value.Kind.String(), "<< of a mapping, such as <<: *default")
			}
			merged = append(merged, value)
			continue
		}
		if err := keys.add(k.Value, line, column); err != nil {
			return 0, err
		}
		out.Fields = append(out.Fields, Field{k.Value, line, column, value})
	}
	// Keys that stand in the mapping itself go before those that are merged in, and the first of
	// several merged ones before the others.
	for _, from := range merged {
		here := map[string]bool{}
		for _, f := range out.Fields {
			here[f.Key] = true
		}
		for _, f := range from.Fields {
			if !here[f.Key] { // what stands here wins
				out.Fields = append(out.Fields, f)
			}
		}
	}
	return size + 1, nil
}
