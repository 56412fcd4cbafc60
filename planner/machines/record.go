package machines

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/baseline"
)

// A Recorder turns the record of one machine into states as it comes, so
// that only stays are kept, not samples. It takes either samples or times up
// and down. The period is needed for the grid that states lie on. Where it is not
// given the first samples are kept until it can be told.
type Recorder struct {
	name     string
	l        *Labelling
	p        smp.Thresholds // Period 0: not known yet
	head     []smp.Sample   // until it is
	breaks   []int          // indices of head at which the record starts afresh
	labeller *smp.Labeller
	history  smp.History
	measured bool // a free memory was seen
	samples  int
	last     float64 // time of the last sample
	gaps     int     // times between samples, and those that are no multiple of the period
	odd      int
	fresh    bool
	alike    int     // gaps of one length beyond the one allowed, one after the other
	spaced   float64 // that length
	spells   bool
	bad      error

	unwatched int // gaps that count as unknown

	loads baseline.Loads // of the samples, where they are kept

	resumed bool // the history begins with the last step of an earlier record
}

// periodFrom is the number of samples from whose gaps the period is taken. Half a
// thousand gaps tell a period that most of them share, and take a day of samples
// two or three minutes apart.
const periodFrom = 512

// spellStep is the period of a record of times up and down that has none.
const spellStep = 300

// NewRecorder starts the record of a machine. Without a labelling it has the
// thresholds of the paper.
func (l *Labelling) NewRecorder(name string) *Recorder {
	l = cmp.Or(l, new(Labelling))
	return &Recorder{name: name, l: l, fresh: true}
}

// Name returns the name of the machine.
func (r *Recorder) Name() string {
	if r == nil {
		return ""
	}
	return r.name
}

// made refuses a recorder that NewRecorder has not made.
func (r *Recorder) made() error {
	if r == nil || r.l == nil {
		return ask.Missing("trace", "the recorder of a machine")
	}
	return nil
}

// Add takes the next sample, in order of time. An error stays: whatever comes
// after it gets the same.
func (r *Recorder) Add(s smp.Sample) error {
	if err := r.made(); err != nil {
		return err
	}
	if r.bad != nil {
		return r.bad
	}
	if r.spells {
		r.bad = r.mixed()
		return r.bad
	}
	r.samples++
	r.measured = r.measured || !math.IsNaN(s.FreeMemory)
	if r.labeller == nil {
		r.head = append(r.head, s)
		if r.l.Period == nil && len(r.head) < periodFrom {
			return nil
		}
		r.bad = r.begin()
		return r.bad
	}
	r.add(s)
	return r.bad
}

// Held is how much is kept of the record, in samples or runs of a state; samples, which are kept
// until the period is known, count twice.
func (r *Recorder) Held() int { return 2*len(r.head) + len(r.history.Runs) }

// Break says that nothing is known of the time up to the next sample.
func (r *Recorder) Break() {
	if r.made() != nil {
		return
	}
	if r.labeller == nil {
		r.breaks = append(r.breaks, len(r.head))
		return
	}
	r.labeller.Flush()
	r.fresh = true
}

// AddSpell takes the next time up or down, in order of time, those that touch
// in the same state being one; step is the
// record's own period, 0 where it has none. A step of the grid in which the
// machine was down for any moment is S5, one in which it was not watched
// throughout is unknown, the others are S1.
func (r *Recorder) AddSpell(start, end float64, up bool, step float64) error {
	if err := r.made(); err != nil {
		return err
	}
	if r.bad != nil {
		return r.bad
	}
	if r.samples > 0 {
		r.bad = r.mixed()
		return r.bad
	}
	if !r.spells {
		r.spells = true
		switch {
		case r.l.Period != nil:
			step = *r.l.Period
		case step == 0:
			step = spellStep
		}
		var err error
		if r.p, err = r.l.resolve(step); err != nil {
			r.bad = err
			return err
		}
		r.history.Period = r.p.Period
		if err := r.resumeSpells(start); err != nil {
			r.bad = err
			return err
		}
	}
	d := r.p.Period
	run := smp.Run{State: smp.S5, First: gridFloor(start / d)}
	// A step with any moment of being down is down, and so these are rounded
	// outwards and times up inwards.
	last := max(gridCeil(end/d), run.First+1)
	if up {
		run.State, run.First, last = smp.S1, gridCeil(start/d), gridFloor(end/d)
	}
	// Touching spells share a step, which belongs to the one that came first.
	if m := len(r.history.Runs); m > 0 {
		run.First = max(run.First, r.history.Runs[m-1].End())
	}
	if run.Steps = last - run.First; run.Steps < 1 {
		return nil
	}
	r.bad = r.keep(run)
	return r.bad
}

