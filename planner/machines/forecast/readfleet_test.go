package forecast

import (
	"errors"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/machines"
)

// endless is a name without an end, as a small compressed file can hold.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	if e.read == 0 {
		copy(p, `{"model":"`)
	}
	e.read += int64(len(p))
	if e.read > 2*mostFleet {
		return 0, errors.New("read on and on")
	}
	return len(p), nil
}

// A fleet file is read up to its limit, and messages say what is wrong in words of
// the file.
func TestReadFleetRefuses(t *testing.T) {
	var file *machines.FileError
	if _, err := ReadFleet(t.Context(), "fleet", &endless{}); !errors.As(err, &file) || !strings.Contains(err.Error(), "holds more than 128 MiB") {
		t.Errorf("endless: %v", err)
	}
	// What would not be read is not written.
	if FileFits(mostFleet) != nil || FileFits(mostFleet+1) == nil {
		t.Error("a fleet is written that cannot be read, or one not that can")
	}
	for _, c := range []struct{ text, want string }{
		{`{"model": 5}`, "model is a number, not a text"},
		{`{"model": "frailty", "end_s": "x"}`, "end_s is a text, not a number"},
		{`[]`, "the document is a list, not an object"},
		{`{"model": "frailty"`, "it ends before the document does"},
		{``, "it ends before the document does"},
		{`{"modl": "frailty"}`, `unknown field "modl"`},
	} {
		_, err := ReadFleet(t.Context(), "fleet", strings.NewReader(c.text))
		if !errors.As(err, &file) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "json") {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
