package allocation

import (
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
)

// batchPlaces makes errors at places of a file such as
// jobs[3].levels.compute[1].demand. A path that ends in "[" is the value
// itself, not its key.
type batchPlaces interface {
	ErrorAt(place, problem, want string) *source.FileError
}

// At returns an error at a place of the file such as
// jobs[3].levels.compute[1].demand, with line, column and the line. A place
// that is not in the file is that of what stands around it.
func (f *BatchFile) At(place, problem, want string) *source.FileError {
	if f == nil || f.places == nil { // it was not read from a file
		return &source.FileError{File: "batch", Problem: problem, Want: want, Err: source.ErrMalformed}
	}
	return f.places.ErrorAt(place, problem, want)
}

// bare is the batch without its resources and jobs, for the places and the currency of it.
func (f *BatchFile) bare() *BatchFile {
	out := *f
	out.Resources, out.Jobs = nil, nil
	return &out
}

// CheckAt checks a batch that is a part of a document, at whose places its errors
// stand from then on.
func (f *BatchFile) CheckAt(part *document.Document) error {
	if f == nil {
		return ask.Missing("batch", "jobs and resources")
	}
	if part != nil {
		f.places = part
	}
	return f.check()
}

// WithResources returns the batch with other resources, each of which stands
// for the one of the file with the index in from, where errors then stand.
func (f *BatchFile) WithResources(resources []BatchResource, from []int) *BatchFile {
	if f == nil {
		return nil
	}
	out := *f
	out.Resources = resources
	if f.places != nil {
		out.places = &movedPlaces{f.places, from}
	}
	return &out
}

// movedPlaces finds resources that stand elsewhere in the file.
type movedPlaces struct {
	batchPlaces
	from []int
}

// ErrorAt puts the index in the file in place of that in the batch.
func (m *movedPlaces) ErrorAt(place, problem, want string) *source.FileError {
	if rest, ok := strings.CutPrefix(place, "resources["); ok {
		number, tail, _ := strings.Cut(rest, "]")
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(m.from) {
			place = "resources[" + strconv.Itoa(m.from[i]) + "]" + tail
		}
	}
	return m.batchPlaces.ErrorAt(place, problem, want)
}
