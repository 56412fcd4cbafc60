package smp

import (
	"fmt"
	"math"
	"time"
)

// A History is the labelled record of one host: runs in order of time that do
// not overlap, on a grid of Unix time. Where one run does not follow on
// another nothing is known (the record is interrupted; that is not S5).
type History struct {
	Period float64 // s per step
	Runs   []Run
}

// Add appends a run; one that follows on in the same state is joined. A run
// that begins before the last has ended returns a *DomainError.
func (h *History) Add(r Run) error {
	if r.Steps < 1 {
		return &DomainError{"History.Add", "Run.Steps", float64(r.Steps), "steps >= 1"}
	}
	if m := len(h.Runs); m > 0 {
		last := &h.Runs[m-1]
		if r.First < last.End() {
			return &DomainError{"History.Add", "Run.First",
				float64(r.First), fmt.Sprintf("first step >= %d, the end of the run before", last.End())}
		}
		if r.First == last.End() && r.State == last.State {
			last.Steps += r.Steps
			return nil
		}
	}
	h.Runs = append(h.Runs, r)
	return nil
}

// Label makes a history from the samples of one host. Samples that the
// labeller refuses are left out and counted.
func Label(p Thresholds, samples []Sample) (*History, LabelCounts, error) {
	h := &History{Period: p.Period}
	var bad error
	l, err := NewLabeller(p, func(r Run) {
		if err := h.Add(r); err != nil && bad == nil {
			bad = err
		}
	})
	if err != nil {
		return nil, LabelCounts{}, err
	}
	for _, s := range samples {
		_ = l.Add(s) // counted in l.Counts.Refused
	}
	l.Flush()
	return h, l.Counts, bad
}

// At returns the state and age at a step, and whether it is known.
func (h *History) At(step int64) (Start, bool) {
	m := h.RunAt(step)
	if m < 0 {
		return Start{}, false
	}
	return Start{h.Runs[m].State, int(step - h.Runs[m].First)}, true
}

// RunAt returns the run that holds the step, or −1.
func (h *History) RunAt(step int64) int {
	m := h.runsAfter(step)
	if m == len(h.Runs) || h.Runs[m].First > step {
		return -1
	}
	return m
}

// StepAt returns the step of the grid nearest to a moment.
func (h *History) StepAt(t time.Time) int64 {
	s := float64(t.Unix()) + float64(t.Nanosecond())/1e9
	return int64(math.Round(s / h.Period))
}

// Cut returns what steps first … first+n show, n+1 samples, as sequences: one
// where all of it is known, several where the record is interrupted. known is
// the number of steps that are.
func (h *History) Cut(first int64, n int) (parts []Sequence, known int) {
	end := first + int64(n) + 1
	m := h.runsAfter(first)
	to := m
	for to < len(h.Runs) && h.Runs[to].First < end {
		to++
	}
	if to == m {
		return nil, 0
	}
	s := make(Sequence, 0, to-m) // the memory of all parts
	var last int64               // where s ends
	for ; m < to; m++ {
		r := h.Runs[m]
		from, until := max(r.First, first), min(r.End(), end)
		v := Sojourn{State: r.State, Steps: int(until - from), Elapsed: int(from - r.First), Next: Cut}
		if len(s) == 0 || from != last {
			if len(s) > 0 {
				parts = append(parts, s[:len(s):len(s)])
				s = s[len(s):]
			}
			// The entry is known only if another run leads up to this one.
			v.Undated = m == 0 || h.Runs[m-1].End() != r.First
		} else {
			s[len(s)-1].Next = r.State
		}
		s = append(s, v)
		known += v.Steps
		last = until
	}
	return append(parts, s), known
}

// A Window is the same clock time on many days.
type Window struct {
	Clock time.Duration // time of day at which it begins, 0..24 h
	Steps int           // length in steps, ≥ 1; it may run past midnight
}

// maxDays bounds the days that are looked through for a window.
const maxDays = 100_000

// maxSeconds bounds moments: near the ends of int64 package time counts years
// wrongly.
const maxSeconds = 1e15

// Check returns a *DomainError of fn for a window that is none.
func (w Window) Check(fn string) error {
	switch {
	case w.Steps < 1 || w.Steps > maxSteps:
		return &DomainError{fn, "Window.Steps", float64(w.Steps), fmt.Sprintf("1..%d steps", maxSteps)}
	case w.Clock < 0 || w.Clock >= 24*time.Hour:
		return &DomainError{fn, "Window.Clock", w.Clock.Hours(), "a time of day, 0 <= hours < 24"}
	}
	return nil
}

// A Day is what one day shows of a window.
type Day struct {
	Date  Date
	Parts []Sequence // one where the record is whole
	Whole bool       // every step of the window is known
	Known float64    // share of the window's samples that are known; 0: not said
}

// Days returns the window on the n most recent days of the given kind on
// which the whole window lies before the moment given, most recent last, and
// the days of that kind that were passed over because nothing of the window
// is in the record. n = 0 means all.
func (h *History) Days(c Calendar, w Window, kind DayKind, before time.Time,
	n int) (days []Day, without []Date, err error) {
	const fn = "History.Days"
	if err := w.Check(fn); err != nil {
		return nil, nil, err
	}
	if n < 0 {
		return nil, nil, &DomainError{fn, "n", float64(n), "n >= 0 days"}
	}
	if err := positive(fn, "Period", h.Period); err != nil {
		return nil, nil, err
	}
	if len(h.Runs) == 0 {
		return nil, nil, nil
	}
	first, last := math.Floor(float64(h.Runs[0].First)*h.Period), float64(before.Unix())
	for _, at := range []float64{first, last} {
		if !(math.Abs(at) <= maxSeconds) {
			return nil, nil, &DomainError{fn, "seconds since 1970",
				at, fmt.Sprintf("within ±%.0e", float64(maxSeconds))}
		}
	}
	begin := time.Unix(int64(first), 0)
	if span := (last - first) / 86400; span > maxDays {
		return nil, nil, &DomainError{fn, "before",
			span, fmt.Sprintf("a moment at most %d days after the record begins", maxDays)}
	}
	oldest := c.Date(begin).add(-1)
	limit := h.StepAt(before)
	for d := c.Date(before); !d.Before(oldest); d = d.add(-1) {
		if c.Kind(d) != kind {
			continue
		}
		first := h.StepAt(c.At(d, w.Clock))
		if first+int64(w.Steps) > limit {
			continue
		}
		parts, known := h.Cut(first, w.Steps)
		if known == 0 {
			without = append(without, d)
			continue
		}
		days = append(days, Day{d, parts, known == w.Steps+1, float64(known) / float64(w.Steps+1)})
		if n > 0 && len(days) == n {
			break
		}
	}
	for a, b := 0, len(days)-1; a < b; a, b = a+1, b-1 {
		days[a], days[b] = days[b], days[a]
	}
	return days, without, nil
}

// Sequences gathers the parts of all days, for the estimators.
func Sequences(days []Day) []Sequence {
	var out []Sequence
	for _, d := range days {
		out = append(out, d.Parts...)
	}
	return out
}
