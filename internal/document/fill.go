package document

import (
	"bytes"
	"encoding"
	"errors"
	"io"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capplan/capplan/units"
)

// ErrOdd is the answer of a [Fill] to what [Document.Decode] would refuse. Who gets it decodes the
// text, which says what is wrong, and where: nearly all files are right, and need no words.
var ErrOdd = errors.New("not as it should be")

// A Fill fills structs from JSON as it is read, without a tree: by the rules of
// [Document.Decode], without its messages.
type Fill struct {
	Dec   *jsontext.Decoder
	Words map[string]string // texts seen, so that each is kept once
	At    int64             // offset before the name last read
	text  []byte
	rooms map[*FillPlan]reflect.Value // where a list grows until its length is known
}

// maxWords bounds the texts that are looked up: those that come again, names
// of classes, dependencies and resources, are among the first.
const maxWords = 1 << 16

// NewFill begins to fill from a text. The decoder lets a name come twice: structure and mapping
// find it, with better words than the decoder has.
func NewFill(r io.Reader) *Fill {
	return &Fill{Dec: jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true)), Words: map[string]string{},
		rooms: map[*FillPlan]reflect.Value{}}
}

// Read begins another text.
func (j *Fill) Read(r io.Reader) { j.Dec.Reset(r, jsontext.AllowDuplicateNames(true)) }

// A fillKind is how a type is filled.
type fillKind uint8

const (
	fillCount fillKind = iota
	fillQuantity
	FillText
	FillList
	fillStruct
	FillByName
)

// A FillPlan is a type looked at once. Reflection is done once for each type, and not for each
// value.
type FillPlan struct {
	Kind    fillKind
	Pointer bool
	Elem    *FillPlan // of a list, or by name
	Fields  *structFields
	Plans   []*FillPlan // of the fields
}

var (
	countType    = reflect.TypeFor[units.Count]()
	quantityType = reflect.TypeFor[encoding.TextUnmarshaler]()
	byNameType   = reflect.TypeFor[Keyed]()
)

// PlanOf returns the plan of a type that [Document.Decode] takes and that holds no map. A type that
// holds itself would have a plan without end; none that is read does.
func PlanOf(t reflect.Type) *FillPlan {
	if t.Kind() == reflect.Pointer {
		p := *PlanOf(t.Elem())
		p.Pointer = true
		return &p
	}
	switch to := reflect.PointerTo(t); {
	case t == countType:
		return &FillPlan{Kind: fillCount}
	case to.Implements(quantityType):
		return &FillPlan{Kind: fillQuantity}
	case to.Implements(byNameType):
		return &FillPlan{Kind: FillByName, Elem: PlanOf(reflect.New(t).Interface().(Keyed).Elem())}
	}
	switch t.Kind() {
	case reflect.String:
		return &FillPlan{Kind: FillText}
	case reflect.Slice:
		return &FillPlan{Kind: FillList, Elem: PlanOf(t.Elem())}
	case reflect.Struct:
		p := &FillPlan{Kind: fillStruct, Fields: FieldsOf(t)}
		for _, i := range p.Fields.Index {
			p.Plans = append(p.Plans, PlanOf(t.Field(i).Type))
		}
		return p
	}
	panic("document: a " + t.String() + " cannot be read") // no data leads here
}

// Value fills v from the next value. Errors: ErrOdd; those of the decoder. A null fills a pointer
// alone.
func (j *Fill) Value(p *FillPlan, v reflect.Value) error {
	if p.Pointer {
		if j.Dec.PeekKind() == 'n' {
			_, err := j.Dec.ReadToken()
			return err
		}
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch p.Kind {
	case fillCount, fillQuantity, FillText:
		text, err := j.scalar()
		if err != nil {
			return err
		}
		return j.set(p.Kind, v, text)
	case FillList:
		return j.list(p, v)
	case fillStruct:
		return j.structure(p, v)
	}
	to := v.Addr().Interface().(Keyed)
	names := NamesOf(to)
	return j.mapping(p, names.Has, to.Add)
}

// scalar returns the text of a value that is none of null, list and mapping.
// It is valid until the next token. Numbers come as they are written, so that none is rounded on
// its way to its type.
func (j *Fill) scalar() ([]byte, error) {
	switch j.Dec.PeekKind() {
	case '{', '[', 'n':
		return nil, ErrOdd
	}
	raw, err := j.Dec.ReadValue()
	if err != nil || raw[0] != '"' {
		return raw, err
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], nil
	}
	j.text, err = jsontext.AppendUnquote(j.text[:0], raw)
	return j.text, err
}

