package workload

import (
	"bufio"
	"encoding"
	"encoding/csv"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// WriteBatch writes a batch as JSON, a record a line, or as JSON Lines, in the
// form that [ReadBatch] reads.
func WriteBatch(w io.Writer, f *BatchFile, lines bool) error {
	b := &batchWriter{w: bufio.NewWriterSize(w, 1<<16), lines: lines}
	v := reflect.ValueOf(f).Elem()
	t := fieldsOf(v.Type())
	open := "{"
	for k, name := range t.names {
		field := v.Field(t.index[k])
		_, list := oneOf(name)
		switch {
		case field.IsZero() && !t.required[k], list && lines:
			continue
		case list:
			b.text(open + quoted(name) + ":[")
			for i := 0; i < field.Len() && b.err == nil; i++ {
				if i > 0 {
					b.text(",")
				}
				b.text("\n")
				b.value(field.Index(i))
			}
			b.text("]")
		default:
			b.text(open + quoted(name) + ":")
			b.value(field)
		}
		open = ",\n"
		if lines {
			open = ","
		}
	}
	b.text("}\n")
	for k, name := range t.names {
		if one, list := oneOf(name); list && lines {
			field := v.Field(t.index[k])
			for i := 0; i < field.Len() && b.err == nil; i++ {
				b.text("{" + quoted(one) + ":")
				b.value(field.Index(i))
				b.text("}\n")
			}
		}
	}
	if b.err != nil {
		return b.err
	}
	return b.w.Flush()
}

func quoted(name string) string { return strconv.Quote(name) }

type batchWriter struct {
	w     *bufio.Writer
	lines bool
	err   error
}

func (b *batchWriter) text(s string) {
	if b.err == nil {
		_, b.err = b.w.WriteString(s)
	}
}

func (b *batchWriter) value(v reflect.Value) {
	data, err := json.Marshal(v.Addr().Interface())
	if b.err == nil {
		b.err = err
	}
	if b.err == nil {
		_, b.err = b.w.Write(data)
	}
}

// WriteBatchTables writes the two tables that [ReadBatchTables] reads, jobs in
// the one and resources in the other. What no cell can hold is a *DomainError:
// names with line ends or blanks around them, ids of eligible resources with
// blanks inside, dependencies that have no resource or stand in another order
// than the resources have them, a budget or an admission of the whole batch. The
// comment is left out.
func WriteBatchTables(jobs, resources io.Writer, f *BatchFile) error {
	if err := f.fitsTables(); err != nil {
		return err
	}
	fields, names := tableFields(reflect.TypeFor[BatchResource]())
	w := csv.NewWriter(resources)
	w.Write(names)
	for i := range f.Resources {
		v := reflect.ValueOf(&f.Resources[i]).Elem()
		row := make([]string, len(fields))
		for k, c := range fields {
			row[k] = cellOf(v.Field(c.index))
		}
		w.Write(row)
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return f.writeJobs(jobs)
}

func (f *BatchFile) writeJobs(out io.Writer) error {
	ofJob, names := tableFields(reflect.TypeFor[BatchJob]())
	ofLevel, levelNames := tableFields(reflect.TypeFor[BatchLevel]())
	var header []string
	used := make([]bool, len(ofJob))
	for i := range f.Jobs {
		for k, c := range ofJob {
			used[k] = used[k] || c.name == "id" || !reflect.ValueOf(&f.Jobs[i]).Elem().Field(c.index).IsZero()
		}
	}
	for k, name := range names {
		if name == "id" {
			name = "job"
		}
		if used[k] {
			header = append(header, name)
		}
	}
	header = append(append(header, "dependency", "level"), levelNames...)
	w := csv.NewWriter(out)
	w.Write(header)
	row := make([]string, 0, len(header))
	for i := range f.Jobs {
		if w.Error() != nil {
			break // the end says what
		}
		v := reflect.ValueOf(&f.Jobs[i]).Elem()
		for _, need := range f.Jobs[i].Levels {
			for n := range need.Value {
				row = row[:0]
				for k, c := range ofJob {
					switch {
					case !used[k]:
					case c.by && n > 0:
						row = append(row, "")
					case c.by:
						row = append(row, cellBy(v.Field(c.index), need.Dependency))
					default:
						row = append(row, cellOf(v.Field(c.index)))
					}
				}
				row = append(row, need.Dependency, strconv.Itoa(n+1))
				level := reflect.ValueOf(&need.Value[n]).Elem()
				for _, c := range ofLevel {
					row = append(row, cellOf(level.Field(c.index)))
				}
				w.Write(row)
			}
		}
	}
	w.Flush()
	return w.Error()
}

// cellOf is the text of a value, empty for one that is left out.
func cellOf(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch q := v.Interface().(type) {
	case encoding.TextMarshaler:
		text, _ := q.MarshalText() // quantities that were read
		return string(text)
	case []string:
		return strings.Join(q, " ")
	}
	return v.String()
}

// cellBy is the text of what a job says of a dependency.
func cellBy(v reflect.Value, dependency string) string {
	for i := range v.Len() {
		if e := v.Index(i); e.Field(0).String() == dependency {
			return cellOf(e.Field(1))
		}
	}
	return ""
}

// fitsTables finds what no cell can hold.
func (f *BatchFile) fitsTables() error {
	bad := func(what, text string) error {
		return &DomainError{"WriteBatchTables", what, strconv.Quote(text), "what fits a cell of a table, or JSON Lines"}
	}
	plain := func(text string, blanks bool) bool {
		return text != "" && text == strings.TrimSpace(text) && notText([]byte(text)) < 0 && text[0] != '#' && (blanks || len(strings.Fields(text)) == 1)
	}
	v := reflect.ValueOf(f).Elem()
	t := fieldsOf(v.Type())
	for k, name := range t.names {
		if _, list := oneOf(name); !list && name != "comment" && name != "dependencies" && !v.Field(t.index[k]).IsZero() {
			return bad("field", name)
		}
	}
	var order []string
	seen := map[string]bool{}
	for i := range f.Resources {
		r := &f.Resources[i]
		if !plain(r.ID, true) || !plain(r.Dependency, true) || r.RiskGroup != "" && !plain(r.RiskGroup, true) {
			return bad("resource", r.ID)
		}
		if !seen[r.Dependency] {
			seen[r.Dependency] = true
			order = append(order, r.Dependency)
		}
	}
	if strings.Join(order, "\n") != strings.Join(f.Dependencies, "\n") {
		return bad("dependencies", strings.Join(f.Dependencies, ", "))
	}
	for i := range f.Jobs {
		j := &f.Jobs[i]
		if !plain(j.ID, true) || j.Class != "" && !plain(j.Class, true) || len(j.Levels) == 0 || i > 0 && f.Jobs[i-1].ID == j.ID {
			return bad("job", j.ID)
		}
		for _, need := range j.Levels {
			if !plain(need.Dependency, true) || len(need.Value) == 0 {
				return bad("job", j.ID)
			}
		}
		for _, e := range j.Eligible {
			if _, ok := j.Levels.Of(e.Dependency); !ok || len(e.Value) == 0 {
				return bad("eligible of job", j.ID)
			}
			for _, id := range e.Value {
				if !plain(id, false) {
					return bad("eligible of job", j.ID)
				}
			}
		}
	}
	return nil
}
