package records

import (
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/trace"
)

// Samples are held until the period is known, and runs of a state to the end of the file: 300,000
// machines of a day each, 5 MB packed, took 5.6 GB.
func TestHeldRecordsAreBounded(t *testing.T) {
	h := &holding{file: "f"}
	first := recorder{(&machines.Labelling{}).NewRecorder("a"), h}
	for i := range 600 {
		if i == 500 && h.n != 1000 {
			t.Errorf("%d held of 500 samples without a period, want 1000", h.n)
		}
		if err := first.Sample(trace.Sample{Time: 300 * float64(i), CPU: 0.1}); err != nil {
			t.Fatal(err)
		}
	}
	if h.n > 3 {
		t.Errorf("%d held of a machine whose period is known and whose state is one, want 3 at most", h.n)
	}
	h.n = mostHeld - 3
	second := recorder{(&machines.Labelling{}).NewRecorder("b"), h}
	if err := second.Sample(trace.Sample{Time: 0}); err != nil {
		t.Error(err)
	}
	err := second.Sample(trace.Sample{Time: 300})
	if file := (*source.FileError)(nil); !errors.As(err, &file) || file.Err != source.ErrMemory || file.File != "f" {
		t.Errorf("%v, want an error of memory", err)
	}
	h.n = mostHeld
	third := recorder{(&machines.Labelling{}).NewRecorder("c"), h}
	if err := third.Interval(trace.Interval{End: 10, Up: true}, 0); err != nil {
		t.Errorf("a first time up, of which nothing is kept yet: %v", err)
	}
}
