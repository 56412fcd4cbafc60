package allocation

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
)

// The forms are what an error asks for: the header that a table needs at least.
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
func ReadBatchTables(ctx context.Context, jobsName string, jobs io.Reader, resourcesName string,
	resources io.Reader) (*BatchFile, error) {
	ctx = given.Context(ctx)
	f := &BatchFile{}
	p := &batchTables{f: f}
	f.places = p
	if err := p.readResources(ctx, resourcesName, resources); err != nil {
		return nil, err
	}
	if err := p.readJobs(ctx, jobsName, jobs); err != nil {
		return nil, err
	}
	p.dependencies = f.Dependencies
	p.f, p.names = nil, document.Names{} // what was read is the caller's alone
	return f.whole()
}

// batchTables are the tables of a batch, to find the places of what was read. It
// holds a line number for each resource and job and reads the row again when an
// error names it: the rows themselves would take more memory than the batch.
type batchTables struct {
	f               *BatchFile // until it is read
	dependencies    []string
	resources, jobs *table.Table
	resourceAt      []int32        // lines
	jobAt           []int32        // of the first row
	end             int            // the last line of jobs
	names           document.Names // of the dependencies of the last job
	room            int            // that resources and jobs take
}

// readResources reads the table of resources. The dependencies of the batch are those that they have,
// in the order of their first rows, since tables have no list of them.
func (p *batchTables) readResources(ctx context.Context, name string, r io.Reader) error {
	fields, names := table.Fields(reflect.TypeFor[BatchResource]())
	required := map[string]bool{}
	for _, f := range fields {
		required[f.Name] = f.Required
	}
	t, err := table.New(ctx, name, r, resourcesForm, names, func(n string) bool { return required[n] })
	if err != nil {
		return err
	}
	p.resources = t
	seen := map[string]bool{}
	for {
		ok, err := t.Next()
		if err == nil && !ok && len(p.f.Resources) == 0 {
			err = t.Fail("no resources", source.ErrMalformed)
		}
		if err != nil || !ok {
			return err
		}
		if len(p.f.Resources) == MostResources {
			return t.Fail(tooManyResources, source.ErrMalformed).Wanting(wantResources)
		}
		var resource BatchResource
		v := reflect.ValueOf(&resource).Elem()
		for _, f := range fields {
			if c := t.Column(f.Name); c >= 0 {
				if _, err := t.Set(c, f.Name, f.Required, v.Field(f.Index)); err != nil {
					return err
				}
			}
		}
		if d := resource.Dependency; !seen[d] {
			seen[d] = true
			p.f.Dependencies = append(p.f.Dependencies, d)
		}
		p.room += resource.room()
		p.f.Resources, p.resourceAt = append(p.f.Resources, resource), append(p.resourceAt, int32(t.Line))
	}
}

// A jobRow knows the columns of the table of jobs.
type jobRow struct {
	job, dependency, level int           // columns, level -1 where there is none
	own, by, values        []table.Field // of a job, of a dependency of it, of a level
	ownAt, byAt, valuesAt  []int         // their columns
}

// readJobs reads the table of jobs, whose rows of one job and dependency are its levels. One value of
// a level is reused for all rows: a batch may have millions.
func (p *batchTables) readJobs(ctx context.Context, name string, r io.Reader) error {
	ofJob, jobNames := table.Fields(reflect.TypeFor[BatchJob]())
	ofLevel, levelNames := table.Fields(reflect.TypeFor[BatchLevel]())
	required := map[string]bool{"job": true, "dependency": true}
	for _, f := range ofLevel {
		required[f.Name] = f.Required
	}
	known := []string{"job"}
	for _, n := range jobNames {
		if n != "id" {
			known = append(known, n)
		}
	}
	known = append(append(known, "dependency", "level"), levelNames...)
	t, err := table.New(ctx, name, r, jobsForm, known, func(n string) bool { return required[n] })
	if err != nil {
		return err
	}
	p.jobs = t
	c := &jobRow{job: t.Column("job"), dependency: t.Column("dependency"), level: t.Column("level")}
	c.own, c.ownAt = t.ColumnsOf(ofJob, func(f table.Field) bool { return !f.By })
	c.by, c.byAt = t.ColumnsOf(ofJob, func(f table.Field) bool { return f.By })
	c.values, c.valuesAt = t.ColumnsOf(ofLevel, func(table.Field) bool { return true })
	var level BatchLevel
	to := reflect.ValueOf(&level).Elem()
	// A job without a level would have no row.
	into := make([]reflect.Value, len(c.values))
	for i, f := range c.values {
		into[i] = to.Field(f.Index)
	}
	for {
		ok, err := t.Next()
		p.end = t.Line
		if err != nil || !ok {
			return err
		}
		need, err := p.need(t, c)
		if err != nil {
			return err
		}
		// The number of a level is redundant, and checked where it is given: rows out of order would
		// swap demands in silence.
		if c.level >= 0 {
			if n, ok := document.PlainDigits(t.Cells[c.level]); !ok || n != int64(len(need.Value)+1) {
				return t.Bad(t.At[c.level], fmt.Sprintf("level = %q", t.Cells[c.level]),
					strconv.Itoa(len(need.Value)+1)+": the levels of a job and dependency must rise from 1")
			}
		}
		level = BatchLevel{}
		for i, f := range c.values {
			if _, err := t.Set(c.valuesAt[i], f.Name, f.Required, into[i]); err != nil {
				return err
			}
		}
		need.Value = append(need.Value, level)
		if p.room += levelRoom; p.room > MostBatchRoom {
			return t.Fail(tooMuchBatch, source.ErrMalformed).Wanting(wantBatch)
		}
	}
}

