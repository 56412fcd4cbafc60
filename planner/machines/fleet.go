package machines

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
)

// A FleetQuestion asks for the kernel of the same window of every machine of a
// fleet. It is repeated in each line of a fleet file, so that a run that goes
// on with the file is known to ask the same.
type FleetQuestion struct {
	KernelQuestion
	ClockText
}

// NewFleetQuestion makes the question of a fleet from that of a machine.
func NewFleetQuestion(q KernelQuestion) *FleetQuestion {
	return &FleetQuestion{KernelQuestion: q, ClockText: q.ClockText()}
}

// Check finds what is wrong with the question whatever the machine. What depends
// on the period of a machine, such as its gap, is checked machine by machine.
func (q *FleetQuestion) Check() error {
	if _, err := q.Kind(); err != nil {
		return err
	}
	if err := ask.Positive("window", q.Window, "a length above 0 such as 2h"); err != nil {
		return err
	}
	// Without a period the window itself stands for it, which is the longest that
	// a machine can have.
	step := ask.Or(q.Period, q.Window)
	_, err := q.resolve(step)
	if q.Period == nil && q.Gap != nil {
		err = nil // judged against the period of each machine
	}
	return err
}

// A HostSummary is what a fleet's fit says of one machine. Either Error or the
// rest is set.
type HostSummary struct {
	Host  string `json:"host"`
	Error string `json:"error,omitempty"` // why there is no kernel
	// Days are those learned from.
	Days int `json:"days"`
	// Step is the period of its record; null with an error.
	Step                *float64 `json:"step_s"`
	InitialState        string   `json:"initial_state,omitempty"`
	TemporalReliability *float64 `json:"temporal_reliability"` // over the window from the initial state
	MTTF                *float64 `json:"mttf_s"`               // null where failure is not certain
	Warnings            int      `json:"warnings"`
}

// A HostFit is a line of a fleet file: one machine with its kernel. The question
// stands in each line, so that a line can be read by itself.
type HostFit struct {
	HostSummary
	Question *FleetQuestion `json:"question"`
	Notes    []string       `json:"notes,omitempty"` // the warnings
	Kernel   *Kernel        `json:"kernel"`          // null with an error
}

// FitHost answers a FleetQuestion for the machine of a recorder, which is used
// up. An error is that of ctx; what is wrong with the record stands in the
// answer.
func FitHost(ctx context.Context, q *FleetQuestion, r *Recorder) (*HostFit, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	f := &HostFit{HostSummary: HostSummary{Host: r.Name()}, Question: q}
	err := f.fit(ctx, q, r)
	var input *ask.InputError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	// What is wrong with one record must not end the fit of a fleet.
	case errors.As(err, &input):
		f.HostSummary = HostSummary{Host: r.Name(), Error: input.Error()}
		f.Kernel, f.Notes = nil, nil
	case err != nil:
		return nil, err
	}
	return f, nil
}

// fit labels, estimates and solves; the start is a state just entered, the one in
// which most days begin.
func (f *HostFit) fit(ctx context.Context, q *FleetQuestion, r *Recorder) error {
	l, err := r.Labelled()
	if err != nil {
		return err
	}
	a, w, err := q.estimate(l)
	if err != nil {
		return err
	}
	figures, _, err := w.figures(ctx)
	if err != nil {
		return err
	}
	f.Days, f.Step, f.InitialState = a.Days, ask.Figure(a.Step), a.Initial
	f.TemporalReliability, f.MTTF = ask.Figure(figures.TemporalReliability), figures.MTTF
	f.Kernel, f.Notes, f.Warnings = &a.Kernel, a.Warnings, len(a.Warnings)
	return nil
}

// A FleetAnswer sums up the fit of a fleet.
type FleetAnswer struct {
	Machines int `json:"machines"`
	// Fitted have a kernel.
	Fitted  int `json:"fitted"`
	Failed  int `json:"failed"`  // without a kernel; each says why
	Resumed int `json:"resumed"` // of the machines, taken from the fleet file of an earlier run
	// Quantiles over the fitted machines; null without one.
	Least    *float64      `json:"temporal_reliability_least"`
	Quarter  *float64      `json:"temporal_reliability_quartile_1"`
	Median   *float64      `json:"temporal_reliability_median"`
	Upper    *float64      `json:"temporal_reliability_quartile_3"`
	Greatest *float64      `json:"temporal_reliability_greatest"`
	Reasons  []FleetReason `json:"reasons"` // of the failed
	// Hosts are all machines, in the order in which they came.
	Hosts    []HostSummary `json:"hosts"`
	Question FleetQuestion `json:"question"`
	Warnings []string      `json:"warnings,omitempty"`
}

// A FleetReason counts machines without a kernel. Reasons that differ in numbers
// only count as one.
type FleetReason struct {
	Reason   string `json:"reason"` // of the first
	Machines int    `json:"machines"`
}

// SumUp gathers the summaries of all machines, in their order. Errors:
// *ask.InputError where no machine could be fitted, with the reason of the first.
func (q *FleetQuestion) SumUp(hosts []HostSummary, resumed int) (*FleetAnswer, error) {
	a := &FleetAnswer{Machines: len(hosts), Resumed: resumed, Hosts: hosts, Question: *q, Reasons: []FleetReason{}}
	// JSON has a list, and not null, where there is no machine.
	if hosts == nil {
		a.Hosts = []HostSummary{}
	}
	var r []float64
	reasons := map[string]int{}
	for _, h := range hosts {
		if h.TemporalReliability != nil {
			r = append(r, *h.TemporalReliability)
			continue
		}
		a.Failed++
		kind := digitless(h.Error)
		i, ok := reasons[kind]
		if !ok {
			i = len(a.Reasons)
			reasons[kind] = i
			a.Reasons = append(a.Reasons, FleetReason{Reason: h.Error})
		}
		a.Reasons[i].Machines++
	}
	sort.SliceStable(a.Reasons, func(i, j int) bool { return a.Reasons[i].Machines > a.Reasons[j].Machines })
	if a.Fitted = len(r); a.Fitted == 0 {
		if a.Machines == 0 {
			return nil, ask.Inputf("trace", "no machine in it")
		}
		return nil, ask.Inputf("trace", "none of %s could be fitted; %s: %s",
			fault.Count(a.Machines, "machine"), hosts[0].Host, hosts[0].Error)
	}
	slices.Sort(r)
	at := func(p float64) *float64 { // between neighbours in proportion
		whole, part := math.Modf(p * float64(len(r)-1))
		i := int(whole)
		return ask.Figure(r[i] + part*(r[min(i+1, len(r)-1)]-r[i]))
	}
	a.Least, a.Quarter, a.Median, a.Upper, a.Greatest = at(0), at(0.25), at(0.5), at(0.75), at(1)
	if few := a.few(); few > 0 {
		ask.Warn(&a.Warnings, "%d of %d machines have fewer than the required %s", few, a.Fitted,
			fault.Count(q.Days, "day"))
	}
	return a, nil
}

// few counts the fitted machines with fewer days than asked for.
func (a *FleetAnswer) few() int {
	n := 0
	for _, h := range a.Hosts {
		if h.Error == "" && h.Days < a.Question.Days {
			n++
		}
	}
	return n
}

// digitless makes messages alike that differ in numbers only.
func digitless(s string) string {
	return strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return -1
		}
		return c
	}, s)
}
