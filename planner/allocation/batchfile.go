package allocation

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
	"github.com/capplan/capplan/units"
)

// A FileError says what is wrong with a file, where, and what was expected.
type FileError = source.FileError

// A BatchFile is a batch of jobs and the resources they compete for, and knows
// the places of all values for messages. Readers and schemas follow the JSON
// tags of these structs in all formats: a field added here is read from YAML,
// JSON and JSON Lines, and from a column of its name in CSV where it is one
// value, or texts or one value by dependency.
type BatchFile struct {
	// where the batch is from
	Comment string `json:"comment,omitempty"`
	// what jobs need, such as cpu: each is served by resources of its own
	Dependencies []string `json:"dependencies" jsonschema:"minItems=1"`
	// admission of jobs that do not say; empty: required
	Admission string `json:"admission,omitempty" jsonschema:"enum=required,enum=optional"`
	// limit on the cost of all primaries together, such as 50 or €50; nil: any amount
	Budget *units.Amount `json:"budget,omitempty"`
	// currency of prices, budget, fees and revenues, such as € or USD; empty: that of prices and budget
	Currency  units.Currency  `json:"currency,omitempty"`
	Resources []BatchResource `json:"resources"`
	Jobs      []BatchJob      `json:"jobs"`

	// places finds values in the file again; nil for a batch that was made.
	places batchPlaces
}

// MostResources and MostJobs bound what a batch that is read holds, beside [MostBatchRoom].
const MostResources, MostJobs = 200_000, 1_000_000

// Messages for a file with more resources.
const (
	tooManyResources = "more than 200,000 resources"
	wantResources    = "at most 200,000; put machines that are alike into one resource with a count"
	tooManyJobs      = "more than 1 million jobs"
	wantJobs         = "at most 1 million; split the batch"
)

// MostBatchMachines bounds the machines that one resource may stand for.
const MostBatchMachines = 100_000

// A BatchResource serves one dependency. Capacities are in its unit. Speed and
// price are per unit of capacity, and default to 1 and 0.
type BatchResource struct {
	ID              string       `json:"id" jsonschema:"minLength=1"` // a name that no other has in the file
	Dependency      string       `json:"dependency"`                  // dependency that it serves
	PrimaryCapacity units.Count  `json:"primary_capacity"`            // for primaries, in the unit of the dependency
	BackupCapacity  *units.Count `json:"backup_capacity,omitempty"`   // capacity for backups; nil: 0
	// group of resources that fail together; empty: it fails alone
	RiskGroup string `json:"risk_group,omitempty"`
	// Machine names a type of machine of the scenario, which gives speed and price
	// where they are left out, and count is the number of such machines, each a
	// resource; nil: as many as the mix takes.
	Machine string        `json:"machine,omitempty"`
	Count   *units.Count  `json:"count,omitempty"` // number of machines of type machine
	Speed   *units.Number `json:"speed,omitempty"` // demand served per unit of capacity, above 0; nil: 1
	// price of a unit of used primary capacity over the time that revenues are for, such as 0.2 or
	// €0.2, all in one currency; nil: 0
	Price *units.Amount `json:"price,omitempty"`
}

// A BatchJob needs the dependencies in Levels, each at one of its levels.
type BatchJob struct {
	// a name that no other has in the file
	ID string `json:"id" jsonschema:"minLength=1"`
	// class by which revenue is summed up
	Class string `json:"class,omitempty"`
	// required, or optional if the job may be rejected; empty: as the batch says
	Admission string       `json:"admission,omitempty" jsonschema:"enum=required,enum=optional"`
	BaseFee   *units.Count `json:"base_fee,omitempty"` // earned when the job is served; nil: 0
	// by dependency, from level 1 up: demand and revenue
	Levels   ByDependency[[]BatchLevel] `json:"levels"`
	Eligible ByDependency[[]string]     `json:"eligible,omitempty"` // the only resources it may use; missing: any
}

// A BatchLevel is a level of service: demands rise strictly from level to
// level, revenues never fall.
type BatchLevel struct {
	Demand  units.Count `json:"demand"`
	Revenue units.Count `json:"revenue"`
}

// batchForm is what an error asks for: the least batch there is.
const batchForm = `dependencies: [compute], resources such as "- {id: c0, dependency: compute, primary_capacity: 1457, backup_capacity: 582}" and jobs such as "- {id: j0, levels: {compute: [{demand: 396, revenue: 3079}]}}"`

