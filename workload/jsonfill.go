package workload

import (
	"bytes"
	"encoding"
	"errors"
	"io"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capplan/capplan/units"
)

// errOdd is the answer of fill to what document.decode would refuse; decode
// then says what is wrong, and where.
var errOdd = errors.New("not as it should be")

// A jsonFill fills structs from JSON as it is read, without a tree: the same
// rules as document.decode, without its messages.
type jsonFill struct {
	dec   *jsontext.Decoder
	words map[string]string // texts seen, so that each is kept once
	at    int64             // offset before the name last read
	text  []byte
}

// maxWords bounds the texts that are looked up: those that come again, names
// of classes, dependencies and resources, are among the first.
const maxWords = 1 << 16

func newJSONFill(r io.Reader) *jsonFill {
	return &jsonFill{dec: jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true)), words: map[string]string{}}
}

// read begins another text.
func (j *jsonFill) read(r io.Reader) { j.dec.Reset(r, jsontext.AllowDuplicateNames(true)) }

// A fillKind is how a type is filled.
type fillKind uint8

const (
	fillCount fillKind = iota
	fillQuantity
	fillText
	fillList
	fillStruct
	fillByName
	fillMap
)

// A fillPlan is a type looked at once.
type fillPlan struct {
	kind    fillKind
	pointer bool
	elem    *fillPlan // of a list, or by name
	fields  *structFields
	plans   []*fillPlan // of the fields
}

var (
	countType    = reflect.TypeFor[units.Count]()
	quantityType = reflect.TypeFor[encoding.TextUnmarshaler]()
	byNameType   = reflect.TypeFor[byName]()
)

// planOf returns the plan of a type that decode takes.
func planOf(t reflect.Type) *fillPlan {
	if t.Kind() == reflect.Pointer {
		p := *planOf(t.Elem())
		p.pointer = true
		return &p
	}
	switch to := reflect.PointerTo(t); {
	case t == countType:
		return &fillPlan{kind: fillCount}
	case to.Implements(quantityType):
		return &fillPlan{kind: fillQuantity}
	case to.Implements(byNameType):
		return &fillPlan{kind: fillByName, elem: planOf(reflect.New(t).Interface().(byName).Elem())}
	}
	switch t.Kind() {
	case reflect.String:
		return &fillPlan{kind: fillText}
	case reflect.Slice:
		return &fillPlan{kind: fillList, elem: planOf(t.Elem())}
	case reflect.Map:
		return &fillPlan{kind: fillMap, elem: planOf(t.Elem())}
	case reflect.Struct:
		p := &fillPlan{kind: fillStruct, fields: fieldsOf(t)}
		for _, i := range p.fields.index {
			p.plans = append(p.plans, planOf(t.Field(i).Type))
		}
		return p
	}
	panic("workload: a " + t.String() + " cannot be read") // no data leads here
}

// value fills v from the next value.
func (j *jsonFill) value(p *fillPlan, v reflect.Value) error {
	if p.pointer {
		if j.dec.PeekKind() == 'n' {
			_, err := j.dec.ReadToken()
			return err
		}
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch p.kind {
	case fillCount, fillQuantity, fillText:
		text, err := j.scalar()
		if err != nil {
			return err
		}
		return j.set(p.kind, v, text)
	case fillList:
		return j.list(p, v)
	case fillStruct:
		return j.structure(p, v)
	case fillByName:
		to := v.Addr().Interface().(byName)
		return j.mapping(p, to.Has, to.Add)
	default:
		m := newMapFill(v)
		defer m.done()
		seen := map[string]bool{}
		return j.mapping(p, func(name []byte) bool { return seen[string(name)] }, func(name string) reflect.Value {
			seen[name] = true
			return m.add(name)
		})
	}
}

// scalar returns the text of a value that is none of null, list and mapping.
// It is valid until the next token.
func (j *jsonFill) scalar() ([]byte, error) {
	switch j.dec.PeekKind() {
	case '{', '[', 'n':
		return nil, errOdd
	}
	raw, err := j.dec.ReadValue()
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
func (j *jsonFill) set(kind fillKind, v reflect.Value, text []byte) error {
	switch kind {
	case fillCount:
		if n, ok := plainDigits(text); ok {
			v.SetInt(n)
			return nil
		}
		fallthrough
	case fillQuantity:
		if v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(text) != nil {
			return errOdd
		}
	case fillText:
		v.SetString(j.word(text))
	}
	return nil
}

// plainDigits reads up to 18 digits and nothing else.
func plainDigits(text []byte) (n int64, ok bool) {
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, 0 < len(text) && len(text) <= 18
}

// word returns a text as a string, the same one for texts that come again.
func (j *jsonFill) word(text []byte) string {
	if s, ok := j.words[string(text)]; ok {
		return s
	}
	s := string(text)
	if len(j.words) < maxWords && len(s) <= 64 {
		j.words[s] = s
	}
	return s
}

func (j *jsonFill) list(p *fillPlan, v reflect.Value) error {
	if j.dec.PeekKind() != '[' {
		return j.odd()
	}
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 4))
	for n := 0; j.dec.PeekKind() != ']'; n++ {
		if n == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(n + 1)
		if err := j.value(p.elem, v.Index(n)); err != nil {
			return err
		}
	}
	_, err := j.dec.ReadToken()
	return err
}

// odd is errOdd, or the error of a token that cannot be read.
func (j *jsonFill) odd() error {
	if j.dec.PeekKind() == 0 {
		_, err := j.dec.ReadToken()
		return err
	}
	return errOdd
}

func (j *jsonFill) structure(p *fillPlan, v reflect.Value) error {
	var given uint64
	err := j.object(func(name []byte) error {
		k := p.fields.findBytes(name)
		if k < 0 || given&(1<<k) != 0 {
			return errOdd
		}
		given |= 1 << k
		if !p.plans[k].pointer && j.dec.PeekKind() == 'n' {
			return errOdd
		}
		return j.value(p.plans[k], v.Field(p.fields.index[k]))
	})
	if err != nil {
		return err
	}
	for k, required := range p.fields.required {
		if required && given&(1<<k) == 0 {
			return errOdd
		}
	}
	return nil
}

func (j *jsonFill) mapping(p *fillPlan, has func([]byte) bool, add func(string) reflect.Value) error {
	return j.object(func(name []byte) error {
		if len(name) == 0 || has(name) {
			return errOdd
		}
		word := j.word(name) // name ends with the next look at the input
		if j.dec.PeekKind() == 'n' {
			return errOdd
		}
		return j.value(p.elem, add(word))
	})
}

// object calls f behind each name of a mapping; the name is valid until f looks
// at the value.
func (j *jsonFill) object(f func(name []byte) error) error {
	if j.dec.PeekKind() != '{' {
		return j.odd()
	}
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	for j.dec.PeekKind() != '}' {
		j.at = j.dec.InputOffset()
		name, err := j.scalar()
		if err != nil {
			return err
		}
		if err := f(name); err != nil {
			return err
		}
	}
	_, err := j.dec.ReadToken()
	return err
}

func (t *structFields) findBytes(name []byte) int {
	for k, n := range t.names {
		if n == string(name) {
			return k
		}
	}
	return -1
}
