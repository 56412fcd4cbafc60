package records

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"runtime"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/partials"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/trace"
)

// A fleetWork is the fit of a fleet under way.
type fleetWork struct {
	*Fleet
	found   []trace.MachineUnit
	first   []*machines.Recorder // of a single unit that was read; nil: units are read
	options trace.MachineOptions
	file    *fleetFile
	hosts   []machines.HostSummary
	add     func(int) // to what is counted
}

// fleetBatch is the number of machines that are fitted before their lines are
// written. A kill loses at most these, and they keep all cores busy.
const fleetBatch = 64

// A fleetPart is some machines of a unit, in order, as lines of a fleet file.
type fleetPart struct {
	Says  *unitSays         `json:"says,omitempty"` // with the first of a unit
	Lines []json.RawMessage `json:"lines"`

	// err and panicked end the run where the part is taken, which is in the
	// goroutine of the caller.
	err      error
	panicked *parallel.Panic
}

// take adds a part to the answer and to the file. It is called by one goroutine,
// in order.
func (w *fleetWork) take(p fleetPart) error {
	p.panicked.Again()
	if p.err != nil {
		return p.err
	}
	if p.Says != nil {
		if err := w.hear(*p.Says); err != nil {
			return err
		}
	}
	var lines []json.RawMessage
	for _, line := range p.Lines {
		var h machines.HostSummary
		if err := json.Unmarshal(line, &h); err != nil {
			return err
		}
		if !w.file.done[h.Host] { // a merge that was killed had written it
			w.hosts, lines = append(w.hosts, h), append(lines, line)
		}
	}
	return w.file.write(lines)
}

// parted fits in pieces that others do too: the machines of the one unit that was
// read, or else a unit each.
func (w *fleetWork) parted(ctx context.Context) error {
	work, one := pieces.Work{Name: "files", Count: len(w.found)}, w.wholeUnit
	if w.first != nil {
		work, one = pieces.Work{Name: "machines",
			Count: len(w.first)}, func(ctx context.Context, i int) (fleetPart, error) {
			lines, err := w.fit(ctx, w.first[i:i+1])
			return fleetPart{Lines: lines}, err
		}
	}
	return pieces.Fold(ctx, work, partials.JSON[fleetPart](), one, func(_ int, p fleetPart) error {
		w.add(1)
		return w.take(p)
	})
}

// wholeUnit fits all machines of a unit. It keeps all parts of the unit, since a
// piece is handed over whole.
func (w *fleetWork) wholeUnit(ctx context.Context, i int) (all fleetPart, err error) {
	w.unit(ctx, w.found[i], func(p fleetPart) bool {
		if p.Says != nil {
			all.Says = p.Says
		}
		all.Lines = append(all.Lines, p.Lines...)
		err = p.err
		return err == nil
	})
	return all, err
}

// here fits all on the cores of this machine, some units ahead of the one whose
// lines are written. Each unit has a channel of its parts, and the channels stand
// in a queue in the order of the units: the reader takes them one after the other
// while later ones are being fitted.
func (w *fleetWork) here(ctx context.Context) error {
	// What can be stopped is stopped when the first error ends the run.
	working, stop := context.WithCancel(ctx)
	defer stop()
	// Twice as many units may be ahead as there are workers; more would only fill
	// memory with recorders.
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan chan fleetPart, 2*workers)
	slots := make(chan struct{}, workers)
	reading := parallel.Start(func() (none struct{}) {
		defer close(queue)
		for _, u := range w.found {
			parts := make(chan fleetPart, 1)
			select {
			case queue <- parts:
			case <-working.Done():
				return none
			}
			// A slot is taken after the queue, so that the unit whose lines are
			// waited for always has one.
			slots <- struct{}{}
			parallel.Start(func() (none struct{}) {
				defer func() { <-slots; close(parts) }()
				send := func(p fleetPart) bool {
					select {
					case parts <- p:
						return p.err == nil
					case <-working.Done():
						return false
					}
				}
				// A panic is caught here and raised again where the part is
				// taken, so that the process does not end without its files
				// closed.
				if panicked := parallel.Catch(func() { w.unit(working, u, send) }); panicked != nil {
					send(fleetPart{panicked: panicked})
				}
				return none
			})
		}
		return none
	})
	for parts := range received(ctx, queue) {
		for part := range received(ctx, parts) {
			if err := w.take(part); err != nil {
				return err
			}
			if w.first != nil {
				w.add(len(part.Lines))
			}
		}
		if w.first == nil {
			w.add(1)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	reading.Value() // has ended: it closed the queue
	return nil
}

// received ranges over a channel until it is closed or ctx is done, even if who
// should send hangs in a read.
func received[T any](ctx context.Context, c <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case v, ok := <-c:
				if !ok || !yield(v) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// unit reads and fits the machines of a unit, and sends them in parts as long as
// they are wanted. A file that is wrong ends the run if all must be right, and is
// left out otherwise.
func (w *fleetWork) unit(ctx context.Context, u trace.MachineUnit, send func(fleetPart) bool) {
	recorders := w.first
	if recorders == nil {
		some, says, err := w.Traces.record(ctx, u, w.options, func(name string) bool { return w.file.done[name] },
			w.Question.NewRecorder)
		if err != nil {
			if w.Traces.Options.Strict || ctx.Err() != nil || !leaveOut(err) {
				send(fleetPart{err: err})
				return
			}
			says, some = unitSays{Path: says.Path, Bad: err.Error(), err: err}, nil
		}
		if !send(fleetPart{Says: &says}) {
			return
		}
		recorders = some
	}
	for part := range slices.Chunk(recorders, fleetBatch) {
		lines, err := w.fit(ctx, part)
		if !send(fleetPart{Lines: lines, err: err}) {
			return
		}
	}
}

// fit fits some machines, whose records are used up, and returns their lines.
// Records are let go as soon as they are fitted: they are the most of what is
// kept in memory.
func (w *fleetWork) fit(ctx context.Context, some []*machines.Recorder) ([]json.RawMessage, error) {
	lines := make([]json.RawMessage, len(some))
	err := parallel.Each(ctx, 0, len(some), func(i int) error {
		fit, err := machines.FitHost(ctx, w.Question, some[i])
		some[i] = nil
		if err != nil {
			return err
		}
		var line bytes.Buffer
		enc := json.NewEncoder(&line)
		// Names of machines may hold < or &, which are no danger in a file.
		enc.SetEscapeHTML(false)
		err = enc.Encode(fit)
		lines[i] = bytes.TrimSuffix(line.Bytes(), []byte("\n"))
		return err
	})
	return lines, err
}

// leaveOut distinguishes a file that is wrong from two machines of one name, which are an error of
// the whole question, whichever file comes second.
func leaveOut(err error) bool {
	_, input := err.(*ask.InputError)
	return !input
}
