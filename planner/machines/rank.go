package machines

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp/ranking"
)

// A RankQuestion asks which machine to take for a window. Tasks, speeds and loads
// follow iShare section 8: a machine of rate CR whose own processes take L leaves
// CR·(1 − L) to the task.
type RankQuestion struct {
	Hosts []Trace `json:"-"`
	Labelling
	DayWindow
	State string `json:"state,omitempty"`
	// Task is the length of a task on a machine of rate 1; nil: rank by the
	// probability to be free throughout, or with a given state by temporal
	// reliability.
	Task  *float64           `json:"task_s,omitempty"`
	Rates map[string]float64 `json:"rates,omitempty"` // speeds by machine; 1 where not given
	// How kernels are estimated, as in a [PredictQuestion].
	Counts   bool `json:"counts,omitempty"`
	Censored bool `json:"censored,omitempty"`
	Explain  bool `json:"explain,omitempty"`
}

// A RankAnswer lists the machines, the best first.
type RankAnswer struct {
	Choice      string           `json:"choice"`
	Rule        string           `json:"rule"`
	Chosen      *Choice          `json:"chosen,omitempty"` // why the model is this one; absent where it was asked for
	Hosts       []RankedHost     `json:"hosts"`
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// A RankedHost is one machine. Times are null where they are infinite, or
// end beyond the window. A machine that is never seen free at the start has no
// prediction, and stands last, as does one whose record says nothing of the
// window asked for.
type RankedHost struct {
	Rank int      `json:"rank"`
	Name string   `json:"name"`
	Free *float64 `json:"free_throughout"` // as a [PredictAnswer] has it; null with a given state
	// what machines stand by: that chance, shrunk to the mean of all by a day; null with a task
	Weighed             *float64 `json:"chance_weighed"`
	AtStart             float64  `json:"free_at_start"`        // share of the days
	TemporalReliability *float64 `json:"temporal_reliability"` // of a machine that is free at the start
	// MTTF counts from the start of the window.
	MTTF         *float64 `json:"mttf_s"`
	InitialState string   `json:"initial_state"`
	MeanLoad     float64  `json:"mean_load"` // over the window on the days used
	Days         int      `json:"days"`
	// Rate is the speed of the machine.
	Rate   float64  `json:"rate"`
	JCT    *float64 `json:"jct_s"`            // job completion time without failures
	JCTF   *float64 `json:"jctf_s"`           // with failures
	ETL    *float64 `json:"etl_s"`            // effective task length before a failure
	Reason string   `json:"reason,omitempty"` // why there is no prediction
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

// Rank answers a RankQuestion. A machine that cannot be judged stands last with
// its reason; if none can, the error is that of the first.
func Rank(ctx context.Context, q *RankQuestion) (*RankAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if len(q.Hosts) == 0 {
		return nil, ask.Missing("trace", "traces of machines")
	}
	if err := CheckNames(q.Hosts, q.Rates); err != nil {
		return nil, err
	}
	if q.Task != nil {
		if err := ask.Positive("task", *q.Task, "a length above 0 such as 2h"); err != nil {
			return nil, err
		}
	}
	a := &RankAnswer{Rule: "probability to be free throughout"}
	if q.State != "" {
		a.Rule = "temporal reliability"
	}
	hosts := make([]RankedHost, len(q.Hosts))
	candidates := make([]ranking.Candidate, len(q.Hosts))
	var none []RankedHost // machines whose record says nothing
	var first error
	for i := range q.Hosts {
		p, load, err := q.predict(ctx, &q.Hosts[i])
		// The error of a single machine is the answer; of several the others can still be put in
		// order.
		if e, ok := err.(*ask.InputError); ok && len(q.Hosts) > 1 {
			hosts[i] = RankedHost{Name: q.Hosts[i].Name, Rate: q.rate(q.Hosts[i].Name), Reason: e.Reason}
			if none = append(none, hosts[i]); first == nil {
				first = &ask.InputError{Field: e.Field, Reason: "machine " + q.Hosts[i].Name + ": " + e.Reason}
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, w := range p.Warnings {
			a.Warnings = append(a.Warnings, q.Hosts[i].Name+": "+w)
		}
		rate := q.rate(p.Host)
		hosts[i] = RankedHost{
			Name:         p.Host,
			AtStart:      p.AtStart,
			Free:         p.Free,
			InitialState: p.InitialState,
			MeanLoad:     load,
			Days:         p.Days,
			Rate:         rate,
		}
		if p.unknown {
			hosts[i].Reason = "never seen free at the start"
		} else {
			hosts[i].TemporalReliability, hosts[i].MTTF = ask.Figure(p.TemporalReliability), p.MTTF
		}
		candidates[i] = ranking.Candidate{
			Name:        p.Host,
			Rate:        rate,
			Load:        ranking.ConstantLoad(load),
			Reliability: p.curve.Reliability,
			Step:        p.Step,
			MTTF:        ask.Or(p.MTTF, math.Inf(1)), // infinite, or beyond all numbers, where there is none
		}
	}
	a.Warnings = FirstWarnings(a.Warnings, 10)
	switch {
	case len(none) == len(hosts): // the question itself, most likely
		return nil, first
	case len(none) > 0:
		ask.Warn(&a.Warnings, "%d of %d machines cannot be judged and stand last; the first is %s: %s", len(none),
			len(hosts), none[0].Name, none[0].Reason)
	}
	if err := a.order(q, hosts, candidates); err != nil {
		return nil, err
	}
	a.Choice = a.Hosts[0].Name
	if q.Explain {
		a.explain(q)
	}
	return a, nil
}

// FirstWarnings names the first of the machines' warnings, of which a fleet may have thousands, and
// counts the others.
func FirstWarnings(all []string, most int) []string {
	if most = max(most, 0); len(all) <= most {
		return all
	}
	return append(all[:most:most], fmt.Sprintf("%d more warnings of the same kinds", len(all)-most))
}

// rate returns the speed of a machine, 1 where none is given.
func (q *RankQuestion) rate(name string) float64 {
	if r, ok := q.Rates[name]; ok {
		return r
	}
	return 1
}

// predict returns the prediction for one machine and its mean load. It is that of
// [Predict] but for the band, the choice of a law and the repairs, which a
// ranking has no use for.
func (q *RankQuestion) predict(ctx context.Context, h *Trace) (*PredictAnswer, float64, error) {
	l, err := q.Label(h)
	if err != nil {
		return nil, 0, err
	}
	w, err := q.learn(l, &lesson{state: q.State, counts: q.Counts, censored: q.Censored})
	if err != nil {
		return nil, 0, err
	}
	f, r, err := w.figures(ctx)
	if err != nil {
		return nil, 0, err
	}
	p := &PredictAnswer{Host: h.Name, Days: len(w.days), StartStates: w.begins, Warnings: w.warnings, Figures: *f}
	p.Samples = stateSamples(w.space, w.fit)
	var none *ask.InputError
	// One machine without a prediction must not end the ranking.
	if err := p.known(ctx, q.State == "", w.start, r); errors.As(err, &none) {
		p.unknown, p.Warnings = true, []string{"no prediction: " + none.Reason}
	} else if err != nil {
		return nil, 0, err
	} else {
		p.Warnings = append(p.Warnings, infinite(w.fit.Kernel, w.start)...)
	}
	loads := l.Loads(h)
	total, count := 0.0, int64(0)
	for _, d := range w.days {
		first := l.History.StepAt(l.Calendar.At(d.Date, time.Duration(q.Start*float64(time.Second))))
		sum, known := loads.Sum(first, first+int64(w.steps))
		total, count = total+sum, count+known
	}
	if count > 0 {
		total /= float64(count)
	}
	return p, total, nil
}
