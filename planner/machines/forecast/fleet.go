package forecast

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/jsonwords"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/frailty"
)

// A Fleet is what is known of the machines of a fleet: the hazard of all by age and
// hour, the frailty of each, and the counts that these rest on.
type Fleet struct {
	Model string `json:"model"` // frailty
	// Version of the file: 2 since records say how they end, 0 before.
	Version   int                `json:"version,omitempty"`
	Labelling machines.Labelling `json:"labelling"`
	machines.ClockText
	End float64 `json:"end_s"` // last moment of the records, unix seconds
	// Hazard is what all machines together show: the rate of failure by age and
	// hour, and the law of the frailties.
	Hazard frailty.Model `json:"hazard"`
	// Returns is the hazard turned round, of coming back by how long a machine has been
	// away; nil where none was seen to, or the file is of before absences were counted.
	Returns *frailty.Model  `json:"return_hazard,omitempty"`
	Records []MachineRecord `json:"records"` // by name

	Warnings []string `json:"warnings,omitempty"`
}

// A MachineRecord is what the record of one machine counts. Exposure and failures
// are cells of age and hour as [frailty.Cells] writes them.
type MachineRecord struct {
	Name  string `json:"name"`
	Group string `json:"group,omitempty"`
	// End is when the record ends, unix seconds.
	End      float64       `json:"end_s"`
	Exposure frailty.Cells `json:"exposure"`
	Failures frailty.Cells `json:"failures"`
	// Absence is how long it was seen away, and Returned how often it came back, by
	// how long it had been away and hour.
	Absence  frailty.Cells `json:"absence,omitzero"`
	Returned frailty.Cells `json:"returned,omitzero"`
	// Last is how the record ends, with which added days go on; nil where it is not known.
	// Counts are of steps before its end: whether those that are pending were free is not
	// decided.
	Last *machines.Tail `json:"last,omitempty"`
}

// fleetVersion is that of the files which are written.
const fleetVersion = 2

// record returns the counts as the model takes them.
func (r *MachineRecord) record() frailty.Record {
	return frailty.Record{Name: r.Name, Group: r.Group, Exposure: r.Exposure, Failures: r.Failures}
}

// away returns the counts of absences as the model takes them.
func (r *MachineRecord) away() frailty.Record {
	return frailty.Record{Name: r.Name, Exposure: r.Absence, Failures: r.Returned}
}

// ErrNoFleet: a file is no fleet file; test with errors.Is.
var ErrNoFleet = errors.New("no fleet file")

// fleetForm is what a fleet file looks like.
const fleetForm = "a fleet file, fitted to traces of machines"

// mostFleet bounds a fleet file in bytes. A machine takes 0.6 KB for a few days, 1.5 KB
// for two weeks and 4 KB for a year and a half in which it fails at every hour: some
// 200,000, 90,000 and 30,000 machines.
const mostFleet = 128 << 20

// FileFits returns an *ask.InputError if a fleet file of this size is too large for ReadFleet. It
// is called before the file is written, so that nobody finds out a day later that it cannot be
// read.
func FileFits(bytes int) error {
	if bytes <= mostFleet {
		return nil
	}
	return ask.Inputf("out", "the fleet takes more than %d MiB, and a fleet file is read no further: fit fewer machines "+
		"into one file", mostFleet>>20)
}

