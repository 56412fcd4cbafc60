package forecast

import (
	"errors"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
)

// A fleet whose counts would fill the memory is refused while it is counted.
func TestMostCells(t *testing.T) {
	l, err := NewLearning(machines.Labelling{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := l.labelling.Label(&machines.Trace{Name: "a", Spells: []machines.Spell{{End: 86400, Up: true}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.add("a", x, nil); err != nil || l.cells == 0 {
		t.Fatalf("%d cells, %v", l.cells, err)
	}
	l.cells = mostCells
	var input *ask.InputError
	if err := l.add("b", x, nil); !errors.As(err, &input) || input.Field != "trace" {
		t.Errorf("%v, want the traces to be refused", err)
	}
}