// ReadBatch reads a batch for allocation: YAML, JSON or JSON Lines by its
// content.
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
// A resource may have a speed and a price, a job a base_fee, eligible resources
// and admission: optional, the batch the same for all jobs, a budget and a currency,
// which prices and budget may have too.
//
// In JSON Lines each line is an object with a "resource", a "job", or other
// fields of the batch, in any order:
//
//	{"dependencies": ["compute", "storage"]}
//	{"resource": {"id": "c0", "dependency": "compute", "primary_capacity": 1457}}
//	{"job": {"id": "job0", "levels": {"compute": [{"demand": 396, "revenue": 3079}]}}}
//
// JSON and JSON Lines are read as a stream, up to 8 GiB of them, the latter on
// all cores; YAML up to 32 MiB. For CSV see [ReadBatchTables].
//
// Unknown fields, fields given twice, missing ones, values that are no counts
// and empty names give a *FileError with line, column and the line. Whether
// the values fit each other is not looked at: [BatchFile.At] gives what finds
// that out the same form. name is used in messages only.
func ReadBatch(ctx context.Context, name string, r io.Reader) (*BatchFile, error) {
	return readBatch(given.Context(ctx), name, r, splitting{min(runtime.GOMAXPROCS(0), 16), source.TranscriptLen})
}

// readBatch is ReadBatch with a way of splitting that tests choose.
func readBatch(ctx context.Context, name string, r io.Reader, split splitting) (*BatchFile, error) {
	in := bufio.NewReaderSize(source.Until(ctx, r), batchHead)
	head, _ := in.Peek(batchHead) // an error comes again when it is read
	// A mark of byte order is no part of the text.
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		in.Discard(3)
		head = head[3:]
	}
	f := &BatchFile{}
	if len(bytes.TrimSpace(head)) > 0 && document.LooksJSON(head) &&
		source.Sniff(head[:min(len(head), source.SniffLen)]) == "" {
		if err := f.readJSON(ctx, name, in, head, split); err != nil {
			return nil, err
		}
		return f.whole()
	}
	// A table of jobs begins like YAML and would be refused with an error that
	// helps nobody.
	if looksTable(head) {
		return nil, &source.FileError{
			File:    name,
			Line:    1,
			Problem: "this is a table of jobs (CSV)",
			Want:    "a table of the resources beside it (resources), or YAML, JSON or JSON Lines",
			Err:     source.ErrMalformed,
		}
	}
	return f, f.readTree(ctx, name, in)
}

// readTree reads YAML, or JSON up to 256 MiB, by a tree of the whole file.
func (f *BatchFile) readTree(ctx context.Context, name string, r io.Reader) error {
	d, err := document.ReadLarge(ctx, name, batchForm, r)
	if err != nil {
		return err
	}
	f.places = d
	if err := d.Decode(d.Root, reflect.ValueOf(f).Elem(), "the document"); err != nil {
		return err
	}
	return f.check()
}

// whole is a batch that was read, in lists of no more room than they need, where they have up to a quarter
// more after growing.
func (f *BatchFile) whole() (*BatchFile, error) {
	f.Resources, f.Jobs = slices.Clone(f.Resources), slices.Clone(f.Jobs)
	return f, f.check()
}

// batchHead is how much of a file says which format it has.
const batchHead = 1 << 20

// check finds lists and names that are empty, and a speed of 0. What needs all of
// the batch, such as names that are there twice, is found by package alloc.
func (f *BatchFile) check() error {
	for _, list := range []struct {
		name string
		size int
	}{{"dependencies", len(f.Dependencies)}, {"resources", len(f.Resources)}, {"jobs", len(f.Jobs)}} {
		if list.size == 0 {
			// The place ends in "[": the list itself and not its key.
			return f.At(list.name+"[", "no "+list.name, "at least one, "+batchForm)
		}
	}
	for i, name := range f.Dependencies {
		if name == "" {
			return f.At(fmt.Sprintf("dependencies[%d]", i), "a dependency without a name", "a name such as compute")
		}
	}
	for i := range f.Resources {
		r := &f.Resources[i]
		if r.ID == "" {
			return f.At(fmt.Sprintf("resources[%d].id", i), "a resource without an id", "an id such as compute-00")
		}
		switch {
		case r.Count != nil && r.Machine == "":
			return f.At(fmt.Sprintf("resources[%d].count", i),
				"resource "+r.ID+": a count without a machine", "the machine that is counted")
		case r.Count != nil && (*r.Count < 1 || *r.Count > MostBatchMachines):
			return f.At(fmt.Sprintf("resources[%d].count", i),
				fmt.Sprintf("resource %s: count = %d", r.ID, int64(*r.Count)),
				fmt.Sprintf("1 to %d", MostBatchMachines))
		}
		if r.Speed != nil && *r.Speed == 0 {
			return f.At(fmt.Sprintf("resources[%d].speed", i),
				"resource "+r.ID+": speed = 0", "a speed above 0 such as 1.5")
		}
	}
	if err := f.checkMoney(); err != nil {
		return err
	}
	for i := range f.Jobs {
		if f.Jobs[i].ID == "" {
			return f.At(fmt.Sprintf("jobs[%d].id", i), "a job without an id", "an id such as job0000")
		}
	}
	return nil
}

// looksTable reports whether a file is a table and not YAML: its first line has the column "job".
func looksTable(head []byte) bool {
	line := table.FirstRow(head)
	for cell := range bytes.SplitSeq(line, []byte(",")) {
		if string(bytes.Trim(cell, " \"")) == "job" && bytes.IndexByte(line, ':') < 0 {
			return true
		}
	}
	return false
}
