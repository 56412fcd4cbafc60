package machines

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp/ranking"
)

// order puts the machines in order. Without a task they stand by their chance,
// weighed by their days; with one by the rules of iShare section 8.4.
func (a *RankAnswer) order(q *RankQuestion, hosts []RankedHost, candidates []ranking.Candidate) error {
	// Those without a prediction stand last.
	var last []RankedHost
	for i := 0; i < len(hosts); {
		if hosts[i].TemporalReliability != nil {
			i++
			continue
		}
		last = append(last, hosts[i])
		hosts, candidates = slices.Delete(hosts, i, i+1), slices.Delete(candidates, i, i+1)
	}
	if len(hosts) == 0 {
		return ask.Inputf("trace",
			"no machine is free at %s on any of its days: nothing says how long one would stay so, "+
				"want another start or window",
			ask.Clock(q.Start))
	}
	if q.Task == nil {
		weigh(hosts)
		// Of equals the one that was seen for longer comes first, whatever the order of
		// the files.
		slices.SortFunc(hosts, func(x, y RankedHost) int {
			return cmp.Or(cmp.Compare(*y.Weighed, *x.Weighed), cmp.Compare(y.Days, x.Days), cmp.Compare(x.Name, y.Name))
		})
		a.Hosts = hosts
	} else {
		ranked, rule, err := ranking.RankProactive(candidates, *q.Task)
		if err != nil {
			return InputError(err)
		}
		a.Rule = rule.String()
		beyond := 0
		for _, r := range ranked {
			h := hosts[r.Index]
			h.JCT, h.JCTF, h.ETL = ask.Figure(r.JCT), ask.Figure(r.JCTF), ask.Figure(r.ETL)
			if h.JCTF == nil {
				beyond++
			}
			a.Hosts = append(a.Hosts, h)
		}
		if beyond > 0 {
			ask.Warn(&a.Warnings,
				"on %d of %d machines the task is not expected to end within the window of %s: take a longer window",
				beyond, len(hosts), ask.Time(q.Window))
		}
	}
	a.Hosts = append(a.Hosts, last...)
	for i := range a.Hosts {
		a.Hosts[i].Rank = i + 1
	}
	return nil
}

// weigh shrinks the chance of each machine to the mean of all, which is worth a day:
//
//	(n p + p̄)/(n + 1)
//
// where n are its days and p̄ is the mean over the days of all machines. Without it
// one lucky day takes the first place.
func weigh(hosts []RankedHost) {
	total, days := 0.0, 0.0
	for _, h := range hosts {
		total, days = total+float64(h.Days)**h.Chance(), days+float64(h.Days)
	}
	for i := range hosts {
		n := float64(hosts[i].Days)
		hosts[i].Weighed = ask.Figure((n**hosts[i].Chance() + total/days) / (n + 1))
	}
}

// explain shows the figures of the machine that stands first.
func (a *RankAnswer) explain(q *RankQuestion) {
	best := a.Hosts[0]
	e := &ask.Explanation{Model: "choice of a machine by its predicted availability"}
	e.Step("temporal reliability", "R_i(k) = S_i(k) + Σ_j Σ_{l≤k} q_ij(l) R_j(k−l)",
		ask.Sprintf("%s from %s: %v", best.Name, best.InitialState, *best.TemporalReliability), "iShare eq. 3 and 4")
	if best.Free != nil {
		e.Step("free throughout", "Σ_i (share of the days that begin in i) · R_i(k), i = S1, S2",
			ask.Sprintf("%v of the days begin free: %v", best.AtStart, *best.Free), "")
	}
	if best.Weighed != nil {
		e.Step("order", "(n p + p̄)/(n + 1), p̄ the mean over the days of all machines",
			ask.Sprintf("%s: n = %d, p = %v: %v", best.Name, best.Days, *best.Chance(), *best.Weighed),
			"shrunk by a day, so that one lucky day does not come first")
	}
	if q.Task != nil {
		show := func(v *float64) string {
			if v == nil {
				return "infinite, or beyond the window"
			}
			return ask.Digits(*v) + " s"
		}
		e.Step("completion time with failures", "TL = CR·(1 − L)·∫₀ˣ TR(t) dt, solved for x",
			ask.Sprintf("TL = %v s, CR = %v, L = %v: x = %s", *q.Task, best.Rate, best.MeanLoad, show(best.JCTF)),
			"iShare eq. 7")
		e.Step("effective task length", "ETL = MTTF·CR·(1 − L)", "ETL = "+show(best.ETL), "iShare eq. 6")
		e.Assume(
			"by ETL if on every machine the job is expected to take longer than the machine lasts, " +
				"else by completion time (iShare 8.4)")
	}
	e.Assume("the load of a machine's own processes is the mean of the window on the days used")
	a.Explanation = e
}

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
	more := 0
	for i := range q.Hosts {
		p, load, err := q.predict(ctx, &q.Hosts[i])
		// Of one machine its error is the answer; of several the others can be
		// put in order.
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
			if more++; more <= mostWarnings {
				a.Warnings = append(a.Warnings, q.Hosts[i].Name+": "+w)
			}
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
	if more > mostWarnings {
		ask.Warn(&a.Warnings, "%d more warnings of the same kinds", more-mostWarnings)
	}
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

// mostWarnings is how many warnings of machines are named, in a fleet of thousands.
const mostWarnings = 10

// rate returns the speed of a machine, 1 where none is given.
func (q *RankQuestion) rate(name string) float64 {
	if r, ok := q.Rates[name]; ok {
		return r
	}
	return 1
}
