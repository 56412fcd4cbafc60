package allocation

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"iter"
	"reflect"
	"strconv"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
)

// AllJobs hands out the jobs of the file, for those who write it.
func (f *BatchFile) AllJobs() iter.Seq2[*BatchJob, error] {
	return func(yield func(*BatchJob, error) bool) {
		if f == nil {
			return
		}
		for i := range f.Jobs {
			if !yield(&f.Jobs[i], nil) {
				return
			}
		}
	}
}

// WriteBatch writes a batch as JSON, a record a line, or as JSON Lines, in the
// form that [ReadBatch] reads. The jobs are those of f, [BatchFile.AllJobs], or
// others that are made meanwhile, [GeneratedBatch.Jobs]: memory does not grow with
// their number. The first error of jobs ends it.
func WriteBatch(w io.Writer, f *BatchFile, jobs iter.Seq2[*BatchJob, error], lines bool) error {
	if f == nil || jobs == nil {
		return ask.Missing("batch", "jobs and resources")
	}
	b := &batchWriter{w: bufio.NewWriterSize(given.Writer(w), 1<<16)}
	v := reflect.ValueOf(f).Elem()
	t := document.FieldsOf(v.Type())
	// Lists come last in JSON Lines, a record a line, behind one line with all
	// other fields.
	open := "{"
	for k, name := range t.Names {
		field := v.Field(t.Index[k])
		_, list := oneOf(name)
		switch {
		case field.IsZero() && !t.Required[k], list && lines:
			continue
		case list:
			b.text(open + quoted(name) + ":[")
			n := 0
			b.each(name, field, jobs, func() {
				if n++; n > 1 {
					b.text(",")
				}
				b.text("\n")
			}, func() {})
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
	for k, name := range t.Names {
		if one, list := oneOf(name); list && lines {
			b.each(name, v.Field(t.Index[k]), jobs, func() { b.text("{" + quoted(one) + ":") },
				func() { b.text("}\n") })
		}
	}
	if b.err != nil {
		return b.err
	}
	return b.w.Flush()
}

// each writes the elements of one list, with what stands before and after one.
// Jobs come from the sequence and all other lists from the file.
func (b *batchWriter) each(name string, list reflect.Value, jobs iter.Seq2[*BatchJob, error], before, after func()) {
	if name != "jobs" {
		for i := 0; i < list.Len() && b.err == nil; i++ {
			before()
			b.value(list.Index(i))
			after()
		}
		return
	}
	for j, err := range jobs {
		b.err = cmp.Or(b.err, err)
		if b.err != nil {
			return
		}
		before()
		b.job(j)
		after()
	}
}

// quoted is a name in JSON: field names are plain.
func quoted(name string) string { return strconv.Quote(name) }

// A batchWriter keeps the first error, and writes nothing after it.
type batchWriter struct {
	w    *bufio.Writer
	err  error
	line []byte // of the last job, for its room
}

// text, value and job write unless something has failed.
func (b *batchWriter) text(s string) {
	if b.err == nil {
		_, b.err = b.w.WriteString(s)
	}
}

// value is for what a batch has few of; jobs are written faster.
func (b *batchWriter) value(v reflect.Value) {
	data, err := json.Marshal(v.Addr().Interface())
	b.err = cmp.Or(b.err, err)
	if b.err == nil {
		_, b.err = b.w.Write(data)
	}
}

func (b *batchWriter) job(j *BatchJob) {
	if b.err == nil {
		b.line, b.err = j.AppendJSON(b.line[:0])
	}
	if b.err == nil {
		_, b.err = b.w.Write(b.line)
	}
}
