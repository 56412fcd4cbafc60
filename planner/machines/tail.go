package machines

import (
	"errors"
	"math"

	"github.com/capplan/capplan/smp"
)

// A Tail is how the record of a machine ends, so that a later one goes on where it did: the
// two become what one record of both would.
type Tail struct {
	State int   `json:"state"`    // 0 to 4, S1 to S5: of the last step that is decided
	Since int64 `json:"since"`    // step from which on it was free, or away
	Seen  bool  `json:"seen"`     // that it became so then; otherwise the record begins there
	End   int64 `json:"end_step"` // first step that is not decided
	// Pending are steps from End on whose load is heavy, but not yet for long enough.
	Pending int64   `json:"pending_steps,omitempty"`
	Last    float64 `json:"last_s"` // moment of the last sample, unix seconds
}

// Check says what is wrong with a tail that was read from a file. Bounds keep the
// arithmetic of steps within int64 and their numbers within float64.
func (t *Tail) Check() error {
	const most = 1 << 52
	switch {
	case t.State < smp.S1 || t.State > smp.S5:
		return errors.New("last: state is not 0 to 4")
	case t.Since > t.End || t.Since < -most || t.End > most || t.End-t.Since > math.MaxInt32:
		return errors.New("last: since and end_step are not steps in order")
	case t.Pending < 0 || t.Pending > math.MaxInt32:
		return errors.New("last: pending_steps is not a number of steps")
	case !(math.Abs(t.Last) <= 1e12):
		return errors.New("last: last_s is not a moment")
	}
	return nil
}

// run is the last step that is decided; of no steps where none is. The time
// before it is not needed: how long the state has lasted stands in Since.
func (t *Tail) run() smp.Run {
	n := min(t.End-t.Since, 1)
	return smp.Run{State: t.State, First: t.End - n, Steps: n}
}

// tail returns the tail to go on with; nil: there is none.
func (r *Recorder) tail() *Tail {
	if r.l.Tails == nil {
		return nil
	}
	return r.l.Tails(r.name)
}

// resume goes on with the earlier samples. A record that begins before these end is left as one of
// its own, which whoever adds it refuses.
func (r *Recorder) resume() {
	t := r.tail()
	if t == nil || len(r.head) == 0 {
		return
	}
	first, end := math.Round(r.head[0].Time/r.p.Period), float64(t.End+t.Pending)
	fresh := contains(r.breaks, 0) // of a time between the two nothing is known
	if !(first >= end) || fresh && first > end {
		return
	}
	for fresh && len(r.breaks) > 0 && r.breaks[0] == 0 {
		r.breaks = r.breaks[1:]
	}
	r.labeller.Resume(t.run(), t.Pending)
	r.fresh, r.last, r.resumed = false, t.Last, true
}

// resumeSpells goes on with the earlier times up and down.
func (r *Recorder) resumeSpells(start float64) error {
	t := r.tail()
	if t == nil || t.Since == t.End || gridFloor(start/r.p.Period) < t.End {
		return nil
	}
	r.resumed = true
	return r.keep(t.run())
}

// sampledTail says where the samples end; nil where nothing is known of the time after them. Since
// is that of the last run: whoever knows the whole history sets it.
func (r *Recorder) sampledTail() *Tail {
	run, pending := r.labeller.Tail()
	if r.fresh || run.Steps == 0 && pending == 0 {
		return nil
	}
	if r.l.Coarse && run.State == smp.S2 {
		run.State = smp.S1
	}
	return &Tail{State: run.State, Since: run.First, End: run.End(), Pending: pending, Last: r.last}
}

// spellsTail says where the times up and down end, as [Recorder.sampledTail] does of samples.
func (r *Recorder) spellsTail() *Tail {
	n := len(r.history.Runs)
	if n == 0 {
		return nil
	}
	run := r.history.Runs[n-1]
	return &Tail{State: run.State, Since: run.First, End: run.End(), Last: float64(run.End()) * r.p.Period}
}
