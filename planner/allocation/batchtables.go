package allocation

import (
	"encoding"
	"encoding/csv"
	"io"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// WriteBatchTables writes the two tables that [ReadBatchTables] reads, jobs in
// the one and resources in the other. What no cell can hold is a *DomainError:
// names with line ends or blanks around them, ids of eligible resources with
// blanks inside, dependencies that have no resource or stand in another order
// than the resources have them, a budget or an admission of the whole batch. The
// comment is left out. The jobs are as in [WriteBatch], and asked for twice: what
// no job says has no column.
func WriteBatchTables(out, resources io.Writer, f *BatchFile, jobs iter.Seq2[*BatchJob, error]) error {
	if f == nil || jobs == nil {
		return ask.Missing("batch", "jobs and resources")
	}
	out, resources = given.Writer(out), given.Writer(resources)
	if err := f.fitsTables(); err != nil {
		return err
	}
	used, err := usedColumns(jobs)
	if err != nil {
		return err
	}
	fields, names := table.Fields(reflect.TypeFor[BatchResource]())
	w := csv.NewWriter(resources)
	w.Write(names)
	for i := range f.Resources {
		v := reflect.ValueOf(&f.Resources[i]).Elem()
		row := make([]string, len(fields))
		for k, c := range fields {
			row[k] = cellOf(v.Field(c.Index))
		}
		w.Write(row)
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return writeJobs(out, used, jobs)
}

// usedColumns looks at all jobs: do they fit a table, and which fields of a job
// does any of them have?
func usedColumns(jobs iter.Seq2[*BatchJob, error]) ([]bool, error) {
	ofJob, _ := table.Fields(reflect.TypeFor[BatchJob]())
	used := make([]bool, len(ofJob))
	last := ""
	for j, err := range jobs {
		if err != nil {
			return nil, err
		}
		if err := j.fitsTable(last); err != nil {
			return nil, err
		}
		last = j.ID
		v := reflect.ValueOf(j).Elem()
		for k, c := range ofJob {
			used[k] = used[k] || c.Name == "id" || !v.Field(c.Index).IsZero()
		}
	}
	return used, nil
}

// writeJobs writes a row for each level of each job and dependency, with the columns that some job
// uses. A batch is written as it is made, which is why the columns in use are found before.
func writeJobs(out io.Writer, used []bool, jobs iter.Seq2[*BatchJob, error]) error {
	ofJob, names := table.Fields(reflect.TypeFor[BatchJob]())
	ofLevel, levelNames := table.Fields(reflect.TypeFor[BatchLevel]())
	var header []string
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
	own := make([]string, len(ofJob)) // of the job, the same in all its rows
	for j, err := range jobs {
		if err != nil {
			return err
		}
		if w.Error() != nil {
			break // the end says what
		}
		v := reflect.ValueOf(j).Elem()
		for k, c := range ofJob {
			if used[k] && !c.By {
				own[k] = cellOf(v.Field(c.Index))
			}
		}
		for _, need := range j.Levels {
			for n := range need.Value {
				row = row[:0]
				for k, c := range ofJob {
					// A column that is said once for a dependency is empty on its
					// other rows, as it is read.
					switch {
					case !used[k]:
					case c.By && n > 0:
						row = append(row, "")
					case c.By:
						row = append(row, cellBy(v.Field(c.Index), need.Dependency))
					default:
						row = append(row, own[k])
					}
				}
				row = append(row, need.Dependency, strconv.Itoa(n+1))
				level := reflect.ValueOf(&need.Value[n]).Elem()
				for _, c := range ofLevel {
					row = append(row, cellOf(level.Field(c.Index)))
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
	if n, ok := v.Interface().(units.Count); ok { // by far the most
		return n.String()
	}
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

// fitsTables finds what no cell can hold, but for jobs. Fields of the batch as a
// whole have no table.
func (f *BatchFile) fitsTables() error {
	v := reflect.ValueOf(f).Elem()
	t := document.FieldsOf(v.Type())
	for k, name := range t.Names {
		if _, list := oneOf(name); !list && name != "comment" && name != "dependencies" &&
			!v.Field(t.Index[k]).IsZero() {
			return noCell("field", name)
		}
	}
	// A table of resources lists dependencies by their first resource, and
	// another order would come back changed.
	var order []string
	seen := map[string]bool{}
	for i := range f.Resources {
		r := &f.Resources[i]
		if !plainCell(r.ID, true) || !plainCell(r.Dependency, true) ||
			r.RiskGroup != "" && !plainCell(r.RiskGroup, true) {
			return noCell("resource", r.ID)
		}
		if !seen[r.Dependency] {
			seen[r.Dependency] = true
			order = append(order, r.Dependency)
		}
	}
	if strings.Join(order, "\n") != strings.Join(f.Dependencies, "\n") {
		return noCell("dependencies", strings.Join(f.Dependencies, ", "))
	}
	return nil
}

// fitsTable finds what no cell can hold of a job that follows another. Two jobs
// of one name after each other would be read as one.
func (j *BatchJob) fitsTable(last string) error {
	if !plainCell(j.ID, true) || j.Class != "" && !plainCell(j.Class, true) || len(j.Levels) == 0 || last == j.ID {
		return noCell("job", j.ID)
	}
	for _, need := range j.Levels {
		if !plainCell(need.Dependency, true) || len(need.Value) == 0 {
			return noCell("job", j.ID)
		}
	}
	for _, e := range j.Eligible {
		if _, ok := j.Levels.Of(e.Dependency); !ok || len(e.Value) == 0 {
			return noCell("eligible of job", j.ID)
		}
		for _, id := range e.Value {
			if !plainCell(id, false) {
				return noCell("eligible of job", j.ID)
			}
		}
	}
	return nil
}

// noCell is the error of what a table cannot hold.
func noCell(what, text string) error {
	return source.Outside("WriteBatchTables", what, strconv.Quote(text), "what fits a cell of a table, or JSON Lines")
}

// plainCell reports whether a text comes back from a cell as it is, and, where
// blanks divide texts, as one.
func plainCell(text string, blanks bool) bool {
	// A cell that begins with # would be read as a comment.
	return text != "" && text == strings.TrimSpace(text) && table.NotText([]byte(text)) < 0 && text[0] != '#' &&
		(blanks || !strings.ContainsFunc(text, unicode.IsSpace))
}
