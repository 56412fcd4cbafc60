package document

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// A struct may have more fields than a word has bits: each is found to be there or to be
// missing, by itself.
func TestManyFields(t *testing.T) {
	var fields []reflect.StructField
	for i := range 70 {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[string](),
			Tag: reflect.StructTag(fmt.Sprintf(`json:"k%d"`, i))})
	}
	kind := reflect.StructOf(fields)
	decode := func(text string) error {
		d, err := Read(context.Background(), "x.yaml", "a mapping", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return d.Decode(d.Root, reflect.New(kind).Elem(), "all")
	}
	fill := func(text string) error {
		return NewFill(strings.NewReader(text)).Value(PlanOf(kind), reflect.New(kind).Elem())
	}
	asJSON := func(left, twice int) string {
		var all []string
		for i := range fields {
			if i != left {
				all = append(all, fmt.Sprintf(`"k%d": "v"`, i))
			}
			if i == twice {
				all = append(all, fmt.Sprintf(`"k%d": "v"`, i))
			}
		}
		return "{" + strings.Join(all, ",") + "}"
	}
	if err := decode(yamlKeys(70, "")); err != nil {
		t.Errorf("all fields: %v", err)
	}
	if err := fill(asJSON(-1, -1)); err != nil {
		t.Errorf("all fields, filled: %v", err)
	}
	for _, k := range []int{0, 63, 64, 69} {
		if err := decode(asJSON(k, -1)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf(`no field "k%d"`, k)) {
			t.Errorf("without k%d: %v", k, err)
		}
		if fill(asJSON(k, -1)) == nil {
			t.Errorf("filled without k%d", k)
		}
		if fill(asJSON(-1, k)) == nil {
			t.Errorf("filled with k%d twice", k)
		}
	}
}