// need returns the job and dependency that a row belongs to, and makes them if the row is their
// first. It compares with the row before only, so that separated rows of one dependency are found
// as a repetition. Jobs of one name that are separated are found later, by the check of all names.
func (p *batchTables) need(t *table.Table, c *jobRow) (*Dependent[[]BatchLevel], error) {
	id, dependency := t.Cells[c.job], t.Cells[c.dependency]
	switch {
	case len(id) == 0:
		return nil, t.Bad(t.At[c.job], "a job without an id", "an id such as job0000")
	case len(dependency) == 0:
		return nil, t.Bad(t.At[c.dependency], "a dependency without a name", "a name such as compute")
	}
	n := len(p.f.Jobs)
	first := n == 0 || p.f.Jobs[n-1].ID != string(id)
	if first && n == MostJobs {
		return nil, t.Fail(tooManyJobs, source.ErrMalformed).Wanting(wantJobs)
	}
	if first {
		p.f.Jobs, p.jobAt = append(
			p.f.Jobs, BatchJob{ID: string(id)},
		), append(p.jobAt, int32(t.Line))
		n++
		p.room += jobRoom + nameRoom(shortName, string(id))
	}
	job := &p.f.Jobs[n-1]
	v := reflect.ValueOf(job).Elem()
	for i, f := range c.own {
		if err := p.own(t, c.ownAt[i], f, v.Field(f.Index), first); err != nil {
			return nil, err
		}
	}
	// What a job says of a dependency stands on its first row there.
	if k := len(job.Levels); k > 0 && job.Levels[k-1].Dependency == string(dependency) {
		for i, f := range c.by {
			if text := t.Cells[c.byAt[i]]; len(text) > 0 {
				return nil, t.Bad(t.At[c.byAt[i]], fmt.Sprintf("%s = %q", f.Name, text),
					"the field on the first row of the job and dependency")
			}
		}
		return &job.Levels[k-1], nil
	}
	if first {
		p.names = document.NamesOf(&job.Levels)
	}
	if p.names.Has(dependency) {
		return nil, t.Bad(t.At[c.dependency], fmt.Sprintf("job %q has %s again", id, dependency),
			"the rows of a job and dependency together")
	}
	// Names are kept once each: a million jobs have a handful of dependencies.
	name := t.Words.Word(dependency)
	for i, f := range c.by {
		if err := p.by(t, c.byAt[i], f, v.Field(f.Index).Addr().Interface().(document.Keyed), name); err != nil {
			return nil, err
		}
	}
	p.room += needRoom
	job.Levels = append(job.Levels, Dependent[[]BatchLevel]{Dependency: name})
	return &job.Levels[len(job.Levels)-1], nil
}

// own reads what a job says of itself: on its first row, and later the same or
// nothing.
func (p *batchTables) own(t *table.Table, column int, f table.Field, v reflect.Value, first bool) error {
	if first {
		_, err := t.Set(column, f.Name, false, v)
		return err
	}
	again := reflect.New(v.Type()).Elem()
	given, err := t.Set(column, f.Name, false, again)
	if err == nil && given && !reflect.DeepEqual(v.Interface(), again.Interface()) {
		return t.Bad(t.At[column], fmt.Sprintf("%s = %q", f.Name, t.Cells[column]),
			"the value of the job's first row, or nothing")
	}
	return err
}

// by reads what a job says of a dependency as a whole.
func (p *batchTables) by(t *table.Table, column int, f table.Field, to document.Keyed, dependency string) error {
	text := t.Cells[column]
	if len(text) == 0 {
		return nil
	}
	v := to.Add(dependency)
	if !f.List {
		_, err := t.Set(column, f.Name, true, v)
		return err
	}
	var list []string
	for _, word := range strings.Fields(string(text)) {
		list = append(list, t.Words.Word([]byte(word)))
	}
	p.room += listRoom + listedRoom*len(list) + nameRoom(sharedName, list...)
	v.Set(reflect.ValueOf(list).Convert(v.Type()))
	return nil
}
