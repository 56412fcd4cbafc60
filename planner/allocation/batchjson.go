package allocation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/jsonwords"
	"github.com/capplan/capplan/internal/source"
)

// A batchStream reads a batch from JSON or JSON Lines, record by record. What
// the fill refuses, Document.Decode looks at again to say why. Nothing of the
// text is kept but offsets, at which a record is read again if an error names it.
type batchStream struct {
	*document.Document
	ctx    context.Context
	lines  bool // JSON Lines
	fill   *document.Fill
	base   int64         // offset at which fill began
	file   reflect.Value // the BatchFile
	plan   *document.FillPlan
	names  []string            // fields of an object at the top
	fields map[string][2]int64 // offsets before the key and before the value
	starts map[string][]int64  // of the records of a list, offsets before them
	room   int                 // that the records take
}

// listOf are the lists whose items may be many, by the name of one item.
var listOf = map[string]string{"resource": "resources", "job": "jobs"}

// oneOf is the name of one item of a list.
func oneOf(list string) (string, bool) {
	for one, l := range listOf {
		if l == list {
			return one, true
		}
	}
	return "", false
}

// manyResources are a sign that more will come.
const manyResources = 4096

// readJSON reads JSON, or JSON Lines where head says so. The first lines are read
// in passing, until a job or many resources have come: from then on most lines are
// these, and pieces are decoded side by side.
func (f *BatchFile) readJSON(ctx context.Context, name string, r io.Reader, head []byte, split splitting) error {
	text := source.NewTranscript(ctx, r)
	s := &batchStream{
		Document: &document.Document{Name: name, Want: batchForm, Text: text}, ctx: ctx, lines: looksLines(head),
		fill: document.NewFill(text),
		file: reflect.ValueOf(f).Elem(), plan: document.PlanOf(reflect.TypeFor[BatchFile]()),
		fields: map[string][2]int64{}, starts: map[string][]int64{},
	}
	f.places = s
	s.names = slices.Clone(s.plan.Fields.Names)
	for i, list := range s.names {
		if one, ok := oneOf(list); ok && s.lines {
			s.names[i] = one
		}
	}
	for first := true; ; first = false {
		if s.lines && split.workers > 1 && (len(f.Jobs) > 0 || len(f.Resources) > manyResources) {
			s.readAhead(split)
			split.workers = 0 // once
		}
		from := s.offset()
		switch k := s.fill.Dec.PeekKind(); {
		// JSON is one value; whatever follows it is an error of syntax.
		case k != 0 && !first && !s.lines:
			return s.syntax(from, from)
		case k != 0 && k != '{':
			n, err := s.nodeAt(from)
			if err != nil {
				return err
			}
			return s.On(n, "a line with "+n.Kind.String(), "an object with one of "+strings.Join(s.names, ", "))
		}
		if err := s.object(from); err == io.EOF && !first {
			s.fill, s.file = nil, reflect.Value{} // what was read is the caller's alone
			return s.complete()
		} else if err != nil {
			return err
		}
	}
}

// offset returns how far the file was decoded.
func (s *batchStream) offset() int64 { return s.base + s.fill.Dec.InputOffset() }

// looksLines recognizes JSON Lines: the first line is an object by itself, and more follows or it
// holds one record.
func looksLines(head []byte) bool {
	line, rest, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	var object map[string]json.RawMessage
	if json.Unmarshal(line, &object) != nil {
		return false
	}
	for one := range listOf {
		if _, ok := object[one]; ok {
			return true
		}
	}
	return len(bytes.TrimSpace(rest)) > 0
}

// object reads an object at the top. An object at the top is the whole file in
// JSON, and one line in JSON Lines.
func (s *batchStream) object(from int64) error {
	err := s.fill.Object(func(raw []byte) error { return s.field(string(raw), s.base+s.fill.At) })
	return s.explained(err, from, reflect.Value{}, "")
}

