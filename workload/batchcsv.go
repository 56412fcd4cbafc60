package workload

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

const (
	jobsForm      = `a header "job,class,dependency,level,demand,revenue" and rows such as "job0,medium,compute,1,396,3079"`
	resourcesForm = `a header "id,dependency,primary_capacity,backup_capacity" and rows such as "c0,compute,1457,582"`
)

// ReadBatchTables reads a batch from two tables in CSV. The jobs have a row for
// each level, those of a job together, of a job those of a dependency together
// and levels rising from 1 (the column level may be left out):
//
//	job,class,dependency,level,demand,revenue,eligible
//	job0,medium,compute,1,396,3079,c0 c1
//	job0,medium,compute,2,445,5848,
//
// What a job says of a dependency as a whole, such as the list eligible of ids
// with blanks between, stands on its first row there; what it says of itself,
// such as class, on its first row at least. The resources are a row each:
//
//	id,dependency,primary_capacity,backup_capacity,risk_group,speed
//	c0,compute,1457,582,rack-1,
//
// The dependencies are those of the resources, in the order of their first
// rows. Other columns are as the fields of [BatchFile]; an empty cell is a
// field that is left out. Errors as [ReadBatch].
func ReadBatchTables(ctx context.Context, jobsName string, jobs io.Reader, resourcesName string, resources io.Reader) (*BatchFile, error) {
	f := &BatchFile{}
	p := &batchTables{f: f}
	f.places = p
	if err := p.readResources(ctx, resourcesName, resources); err != nil {
		return nil, err
	}
	if err := p.readJobs(ctx, jobsName, jobs); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	return f, nil
}

// batchTables are the tables of a batch, to find the places of what was read.
type batchTables struct {
	f               *BatchFile
	resources, jobs *table
	resourceAt      []int32 // lines
	jobAt           []int32 // of the first row
	end             int     // the last line of jobs
}

func (p *batchTables) readResources(ctx context.Context, name string, r io.Reader) error {
	fields, names := tableFields(reflect.TypeFor[BatchResource]())
	required := map[string]bool{}
	for _, f := range fields {
		required[f.name] = f.required
	}
	t, err := newTable(ctx, name, r, resourcesForm, names, func(n string) bool { return required[n] })
	if err != nil {
		return err
	}
	p.resources = t
	seen := map[string]bool{}
	for {
		ok, err := t.next()
		if err == nil && !ok && len(p.f.Resources) == 0 {
			err = t.fail("no resources", ErrMalformed)
		}
		if err != nil || !ok {
			return err
		}
		var resource BatchResource
		v := reflect.ValueOf(&resource).Elem()
		for _, f := range fields {
			if c := t.column(f.name); c >= 0 {
				if _, err := t.set(c, f.name, f.required, v.Field(f.index)); err != nil {
					return err
				}
			}
		}
		if d := resource.Dependency; !seen[d] {
			seen[d] = true
			p.f.Dependencies = append(p.f.Dependencies, d)
		}
		p.f.Resources, p.resourceAt = append(p.f.Resources, resource), append(p.resourceAt, int32(t.line))
	}
}

// A jobRow knows the columns of the table of jobs.
type jobRow struct {
	job, dependency, level int          // columns, level -1 where there is none
	own, by, values        []tableField // of a job, of a dependency of it, of a level
	ownAt, byAt, valuesAt  []int        // their columns
}

