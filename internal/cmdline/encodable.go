package cmdline

import (
	"encoding"
	stdjson "encoding/json"
	"reflect"
	"slices"
)

// encodable reports why an answer cannot be written as JSON: a number that is not finite, or a
// quantity that refuses. Lists of plain texts and whole numbers, which make up most of a large
// answer, are not checked one by one. Errors: that which encoding/json would give.
func encodable(v reflect.Value) error {
	if !v.IsValid() || plainType(v.Type(), nil) {
		return nil
	}
	// A type with a method of its own may refuse, as a duration that is not a number does; only
	// calling it shows that.
	if marshals(v.Type()) {
		_, err := stdjson.Marshal(v.Interface())
		return err
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return encodable(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			// Fields that JSON leaves out may hold whatever they like.
			if f := v.Type().Field(i); !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" {
				continue
			}
			if err := encodable(v.Field(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if err := encodable(v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if err := encodable(it.Value()); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := stdjson.Marshal(v.Interface())
	return err
}

// A value that writes itself is asked, since its method may refuse.
var (
	jsonMarshaler = reflect.TypeFor[stdjson.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// marshals reports whether a type, or the pointer to it, writes itself: encoding/json takes the method
// of the pointer for a value that it can address.
func marshals(t reflect.Type) bool {
	return t.Implements(jsonMarshaler) || t.Implements(textMarshaler) || t.Kind() != reflect.Pointer &&
		(reflect.PointerTo(t).Implements(jsonMarshaler) || reflect.PointerTo(t).Implements(textMarshaler))
}

// plainType reports whether every value of a type can be written. above are the types on the way to
// it, to end at one that holds itself. A float is not plain: it may be no number.
func plainType(t reflect.Type, above []reflect.Type) bool {
	if slices.Contains(above, t) {
		return false // it holds itself: look at the values
	}
	if marshals(t) {
		return false
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return plainType(t.Elem(), above)
	case reflect.Map:
		// Keys of other kinds may write themselves.
		return t.Key().Kind() == reflect.String && plainType(t.Elem(), above)
	case reflect.Struct:
		for i := range t.NumField() {
			if !plainType(t.Field(i).Type, above) {
				return false
			}
		}
		return true
	}
	return false
}
