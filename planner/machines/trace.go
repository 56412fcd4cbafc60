package machines

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// A Trace is the record of one machine: samples, or times up and down.
type Trace struct {
	Name    string
	Samples []smp.Sample // in order of time, unix seconds; free memory in MB
	Breaks  []int        // samples before which nothing is known, ascending; other gaps mean that the machine was gone
	Spells  []Spell      // in order of time; between them nothing is known
	Step    float64      // of the spells, s; 0: they have none, and 5 min is taken
}

// A Spell is a time that a machine was up or down, in unix seconds. Of two
// that touch one is up and one is down.
type Spell struct {
	Start, End float64
	Up         bool
}

// A Labelling says how samples become states; nil fields mean the default of
// [smp.Thresholds].
type Labelling struct {
	Period *float64 `json:"period_s,omitempty"` // nil: the median of the gaps
	// Light is the load below which a machine is in S1, 0..1; nil: 0.2.
	Light *float64 `json:"light,omitempty"`
	// Heavy is the load above which a guest is suspended, 0..1; nil: 0.6.
	Heavy *float64 `json:"heavy,omitempty"`
	// Grace is how long the load may be heavy before the guest is ended; nil: 1
	// min.
	Grace *float64 `json:"grace_s,omitempty"`
	// WorkingSet is the memory that the guest needs; nil: memory is not looked
	// at.
	WorkingSet *float64 `json:"working_set_bytes,omitempty"`
	// Gap is the time between samples beyond which the machine was gone; nil:
	// three periods.
	Gap *float64 `json:"gap_s,omitempty"`
	// Unwatched says that a gap beyond Gap is unknown, not a failure: the monitor was
	// down, not the machine.
	Unwatched bool `json:"gaps_unknown,omitempty"`
	// Coarse counts S2 as S1, where only times free matter: of a jittery load most
	// stays, and so most of the memory, are changes between the two.
	Coarse bool `json:"-"`
	// KeepLoads has a [Recorder] keep the loads of its samples, 8 bytes each, for
	// [Recorder.Loads].
	KeepLoads bool           `json:"-"`
	Location  *time.Location `json:"-"` // of the clock; nil: UTC
	Holidays  []smp.Date     `json:"-"` // weekdays that count as weekend
	// Tails returns how the record of a machine ended that a [Recorder] continues; nil, or a nil
	// tail: it begins anew.
	Tails func(machine string) *Tail `json:"-"`
}

// megabyte is that of free memory, bytes.
const megabyte = 1e6

// A Labelled is a machine with its history of states.
type Labelled struct {
	History    *smp.History
	Thresholds smp.Thresholds
	Calendar   smp.Calendar
	counts     smp.LabelCounts
	Warnings   []string

	Tail    *Tail // how the record ends; nil where it is not known to
	Resumed bool  // it goes on with one that Labelling.Tails told the end of
}

// Label turns the samples of a machine, or its times up and down, into states.
// Errors: *ask.InputError.
func (l *Labelling) Label(h *Trace) (*Labelled, error) {
	if h == nil {
		return nil, ask.Missing("trace", "the record of a machine")
	}
	r := l.NewRecorder(h.Name)
	r.head = make([]smp.Sample, 0, min(len(h.Samples), periodFrom))
	for i, s := range h.Samples {
		if contains(h.Breaks, i) {
			r.Break()
		}
		if err := r.Add(s); err != nil {
			return nil, err
		}
	}
	for _, s := range h.Spells {
		if err := r.AddSpell(s.Start, s.End, s.Up, h.Step); err != nil {
			return nil, err
		}
	}
	return r.Labelled()
}

// leastPeriod is the shortest period, in seconds, of which the steps of this century have whole float64s.
const leastPeriod = 1e-6

// resolve returns the thresholds for a period.
func (l *Labelling) resolve(period float64) (smp.Thresholds, error) {
	if !(period >= leastPeriod) {
		return smp.Thresholds{}, ask.Inputf("period", "is %s, want the time between samples such as 5min",
			ask.Time(period))
	}
	if l.Gap != nil && *l.Gap < period {
		return smp.Thresholds{}, ask.Inputf("gap",
			"is %s, less than the period of %s between samples, want a time such as %s",
			ask.Time(*l.Gap), ask.Time(period), ask.Time(3*period))
	}
	p := smp.Thresholds{Period: period}
	// set takes over what was given. A given threshold of 0 is told apart from one that is not
	// given.
	set := func(into, from *float64) {
		if from != nil {
			*into = max(*from, math.SmallestNonzeroFloat64) // 0 would be the default
		}
	}
	set(&p.Light, l.Light)
	set(&p.Heavy, l.Heavy)
	set(&p.Grace, l.Grace)
	set(&p.Gap, l.Gap)
	if l.WorkingSet != nil {
		p.WorkingSet = *l.WorkingSet / megabyte
	}
	q, err := p.Resolve()
	if err != nil {
		return p, InputError(err)
	}
	return q, nil
}