// field reads the value of a field at the top, whose key is behind an offset.
func (s *batchStream) field(key string, at int64) error {
	bad := func(offset int64, problem, want string) error {
		line, column := s.Text.Position(s.skipped(offset))
		return s.At(line, column, problem, want)
	}
	name, record := key, false
	if s.lines {
		if list, ok := listOf[key]; ok {
			name, record = list, true
		}
	}
	k := s.plan.Fields.Find(name)
	_, list := oneOf(name)
	// In JSON Lines the lists stand as single records, and a whole list in a line
	// is refused.
	if k < 0 || s.lines && list != record {
		return bad(at, document.UnknownField(key, s.names), "one of "+strings.Join(s.names, ", "))
	}
	if old, twice := s.fields[name]; twice && !record {
		first, _ := s.Text.Position(s.skipped(old[0]))
		return bad(at, fmt.Sprintf("field %q is given twice (first on line %d)", key, first), "it once")
	}
	value := s.offset()
	s.fields[name] = [2]int64{at, value}
	plan, to := s.plan.Plans[k], s.file.Field(s.plan.Fields.Index[k])
	if s.fill.Dec.PeekKind() == 'n' && !plan.Pointer {
		return bad(value, key+" is empty", document.WantValue)
	}
	switch {
	case record:
		return s.record(name, plan.Elem, to, key)
	case list:
		return s.list(name, plan.Elem, to)
	}
	// The transcript keeps what is behind the mark, from which an error shows its
	// line.
	s.Text.Mark = value
	return s.explained(s.fill.Value(plan, to), value, to, key)
}

// list reads a list of records. It decodes item by item, so that no more than one
// has its text in memory.
func (s *batchStream) list(name string, p *document.FillPlan, to reflect.Value) error {
	from := s.offset()
	if s.fill.Dec.PeekKind() != '[' {
		return s.explained(s.fill.Odd(), from, to, name)
	}
	if _, err := s.fill.Dec.ReadToken(); err != nil {
		return s.explained(err, from, to, name)
	}
	for s.fill.Dec.PeekKind() != ']' {
		if err := s.record(name, p, to, name); err != nil {
			return err
		}
	}
	_, err := s.fill.Dec.ReadToken()
	return s.explained(err, s.offset(), to, name)
}

// record reads one record behind the others of its list.
func (s *batchStream) record(list string, p *document.FillPlan, to reflect.Value, path string) error {
	from := s.offset()
	s.Text.Mark = from
	s.starts[list] = append(s.starts[list], from)
	n := to.Len()
	bad := func(problem, want string) error {
		line, column := s.Text.Position(s.skipped(from))
		return s.At(line, column, problem, want)
	}
	// The bound is looked at before the record is made.
	if full, want := overfull(list, n+1); full != "" {
		return bad(full, want)
	}
	if n == to.Cap() {
		to.Grow(n + 1)
	}
	to.SetLen(n + 1)
	item := to.Index(n)
	if err := s.fill.Value(p, item); err != nil {
		item.SetZero()
		return s.explained(err, from, item, path)
	}
	if s.room += roomOf(to.Slice(n, n+1)); s.room > MostBatchRoom {
		return bad(tooMuchBatch, wantBatch)
	}
	return nil
}

// explained turns an error of the fill at the value behind an offset into one
// that says what is wrong and where. The quick decoder says only that something
// is wrong. The value is read once more, by the one that knows lines and names.
func (s *batchStream) explained(err error, from int64, v reflect.Value, path string) error {
	var syntax *jsontext.SyntacticError
	var file *source.FileError
	switch {
	case err == nil || err == io.EOF && !v.IsValid():
		return err
	case s.Text.Err != nil:
		return s.ReadError(s.ctx, s.Text.Err)
	case errors.As(err, &file):
		return err
	case errors.As(err, &syntax):
		return s.syntax(from, s.base+syntax.ByteOffset)
	case err == io.EOF || err == io.ErrUnexpectedEOF || !v.IsValid():
		return s.syntax(from, s.Text.Size())
	}
	n, err := s.nodeAt(from)
	if err != nil {
		return err
	}
	// Decoding should fail in the same place; if it does not, the two disagree
	// about what is allowed.
	if err := s.Decode(n, v, path); err != nil {
		return err
	}
	return s.On(n, path+" cannot be read", s.Want)
}

// complete looks for fields that are missing.
func (s *batchStream) complete() error {
	for k, name := range s.plan.Fields.Names {
		if _, given := s.fields[name]; given || !s.plan.Fields.Required[k] {
			continue
		}
		if one, ok := oneOf(name); ok && s.lines {
			return s.Whole("has no line with a "+one, source.ErrMalformed)
		}
		line, column := s.Text.Position(s.skipped(0))
		return s.At(line, column, document.NoField("the document", name), document.WantFields(s.plan.Fields.Names))
	}
	return nil
}

// skipped returns the offset of the next byte that is no blank, comma or colon.
// It reads in steps, since blanks may go on for long.
func (s *batchStream) skipped(offset int64) int64 {
	const step = 4096
	for {
		text := s.Text.Text(offset, offset+step)
		rest := bytes.TrimLeft(text, " \t\r\n,:")
		offset += int64(len(text) - len(rest))
		if len(rest) > 0 || len(text) < step {
			return offset
		}
	}
}

