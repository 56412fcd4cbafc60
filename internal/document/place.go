package document

import (
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/source"
)

// ErrorAt is an error at a path of keys and of numbers in brackets. A path that leads nowhere is
// told at the last place that is there.
func (d *Document) ErrorAt(place, problem, want string) *source.FileError {
	line, column, _, _ := d.place(place)
	return d.At(line, column, problem, want)
}

// Find returns the node at a path; ok is false where there is none.
func (d *Document) Find(path string) (n *Node, ok bool) {
	_, _, n, ok = d.place(path)
	return n, ok
}

// place follows a path as far as it goes; whole reports whether that was to its end. The place of a
// mapping or a list is that of its key, since its value begins on a later line.
func (d *Document) place(place string) (line, column int32, at *Node, whole bool) {
	n := d.Root
	line, column = n.Line, n.Column
	for rest := place; rest != ""; {
		rest = strings.TrimPrefix(rest, ".")
		var next *Node
		if end := strings.IndexByte(rest, ']'); strings.HasPrefix(rest, "[") && end > 0 {
			if i, err := strconv.Atoi(rest[1:end]); err == nil && i >= 0 {
				next = n.Item(i)
			}
			rest = rest[end+1:]
			if next != nil {
				line, column = next.Line, next.Column
			}
		} else if f := n.longest(rest); f != nil {
			next, rest = f.Value, rest[len(f.Key):]
			line, column = next.Line, next.Column
			if (next.Kind == MappingNode || next.Kind == SequenceNode) && rest != "[" {
				line, column = f.Line, f.Column
			}
		}
		if next == nil {
			return line, column, n, false
		}
		n = next
	}
	return line, column, n, true
}

// longest returns the field with the longest key that a path begins with: a
// key may hold dots and brackets.
func (n *Node) longest(path string) *Field {
	var best *Field
	for i := range n.Fields {
		f := &n.Fields[i]
		if rest, ok := strings.CutPrefix(path, f.Key); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') &&
			(best == nil || len(f.Key) > len(best.Key)) {
			best = f
		}
	}
	return best
}
