package backtest

import (
	"fmt"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp/ranking"
)

// A ReplayAnswer compares the schedulers.
type ReplayAnswer struct {
	Hosts  int              `json:"hosts"`
	Model  string           `json:"model"`            // of the proactive one
	Chosen *machines.Choice `json:"chosen,omitempty"` // why it is this one; absent where it was asked for
	// Times is how many submission times there were.
	Times int    `json:"times"`
	First string `json:"first"` // dates between which jobs were submitted
	Last  string `json:"last"`
	// Horizon is how far ahead the proactive scheduler looks.
	Horizon float64 `json:"horizon_s"`
	// SpeedCV is that of the speeds that were drawn; 0: all are given or 1.
	SpeedCV    float64       `json:"speed_cv"`
	Seed       uint64        `json:"seed"`
	Schedulers []ReplayScore `json:"schedulers"` // all jobs
	Lengths    []ReplayScore `json:"lengths"`    // by length of job
	Arrivals   []ReplayScore `json:"arrivals"`   // by hour of submission
	Warnings   []string      `json:"warnings,omitempty"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// A ReplayScore is what one scheduler made of some of the jobs.
type ReplayScore struct {
	// Scheduler is proactive, condor-like or omniscient.
	Scheduler   string   `json:"scheduler"`
	Length      *float64 `json:"length_s"`  // null: all lengths
	Arrival     *float64 `json:"arrival_s"` // beginning of the hour; null: all
	Jobs        int      `json:"jobs"`
	Unscheduled int      `json:"unscheduled"` // no machine was free, nor 5 minutes later
	Failed      int      `json:"failed"`      // at least once
	Restarts    int      `json:"restarts"`    // failures in all
	Unfinished  int      `json:"unfinished"`  // the record ended first
	Finished    int      `json:"finished"`
	// Null where none was scheduled.
	FailureRate *float64 `json:"failure_rate"` // failed of those scheduled
	// MeanMakespan is over the jobs that finished with every scheduler, so that
	// the schedulers are compared on the same jobs.
	Common int `json:"common"`
	// Makespans run from submission to the end, restarts included.
	MeanMakespan *float64 `json:"mean_makespan_s"`
	Slowdown     *float64 `json:"slowdown"` // of the mean makespan against the omniscient one, less 1
}

// gather adds up the outcomes.
func (r *replay) gather(outcomes [][][]ranking.Outcome, horizon float64) *ReplayAnswer {
	a := &ReplayAnswer{
		Hosts:    len(r.hosts),
		Times:    len(r.steps),
		First:    r.dates[0].String(),
		Last:     r.dates[len(r.dates)-1].String(),
		Horizon:  horizon,
		SpeedCV:  r.q.SpeedCV,
		Seed:     r.q.Seed,
		Warnings: r.warnings,
	}
	all := func(int, int) bool { return true }
	a.Schedulers = replayScores(outcomes, nil, nil, all)
	for l, length := range r.lengths {
		a.Lengths = append(a.Lengths,
			replayScores(outcomes, ask.Figure(length), nil, func(_, job int) bool { return job == l })...)
	}
	l := r.hosts[0]
	hour := func(i int) int { return l.Moment(r.steps[i]).Hour() }
	// An hour without a submission is left out.
	for h := range 24 {
		if slices.ContainsFunc(r.steps, func(s int64) bool { return l.Moment(s).Hour() == h }) {
			a.Arrivals = append(a.Arrivals, replayScores(outcomes, nil, ask.Figure(3600*float64(h)),
				func(i, _ int) bool { return hour(i) == h })...)
		}
	}
	if n := a.Schedulers[0]; n.Common < n.Jobs-n.Unscheduled {
		ask.Warn(&a.Warnings,
			"%d of %d jobs did not finish with every scheduler before the record ended or was interrupted: "+
				"makespans cover only the other jobs",
			n.Jobs-n.Unscheduled-n.Common, n.Jobs-n.Unscheduled)
	}
	if r.q.Explain {
		e := &ask.Explanation{Model: "jobs replayed on recorded machines, each alone"}
		e.Step("proactive", "TL = CR·(1 − L(x))·∫₀ˣ TR(t) dt, least x; by ETL = MTTF·CR·(1 − L) if every JCT > MTTF",
			ask.Sprintf("horizon %v s", horizon), "iShare 8.4, eq. 5 to 7")
		e.Step("condor-like", "greatest rate, ties broken at random", fmt.Sprintf("seed %d", r.q.Seed), "iShare 8.4")
		e.Step("omniscient", "the machine on which the job ends first", "", "iShare 8.4")
		e.Assume("a job that fails starts again on the same machine when that machine is up",
			"a machine gives a job the share of the CPU that its own load leaves free")
		a.Explanation = e
	}
	return a
}

// replayScores adds up the outcomes of the jobs that are kept, by scheduler. Makespans are compared
// over jobs that finished with every scheduler: one that loses the long jobs would look fast
// otherwise.
func replayScores(outcomes [][][]ranking.Outcome, length, arrival *float64,
	keep func(submission, job int) bool) []ReplayScore {
	out := make([]ReplayScore, len(replaySchedulers))
	spans := make([]float64, len(out))
	for s := range out {
		out[s] = ReplayScore{Scheduler: replaySchedulers[s], Length: length, Arrival: arrival}
	}
	for i, of := range outcomes {
		for job := range of[0] {
			if !keep(i, job) {
				continue
			}
			common := true
			for s := range out {
				o := of[s][job]
				out[s].Jobs++
				out[s].Restarts += o.Failures
				switch {
				case o.Host < 0:
					out[s].Unscheduled++
				case o.Finished:
					out[s].Finished++
				default:
					out[s].Unfinished++
				}
				if o.Failures > 0 {
					out[s].Failed++
				}
				common = common && o.Finished
			}
			for s := range out {
				if common {
					out[s].Common++
					spans[s] += of[s][job].Makespan
				}
			}
		}
	}
	for s := range out {
		if n := out[s].Jobs - out[s].Unscheduled; n > 0 {
			out[s].FailureRate = ask.Figure(float64(out[s].Failed) / float64(n))
		}
		if out[s].Common > 0 {
			out[s].MeanMakespan = ask.Figure(spans[s] / float64(out[s].Common))
			// The omniscient scheduler is the last.
			out[s].Slowdown = ask.Figure(spans[s]/spans[len(spans)-1] - 1)
		}
	}
	return out
}