// ReadFleet reads a fleet file of at most 128 MiB. Errors: *machines.FileError with
// the place. Unknown fields are refused, since they would be those of a later
// version, or slips of the pen.
func ReadFleet(ctx context.Context, name string, r io.Reader) (*Fleet, error) {
	ctx = given.Context(ctx)
	// Reading one byte more than allowed distinguishes a file that is too long from one that just
	// fits.
	text, err := io.ReadAll(io.LimitReader(given.Reader(r), mostFleet+1))
	if err != nil {
		return nil, err
	}
	wrong := func(line int, problem string) error {
		return &machines.FileError{File: name, Line: line, Problem: problem, Want: fleetForm, Err: ErrNoFleet}
	}
	lineOf := func(offset int) int { return 1 + bytes.Count(text[:min(offset, len(text))], []byte("\n")) }
	if len(text) > mostFleet {
		return nil, wrong(0, fmt.Sprintf("holds more than %d MiB", mostFleet>>20))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := &Fleet{}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	// A hundred thousand machines take seconds, during which encoding/json hears no context.
	decoding := parallel.Start(func() error { return dec.Decode(f) })
	select {
	case <-decoding.Done():
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := decoding.Value(); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		at, problem := dec.InputOffset(), jsonwords.Of(err)
		switch {
		case errors.As(err, &syntax):
			at = syntax.Offset
		case errors.As(err, &kind):
			at = kind.Offset
		}
		return nil, wrong(lineOf(int(at)), problem)
	}
	if rest := bytes.TrimLeft(text[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, wrong(lineOf(len(text)-len(rest)), "continues beyond the end of the fleet")
	}
	if err := f.check(); err != nil {
		return nil, wrong(1, fault.Problem(err))
	}
	return f, f.neverFailed(ctx)
}

// neverFailed fits a fleet anew in which nothing failed: files of before November 2026 have
// a model by which next to no machine ever does. That takes no rounds.
func (f *Fleet) neverFailed(ctx context.Context) error {
	for i := range f.Records {
		if f.Records[i].Failures.Len() > 0 {
			return nil
		}
	}
	clock := frailty.Clock{Period: f.Hazard.Period, Calendar: f.calendar()}
	records, _, err := f.counted(clock)
	if err != nil {
		return err
	}
	m, err := frailty.Fit(ctx, clock, records, nil)
	if errors.Is(err, frailty.ErrNoData) {
		return nil
	}
	if err != nil {
		return machines.InputError(err)
	}
	f.Hazard = *m
	return nil
}

// check finds contradictions between the fields; the cells were checked when they were read.
func (f *Fleet) check() error {
	if f.Model != backtest.FrailtyModel {
		return errors.New("model is " + `"` + f.Model + `"`)
	}
	if f.Version < 0 || f.Version > fleetVersion {
		return fmt.Errorf("version is %d, written by a later capplan: want 0 to %d", f.Version, fleetVersion)
	}
	if math.Abs(f.End) > 1e12 || math.IsNaN(f.End) {
		return errors.New("end_s is not a moment")
	}
	if _, err := f.labelling(); err != nil {
		return err
	}
	for i, r := range f.Records {
		// find relies on the order of the names.
		if i > 0 && f.Records[i-1].Name >= r.Name {
			return errors.New("records are not in the order of their names, or a name occurs twice")
		}
		if r.Last != nil {
			if err := r.Last.Check(); err != nil {
				return err
			}
		}
	}
	if f.Returns != nil {
		if err := f.Returns.Check(); err != nil {
			return err
		}
		if f.Returns.Period != f.Hazard.Period {
			return errors.New("return_hazard has a period of its own")
		}
	}
	return f.Hazard.Check()
}

// usable refuses a fleet that questions cannot be asked of. Errors: *ask.InputError.
func (f *Fleet) usable() error {
	if f == nil {
		return ask.Missing("fleet", "a fitted fleet")
	}
	if err := f.check(); err != nil {
		return ask.Inputf("fleet", "%s", fault.Problem(err))
	}
	if len(f.Records) == 0 {
		return ask.Inputf("fleet", "has no machine")
	}
	return nil
}

// labelling returns how samples of the fleet become states.
func (f *Fleet) labelling() (machines.Labelling, error) {
	l := f.Labelling
	c, err := f.Calendar()
	l.Location, l.Holidays = c.Location, c.Holidays
	return l, err
}

// calendar returns the clock and the holidays of the fleet.
func (f *Fleet) calendar() smp.Calendar {
	c, _ := f.Calendar() // checked where it was read
	return c
}

// Question returns how records that are added to the fleet become states.
func (f *Fleet) Question() (machines.Labelling, error) {
	l, err := f.labelling()
	if err != nil {
		return l, &ask.InputError{Field: "fleet", Reason: fault.Problem(err)}
	}
	// The period is that of the fleet, whose counts are in its steps.
	l.Period = new(f.Hazard.Period)
	return l, nil
}

// names returns the machines of the fleet, by name.
func (f *Fleet) names() []string {
	out := make([]string, len(f.Records))
	for i, r := range f.Records {
		out[i] = r.Name
	}
	return out
}

// mostSteps bounds a window, whose failures are summed up for each age that a machine
// may have: nearly two years of five minutes, two weeks of six seconds.
const mostSteps = 200_000

// at returns the first step of the next window of a kind of day after the records.
func (f *Fleet) at(w *machines.DayWindow) (first int64, steps int, err error) {
	kind, err := w.Kind()
	if err != nil {
		return 0, 0, err
	}
	if steps, err = machines.Horizon(w.Window, f.Hazard.Period); err != nil {
		return 0, 0, err
	}
	if steps > mostSteps {
		return 0, 0, ask.Inputf("window", "is %d steps of %s, want at most %d",
			steps, ask.Time(f.Hazard.Period), mostSteps)
	}
	c := f.calendar()
	// If the records end at midnight, the day that begins then is still to come. Four hundred days
	// hold one of each kind, whatever the holidays.
	day := c.Date(time.Unix(int64(math.Ceil(f.End))-1, 0)).Next()
	for range 400 {
		if c.Kind(day) == kind {
			break
		}
		day = day.Next()
	}
	begin := c.At(day, time.Duration(w.Start*float64(time.Second)))
	return int64(math.Round(float64(begin.Unix()) / f.Hazard.Period)), steps, nil
}

// find returns the index of a machine of the fleet.
func (f *Fleet) find(name string) (int, bool) {
	return slices.BinarySearchFunc(f.Records, name,
		func(r MachineRecord, name string) int { return strings.Compare(r.Name, name) })
}