func (p *batchTables) readJobs(ctx context.Context, name string, r io.Reader) error {
	ofJob, jobNames := tableFields(reflect.TypeFor[BatchJob]())
	ofLevel, levelNames := tableFields(reflect.TypeFor[BatchLevel]())
	required := map[string]bool{"job": true, "dependency": true}
	for _, f := range ofLevel {
		required[f.name] = f.required
	}
	known := []string{"job"}
	for _, n := range jobNames {
		if n != "id" {
			known = append(known, n)
		}
	}
	known = append(append(known, "dependency", "level"), levelNames...)
	t, err := newTable(ctx, name, r, jobsForm, known, func(n string) bool { return required[n] })
	if err != nil {
		return err
	}
	p.jobs = t
	c := &jobRow{job: t.column("job"), dependency: t.column("dependency"), level: t.column("level")}
	c.own, c.ownAt = t.columnsOf(ofJob, func(f tableField) bool { return !f.by })
	c.by, c.byAt = t.columnsOf(ofJob, func(f tableField) bool { return f.by })
	c.values, c.valuesAt = t.columnsOf(ofLevel, func(tableField) bool { return true })
	var level BatchLevel
	to := reflect.ValueOf(&level).Elem()
	into := make([]reflect.Value, len(c.values))
	for i, f := range c.values {
		into[i] = to.Field(f.index)
	}
	for {
		ok, err := t.next()
		p.end = t.line
		if err != nil || !ok {
			return err
		}
		need, err := p.need(t, c)
		if err != nil {
			return err
		}
		if c.level >= 0 {
			if n, ok := plainDigits(t.cells[c.level]); !ok || n != int64(len(need.Value)+1) {
				return t.bad(t.at[c.level], fmt.Sprintf("level = %q", t.cells[c.level]), strconv.Itoa(len(need.Value)+1)+": the levels of a job and dependency rise from 1")
			}
		}
		level = BatchLevel{}
		for i, f := range c.values {
			if _, err := t.set(c.valuesAt[i], f.name, f.required, into[i]); err != nil {
				return err
			}
		}
		need.Value = append(need.Value, level)
	}
}

// need returns the job and dependency that a row belongs to, made where it is
// the first.
func (p *batchTables) need(t *table, c *jobRow) (*Dependent[[]BatchLevel], error) {
	id, dependency := t.cells[c.job], t.cells[c.dependency]
	switch {
	case len(id) == 0:
		return nil, t.bad(t.at[c.job], "a job without an id", "an id such as job0000")
	case len(dependency) == 0:
		return nil, t.bad(t.at[c.dependency], "a dependency without a name", "a name such as compute")
	}
	n := len(p.f.Jobs)
	first := n == 0 || p.f.Jobs[n-1].ID != string(id)
	if first {
		p.f.Jobs, p.jobAt = append(p.f.Jobs, BatchJob{ID: string(id), Levels: make(ByDependency[[]BatchLevel], 0, len(p.f.Dependencies))}), append(p.jobAt, int32(t.line))
		n++
	}
	job := &p.f.Jobs[n-1]
	v := reflect.ValueOf(job).Elem()
	for i, f := range c.own {
		if err := p.own(t, c.ownAt[i], f, v.Field(f.index), first); err != nil {
			return nil, err
		}
	}
	if k := len(job.Levels); k > 0 && job.Levels[k-1].Dependency == string(dependency) {
		for i, f := range c.by {
			if text := t.cells[c.byAt[i]]; len(text) > 0 {
				return nil, t.bad(t.at[c.byAt[i]], fmt.Sprintf("%s = %q", f.name, text), "it on the first row of the job and dependency")
			}
		}
		return &job.Levels[k-1], nil
	}
	if job.Levels.Has(dependency) {
		return nil, t.bad(t.at[c.dependency], fmt.Sprintf("job %q has %s again", id, dependency), "the rows of a job and dependency together")
	}
	name := t.words.word(dependency)
	for i, f := range c.by {
		if err := p.by(t, c.byAt[i], f, v.Field(f.index).Addr().Interface().(byName), name); err != nil {
			return nil, err
		}
	}
	job.Levels = append(job.Levels, Dependent[[]BatchLevel]{name, make([]BatchLevel, 0, 4)})
	return &job.Levels[len(job.Levels)-1], nil
}

// own reads what a job says of itself: on its first row, and later the same or
// nothing.
func (p *batchTables) own(t *table, column int, f tableField, v reflect.Value, first bool) error {
	if first {
		_, err := t.set(column, f.name, false, v)
		return err
	}
	again := reflect.New(v.Type()).Elem()
	given, err := t.set(column, f.name, false, again)
	if err == nil && given && !reflect.DeepEqual(v.Interface(), again.Interface()) {
		return t.bad(t.at[column], fmt.Sprintf("%s = %q", f.name, t.cells[column]), "that of the job's first row, or nothing")
	}
	return err
}

// by reads what a job says of a dependency as a whole.
func (p *batchTables) by(t *table, column int, f tableField, to byName, dependency string) error {
	text := t.cells[column]
	if len(text) == 0 {
		return nil
	}
	v := to.Add(dependency)
	if !f.list {
		_, err := t.set(column, f.name, true, v)
		return err
	}
	var list []string
	for _, word := range strings.Fields(string(text)) {
		list = append(list, t.words.word([]byte(word)))
	}
	v.Set(reflect.ValueOf(list).Convert(v.Type()))
	return nil
}