// mostStays bounds the stays of one machine: nine years that change every
// minute.
const mostStays = 5_000_000

// keep adds a stay to the history. With coarse states S2 counts as S1, since only whether the
// machine is free then matters.
func (r *Recorder) keep(run smp.Run) error {
	if r.l.Coarse && run.State == smp.S2 {
		run.State = smp.S1
	}
	if len(r.history.Runs) == mostStays {
		return ask.Inputf("trace", "machine %s changes its state more than %d million times",
			r.name, mostStays/1_000_000)
	}
	if err := r.history.Add(run); err != nil {
		return InputError(err)
	}
	return nil
}

// gridFloor and gridCeil round down and up, but take a number within rounding of a whole one for
// it.
func gridFloor(x float64) int64 {
	if w := math.Round(x); math.Abs(x-w) < 1e-6 {
		return int64(w)
	}
	return int64(math.Floor(x))
}

func gridCeil(x float64) int64 { return -gridFloor(-x) }

// mixed is the error of a record of both samples and times up and down.
func (r *Recorder) mixed() error {
	return &ask.InputError{Field: "trace", Reason: "machine " + r.name + " has both samples and times up and down"}
}

// begin decides the period, and labels the samples that came before it was known in the same way as
// those to come.
func (r *Recorder) begin() error {
	if r.l.Period != nil {
		r.p.Period = *r.l.Period
	} else {
		times := make([]float64, 0, len(r.head))
		for i, s := range r.head {
			if contains(r.breaks, i) {
				times = append(times, math.NaN()) // no gap on either side of it
			}
			times = append(times, s.Time)
		}
		var err error
		if r.p.Period, err = smp.Period(times); errors.Is(err, smp.ErrNoData) {
			return ask.Inputf("period",
				"machine %s has %d sample(s), too few to find the period: want more samples, or the time between "+
					"them such as 5min",
				r.name, len(r.head))
		} else if err != nil {
			return InputError(err)
		}
	}
	var err error
	if r.p, err = r.l.resolve(r.p.Period); err != nil {
		return err
	}
	r.history.Period = r.p.Period
	r.labeller, err = smp.NewLabeller(r.p, func(run smp.Run) {
		if err := r.keep(run); err != nil && r.bad == nil {
			r.bad = err
		}
	})
	if err != nil {
		return InputError(err)
	}
	r.resume()
	for i, s := range r.head {
		if contains(r.breaks, i) {
			r.Break()
		}
		r.add(s)
	}
	r.head, r.breaks = nil, nil
	return r.bad
}

// contains reports whether i is among rising indices.
func contains(sorted []int, i int) bool {
	_, found := slices.BinarySearch(sorted, i)
	return found
}

// add labels a sample, and counts gaps that are no multiple of the period.
func (r *Recorder) add(s smp.Sample) {
	if !r.fresh && s.Time > r.last {
		r.gaps++
		d := s.Time - r.last
		// Clocks and schedulers shift a sample by less than a fifth of a period.
		if m := math.Max(1, math.Round(d/r.p.Period)); math.Abs(d-m*r.p.Period) > 0.2*r.p.Period {
			r.odd++
		}
		r.respaced(d, s.Time)
		// A gap that is as long as allowed, but for rounding, is none.
		if r.l.Unwatched && d > r.p.Gap*(1+1e-9) {
			r.unwatched++
			r.labeller.Flush()
		}
	}
	r.fresh, r.last = false, s.Time
	_ = r.labeller.Add(s) // a refused one is counted
	if r.l.KeepLoads && !s.Down {
		// Steps beyond have no number that an int64 holds.
		if i := math.Round(s.Time / r.p.Period); math.Abs(i) < 1<<62 {
			r.loads.Add(int64(i), s.Load)
		}
	}
}

