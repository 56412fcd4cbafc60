package machines

import (
	"context"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/smp"
)

// A LabelQuestion asks for the states of a machine.
type LabelQuestion struct {
	Host *Trace `json:"-"`
	Labelling
	Explain bool `json:"explain,omitempty"`
	// Undrawn lets the samples of the machine go once they are states: no day is drawn of them.
	Undrawn bool `json:"-"`
}

// A LabelAnswer holds the stays in the five states, one after the other. What is
// null needs a failure or a repair that the record does not have.
type LabelAnswer struct {
	Host  string  `json:"host"`
	Step  float64 `json:"step_s"`
	First string  `json:"first"` // RFC 3339
	Last  string  `json:"last"`
	// Samples are those used; Refused came too soon after the one before.
	Samples int `json:"samples"`
	Refused int `json:"refused"`
	// Gaps are times without a sample that count as failures, S5.
	Gaps       int                `json:"gaps"`
	Filled     int                `json:"filled_steps"` // without a sample that kept the state before them
	Thresholds tally.Thresholds   `json:"thresholds"`
	States     []tally.StateShare `json:"states"`
	Sojourns   []Sojourn          `json:"sojourns"`
	// Availability is the share of the record without failure. A failure is a change
	// from S1 or S2 to S3, S4 or S5, a repair one back; MeanUp, the mean time to
	// failure, is the time without failure for each failure, MeanDown, the mean time
	// to repair, the time failed for each repair. Null without one.
	Availability float64  `json:"availability"`
	Failures     int      `json:"failures"`
	Repairs      int      `json:"repairs"`
	MeanUp       *float64 `json:"mttf_s"`
	MeanDown     *float64 `json:"mttr_s"`
	Warnings     []string `json:"warnings,omitempty"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`
	labelled    *Labelled
	host        *Trace
}

// A Sojourn is one stay. Time is in seconds since 1970, for programs; Start is
// the same for people.
type Sojourn struct {
	Start    string  `json:"start"` // RFC 3339
	Time     float64 `json:"time_s"`
	State    string  `json:"state"`
	Steps    int64   `json:"steps"`
	Duration float64 `json:"duration_s"`
}

// Label answers a LabelQuestion. Errors: *ask.InputError for a record without a
// usable sample.
func Label(q *LabelQuestion) (*LabelAnswer, error) {
	if q == nil {
		return nil, ask.NoQuestion()
	}
	l, err := q.Label(q.Host)
	if err != nil {
		return nil, err
	}
	if q.Undrawn {
		q.Host.Samples = nil
	}
	h := l.History
	if len(h.Runs) == 0 {
		return nil, ask.Inputf("trace", "no usable sample")
	}
	space := smp.FiveStates()
	a := &LabelAnswer{
		Host:    q.Host.Name,
		Step:    h.Period,
		First:   l.Moment(h.Runs[0].First).Format(time.RFC3339),
		Last:    l.End().Format(time.RFC3339),
		Samples: l.counts.Samples, Refused: l.counts.Refused, Gaps: l.counts.Gaps, Filled: l.counts.Filled,
		Thresholds: shownThresholds(&l.Thresholds),
		Warnings:   l.Warnings, labelled: l, host: q.Host,
	}
	total, stays, spent := 0.0, make([]int, len(space.Names)), make([]float64, len(space.Names))
	a.Sojourns = make([]Sojourn, 0, len(h.Runs)) // there may be millions
	for _, r := range h.Runs {
		d := float64(r.Steps) * h.Period
		a.Sojourns = append(a.Sojourns, Sojourn{l.Moment(r.First).Format(time.RFC3339), float64(r.First) * h.Period,
			space.Names[r.State], r.Steps, d})
		stays[r.State]++
		spent[r.State] += d
		total += d
	}
	a.States = stateShares(stays, spent, total)
	a.repairs(h, space)
	if q.Explain {
		t := a.Thresholds
		a.Explanation = &ask.Explanation{Model: "five states of a machine that a guest shares"}
		a.Explanation.Step("states",
			"the first that applies: S5 gone, S4 short of memory, S3 load > Th2 for longer than the grace time, S2 "+
				"load ≥ Th1, S1",
			ask.Sprintf("Th1 = %v, Th2 = %v, grace %v s, working set %v bytes, gone after %v s without a sample",
				t.Light, t.Heavy, t.Grace, t.WorkingSet, t.Gap), "iShare section 4")
		a.Explanation.Assume(
			"each sample stands for one period; a shorter rise above Th2 stays in the preceding state, after a failure in S2")
	}
	return a, nil
}

// repairs counts how often the machine failed and came back, and for how long it was up and down.
// Of a stay with which the record begins or ends only the time counts.
func (a *LabelAnswer) repairs(h *smp.History, space smp.Space) {
	var time [2]float64 // up and failed
	for i, r := range h.Runs {
		side := 0
		if space.Failure[r.State] {
			side = 1
		}
		time[side] += float64(r.Steps) * h.Period
		// Whether a stay behind a gap began with a failure is not known, and it counts as no
		// change.
		if i == 0 || h.Runs[i-1].End() != r.First || space.Failure[h.Runs[i-1].State] == space.Failure[r.State] {
			continue
		}
		if side == 1 {
			a.Failures++
		} else {
			a.Repairs++
		}
	}
	a.Availability = time[0] / (time[0] + time[1])
	if a.Failures > 0 {
		a.MeanUp = ask.Figure(time[0] / float64(a.Failures))
	}
	if a.Repairs > 0 {
		a.MeanDown = ask.Figure(time[1] / float64(a.Repairs))
	}
}

// Each hands out the state of every step of the record, with its time, until f
// returns an error, which it returns, or the context ends.
func (a *LabelAnswer) Each(ctx context.Context, f func(unix float64, state string) error) error {
	ctx = given.Context(ctx)
	if a.labelled == nil || f == nil {
		return ask.Inputf("trace", "no states were labelled")
	}
	space := smp.FiveStates()
	for _, r := range a.labelled.History.Runs {
		for s := r.First; s < r.End(); s++ {
			if s%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := f(float64(s)*a.Step, space.Names[r.State]); err != nil {
				return err
			}
		}
	}
	return nil
}
