package workload

import (
	"context"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/capplan/capplan/units"
)

// A BatchFile is a batch of jobs and the resources they compete for, with the
// places of all values for messages.
type BatchFile struct {
	Comment      string          `json:"comment,omitempty"` // where the batch is from
	Dependencies []string        `json:"dependencies" jsonschema:"minItems=1"`
	Resources    []BatchResource `json:"resources"`
	Jobs         []BatchJob      `json:"jobs"`

	d *document
}

// A BatchResource serves one dependency. Capacities are in its unit.
type BatchResource struct {
	ID              string        `json:"id" jsonschema:"minLength=1"` // given once in a file
	Dependency      string        `json:"dependency"`
	PrimaryCapacity units.Count   `json:"primary_capacity"`
	BackupCapacity  *units.Count  `json:"backup_capacity,omitempty"` // nil: 0
	RiskGroup       string        `json:"risk_group,omitempty"`      // resources of one group fail together; empty: fails alone
	Speed           *units.Number `json:"speed,omitempty"`           // demand served per unit of capacity, above 0; nil: 1
}

// A BatchJob needs the dependencies in Levels, each at one of its levels.
type BatchJob struct {
	ID       string                  `json:"id" jsonschema:"minLength=1"` // given once in a file
	Class    string                  `json:"class,omitempty"`
	Levels   map[string][]BatchLevel `json:"levels"`             // by dependency
	Eligible map[string][]string     `json:"eligible,omitempty"` // by dependency, the only resources it may use; missing: any
}

// A BatchLevel is a level of service: demands rise strictly from level to
// level, revenues never fall.
type BatchLevel struct {
	Demand  units.Count `json:"demand"`
	Revenue units.Count `json:"revenue"`
}

const batchForm = `dependencies: [compute], resources such as "- {id: c0, dependency: compute, primary_capacity: 1457, backup_capacity: 582}" and jobs such as "- {id: j0, levels: {compute: [{demand: 396, revenue: 3079}]}}"`

// ReadBatch reads a batch for allocation, YAML or JSON by its content:
//
//	dependencies: [compute, storage]
//	resources:
//	  - {id: c0, dependency: compute, primary_capacity: 1457, backup_capacity: 582, risk_group: rack-1}
//	jobs:
//	  - id: job0
//	    class: medium
//	    levels:
//	      compute: [{demand: 396, revenue: 3079}, {demand: 445, revenue: 5848}]
//
// Unknown fields, fields given twice, missing ones, values that are no counts
// and empty names give a *FileError with line, column and the line. Whether
// the values fit each other is not looked at: [BatchFile.At] gives what finds
// that out the same form. name is used in messages only.
func ReadBatch(ctx context.Context, name string, r io.Reader) (*BatchFile, error) {
	d, err := readDocument(ctx, "ReadBatch", name, batchForm, r)
	if err != nil {
		return nil, err
	}
	f := &BatchFile{d: d}
	if err := d.decode(d.root, reflect.ValueOf(f).Elem(), "the document"); err != nil {
		return nil, err
	}
	dependencies, resources, jobs := d.root.field("dependencies"), d.root.field("resources"), d.root.field("jobs")
	for _, list := range []struct {
		n    *node
		size int
		what string
	}{{dependencies, len(f.Dependencies), "dependencies"}, {resources, len(f.Resources), "resources"}, {jobs, len(f.Jobs), "jobs"}} {
		if list.size == 0 {
			return nil, d.on(list.n, "no "+list.what, "at least one, "+batchForm)
		}
	}
	for i, name := range f.Dependencies {
		if name == "" {
			return nil, d.on(dependencies.item(i), "a dependency without a name", "a name such as compute")
		}
	}
	for i := range f.Resources {
		r := &f.Resources[i]
		if r.ID == "" {
			return nil, d.on(resources.item(i).field("id"), "a resource without an id", "an id such as compute-00")
		}
		if r.Speed != nil && *r.Speed == 0 {
			return nil, d.on(resources.item(i).field("speed"), "resource "+r.ID+": speed = 0", "a speed above 0 such as 1.5")
		}
	}
	for i := range f.Jobs {
		if f.Jobs[i].ID == "" {
			return nil, d.on(jobs.item(i).field("id"), "a job without an id", "an id such as job0000")
		}
	}
	return f, nil
}

// At returns an error at a place of the file such as
// jobs[3].levels.compute[1].demand, with line, column and the line. A place
// that is not in the file is that of what stands around it.
func (f *BatchFile) At(place, problem, want string) *FileError {
	return f.d.atPlace(place, problem, want)
}

// atPlace is an error at a path of keys and of numbers in brackets.
func (d *document) atPlace(place, problem, want string) *FileError {
	n := d.root
	line, column := n.line, n.column
	for rest := place; rest != ""; {
		rest = strings.TrimPrefix(rest, ".")
		var next *node
		if end := strings.IndexByte(rest, ']'); strings.HasPrefix(rest, "[") && end > 0 {
			if i, err := strconv.Atoi(rest[1:end]); err == nil && i >= 0 {
				next = n.item(i)
			}
			rest = rest[end+1:]
			if next != nil {
				line, column = next.line, next.column
			}
		} else if f := n.longest(rest); f != nil {
			next, rest = f.value, rest[len(f.key):]
			line, column = next.line, next.column
			if next.kind == mappingNode || next.kind == sequenceNode {
				line, column = f.line, f.column
			}
		}
		if next == nil {
			break
		}
		n = next
	}
	return d.at(line, column, problem, want)
}

// longest returns the field with the longest key that a path begins with: a
// key may hold dots and brackets.
func (n *node) longest(path string) *docField {
	var best *docField
	for i := range n.fields {
		f := &n.fields[i]
		if rest, ok := strings.CutPrefix(path, f.key); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') && (best == nil || len(f.key) > len(best.key)) {
			best = f
		}
	}
	return best
}
