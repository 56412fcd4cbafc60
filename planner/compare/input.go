package compare

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

// An inputChange is one input that two scenarios do not share. apply puts the
// second scenario's value into a copy of the first.
type inputChange struct {
	input, from, to string
	apply           func(q *planner.PlanQuestion)
}

// inputChanges lists what the second scenario says otherwise, in the order of
// the fields. What a file holds counts as a change of the field that names it.
func inputChanges(a, b *planner.PlanQuestion) []inputChange {
	var all []inputChange
	va, vb := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range va.NumField() {
		f := va.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fa, fb := va.Field(i), vb.Field(i)
		switch {
		case !f.IsExported() || name == "-" || name == "name":
		case name == "machines":
			all = append(all, machineChanges(a, b)...)
		case f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct && !fa.IsNil() && !fb.IsNil() &&
			divided(name, a, b):
			for _, c := range fieldChanges(fa.Elem(), fb.Elem()) {
				all = append(all, inputChange{name + "." + c.name, c.from, c.to, func(q *planner.PlanQuestion) {
					// The part is copied before a field of it changes, since both
					// scenarios share what they point to.
					part := reflect.New(fa.Type().Elem())
					part.Elem().Set(reflect.ValueOf(q).Elem().Field(i).Elem())
					c.apply(part.Elem())
					reflect.ValueOf(q).Elem().Field(i).Set(part)
				}})
			}
		case !alike(name, a, b, fa, fb):
			from, to := both(fa, fb)
			// Two values that are both too long to show would look alike.
			if from == present && to == present {
				to = "given otherwise"
			}
			all = append(all, inputChange{name, from, to, func(q *planner.PlanQuestion) {
				reflect.ValueOf(q).Elem().Field(i).Set(fb)
			}})
		}
	}
	return all
}

// divided reports whether the fields of a part are inputs of their own. Those
// of a part with a file of its own are not, nor are those of loads in two forms.
func divided(part string, a, b *planner.PlanQuestion) bool {
	switch part {
	case "routing", "allocation", "availability":
		return false
	case "load":
		forms := func(l *scenario.Load) [4]bool {
			return [4]bool{l.Rate != nil, l.Erlangs != nil, l.Curve != nil, l.Log != nil}
		}
		return forms(a.Load) == forms(b.Load)
	}
	return true
}

// present stands for a value that is too long to show.
const present = "given"

// alike compares a part as a whole: by what it says and by what its file holds,
// not by where in a file it stands.
func alike(part string, a, b *planner.PlanQuestion, fa, fb reflect.Value) bool {
	if fa.Kind() != reflect.Pointer || fa.IsNil() || fb.IsNil() {
		return reflect.DeepEqual(fa.Interface(), fb.Interface())
	}
	// Their JSON leaves out where in a file they stood.
	same := func(x, y any) bool {
		one, err := json.Marshal(x)
		if err != nil {
			return reflect.DeepEqual(x, y)
		}
		two, err := json.Marshal(y)
		return err == nil && string(one) == string(two)
	}
	switch part {
	case "routing":
		return same(a.Routing, b.Routing) && same(a.Routing.Listed(), b.Routing.Listed())
	case "allocation":
		return same(a.Allocation, b.Allocation) && same(a.Allocation.Listed(), b.Allocation.Listed())
	}
	return reflect.DeepEqual(fa.Interface(), fb.Interface())
}

