package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/trace"
)

// scenarioForm is what an error asks for where the reader says nothing else.
const scenarioForm = `a scenario: load, service, objectives, machines, ...`

// A Reader says how to read a scenario and the files that it names.
type Reader struct {
	Name string // of the scenario, in messages; empty: scenario
	Want string // what an error asks for; empty: a scenario and its parts
	// Files holds the files that the scenario names; nil refuses a scenario that
	// names any. Packed files are read where package packed is linked.
	Files fs.FS
	// Folder is put before the names, which are relative to the scenario, unless
	// they begin with a slash.
	Folder string
	// Wrap, if set, is put around the bytes of each file, for instance to count
	// them; size is -1 where it is unknown.
	Wrap func(name string) func(r io.Reader, size int64) io.Reader
	// Amend, if set, changes the question after it was decoded, before its fields
	// are held to each other and its files are read, for instance to put a load
	// from elsewhere in the place of its own. What it returns joins the warnings.
	Amend func(ctx context.Context, q *Question) (warnings []string, err error)
}

// Read reads a scenario that names no files; see [Reader.Read] for its errors.
func Read(ctx context.Context, r io.Reader) (*Question, error) {
	ctx = given.Context(ctx)
	q, _, err := new(Reader).Read(ctx, r)
	return q, err
}

// Read reads a scenario, YAML or JSON by its content, and the files that it names;
// warnings are what is to be said of those. Unknown fields, fields or names given
// twice, values that are no quantities, and fields that contradict each other
// give a *trace.FileError with line, column and the line; of two that contradict
// each other both are named. So do later errors of the plan, and a file that
// is named and not there; one that is not as it should be is a *trace.FileError of that
// file. An *ask.InputError comes only of what stands nowhere in the scenario, as what Amend
// put in; a ctx that is done gives its error, wrapped. A scenario holds at most 32 MiB of
// YAML or 64 MiB of JSON.
func (s *Reader) Read(ctx context.Context, r io.Reader) (q *Question, warnings []string, err error) {
	ctx = given.Context(ctx)
	q = &Question{}
	q.file, err = document.ReadInto(ctx, cmp.Or(s.Name, "scenario"), cmp.Or(s.Want, scenarioForm), r, q, "the scenario")
	if err != nil {
		return nil, nil, err
	}
	f := &scenarioFiles{Reader: s, q: q}
	// Amend comes first, so that what it puts in is checked with the rest.
	if s.Amend != nil {
		if f.warnings, err = s.Amend(ctx, q); err != nil {
			return nil, nil, err
		}
	}
	if err := q.Check(); err != nil {
		return nil, nil, q.Placed(err)
	}
	if err := q.checkInside(); err != nil {
		return nil, nil, err
	}
	if err := f.readAll(ctx); err != nil {
		return nil, nil, q.Placed(err)
	}
	return q, f.warnings, nil
}

// checkInside holds clusters and a batch that stand in the scenario to the rules
// of their own files, with their places in this one.
func (q *Question) checkInside() error {
	if r := q.Routing; r != nil {
		// The document is narrowed to the part, so that places are those in the
		// scenario.
		f := &routes.ClusterFile{Clusters: r.Clusters, Types: r.Types}
		sub := *q.file
		sub.Root, _ = q.file.Find("routing")
		if len(r.Clusters) > 0 {
			if err := routes.CheckClusters(&sub, f); err != nil {
				return err
			}
		}
		if err := routes.CheckTypes(&sub, f); err != nil {
			return err
		}
	}
	if a := q.Allocation; a != nil && a.Batch != nil {
		sub := *q.file
		sub.Root, _ = q.file.Find("allocation.batch")
		return a.Batch.CheckAt(&sub)
	}
	return nil
}

// Placed turns an error of a field into one of the file that the question was
// read from, where its field, or what stands around it, stands there. Other
// errors come back as they are.
func (q *Question) Placed(err error) error {
	var input *ask.InputError
	if q.file == nil || !errors.As(err, &input) || input.Field == "" {
		return err
	}
	if name, ok := q.over[input.Field]; ok {
		own := *input
		own.Field, own.With = name, ""
		return &own
	}
	problem := input.Problem()
	if input.With != "" {
		problem = q.lined(input.With) + " and " + q.lined(input.Field) + " contradict each other: " + input.Reason
	} else {
		problem = input.Field + ": " + problem
	}
	// A field that is left out has no place of its own: report the place of what contains it.
	for at := input.Field; at != ""; at = around(at) {
		if q.Line(at) > 0 {
			return q.file.ErrorAt(input.Field, problem, input.Want)
		}
	}
	return q.file.Whole(problem, source.ErrMalformed).Wanting(input.Want)
}

// Over says that a field of the question, by its path, was replaced since it was read: what is wrong with it is an
// *ask.InputError of the name that is given here, and has no place in the file.
func (q *Question) Over(field, name string) {
	if q.over == nil {
		q.over = map[string]string{}
	}
	q.over[field] = name
}

// around is the path of what holds a field.
func around(field string) string { return field[:max(0, strings.LastIndexAny(field, ".["))] }

// lined names a field with its line.
func (q *Question) lined(field string) string {
	if line := q.Line(field); line > 0 {
		return fmt.Sprintf("%s (line %d)", field, line)
	}
	return field
}

// Line returns the line of a field, by its path such as machines[1].trace, in the
// file that the question was read from; 0 where it is not there.
func (q *Question) Line(field string) int {
	if q.file == nil {
		return 0
	}
	n, ok := q.file.Find(field)
	if !ok {
		return 0
	}
	return int(n.Line)
}

// A scenarioFile is a file that a question names.
type scenarioFile struct {
	field, name string
	read        bool // what it holds is in the question
}

// files lists the files that are named.
func (q *Question) files() []scenarioFile {
	var all []scenarioFile
	add := func(field, name string, read bool) {
		if name != "" {
			all = append(all, scenarioFile{field, name, read})
		}
	}
	if l := q.Load; l != nil {
		add("load.curve", l.CurveFile, l.Curve != nil)
		add("load.log", l.LogFile, l.Log != nil)
	}
	if v := q.Service; v != nil {
		add("service.file", v.File, v.Measured != nil)
	}
	for i := range q.Machines {
		add(fmt.Sprintf("machines[%d].trace", i), q.Machines[i].TraceFile, q.Machines[i].Trace != nil)
		add(fmt.Sprintf("machines[%d].fleet", i), q.Machines[i].FleetFile, q.Machines[i].Fitted != nil)
	}
	if r := q.Replicas; r != nil {
		add("replicas.trace", r.TraceFile, r.Trace != nil)
	}
	if r := q.Routing; r != nil {
		add("routing.file", r.File, r.listed != nil)
	}
	if a := q.Allocation; a != nil {
		add("allocation.file", a.File, a.listed != nil)
	}
	if v := q.Availability; v != nil {
		add("availability.trace", v.TraceFile, v.Hosts != nil)
	}
	return all
}

// path is a name as it is opened.
func (s *Reader) path(name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(s.Folder, name)
}

// open says how a file is opened.
func (s *Reader) open(name, want string) trace.OpenOptions {
	o := trace.OpenOptions{Files: s.Files, Want: want}
	if s.Wrap != nil {
		o.Wrap = s.Wrap(s.path(name))
	}
	return o
}
