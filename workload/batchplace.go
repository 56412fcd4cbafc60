package workload

import (
	"strconv"
	"strings"
)

// batchPlaces makes errors at places of a file such as
// jobs[3].levels.compute[1].demand. A path that ends in "[" is the value
// itself, not its key.
type batchPlaces interface {
	errorAt(place, problem, want string) *FileError
}

// At returns an error at a place of the file such as
// jobs[3].levels.compute[1].demand, with line, column and the line. A place
// that is not in the file is that of what stands around it.
func (f *BatchFile) At(place, problem, want string) *FileError {
	if f.places == nil { // it was not read from a file
		return &FileError{File: "batch", Problem: problem, Want: want, Err: ErrMalformed}
	}
	return f.places.errorAt(place, problem, want)
}

// errorAt is an error at a path of keys and of numbers in brackets.
func (d *document) errorAt(place, problem, want string) *FileError {
	line, column, _, _ := d.place(place)
	return d.at(line, column, problem, want)
}

// find returns the node at a path; ok is false where there is none.
func (d *document) find(path string) (n *node, ok bool) {
	_, _, n, ok = d.place(path)
	return n, ok
}

// place follows a path as far as it goes.
func (d *document) place(place string) (line, column int32, at *node, whole bool) {
	n := d.root
	line, column = n.line, n.column
	for rest := place; rest != ""; {
		rest = strings.TrimPrefix(rest, ".")
		var next *node
		if end := strings.IndexByte(rest, ']'); strings.HasPrefix(rest, "[") && end > 0 {
			if i, err := strconv.Atoi(rest[1:end]); err == nil && i >= 0 {
				next = n.item(i)
			}
			rest = rest[end+1:]
			if next != nil {
				line, column = next.line, next.column
			}
		} else if f := n.longest(rest); f != nil {
			next, rest = f.value, rest[len(f.key):]
			line, column = next.line, next.column
			if (next.kind == mappingNode || next.kind == sequenceNode) && rest != "[" {
				line, column = f.line, f.column
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
func (n *node) longest(path string) *docField {
	var best *docField
	for i := range n.fields {
		f := &n.fields[i]
		if rest, ok := strings.CutPrefix(path, f.key); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') && (best == nil || len(f.key) > len(best.key)) {
			best = f
		}
	}
	return best
}

// WithResources returns the batch with other resources, each of which stands
// for the one of the file with the index in from, where errors then stand.
func (f *BatchFile) WithResources(resources []BatchResource, from []int) *BatchFile {
	out := *f
	out.Resources = resources
	if f.places != nil {
		out.places = &movedPlaces{f.places, from}
	}
	return &out
}

// movedPlaces finds resources that stand elsewhere in the file.
type movedPlaces struct {
	batchPlaces
	from []int
}

func (m *movedPlaces) errorAt(place, problem, want string) *FileError {
	if rest, ok := strings.CutPrefix(place, "resources["); ok {
		number, tail, _ := strings.Cut(rest, "]")
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(m.from) {
			place = "resources[" + strconv.Itoa(m.from[i]) + "]" + tail
		}
	}
	return m.batchPlaces.errorAt(place, problem, want)
}
