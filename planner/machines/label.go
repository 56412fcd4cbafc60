package machines

import (
	"context"
	"errors"
	"math"
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
		Thresholds: tally.Thresholds{
			Light: l.Thresholds.Light,
			Heavy: l.Thresholds.Heavy,
			Grace: l.Thresholds.Grace,
			// The thresholds of the model are in megabytes, and answers are in
			// bytes.
			WorkingSet: l.Thresholds.WorkingSet * megabyte,
			Gap:        l.Thresholds.Gap,
		},
		Warnings: l.Warnings, labelled: l, host: q.Host,
	}
	total := 0.0
	for _, n := range space.Names {
		a.States = append(a.States, tally.StateShare{State: n})
	}
	for _, r := range h.Runs {
		d := float64(r.Steps) * h.Period
		a.Sojourns = append(a.Sojourns, Sojourn{l.Moment(r.First).Format(time.RFC3339), float64(r.First) * h.Period,
			space.Names[r.State], r.Steps, d})
		a.States[r.State].Stays++
		a.States[r.State].Time += d
		total += d
	}
	a.repairs(h, space)
	for i := range a.States {
		s := &a.States[i]
		s.Share = s.Time / total
		if s.Stays > 0 {
			s.Mean = s.Time / float64(s.Stays)
		}
	}
	if q.Explain {
		t := a.Thresholds
		a.Explanation = &ask.Explanation{Model: "five states of a machine that a guest shares"}
		a.Explanation.Step("states",
			"the first that applies: S5 gone, S4 memory short, S3 load > Th2 for longer than the grace time, "+
				"S2 load ≥ Th1, S1",
			ask.Sprintf("Th1 = %v, Th2 = %v, grace %v s, working set %v bytes, gone after %v s without a sample",
				t.Light, t.Heavy, t.Grace, t.WorkingSet, t.Gap), "iShare section 4")
		a.Explanation.Assume(
			"each sample stands for one period; a shorter rise above Th2 stays in the state before it")
	}
	return a, nil
}