// nodeAt reads the value behind an offset into a tree, and on in the file
// where it was not read to its end.
func (s *batchStream) nodeAt(from int64) (*document.Node, error) {
	from = s.skipped(from)
	var raw json.RawMessage
	if err := json.NewDecoder(s.Text.From(from)).Decode(&raw); s.Text.Err != nil {
		return nil, s.ReadError(s.ctx, s.Text.Err)
	} else if err != nil {
		return nil, s.syntax(from, from)
	}
	p := &document.Parser{Ctx: s.ctx, D: &document.Document{Name: s.Name, Want: s.Want, Content: raw, Text: s.Text}}
	var column int32
	p.Line, column = s.Text.Position(from)
	p.Start = 1 - int(column)
	return p.Value(0)
}

// syntax is an error of syntax in the value behind an offset, near another. It
// has the words of encoding/json, which needs the text from its beginning: of
// the line in JSON Lines, else of the file.
func (s *batchStream) syntax(from, near int64) error {
	var err error
	// The text is read on to its end, or to the limit of a document, so that the
	// error is that of the whole.
	for err == nil && s.Text.Size() <= document.MaxBytes {
		err = s.Text.More(source.TranscriptLen)
	}
	if err != nil && err != io.EOF {
		return s.ReadError(s.ctx, err)
	}
	size := s.Text.Size()
	if !s.lines && size <= document.MaxBytes {
		if err := s.invalid(0, s.Text.Text(0, size)); err != nil {
			return err
		}
	} else {
		// In lines the error may be in the one where the value begins or in the
		// one where the decoder stopped.
		for _, at := range []int64{s.skipped(from), near} {
			line, _ := s.Text.Position(min(at, size))
			at = s.Text.LineStart(line)
			text, _, _ := bytes.Cut(s.Text.Text(at, at+source.MaxRecord), []byte("\n"))
			if err := s.invalid(at, text); err != nil && s.lines {
				return err
			}
		}
	}
	line, column := s.Text.Position(min(near, size))
	return s.At(line, column, "no JSON", s.Want)
}

// unread is JSON that is looked at for its syntax and not kept.
type unread struct{}

func (*unread) UnmarshalJSON([]byte) error { return nil }

// invalid is the first error in a text that should be one JSON value.
func (s *batchStream) invalid(from int64, text []byte) error {
	at, problem, want := int64(0), "", s.Want
	var syntax *json.SyntaxError
	if bad := document.InvalidUTF8(text); bad >= 0 {
		at, problem, want = int64(bad), "a byte that is not UTF-8", "text in UTF-8"
	} else if errors.As(json.Unmarshal(text, &unread{}), &syntax) {
		at, problem = max(0, syntax.Offset-1), "no JSON: "+jsonwords.Of(syntax)
	} else if half := document.HalfPair(text); half >= 0 {
		at, problem, want = int64(half), document.NoPair, document.WantPair
	} else {
		return nil
	}
	line, column := s.Text.Position(from + at)
	return s.At(line, column, problem, want)
}

// ErrorAt finds a place by reading its record again. One record is read again,
// and stands alone in the tree that the place is looked up in.
func (s *batchStream) ErrorAt(place, problem, want string) *source.FileError {
	d := &document.Document{Name: s.Name, Want: s.Want, Text: s.Text, Root: &document.Node{Kind: document.MappingNode}}
	d.Root.Line, d.Root.Column = s.Text.Position(s.skipped(0))
	name := place[:max(0, strings.IndexAny(place+".", ".["))]
	if at, ok := s.fields[name]; ok {
		f := document.Field{Key: name, Value: &document.Node{Kind: document.SequenceNode}}
		f.Line, f.Column = s.Text.Position(s.skipped(at[0]))
		f.Value.Line, f.Value.Column = s.Text.Position(s.skipped(at[1]))
		if starts, many := s.starts[name]; many {
			i, err := strconv.Atoi(strings.TrimPrefix(strings.SplitN(place[len(name):], "]", 2)[0], "["))
			// Items before it are nil: only the one that the place names is
			// looked at.
			if err == nil && i >= 0 && i < len(starts) {
				f.Value.Items = make([]*document.Node, i+1)
				if n, err := s.nodeAt(starts[i]); err == nil {
					f.Value.Items[i] = n
				}
			}
		} else if n, err := s.nodeAt(at[1]); err == nil {
			f.Value = n
		}
		d.Root.Fields = []document.Field{f}
	}
	return d.ErrorAt(place, problem, want)
}
