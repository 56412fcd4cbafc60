package reliability

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/given"
)

// A RunParams describes a job and the machines it may run on.
type RunParams struct {
	Component         // a machine: failures and repairs exponential
	Work      float64 // T_s, time of the job without failures, > 0
	Restart   float64 // R, time to start afresh once the job is lost, >= 0
	Cost      float64 // C, time to write a checkpoint, > 0
}

// A RunOption is one way to run the job.
type RunOption struct {
	Replicas    int     // machines at a time; 1 with Interval > 0 is checkpointing
	Interval    float64 // checkpoint interval, 0 for none
	ExpectedRun float64 // E[run time], may be +Inf
	MachineTime float64 // Replicas times ExpectedRun, what it costs
	Setback     float64 // P(work is lost at least once), back to what was saved last
	Loss        float64 // P(all work is lost at least once), back to the very start
}

// A RunComparison sets checkpointing against replication.
type RunComparison struct {
	Checkpoint RunOption   // one machine, exact interval
	Replicated []RunOption // 1, 2, ... replicas, no checkpoint
	Fastest    int         // index into Replicated, -1 for Checkpoint: least ExpectedRun
	Cheapest   int         // the same for MachineTime
}

// ReplicatedRun returns the expected run time of a job on k replicas without
// checkpoints:
//
//   - all k start together and run in step; the job goes on at full speed while
//     one lives; a failed replica is replaced from a live one after an
//     exponential time of mean MTTR, each by itself;
//   - when all k are down at once the job is lost; a restart of length R, with
//     k fresh machines, must itself come through without losing all k, or is
//     begun again; then the work starts from nothing.
//
// With S(t) the chance that no loss happens within t of a fresh start,
//
//	E[T] = ( ∫_0^{T_s} S dt + (1 - S(T_s)) E_R ) / S(T_s),
//	E_R  = ∫_0^R S dt / S(R).
//
// For k = 1 this is M e^(R/M) (e^(T_s/M) - 1), the model of [Checkpoint] without
// checkpoints. S is that of [IntervalReliability] with m = 1.
func ReplicatedRun(ctx context.Context, p RunParams, replicas int) (RunOption, error) {
	ctx = given.Context(ctx)
	const fn = "ReplicatedRun"
	if err := all(p.Component.check(fn), positive(fn, "Work", p.Work),
		nonNegative(fn, "Restart", p.Restart), atLeast(fn, "replicas", replicas, 1)); err != nil {
		return RunOption{}, err
	}
	set := ReplicaSet{Component: p.Component, Replicas: replicas, Needed: 1}
	work, err := IntervalReliability(ctx, set, p.Work, AllUp)
	if err != nil {
		return RunOption{}, err
	}
	restart, err := IntervalReliability(ctx, set, p.Restart, AllUp)
	if err != nil {
		return RunOption{}, err
	}
	// Divided in logarithms: S may underflow where the run time is still finite.
	again := exp(math.Log(restart.MeanUpTime) - restart.LogSurvival)
	run := exp(math.Log(work.MeanUpTime+work.Failure*again) - work.LogSurvival)
	return RunOption{
		Replicas: replicas, ExpectedRun: run, MachineTime: float64(replicas) * run,
		Setback: work.Failure, Loss: work.Failure,
	}, nil
}

// exp is math.Exp with exp(Inf - Inf) read as +Inf: a time that floats cannot
// hold.
func exp(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(1)
	}
	return math.Exp(x)
}

// CompareRuns sets one machine with checkpoints at the exact interval of
// [Checkpoint] (in whole segments, or without any if that is faster) against 1
// to most replicas without checkpoints, by run time and by machine time. Of
// equals the one with fewer machines wins.
func CompareRuns(ctx context.Context, p RunParams, most int) (RunComparison, error) {
	ctx = given.Context(ctx)
	const fn = "CompareRuns"
	if err := all(p.Component.check(fn), atLeast(fn, "most", most, 1)); err != nil {
		return RunComparison{}, err
	}
	c, err := Checkpoint(CheckpointParams{MTBF: p.MTTF, Cost: p.Cost, Restart: p.Restart, Work: p.Work})
	if err != nil {
		return RunComparison{}, err
	}
	r := RunComparison{Fastest: -1, Cheapest: -1}
	// Any failure costs work; all of it only before the first checkpoint is
	// written.
	r.Checkpoint = RunOption{
		Replicas:    1,
		Interval:    c.Whole.Interval,
		ExpectedRun: c.Whole.ExpectedRun,
		MachineTime: c.Whole.ExpectedRun,
		Setback:     -math.Expm1(-p.Work / p.MTTF * (1 + p.Cost/c.Whole.Interval)),
		Loss:        -math.Expm1(-(c.Whole.Interval + p.Cost) / p.MTTF),
	}
	if c.WithoutSaving.LogSlowdown < c.Whole.LogSlowdown {
		run, lost := c.WithoutSaving.ExpectedRun, -math.Expm1(-p.Work/p.MTTF)
		r.Checkpoint = RunOption{Replicas: 1, ExpectedRun: run, MachineTime: run, Setback: lost, Loss: lost}
	}
	// A run without checkpoints and one replica are the same; less by rounding is no less.
	const less = 1 - 1e-12
	run, cost := r.Checkpoint.ExpectedRun, r.Checkpoint.MachineTime
	for k := 1; k <= most; k++ {
		o, err := ReplicatedRun(ctx, p, k)
		if err != nil {
			return RunComparison{}, err
		}
		r.Replicated = append(r.Replicated, o)
		if o.ExpectedRun < less*run {
			run, r.Fastest = o.ExpectedRun, k-1
		}
		if o.MachineTime < less*cost {
			cost, r.Cheapest = o.MachineTime, k-1
		}
	}
	return r, nil
}
