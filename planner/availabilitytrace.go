package planner

import (
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/smp"
)

// A HostTrace is the record of one machine.
type HostTrace struct {
	Name    string
	Samples []smp.Sample // in order of time, unix seconds; free memory in MB
}

// A Labelling says how samples become states; nil fields mean the default of
// [smp.Thresholds].
type Labelling struct {
	Period     *float64       `json:"period_s,omitempty"` // nil: the median of the gaps
	Light      *float64       `json:"light,omitempty"`
	Heavy      *float64       `json:"heavy,omitempty"`
	Grace      *float64       `json:"grace_s,omitempty"`
	WorkingSet *float64       `json:"working_set_bytes,omitempty"`
	Gap        *float64       `json:"gap_s,omitempty"`
	Location   *time.Location `json:"-"` // of the clock; nil: UTC
}

const megabyte = 1e6

// A labelled is a host with its history.
type labelled struct {
	history    *smp.History
	thresholds smp.Thresholds
	calendar   smp.Calendar
	counts     smp.LabelCounts
	warnings   []string
}

func (l *Labelling) label(h *HostTrace) (*labelled, error) {
	if len(h.Samples) == 0 {
		return nil, &InputError{"trace", "host " + h.Name + ": no samples"}
	}
	p, err := l.thresholds(h)
	if err != nil {
		return nil, err
	}
	out := &labelled{thresholds: p, calendar: smp.Calendar{Location: l.Location}}
	if out.history, out.counts, err = smp.Label(p, h.Samples); err != nil {
		return nil, smpError(err)
	}
	if n := out.counts.Refused; n > 0 {
		out.warnings = append(out.warnings, fmt.Sprintf("%d samples come sooner than the period of %s s after the one before and are left out", n, num(p.Period)))
	}
	if n := out.counts.Gaps; n > 0 {
		out.warnings = append(out.warnings, fmt.Sprintf("%d gaps of more than %s s in the record count as S5, the host gone", n, num(p.Gap)))
	}
	if p.WorkingSet > 0 {
		measured := false
		for _, s := range h.Samples {
			measured = measured || !math.IsNaN(s.FreeMemory)
		}
		if !measured {
			out.warnings = append(out.warnings, "the trace has no free memory: the working set has no effect")
		}
	}
	return out, nil
}

func (l *Labelling) thresholds(h *HostTrace) (smp.Thresholds, error) {
	var p smp.Thresholds
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
	if l.Period != nil {
		p.Period = *l.Period
	} else {
		times := make([]float64, len(h.Samples))
		for i, s := range h.Samples {
			times[i] = s.Time
		}
		var err error
		if p.Period, err = smp.Period(times); err != nil {
			return p, smpError(err)
		}
	}
	q, err := p.Resolve()
	if err != nil {
		return p, smpError(err)
	}
	return q, nil
}

// end returns the last moment of the record.
func (l *labelled) end() time.Time {
	runs := l.history.Runs
	return l.moment(runs[len(runs)-1].End() - 1)
}

func (l *labelled) moment(step int64) time.Time {
	s := float64(step) * l.history.Period
	whole := math.Floor(s)
	loc := l.calendar.Location
	if loc == nil {
		loc = time.UTC
	}
	return time.Unix(int64(whole), int64((s-whole)*1e9)).In(loc)
}

// loads puts the samples on the grid of the history.
func (l *labelled) loads(h *HostTrace) smp.Loads {
	first := l.history.Runs[0].First
	last := l.history.Runs[len(l.history.Runs)-1].End()
	out := smp.Loads{Period: l.history.Period, First: first, Values: make([]float64, last-first)}
	for i := range out.Values {
		out.Values[i] = math.NaN()
	}
	for _, s := range h.Samples {
		if i := int64(math.Round(s.Time/l.history.Period)) - first; i >= 0 && i < int64(len(out.Values)) && math.IsNaN(out.Values[i]) {
			out.Values[i] = s.Load
		}
	}
	return out
}

// A DayWindow is the same clock time on the recent days of one kind.
type DayWindow struct {
	Day    string  `json:"day"` // weekday or weekend
	Start  float64 `json:"start_s"`
	Window float64 `json:"window_s"`
	Days   int     `json:"days"` // the most recent; 0: all
}

func (w *DayWindow) kind() (smp.DayKind, error) {
	switch w.Day {
	case "weekday":
		return smp.Weekday, nil
	case "weekend":
		return smp.Weekend, nil
	case "":
		return 0, missing("day", "weekday or weekend")
	}
	return 0, &InputError{"day", fmt.Sprintf("%q, want weekday or weekend", w.Day)}
}

// days returns what the record shows of the window, and its steps.
func (w *DayWindow) days(l *labelled) (days []smp.Day, n int, warnings []string, err error) {
	kind, err := w.kind()
	if err != nil {
		return nil, 0, nil, err
	}
	step := l.history.Period
	if n, err = horizon(w.Window, step); err != nil {
		return nil, 0, nil, err
	}
	first, end := l.history.Runs[0].First, l.history.Runs[len(l.history.Runs)-1].End()
	if span := end - first - 1; int64(n) > span {
		return nil, 0, nil, &InputError{"window", fmt.Sprintf("%s s is longer than the record, which spans %s s", num(w.Window), num(float64(span)*step))}
	}
	window := smp.Window{Clock: time.Duration(w.Start * float64(time.Second)), Steps: n}
	days, _, err = l.history.Days(l.calendar, window, kind, l.end(), w.Days)
	if err != nil {
		return nil, 0, nil, smpError(err)
	}
	if len(days) == 0 {
		return nil, 0, nil, &InputError{"day", fmt.Sprintf("the record, %s to %s, has no %s on which the window of %s s from %s is over", l.moment(first).Format(time.DateTime), l.end().Format(time.DateTime), w.Day, num(w.Window), clock(w.Start))}
	}
	if len(days) < w.Days {
		warnings = append(warnings, fmt.Sprintf("only %d of %d days are in the record", len(days), w.Days))
	}
	part := 0
	for _, d := range days {
		if !d.Whole {
			part++
		}
	}
	if part > 0 {
		warnings = append(warnings, fmt.Sprintf("the record has only a part of the window on %d of %d days", part, len(days)))
	}
	return days, n, append(warnings, offGrid(w.Window, n, "window", step)...), nil
}

// clock writes a time of day.
func clock(s float64) string {
	d := time.Duration(s * float64(time.Second))
	text := fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60)
	if rest := d % time.Minute; rest != 0 {
		text += fmt.Sprintf(":%02d", int(rest.Seconds()))
	}
	return text
}

// ageless makes each window begin with a state just entered.
func ageless(days []smp.Day) []smp.Day {
	out := append([]smp.Day(nil), days...)
	for i := range out {
		out[i].Parts = smp.Ageless(out[i].Parts)
	}
	return out
}
