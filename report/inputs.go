package report

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// mostListed is the greatest number of elements of a list that the echo of a question shows one by
// one; a file of clusters may have thousands.
const mostListed = 64

// inputs echoes what was asked. A report is read without its scenario, so all that was given stands in
// it, in the words of the scenario file: its fields, and their values as they can be written there.
// What was not given is left out; defaults stand with the answers that take them.
func inputs(q *planner.PlanQuestion) *page.Table {
	e := &echo{held: held(q), Table: page.Table{
		ID: "inputs", Caption: "The question", Head: []string{"field", "value"}, Words: 2}}
	e.fields("", reflect.ValueOf(q).Elem())
	return &e.Table
}

// An echo makes rows of the fields of a question, in their order.
type echo struct {
	page.Table
	held map[string]string // what a file holds, by the field that names it or that it fills
}

// fields adds the fields of a struct.
func (e *echo) fields(path string, v reflect.Value) {
	for i := range v.NumField() {
		key, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if path == "" && key == "name" { // the title of the report, or of the row of an element
			continue
		}
		at := strings.TrimPrefix(path+"."+key, ".")
		if key == "" || key == "-" || v.Field(i).IsZero() && options == "omitempty" && e.held[at] == "" {
			continue
		}
		e.add(at, v.Field(i))
	}
}

// add adds a value: a row for what has a text, rows for the fields of a struct, and a row for each
// element of a list of structs.
func (e *echo) add(path string, v reflect.Value) {
	if held := e.held[path]; held != "" {
		if v.Kind() == reflect.String {
			held = strings.TrimPrefix(v.String()+": "+held, ": ")
		}
		e.row(path, held)
		return
	}
	if v.Kind() == reflect.Pointer {
		if v = v.Elem(); !v.IsValid() { // nil
			return
		}
	}
	text, ok := v.Addr().Interface().(fmt.Stringer)
	switch {
	case ok:
		e.row(path, text.String())
	case v.Kind() == reflect.Struct:
		e.fields(path, v)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		for i := range min(v.Len(), mostListed) {
			name, words := e.element(path, v.Index(i))
			e.row(path+" "+name, words)
		}
		if v.Len() > mostListed {
			e.row(path, say.Count(v.Len())+" in all")
		}
	case v.Kind() == reflect.Slice:
		var words []string
		for i := range v.Len() {
			words = append(words, fmt.Sprint(v.Index(i)))
		}
		e.row(path, strings.Join(words, ", "))
	default:
		e.row(path, fmt.Sprint(v.Interface()))
	}
}

func (e *echo) row(path, value string) { e.Rows = append(e.Rows, []string{path, value}) }

// element writes an element of a list in words, behind which stands what its file holds.
func (e *echo) element(path string, v reflect.Value) (name, words string) {
	inner := &echo{}
	inner.fields("", v)
	if f := v.FieldByName("Name"); f.IsValid() {
		name = f.String()
	}
	var all []string
	for _, r := range inner.Rows {
		all = append(all, r[0]+" "+r[1])
	}
	if held := e.held[path+" "+name]; held != "" {
		all = append(all, held)
	}
	return name, strings.Join(all, ", ")
}

// held says what the files of a question hold, by the field that names each.
func held(q *planner.PlanQuestion) map[string]string {
	all := make(map[string]string)
	load := ask.Value(q.Load) // zero for a part that the scenario has not
	// A curve of many intervals is described by its peak.
	if load.Curve != nil {
		all["load.curve"] = fmt.Sprintf("%s, peak %s",
			say.Plural(len(load.Curve.Start), "interval"), say.Rate(load.Curve.Peak(), 4))
	}
	if load.Log != nil {
		all["load.log"] = say.Plural(load.Log.Jobs, "job")
	}
	for _, m := range q.Machines {
		switch {
		case m.Trace != nil && m.Trace.Availability != nil:
			all["machines "+m.Name] = "available " + say.Fraction(*m.Trace.Availability, 3) + " of the time by its trace"
		case m.Fitted != nil && m.Trace == nil:
			all["machines "+m.Name] = "available as a fitted fleet predicts"
		}
	}
	if r := q.Routing; r != nil && r.File != "" {
		all["routing.file"] = say.Plural(len(r.Listed()), "cluster")
	}
	if v := q.Allocation; v != nil && v.Listed() != nil {
		b, field := v.Listed(), "allocation.batch"
		if v.File != "" {
			field = "allocation.file"
		}
		all[field] = say.Plural(len(b.Jobs), "job") + " on " + say.Plural(len(b.Resources), "resource")
	}
	return all
}
