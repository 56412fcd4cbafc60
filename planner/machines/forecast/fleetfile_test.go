package forecast

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
)

// A fleet is written machine by machine as it would be as one text, and what its machines are known to come to while
// they are counted is what they come to there, but for what only the fleet knows of itself.
func TestWriteFleetIsItsJSON(t *testing.T) {
	l, err := NewLearning(machines.Labelling{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var kept bytes.Buffer
	if err := l.Keep(&kept); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		h := &machines.Trace{Name: fmt.Sprintf(`m"records":null%d`, i)}
		for at := 0.0; at < 30*86400 && i != 7; at += 86400 * float64(1+i%4) {
			h.Spells = append(h.Spells, machines.Spell{Start: at, End: at + 50000, Up: true},
				machines.Spell{Start: at + 50000, End: at + 60000 + 100*float64(i)})
		}
		x, err := l.labelling.Label(h)
		if err := l.add(h.Name, x, err); err != nil {
			t.Fatal(err)
		}
	}
	f, err := l.Fleet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, err := line(f)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := WriteFleet(&got, f); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%v: %d bytes, want %d others", err, got.Len(), len(want))
	}
	records, err := json.Marshal(f.Records)
	if err != nil || l.written != len(records)-1 || len(f.Records) != 19 {
		t.Errorf("%v: the machines were said to take %d bytes, want %d", err, l.written, len(records)-1)
	}
	r, err := NewLearning(machines.Labelling{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Resume(kept.Bytes()); err != nil || r.written != l.written {
		t.Errorf("%v: machines that were taken over take %d bytes, want %d", err, r.written, l.written)
	}
	var input *ask.InputError
	r.written = mostFleet
	x, err := l.labelling.Label(&machines.Trace{Name: "b", Spells: []machines.Spell{{End: 86400, Up: true}}})
	if r.kept = &kept; err != nil {
		t.Fatal(err)
	}
	if err := r.add("b", x, nil); !errors.As(err, &input) || input.Field != "out" {
		t.Errorf("%v, want the file to be refused", err)
	}
	if err := WriteFleet(&got, nil); err != nil {
		t.Error(err)
	}
}