// set fills v from a text. Plain digits need no detour by a string.
func (j *Fill) set(kind fillKind, v reflect.Value, text []byte) error {
	switch kind {
	case fillCount:
		if n, ok := PlainDigits(text); ok {
			v.SetInt(n)
			return nil
		}
		fallthrough
	case fillQuantity:
		if v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(text) != nil {
			return ErrOdd
		}
	case FillText:
		v.SetString(j.Word(text))
	}
	return nil
}

// PlainDigits reads up to 18 digits and nothing else. Eighteen digits always fit an int64.
func PlainDigits(text []byte) (n int64, ok bool) {
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, 0 < len(text) && len(text) <= 18
}

// Word returns a text as a string, the same one for texts that come again. Only texts of up to 64
// bytes are kept so.
func (j *Fill) Word(text []byte) string {
	if s, ok := j.Words[string(text)]; ok {
		return s
	}
	s := string(text)
	if len(j.Words) < maxWords && len(s) <= 64 {
		j.Words[s] = s
	}
	return s
}

// list fills a slice, of no more room than its values take: a batch has millions of lists.
func (j *Fill) list(p *FillPlan, v reflect.Value) error {
	if j.Dec.PeekKind() != '[' {
		return j.Odd()
	}
	if _, err := j.Dec.ReadToken(); err != nil {
		return err
	}
	room, ok := j.rooms[p]
	if !ok {
		room = reflect.New(v.Type()).Elem()
		j.rooms[p] = room // no list holds one of its own kind
	}
	n := 0
	for ; j.Dec.PeekKind() != ']'; n++ {
		if n == room.Cap() {
			room.Grow(1)
		}
		room.SetLen(n + 1)
		room.Index(n).SetZero()
		if err := j.Value(p.Elem, room.Index(n)); err != nil {
			return err
		}
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	reflect.Copy(v, room.Slice(0, n))
	_, err := j.Dec.ReadToken()
	return err
}

// Odd is ErrOdd, or the error of a token that cannot be read.
func (j *Fill) Odd() error {
	if j.Dec.PeekKind() == 0 {
		_, err := j.Dec.ReadToken()
		return err
	}
	return ErrOdd
}

// structure fills a struct; given marks the fields that were there.
func (j *Fill) structure(p *FillPlan, v reflect.Value) error {
	var given marks
	err := j.Object(func(name []byte) error {
		// Fields are found by bytes, so that a name that is known makes no string.
		k := p.Fields.findBytes(name)
		if k < 0 || given.has(k) {
			return ErrOdd
		}
		given.add(k)
		if !p.Plans[k].Pointer && j.Dec.PeekKind() == 'n' {
			return ErrOdd
		}
		return j.Value(p.Plans[k], v.Field(p.Fields.Index[k]))
	})
	if err != nil {
		return err
	}
	for k, required := range p.Fields.Required {
		if required && !given.has(k) {
			return ErrOdd
		}
	}
	return nil
}

// mapping fills by names, each of which may come once.
func (j *Fill) mapping(p *FillPlan, has func([]byte) bool, add func(string) reflect.Value) error {
	return j.Object(func(name []byte) error {
		if len(name) == 0 || has(name) {
			return ErrOdd
		}
		word := j.Word(name) // name ends with the next look at the input
		if j.Dec.PeekKind() == 'n' {
			return ErrOdd
		}
		return j.Value(p.Elem, add(word))
	})
}

// Object calls f behind each name of a mapping; the name is valid until f looks
// at the value.
func (j *Fill) Object(f func(name []byte) error) error {
	if j.Dec.PeekKind() != '{' {
		return j.Odd()
	}
	if _, err := j.Dec.ReadToken(); err != nil {
		return err
	}
	for j.Dec.PeekKind() != '}' {
		j.At = j.Dec.InputOffset()
		name, err := j.scalar()
		if err != nil {
			return err
		}
		if err := f(name); err != nil {
			return err
		}
	}
	_, err := j.Dec.ReadToken()
	return err
}

// findBytes is Find of a name that need not become a string.
func (t *structFields) findBytes(name []byte) int {
	for k, n := range t.Names {
		if n == string(name) {
			return k
		}
	}
	return -1
}
