package smp

import (
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
)

// A Labeller turns the samples of one host, in order of time, into runs of
// the five states, with constant memory:
//
//	S5  the host is down, or the gap to the next sample exceeds Gap
//	S4  free memory below WorkingSet
//	S3  load above Heavy for longer than Grace, from the first such sample on
//	S2  Light ≤ load ≤ Heavy
//	S1  load below Light
//
// the first that applies. A shorter rise above Heavy stays in the state before
// it; after a failure state, or at the beginning of the record, it counts as
// S2. Each sample stands for one period, so that where the period is longer
// than Grace a single sample is S3. Samples are put on the grid k·Period by
// rounding; steps without a sample, up to a gap, keep the state before them.
type Labeller struct {
	p       Thresholds
	emit    func(Run)
	run     Run   // the run being built; Steps 0 at the beginning
	next    int64 // first step not yet labelled, the end of run and pending
	pending int64 // steps above Heavy not yet decided, before next
	started bool
	Counts  LabelCounts
}

// LabelCounts says what a labeller has seen.
type LabelCounts struct {
	Samples int // used
	Refused int // refused with an error
	Gaps    int // longer than Thresholds.Gap, labelled S5
	Filled  int // steps without a sample that kept the state before them
}

// NewLabeller returns a labeller that hands each finished run to emit.
func NewLabeller(p Thresholds, emit func(Run)) (*Labeller, error) {
	q, err := p.Resolve()
	if err != nil {
		return nil, err
	}
	if emit == nil {
		return nil, &DomainError{"NewLabeller", "emit", math.NaN(), "a function"}
	}
	return &Labeller{p: q, emit: emit}, nil
}

// Add takes the next sample. A sample whose time does not advance by a step,
// or with a time, load or memory that cannot be, is refused with a
// *SampleError: the labeller stays as it was and the caller may go on.
func (l *Labeller) Add(s Sample) error {
	if l.emit == nil {
		return &DomainError{"Labeller.Add", "emit", math.NaN(), "a labeller that NewLabeller returned"}
	}
	step, err := l.check(s)
	if err != nil {
		l.Counts.Refused++
		return err
	}
	l.Counts.Samples++
	if l.started && step > l.next {
		missing := step - l.next
		if float64(missing+1)*l.p.Period > l.p.Gap*(1+1e-9) {
			l.Counts.Gaps++
			l.settle()
			l.extend(S5, missing)
		} else {
			l.Counts.Filled += int(missing)
			l.hold(missing)
		}
	}
	if !l.started {
		l.started = true
		l.next = step
		l.run = Run{State: S1, First: step}
	}
	switch {
	case s.Down:
		l.label(S5)
	case s.FreeMemory < l.p.WorkingSet:
		l.label(S4)
	case s.Load > l.p.Heavy:
		l.rise(1)
	case s.Load >= l.p.Light:
		l.label(S2)
	default:
		l.label(S1)
	}
	return nil
}

func (l *Labeller) check(s Sample) (int64, error) {
	bad := func(format string, a ...any) (int64, error) {
		return 0, &SampleError{s.Time, fmt.Sprintf(format, a...)}
	}
	steps := math.Round(s.Time / l.p.Period)
	switch {
	case !finite(s.Time) || math.Abs(steps) > 1<<52:
		return bad("time = %v, want a finite number of seconds", s.Time)
	case l.started && steps < float64(l.next):
		return bad("time does not advance by a period of %v s", l.p.Period)
	case s.Down:
	case !(s.Load >= 0 && s.Load <= 1):
		return bad("load = %v, want 0..1", s.Load)
	case s.FreeMemory < 0:
		return bad("free memory = %v, want >= 0 or NaN", s.FreeMemory)
	}
	return int64(steps), nil
}

// rise takes n steps above Heavy.
func (l *Labeller) rise(n int64) {
	if l.run.Steps > 0 && l.run.State == S3 && l.pending == 0 {
		l.extend(S3, n)
		return
	}
	l.pending += n
	l.next += n
	if float64(l.pending)*l.p.Period > l.p.Grace*(1+1e-9) {
		n := l.pending
		l.pending = 0
		l.next -= n
		l.extend(S3, n)
	}
}

// label takes one step in a state that needs no waiting.
func (l *Labeller) label(state int) {
	l.settle()
	l.extend(state, 1)
}

// settle decides a rise that has ended within the grace time.
func (l *Labeller) settle() {
	if l.pending == 0 {
		return
	}
	n := l.pending
	l.pending = 0
	l.next -= n
	state := S2
	if l.run.Steps > 0 && l.run.State <= S2 {
		state = l.run.State
	}
	l.extend(state, n)
}

// hold repeats the last label over steps without a sample.
func (l *Labeller) hold(n int64) {
	if l.pending > 0 {
		l.rise(n)
		return
	}
	l.extend(l.run.State, n)
}

// extend adds n steps of a state at next.
func (l *Labeller) extend(state int, n int64) {
	if l.run.Steps > 0 && l.run.State != state {
		l.emit(l.run)
		l.run = Run{First: l.next}
	}
	l.run.State = state
	l.run.Steps += n
	l.next += n
}

// Flush ends the record: the last run is handed out. The labeller may then
// begin another record.
func (l *Labeller) Flush() {
	l.settle()
	if l.run.Steps > 0 {
		l.emit(l.run)
	}
	l.run, l.started, l.next = Run{}, false, 0
}

// Tail returns the end of a record before [Labeller.Flush]: the run it ends in, of which later
// samples cannot change what was, and how many steps above Heavy are not decided after it.
// The run has no steps where nothing is decided yet.
func (l *Labeller) Tail() (run Run, pending int64) { return l.run, l.pending }

// Resume goes on, before the first sample, with a record that ended in a tail: the next
// samples become what they would in one record of both, and the run is handed out with what
// follows it.
func (l *Labeller) Resume(run Run, pending int64) {
	l.started, l.run, l.pending, l.next = true, run, max(pending, 0), run.End()+max(pending, 0)
}

// Period returns the sampling period of the given times, the median of their
// differences. Times that do not increase are passed over. Where more than a
// tenth of the differences are neither near the median nor near a multiple of
// it (missing samples) it wraps [ErrMixedPeriods]; fewer than two times wrap
// [ErrNoData].
func Period(times []float64) (float64, error) {
	var gaps []float64
	for i := 1; i < len(times); i++ {
		if d := times[i] - times[i-1]; d > 0 && finite(d) {
			gaps = append(gaps, d)
		}
	}
	if len(gaps) == 0 {
		return 0, fault.New("smp", "Period", fmt.Sprintf("%d times", len(times)), ErrNoData)
	}
	slices.Sort(gaps)
	median := gaps[len(gaps)/2]
	odd := 0
	for _, d := range gaps {
		if m := math.Max(1, math.Round(d/median)); math.Abs(d-m*median) > 0.2*median {
			odd++
		}
	}
	if odd*10 > len(gaps) {
		return 0, fault.New("smp", "Period",
			fmt.Sprintf("%d of %d gaps differ from multiples of %v s", odd, len(gaps), median), ErrMixedPeriods)
	}
	return median, nil
}
