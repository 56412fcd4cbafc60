package allocation

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"strconv"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// A BatchAnswer is an assignment of the jobs of a batch, and of their backups. It
// is what an earlier run has written, or another program: nothing in it is taken
// for right before it is checked.
type BatchAnswer struct {
	Revenue     *float64      // as the answer states it
	Loss        *float64      // of the backups
	Assignments []BatchChoice // of primaries
	Backups     []BatchChoice
	HasBackups  bool

	d *document.Document
}

// A BatchChoice is where one job gets one dependency. Demand and revenue are
// what the answer states, nil where it does not.
type BatchChoice struct {
	Job        string  `json:"job"`
	Dependency string  `json:"dependency"`
	Resource   *string `json:"resource"` // nil: none
	Level      Whole   `json:"level"`    // from 1; 0: none
	Demand     *Whole  `json:"demand,omitempty"`
	Revenue    *Whole  `json:"revenue,omitempty"`
}

// answerForm is what an error asks for.
const answerForm = "an answer of an allocation in JSON: \"assignments\" such as {\"job\": \"job0000\", " +
	"\"dependency\": \"compute\", \"resource\": \"compute-00\", \"level\": 2}, and \"backup\" with the same fields"

// ReadBatchAnswer reads the answer of an allocation, YAML or JSON by its
// content: the lists assignments and backup.assignments, their fields strictly,
// and the figures revenue and backup.loss where they are there. Whatever else
// stands beside them is passed over. Errors as [ReadBatch]; job, dependency,
// resource and level are not compared with any batch. JSON of 32 MiB and more is
// read as a stream, up to 1 GiB of it; its errors name an item and no line.
func ReadBatchAnswer(ctx context.Context, name string, r io.Reader) (*BatchAnswer, error) {
	ctx = given.Context(ctx)
	r = source.Until(ctx, r)
	head, err := io.ReadAll(io.LimitReader(r, largeAnswer))
	r = io.MultiReader(bytes.NewReader(head), r)
	if err == nil && int64(len(head)) == largeAnswer && bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) &&
		document.LooksJSON(head) {
		return streamBatchAnswer(ctx, name, r)
	}
	d, err := document.ReadLarge(ctx, name, answerForm, r)
	if err != nil {
		return nil, err
	}
	if d.Root.Kind != document.MappingNode {
		return nil, d.On(d.Root, "the document is "+d.Root.Kind.String(), answerForm)
	}
	a := &BatchAnswer{d: d}
	list := d.Root.Field("assignments")
	if list == nil {
		return nil, d.On(d.Root, `the document has no field "assignments"`, answerForm)
	}
	if err := d.Decode(list, reflect.ValueOf(&a.Assignments).Elem(), "assignments"); err != nil {
		return nil, err
	}
	if a.Revenue, err = figure(d, d.Root.Field("revenue"), "revenue"); err != nil {
		return nil, err
	}
	backup := d.Root.Field("backup")
	if backup == nil || backup.Kind == document.NullNode {
		return a, nil
	}
	if list = backup.Field("assignments"); list == nil {
		return nil, d.On(backup, `backup has no field "assignments"`, answerForm)
	}
	if a.Loss, err = figure(d, backup.Field("loss"), "backup.loss"); err != nil {
		return nil, err
	}
	a.HasBackups = true
	return a, d.Decode(list, reflect.ValueOf(&a.Backups).Elem(), "backup.assignments")
}

// At is [BatchFile.At] for an answer.
func (a *BatchAnswer) At(place, problem, want string) *source.FileError {
	if a == nil || a.d == nil { // it was not read from a file
		return &source.FileError{File: "answer", Problem: problem, Want: want, Err: source.ErrMalformed}
	}
	if a.d.Root == nil { // it was read as a stream
		e := a.d.Whole(place+": "+problem, source.ErrMalformed)
		e.Want = want
		return e
	}
	return a.d.ErrorAt(place, problem, want)
}

// figure reads a whole number that may be missing or null.
func figure(d *document.Document, n *document.Node, path string) (*float64, error) {
	if n == nil || n.Kind == document.NullNode {
		return nil, nil
	}
	var v Whole
	if err := d.Decode(n, reflect.ValueOf(&v).Elem(), path); err != nil {
		return nil, err
	}
	return new(float64(v)), nil
}

// A Whole is an integer. It may be negative: a wrong answer is read before it is refused.
type Whole int64

// Want describes the number.
func (*Whole) Want() string { return "a whole number such as 2" }

// UnmarshalText reads an integer.
func (w *Whole) UnmarshalText(text []byte) error {
	v, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return errors.New("it is not a whole number of 64 bits")
	}
	*w = Whole(v)
	return nil
}