// empty reports whether a record has no steps.
func (l *Labelled) empty() bool { return l == nil || l.History == nil || len(l.History.Runs) == 0 }

// Before is the record before a step, without its warnings. A step that a stay
// goes across is where the stay is cut.
func (l *Labelled) Before(cut int64) *Labelled {
	if l.empty() {
		return l
	}
	out := *l
	h := *l.History
	h.Runs = nil
	for _, r := range l.History.Runs {
		if r.Steps = min(r.Steps, cut-r.First); r.Steps > 0 {
			h.Runs = append(h.Runs, r)
		}
	}
	out.History, out.Warnings = &h, nil
	return &out
}

// End returns the last moment of the record, the zero time of an empty one.
func (l *Labelled) End() time.Time {
	if l.empty() {
		return time.Time{}
	}
	runs := l.History.Runs
	return l.Moment(runs[len(runs)-1].End() - 1)
}

// Moment returns the time at which a step of the history begins, on the
// calendar's clock.
func (l *Labelled) Moment(step int64) time.Time {
	period := 0.0
	if l.History != nil {
		period = l.History.Period
	}
	// The seconds are split before they are made whole, since a float64 holds no
	// nanoseconds of our century.
	s := float64(step) * period
	whole := math.Floor(s)
	loc := cmp.Or(l.Calendar.Location, time.UTC)
	return time.Unix(int64(whole), int64((s-whole)*1e9)).In(loc)
}

// A DayWindow is the same clock time on the recent days of one kind.
type DayWindow struct {
	Day string `json:"day"` // weekday or weekend
	// Start is the time of day at which the window begins.
	Start  float64 `json:"start_s"`
	Window float64 `json:"window_s"`
	Days   int     `json:"days"` // the most recent; 0: all
}

// Kind returns the kind of day. Errors: *ask.InputError.
func (w *DayWindow) Kind() (smp.DayKind, error) {
	w = cmp.Or(w, new(DayWindow))
	switch w.Day {
	case "weekday":
		return smp.Weekday, nil
	case "weekend":
		return smp.Weekend, nil
	case "":
		return 0, ask.Missing("day", "weekday or weekend")
	}
	return 0, ask.Inputf("day", "%q, want weekday or weekend", w.Day)
}

// Seen returns what the record shows of the window, day by day, and the number of its steps. It
// warns of fewer days than asked for, of days of which only a part is in the record, and of days
// that were passed over. Errors: *ask.InputError.
func (w *DayWindow) Seen(l *Labelled) (days []smp.Day, n int, warnings []string, err error) {
	kind, err := w.Kind()
	if err != nil {
		return nil, 0, nil, err
	}
	if l == nil || l.History == nil {
		return nil, 0, nil, ask.Missing("trace", "the record of a machine")
	}
	if l.empty() {
		return nil, 0, nil, &ask.InputError{Field: "trace", Reason: "no usable sample"}
	}
	step := l.History.Period
	if n, err = Horizon(w.Window, step); err != nil {
		return nil, 0, nil, err
	}
	first, end := l.History.Runs[0].First, l.History.Runs[len(l.History.Runs)-1].End()
	// A window of n steps has n + 1 moments.
	if span := end - first - 1; int64(n) > span {
		return nil, 0, nil, ask.Inputf("window", "%s is longer than the record, which spans %s",
			ask.Time(w.Window), ask.Time(float64(span)*step))
	}
	window := smp.Window{Clock: time.Duration(w.Start * float64(time.Second)), Steps: n}
	days, without, err := l.History.Days(l.Calendar, window, kind, l.End(), w.Days)
	if err != nil {
		return nil, 0, nil, InputError(err)
	}
	if len(days) == 0 {
		return nil, 0, nil, ask.Inputf("day",
			"the record, %s to %s, has no %s on which the window of %s from %s is complete",
			l.Moment(first).Format(time.DateTime), l.End().Format(time.DateTime), w.Day, ask.Time(w.Window),
			ask.Clock(w.Start))
	}
	if len(days) < w.Days {
		ask.Warn(&warnings, "only %d of %d days are in the record", len(days), w.Days)
	}
	part := 0
	for _, d := range days {
		if !d.Whole {
			part++
		}
	}
	if part > 0 {
		ask.Warn(&warnings, "the record has only a part of the window on %d of %d days", part, len(days))
	}
	between := 0
	// Only days after the first that is used lie between; those before it were not asked for.
	for _, d := range without {
		if days[0].Date.Before(d) {
			between++
		}
	}
	if between > 0 {
		ask.Warn(&warnings, "days of kind %s between them that are passed over, as the record has nothing of "+
			"the window: %d",
			w.Day, between)
	}
	return days, n, append(warnings, offGrid(w.Window, n, "window", step)...), nil
}

// Ageless makes each window begin with a state just entered. Whoever does not
// know for how long the state has lasted must not learn from stays by their age.
func Ageless(days []smp.Day) []smp.Day {
	out := slices.Clone(days)
	for i := range out {
		out[i].Parts = smp.Ageless(out[i].Parts)
	}
	return out
}
