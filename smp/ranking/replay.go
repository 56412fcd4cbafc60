package ranking

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/smp"
)

// A Host is one labelled trace with what a guest gets of it.
type Host struct {
	Name    string
	Rate    float64 // speed, 1 = the host that measures task lengths
	History *smp.History
	// Load returns the load of the host's own processes at a step, 0..1; nil
	// means none.
	Load func(step int64) float64
}

// up reports whether a guest may run at the step: known, and S1 or S2.
func (h Host) up(step int64) bool {
	s, ok := h.History.At(step)
	return ok && s.State <= smp.S2
}

// A hostRun is what becomes of a job on one host.
type hostRun struct {
	end      int64 // step at which it finished, or the record ended
	finished bool
	failures int
}

// run executes a job from the step on: each step gives Rate·(1−load)·period
// seconds of work; a failure state loses all of it and the job begins again
// when the host is up. At a step that is not in the record nothing more is
// known of the job, and one that does not finish before the step until is left there.
func (h Host) run(ctx context.Context, step int64, length float64, until int64) (hostRun, error) {
	var r hostRun
	runs := h.History.Runs
	if len(runs) == 0 {
		return hostRun{end: step}, nil
	}
	m := h.History.RunAt(step)
	if m < 0 {
		return hostRun{end: step}, nil
	}
	work := 0.0
	running := false
	for ; ; m++ {
		from, end := max(runs[m].First, step), runs[m].End()
		if runs[m].State > smp.S2 {
			if running {
				r.failures++
			}
			running, work = false, 0
		} else {
			running = true
			for s := from; s < min(end, until); s++ {
				if s%4096 == 0 && ctx.Err() != nil {
					return r, ctx.Err()
				}
				load := 0.0
				if h.Load != nil {
					load = h.Load(s)
				}
				work += h.Rate * (1 - load) * h.History.Period
				if work >= length*(1-1e-12) {
					r.end, r.finished = s+1, true
					return r, nil
				}
			}
			if end >= until {
				r.end = end
				return r, nil
			}
		}
		if m+1 == len(runs) || runs[m+1].First != end {
			r.end = end
			return r, nil
		}
	}
}

// A Submission is one guest job of a replay.
type Submission struct {
	Step   int64   // when it is submitted
	Length float64 // s on a host of rate 1
}

// An Outcome is what became of one job.
type Outcome struct {
	Host     int // −1 where none was up
	Failures int
	Finished bool
	Makespan float64 // s from submission to the end; 0 where it did not finish
}

// A ReplayResult is what a scheduler made of a list of jobs (iShare figures
// 15 and 16).
type ReplayResult struct {
	Scheduler    string
	Jobs         int
	Unscheduled  int     // no host up, nor 5 minutes later
	Failed       int     // jobs that failed at least once
	Restarts     int     // failures in all
	Unfinished   int     // the record ended, or was interrupted, first
	Finished     int     // all others, restarted ones included
	FailureRate  float64 // Failed / (Jobs − Unscheduled); 0 where nothing was scheduled
	MeanMakespan float64 // s from submission to the end, over Finished; 0 where there is none
	Outcomes     []Outcome
}

// retryAfter is the wait in seconds before a job that found no host tries
// again, once.
const retryAfter = 300

// Replay submits each job to the scheduler on labelled five-state traces. A
// job stays on the host it was given; when it fails it begins again there, as
// soon as the host is up, until it finishes. Jobs do not disturb each other.
// All traces must have the same period.
func Replay(ctx context.Context, hosts []Host, jobs []Submission, s Scheduler) (*ReplayResult, error) {
	ctx = given.Context(ctx)
	const fn = "Replay"
	if len(hosts) == 0 {
		return nil, fault.New("smp", fn, "no hosts", smp.ErrNoData)
	}
	if s == nil {
		return nil, &smp.DomainError{Func: fn, Arg: "Scheduler", Value: math.NaN(), Want: "a scheduler"}
	}
	period := math.NaN()
	for i, h := range hosts {
		if h.History == nil {
			return nil, &smp.DomainError{Func: fn, Arg: "Host.History", Value: math.NaN(), Want: "a history of each host"}
		}
		if i == 0 {
			period = h.History.Period
		}
		if err := positive(fn, "Host.Rate", h.Rate); err != nil {
			return nil, err
		}
		if h.History.Period != period || !(period > 0) {
			return nil, &smp.DomainError{Func: fn, Arg: "History.Period",
				Value: h.History.Period, Want: fmt.Sprintf("the same period > 0 as the first host's, %v s", period)}
		}
	}
	out := &ReplayResult{Scheduler: s.Name(), Jobs: len(jobs)}
	var makespan numeric.Sum
	// Jobs that are submitted at one moment find the same hosts up.
	var up []int
	var at, of int64
	for i, j := range jobs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := positive(fn, "Submission.Length", j.Length); err != nil {
			return nil, err
		}
		if i == 0 || j.Step != of {
			at, of = j.Step, j.Step
			if up = available(hosts, at); len(up) == 0 {
				at += int64(math.Ceil(retryAfter / period))
				up = available(hosts, at)
			}
		}
		if len(up) == 0 {
			out.Unscheduled++
			out.Outcomes = append(out.Outcomes, Outcome{Host: -1})
			continue
		}
		h, err := s.Choose(ctx, hosts, slices.Clone(up), at, j.Length)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(up, h) {
			return nil, &smp.DomainError{Func: fn, Arg: "Scheduler.Choose", Value: float64(h), Want: "one of the hosts that are up"}
		}
		r, err := hosts[h].run(ctx, at, j.Length, math.MaxInt64)
		if err != nil {
			return nil, err
		}
		out.Restarts += r.failures
		if r.failures > 0 {
			out.Failed++
		}
		o := Outcome{Host: h, Failures: r.failures, Finished: r.finished}
		if r.finished {
			o.Makespan = float64(r.end-j.Step) * period
			makespan.Add(o.Makespan)
			out.Finished++
		} else {
			out.Unfinished++
		}
		out.Outcomes = append(out.Outcomes, o)
	}
	if n := out.Jobs - out.Unscheduled; n > 0 {
		out.FailureRate = float64(out.Failed) / float64(n)
	}
	if out.Finished > 0 {
		out.MeanMakespan = makespan.Value() / float64(out.Finished)
	}
	return out, nil
}

func available(hosts []Host, step int64) []int {
	var up []int
	for i, h := range hosts {
		if h.up(step) {
			up = append(up, i)
		}
	}
	return up
}
