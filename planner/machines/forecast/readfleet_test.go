package forecast_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
)

// mostOfFile is what a fleet file may hold.
const mostOfFile = 128 << 20

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
	if e.read > 2*mostOfFile {
		return 0, errors.New("read on and on")
	}
	return len(p), nil
}

// A fleet file is read up to its limit, and messages say what is wrong in words of
// the file.
func TestReadFleetRefuses(t *testing.T) {
	var file *machines.FileError
	if _, err := forecast.ReadFleet(t.Context(), "fleet", &endless{}); !errors.As(err, &file) || !strings.Contains(err.Error(), "holds more than 128 MiB") {
		t.Errorf("endless: %v", err)
	}
	// What would not be read is not written.
	if forecast.FileFits(mostOfFile) != nil || forecast.FileFits(mostOfFile+1) == nil {
		t.Error("a fleet is written that cannot be read, or one not that can")
	}
	for _, c := range []struct{ text, want string }{
		{`{"model": 5}`, "model is a number, not a text"},
		{`{"model": "frailty", "end_s": "x"}`, "end_s is a text, not a number"},
		{`[]`, "the document is a list, not an object"},
		{`{"model": "frailty"`, "it ends before the document does"},
		{``, "it ends before the document does"},
		{`{"modl": "frailty"}`, `unknown field "modl"`},
		{`{"model": "frailty", "hazard": {}}`, "1: period_s = 0, want a number from 1e-100 to 1e100"},
		{`{"model": "frailty", "hazard": {"period_s": 300, "base_hazard": 0}}`, "1: base_hazard = 0, want a number from"},
		{`{"model": "frailty", "hazard": {"period_s": 300, "base_hazard": 1}}`, "1: numbers of age_hazard = 0, want 64"},
	} {
		_, err := forecast.ReadFleet(t.Context(), "fleet", strings.NewReader(c.text))
		if !errors.As(err, &file) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "json") {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// ended tells when all is read.
type ended struct {
	io.Reader
	tell func()
}

func (e *ended) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err == io.EOF {
		e.tell()
	}
	return n, err
}

// A fleet of a hundred thousand machines takes over a second to decode, which ends with the context.
func TestReadFleetStops(t *testing.T) {
	text := `{"model": "frailty", "warnings": [` + strings.Repeat(`"x",`, 6<<20) + `"x"]}`
	ctx, cancel := context.WithCancel(t.Context())
	r := &ended{strings.NewReader(text), func() { time.AfterFunc(150*time.Millisecond, cancel) }}
	if _, err := forecast.ReadFleet(ctx, "fleet", r); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that of the context", err)
	}
}