// mostAlike is the number of gaps of one length, one after the other, beyond
// which the machine was not gone each time: the period has changed.
const mostAlike = 12

// respaced refuses a record whose samples come at another, longer period from
// some time on. Each of its gaps would count as a time that the machine was
// gone.
func (r *Recorder) respaced(gap, now float64) {
	if gap <= r.p.Gap*(1+1e-9) || r.l.Period != nil {
		r.alike = 0
		return
	}
	if r.alike == 0 || math.Abs(gap-r.spaced) > 0.01*r.spaced {
		r.alike, r.spaced = 0, gap
	}
	if r.alike++; r.alike == mostAlike && r.bad == nil {
		// All gaps counted so far had that length.
		from := time.Unix(int64(now-mostAlike*gap), 0).UTC().Format(time.RFC3339)
		r.bad = ask.Inputf("period",
			"machine %s has a sample every %s, and every %s from %s on: give the longer period, or split the record "+
				"into files",
			r.name, ask.Time(r.p.Period), ask.Time(gap), from)
	}
}

// Labelled ends the record, which is used up, and returns its states. Errors:
// *ask.InputError. Warnings say what was left out or taken for something: samples
// too soon, gaps, a clock that jumped.
func (r *Recorder) Labelled() (*Labelled, error) {
	if err := r.made(); err != nil {
		return nil, err
	}
	if r.bad != nil {
		return nil, r.bad
	}
	if r.samples == 0 && len(r.history.Runs) == 0 {
		return nil, &ask.InputError{Field: "trace", Reason: "machine " + r.name + ": no samples"}
	}
	out := &Labelled{Calendar: smp.NewCalendar(r.l.Location, r.l.Holidays)}
	if !r.spells {
		if r.labeller == nil {
			if err := r.begin(); err != nil {
				return nil, err
			}
		}
		out.Tail = r.sampledTail()
		r.labeller.Flush()
		if r.bad != nil {
			return nil, r.bad
		}
		// Where more than a tenth of the gaps are odd there is no one period, and
		// the grid would be wrong.
		if r.l.Period == nil && r.odd*10 > r.gaps {
			return nil, InputError(fault.New("smp", "Period", fmt.Sprintf("%d of %d gaps differ from multiples of %s",
				r.odd, r.gaps, ask.Time(r.p.Period)), smp.ErrMixedPeriods))
		}
		out.counts = r.labeller.Counts
	}
	if r.spells {
		out.Tail = r.spellsTail()
	}
	h := r.history // by itself, so that it keeps no recorder
	out.History, out.Thresholds, out.Resumed = &h, r.p, r.resumed
	if n := out.counts.Refused; n > 0 {
		ask.Warn(&out.Warnings,
			"%s sooner than the period of %s after the previous one: left out",
			fault.Count(n, "sample comes", "samples come"),
			ask.Time(r.p.Period))
	}
	if n := out.counts.Gaps; n > 0 {
		out.Warnings = append(out.Warnings, gapsCounted(n, r.p.Gap, "S5, the host gone"))
	}
	if r.unwatched > 0 {
		out.Warnings = append(out.Warnings, gapsCounted(r.unwatched, r.p.Gap, "unknown"))
	}
	if r.l.Period != nil && 2*(int64(out.counts.Gaps)+int64(r.unwatched)) > int64(r.samples) {
		ask.Warn(&out.Warnings, "most samples are further apart than that: is the period of %s theirs?", ask.Time(r.p.Period))
	}
	if !r.spells {
		out.askAboutClock()
	}
	switch {
	case r.spells && r.p.WorkingSet > 0:
		out.Warnings = append(out.Warnings,
			"the trace says only when the machine was up: the working set has no effect")
	case r.p.WorkingSet > 0 && !r.measured:
		out.Warnings = append(out.Warnings, "the trace has no free memory: the working set has no effect")
	}
	return out, nil
}

// gapsCounted says what gaps longer than a time, in s, count as.
func gapsCounted[N int | int64](n N, longer float64, as string) string {
	if n == 1 {
		return ask.Sprintf("1 gap of more than %s in the record counts as %s", ask.Time(longer), as)
	}
	return ask.Sprintf("%d gaps of more than %s in the record count as %s", n, ask.Time(longer), as)
}
