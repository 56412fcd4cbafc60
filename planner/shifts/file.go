package shifts

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// Form is what a file of shifts looks like.
const Form = `types of shift such as "types: [{name: early, length: 8h, from: 06:00, to: 09:00, breaks: [{after: 4h, length: 30min}]}]"`

// DefaultSlot is how finely people are counted.
const DefaultSlot units.Duration = 900

// A File holds the kinds of shift.
type File struct {
	Shrinkage *units.Fraction `json:"shrinkage,omitempty"` // share of the people present who are not at work; nil: 0
	Slot      *units.Duration `json:"slot,omitempty"`      // length of a slot; nil: 15min
	Types     []Type          `json:"types"`
}

// Read reads the kinds of shift from YAML or JSON:
//
//	shrinkage: 30%
//	types:
//	  - {name: early, length: 8h30min, from: 06:00, to: 09:00, breaks: [{after: 4h, length: 30min}]}
//	  - {name: evening, length: 4h, starts: [16:00, 18:00], days: [1, 2, 3, 4, 5], cost: 1.25}
//
// Errors are *source.FileError, with line and column.
func Read(ctx context.Context, name string, r io.Reader) (*File, error) {
	f := &File{}
	d, err := document.ReadInto(ctx, name, Form, given.Reader(r), f, "the document")
	if err != nil {
		return nil, err
	}
	if len(f.Types) == 0 {
		return nil, d.On(d.Root.Field("types"), "no types of shift", Form)
	}
	// The types are checked against a day without need.
	q := &Question{Slot: f.slot(), Types: f.Types,
		Need: make([]float64, int(math.Max(1, math.Min(mostSlots, math.Floor(7*day/math.Max(float64(f.slot()), 1))))))}
	var input *ask.InputError
	for i := range f.Types {
		if _, err := q.shiftsOf(i, "types"); errors.As(err, &input) && input.Field != "slot" {
			return nil, d.On(d.Root.Field("types").Item(i), input.Field[len("types"):]+" "+input.Problem(), Form)
		}
	}
	if _, clash := q.money(); clash != nil {
		first := d.ErrorAt(costOf(clash.First), "", "").Line
		return nil, d.ErrorAt(costOf(clash.Second), clash.Beside(first), units.ComparableCosts)
	}
	return f, nil
}

// slot is that of the file, else the default.
func (f *File) slot() units.Duration {
	if f.Slot != nil {
		return *f.Slot
	}
	return DefaultSlot
}

// Question asks for the shifts that cover the servers of a staffing, each of them
// a person at work. Where a slot holds parts of several intervals the greatest of
// their needs counts.
func (f *File) Question(s *sizing.Staffing) (*Question, error) {
	if f == nil || s == nil || len(s.Intervals) == 0 {
		return nil, ask.NoQuestion()
	}
	q := &Question{Slot: f.slot(), Types: f.Types, Shrinkage: ask.Value(f.Shrinkage)}
	if !(q.Slot > 0) {
		return nil, ask.Inputf("slot", "want a length above 0 such as 15min")
	}
	first, last := s.Intervals[0].Start, s.Intervals[len(s.Intervals)-1].End
	slots := (last - first) / float64(q.Slot)
	if !(slots > 0) {
		return nil, ask.Inputf("load_curve", "want intervals that follow each other")
	}
	if math.Abs(slots-math.Round(slots)) > 1e-6 {
		return nil, ask.Inputf("slot", "the curve lasts %s, which is not a whole number of slots of %s: want "+
			"another slot",
			units.Duration(last-first), q.Slot)
	}
	if !(slots <= mostSlots) {
		return nil, ask.Inputf("slot",
			"the curve has %.0f slots of %s, want at most %d: use longer slots, or fold the curve by %s or %s",
			slots, q.Slot, mostSlots, ask.FieldName("week"), ask.FieldName("day"))
	}
	// A curve of Unix time begins on some day: what counts is the time of day.
	q.Start = units.Duration(first - day*math.Floor(first/day))
	q.Need = make([]float64, int(math.Round(slots)))
	// An interval that covers a part of a slot needs its people throughout:
	// nobody comes for a part of a slot.
	for _, v := range s.Intervals {
		from := int(math.Floor((v.Start-first)/float64(q.Slot) + 1e-6))
		to := int(math.Ceil((v.End-first)/float64(q.Slot) - 1e-6))
		for t := max(from, 0); t < min(to, len(q.Need)); t++ {
			q.Need[t] = math.Max(q.Need[t], float64(v.Servers))
		}
	}
	return q, nil
}