// machineChanges compares machines by their names. One that stands at another
// place is the same machine.
func machineChanges(a, b *planner.PlanQuestion) []inputChange {
	var all []inputChange
	at := func(q *planner.PlanQuestion, name string) int {
		return slices.IndexFunc(q.Machines, func(m scenario.MachineType) bool { return m.Name == name })
	}
	for i := range a.Machines {
		m := &a.Machines[i]
		other := at(b, m.Name)
		if other < 0 {
			all = append(all, inputChange{"machines." + m.Name, "there", "not there", func(q *planner.PlanQuestion) {
				q.Machines = slices.DeleteFunc(slices.Clone(q.Machines),
					func(x scenario.MachineType) bool { return x.Name == m.Name })
			}})
			continue
		}
		for _, c := range fieldChanges(reflect.ValueOf(m).Elem(), reflect.ValueOf(&b.Machines[other]).Elem()) {
			all = append(all, inputChange{"machines." + m.Name + "." + c.name, c.from, c.to,
				func(q *planner.PlanQuestion) {
					q.Machines = slices.Clone(q.Machines)
					c.apply(reflect.ValueOf(&q.Machines[at(q, m.Name)]).Elem())
				}})
		}
	}
	for i := range b.Machines {
		if m := b.Machines[i]; at(a, m.Name) < 0 {
			all = append(all, inputChange{"machines." + m.Name, "not there", "there", func(q *planner.PlanQuestion) {
				q.Machines = append(slices.Clone(q.Machines), m)
			}})
		}
	}
	return all
}

// A fieldChange is one field of a part, and how to set it in another.
type fieldChange struct {
	name, from, to string
	apply          func(into reflect.Value)
}

// fieldChanges compares two structs field by field. A field XFile and the field
// X that holds what is in the file are one.
func fieldChanges(a, b reflect.Value) []fieldChange {
	var all []fieldChange
	by := map[string]int{}
	for i := range a.NumField() {
		f := a.Type().Field(i)
		if !f.IsExported() || reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			continue
		}
		set := func(into reflect.Value) { into.Field(i).Set(b.Field(i)) }
		key := strings.TrimSuffix(f.Name, "File")
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		from, to := both(a.Field(i), b.Field(i))
		c := fieldChange{name, from, to, set}
		// A field without a name in JSON holds what a file held.
		if name == "-" {
			c = fieldChange{strings.ToLower(key), "what the file held", "what the file holds", set}
		}
		if k, ok := by[key]; ok { // the file, then what is in it
			first := all[k].apply
			all[k].apply = func(into reflect.Value) { first(into); set(into) }
			continue
		}
		by[key] = len(all)
		all = append(all, c)
	}
	return all
}

// both writes two values of one field, rates and times in one unit: the shortest texts of
// 72/min and 86/min are 1.2/s and 86/min, which look like a fall.
func both(a, b reflect.Value) (from, to string) {
	if from, to, ok := pair[units.Rate](a, b); ok {
		return from, to
	}
	if from, to, ok := pair[units.Duration](a, b); ok {
		return from, to
	}
	return shown(a), shown(b)
}

// pair writes two quantities of a kind, or ranges of it, that are both given.
func pair[T units.Quantity](a, b reflect.Value) (from, to string, ok bool) {
	switch x := a.Interface().(type) {
	case *units.Range[T]:
		if y, same := b.Interface().(*units.Range[T]); same && x != nil && y != nil {
			from, to = units.Pair(*x, *y)
			return from, to, true
		}
	case *T:
		if y, same := b.Interface().(*T); same && x != nil && y != nil {
			from, to = units.Pair(units.Point(*x), units.Point(*y))
			return from, to, true
		}
	}
	return "", "", false
}

// shown writes a value of a scenario as the file does.
func shown(v reflect.Value) string {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "not given"
		}
		if s, ok := v.Interface().(fmt.Stringer); ok {
			return s.String()
		}
		v = v.Elem()
	}
	if t, ok := v.Interface().(encoding.TextMarshaler); ok {
		if text, err := t.MarshalText(); err == nil {
			return string(text)
		}
	}
	switch v.Kind() {
	case reflect.String:
		if v.Len() == 0 {
			return "not given"
		}
		return v.String()
	case reflect.Struct, reflect.Slice, reflect.Map:
		text, err := json.Marshal(v.Interface())
		// Beyond sixty letters a value is no help in a table.
		if err != nil || len(text) > 60 {
			return present
		}
		return string(text)
	}
	return fmt.Sprint(v.Interface())
}