// repairs counts how often the machine failed and came back, and for how long it was
// up and down. A stay that the record begins or ends with counts by its time alone.
func (a *LabelAnswer) repairs(h *smp.History, space smp.Space) {
	var time [2]float64 // up and failed
	for i, r := range h.Runs {
		side := 0
		if space.Failure[r.State] {
			side = 1
		}
		time[side] += float64(r.Steps) * h.Period
		// A stay behind a gap has no change to it: what happened in the gap is
		// not known.
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

// A DayRibbon is one day for a drawing: hours from midnight.
type DayRibbon struct {
	Date   string
	Hours  []float64 // of the samples
	Load   []float64
	From   []float64 // hours, by stay
	To     []float64
	State  []int // 0 for S1 to 4 for S5
	Light  float64
	Heavy  float64
	States []string
}

// Ribbon returns the day of a date such as 2024-01-05; without one the day
// with the most changes of state, the earliest of equals. A record without any
// change gives its first day.
func (a *LabelAnswer) Ribbon(date string) (*DayRibbon, error) {
	l := a.labelled
	if l == nil || len(l.History.Runs) == 0 {
		return nil, ask.Inputf("trace", "no states were labelled")
	}
	runs := l.History.Runs
	day := l.Calendar.Date(l.Moment(runs[0].First))
	if date != "" {
		t, err := time.Parse(time.DateOnly, date)
		if err != nil {
			return nil, ask.Inputf("date", "%q, want a date such as 2024-01-05", date)
		}
		day = smp.DateOf(t)
	} else {
		changes, most := map[smp.Date]int{}, 0
		for _, r := range runs[1:] {
			d := l.Calendar.Date(l.Moment(r.First))
			if changes[d]++; changes[d] > most {
				most = changes[d]
			}
		}
		for _, r := range runs {
			if d := l.Calendar.Date(l.Moment(r.First)); most > 0 && changes[d] == most {
				day = d
				break
			}
		}
	}
	// The end is the next midnight, which is 23 or 25 hours away where clocks
	// change.
	begin := l.Calendar.At(day, 0)
	end := l.Calendar.At(smp.DateOf(time.Date(day.Year, day.Month, day.Day+1, 12, 0, 0, 0, time.UTC)), 0)
	hour := func(unix float64) float64 { return (unix - float64(begin.Unix())) / 3600 }
	r := &DayRibbon{
		Date:   day.String(),
		Light:  l.Thresholds.Light,
		Heavy:  l.Thresholds.Heavy,
		States: smp.FiveStates().Names,
	}
	for _, s := range a.host.Samples {
		if s.Time >= float64(begin.Unix()) && s.Time < float64(end.Unix()) {
			r.Hours, r.Load = append(r.Hours, hour(s.Time)), append(r.Load, s.Load)
		}
	}
	for _, s := range runs {
		from, to := math.Max(float64(s.First)*a.Step,
			float64(begin.Unix())), math.Min(float64(s.End())*a.Step, float64(end.Unix()))
		if from < to {
			r.From, r.To, r.State = append(r.From, hour(from)), append(r.To, hour(to)), append(r.State, s.State)
		}
	}
	if len(r.From) == 0 {
		return nil, ask.Inputf("date", "%s is not in the record, %s to %s", r.Date, a.First, a.Last)
	}
	return r, nil
}

// Chance is what the machines are ranked by where there is no task: the
// probability to be free throughout, or with a given state the temporal
// reliability; nil for a machine without a prediction.
func (h *RankedHost) Chance() *float64 {
	if h.Free != nil {
		return h.Free
	}
	return h.TemporalReliability
}

// predict returns the prediction for one machine and its mean load. It is that of
// [Predict] but for the band, the choice of a law and the repairs, which a
// ranking has no use for.
func (q *RankQuestion) predict(ctx context.Context, h *Trace) (*PredictAnswer, float64, error) {
	l, err := q.Label(h)
	if err != nil {
		return nil, 0, err
	}
	days, n, warnings, err := q.Seen(l)
	if err != nil {
		return nil, 0, err
	}
	p := &PredictAnswer{
		Host:        h.Name,
		Days:        len(days),
		StartStates: map[string]int{},
		Warnings:    append(l.Warnings, warnings...),
	}
	space := smp.FiveStates()
	// Days are taken from the window's beginning, where nobody knows for how long
	// the state has lasted.
	days = Ageless(days)
	for _, d := range days {
		p.StartStates[space.Names[d.Parts[0][0].State]]++
	}
	start, err := p.initial(&PredictQuestion{State: q.State}, space, l.History.Period)
	if err != nil {
		return nil, 0, err
	}
	fit, err := EstimateDays(space, days, q.Counts, q.Censored)
	if err != nil {
		return nil, 0, err
	}
	p.Warnings = warned(p.Warnings, about(fit.Warnings, space))
	f, r, err := figures(ctx, fit.Kernel, start, n, l.History.Period)
	if err != nil {
		return nil, 0, err
	}
	p.Figures = *f
	p.Samples = stateSamples(space, fit)
	var none *ask.InputError
	// One machine without a prediction must not end the ranking.
	if err := p.known(ctx, q.State == "", start, r); errors.As(err, &none) {
		p.unknown, p.Warnings = true, []string{"no prediction: " + none.Reason}
	} else if err != nil {
		return nil, 0, err
	} else if w := infinite(fit.Kernel, start); w != "" {
		p.Warnings = append(p.Warnings, w)
	}
	loads := l.Loads(h)
	total, count := 0.0, int64(0)
	for _, d := range days {
		first := l.History.StepAt(l.Calendar.At(d.Date, time.Duration(q.Start*float64(time.Second))))
		sum, known := loads.Sum(first, first+int64(n))
		total, count = total+sum, count+known
	}
	if count > 0 {
		total /= float64(count)
	}
	return p, total, nil
}
