package bot

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/sim"
)

// A Drawing says how many runs of a case to draw.
type Drawing struct {
	Seed uint64
	// Effort is what they may take altogether, counted in events plus the machines and tasks that a
	// run starts with: about a tenth of a microsecond each (BenchmarkDraw).
	Effort float64
	// Hard is what [Judge] does not exceed by runs whose effort is foreseen from those before; 0: no limit.
	Hard float64
	// Least is the least useful number of runs, and Most the greatest.
	Least, Most int
	// First are the runs that Judge makes first, before all others. If they were late with other
	// help they soon show that this help is late too, and help that is in time in them as well is
	// not accepted any more easily.
	First []int
}

// replication returns the number of the run to make after the given number of runs.
func (d *Drawing) replication(runs int) int {
	if runs < len(d.First) {
		return d.First[runs]
	}
	next := runs - len(d.First)
	for _, k := range slices.Sorted(slices.Values(d.First)) {
		if k <= next {
			next++
		}
	}
	return next
}

// errTooLong stops a run that alone would take the whole effort, and a search that has spent its own.
var errTooLong = errors.New("bot: a run takes too long")

// golden is the golden ratio less one: any number of its multiples lie evenly on a circle, and so
// do the moments of records at which runs begin.
const golden = 0.6180339887498949

// Draw returns the times at which the tasks of runs of a case were done, each run in rising order,
// +Inf for tasks not done by the horizon. It makes as many runs as the effort allows; ok is false
// if these are too few. Their number does not depend on the machine that draws them. Errors: that
// of ctx, and those of [Simulate].
func Draw(ctx context.Context, c *Case, d Drawing) (runs [][]float64, ok bool, err error) {
	ok, err = draw(ctx, c, d, func(o *Outcome) { runs = append(runs, timesOf(o.Tasks, o.Progress.CompletionTime)) })
	if err != nil {
		runs = nil
	}
	return runs, ok, err
}

// DrawLaw returns the law of the finish from the runs that Draw would draw, with the times at which
// BOINC gave out results, and the number of runs; no law and 0 if they are too few. Errors: those
// of Draw.
func DrawLaw(ctx context.Context, c *Case, d Drawing) (f *bags.FinishLaw, runs int, err error) {
	var done, served [][]float64
	ok, err := draw(ctx, c, d, func(o *Outcome) {
		done = append(done, timesOf(o.Tasks, o.Progress.CompletionTime))
		if c.Server == BOINC {
			served = append(served, timesOf(o.Tasks, o.Progress.AssignmentTime))
		}
	})
	if !ok {
		return nil, 0, err
	}
	results := 1
	if c.Server == BOINC {
		results = c.Rules.WithDefaults().Results
	}
	f, err = bags.FromServed(&c.Bag, results, done, served)
	return f, len(done), err
}

// timesOf returns the times at which each of the tasks was done, or assigned, from the time for
// each share of them.
func timesOf(tasks int, at func(share float64) (float64, bool)) []float64 {
	times := make([]float64, tasks)
	for k := range times {
		t, ok := at(float64(k+1) / float64(tasks))
		if !ok {
			t = math.Inf(1)
		}
		times[k] = t
	}
	return times
}

// draw passes on the outcomes of runs in their order. They are as many as if one run followed
// another, although as many are made at a time as there are processors.
func draw(ctx context.Context, c *Case, d Drawing, keep func(o *Outcome)) (ok bool, err error) {
	ctx = given.Context(ctx)
	if err := c.Check(); err != nil {
		return false, err
	}
	// What the first runs would show: of 8 million listed tasks each takes .5 GB.
	least := machineEffort*float64(c.Hosts.Machines()) + taskEffort*float64(len(c.Bag.Tasks))
	if d.Least > triedRuns && least*float64(d.Least) > d.Effort {
		return false, nil
	}
	first, err := c.Hosts.Begin(func(...uint64) *rand.Rand { return sim.Stream(d.Seed, 0) })
	if err != nil {
		return false, err
	}
	spent, runs := 0.0, 0
	for runs < d.Most && spent < d.Effort {
		if runs >= triedRuns && spent/float64(runs)*float64(d.Least) > d.Effort {
			return false, nil
		}
		made := make([]drawnRun, d.ahead(runs, spent))
		before, spentBefore := runs, spent
		_ = parallel.Each(ctx, 0, len(made), func(i int) error {
			made[i].draw(ctx, c, first, d, before+i, spentBefore)
			return made[i].err // runs after a failed one are ignored
		})
		for i := range made {
			r := &made[i]
			switch {
			case spent >= d.Effort, runs >= triedRuns && spent/float64(runs)*float64(d.Least) > d.Effort:
				return runs >= d.Least, nil
			case errors.Is(r.err, errTooLong), spent+r.begun > d.Effort:
				return runs >= d.Least, nil
			case r.err != nil:
				return false, r.err
			case r.outcome == nil:
				return false, ctx.Err()
			}
			spent += c.effort(r.outcome)
			runs++
			keep(r.outcome)
		}
	}
	return runs >= d.Least, nil
}

// ahead returns how many runs to make before their effort is looked at again: the first few, then
// most of those for which the effort will probably last.
func (d *Drawing) ahead(runs int, spent float64) int {
	n := triedRuns
	if runs >= triedRuns {
		const most = 0.9 // of the effort
		n = max(1, int(min(most*(d.Effort-spent)/max(1, spent/float64(runs)), mostAhead)))
	}
	return min(n, d.Most-runs)
}

// A drawnRun is one run of a drawing.
type drawnRun struct {
	outcome *Outcome // nil: it failed, or takes too long whatever the runs before it took
	begun   float64  // effort when it last asked whether to stop
	err     error
}

// draw makes a run on machines like those of another run, after runs that have spent at least the
// given effort.
func (r *drawnRun) draw(ctx context.Context, c *Case, like *hosts.Run, d Drawing, run int, spent float64) {
	r.begun = -float64(stopEvents) // it also asks at the beginning
	streams := leftStreams.Get().(*sim.Streams)
	defer leftStreams.Put(streams)
	streams.Reset()
	chance := hosts.Chance(func(e ...uint64) *rand.Rand { return streams.Stream(d.Seed, run, e...) })
	_, start := math.Modf(0.5 + float64(run)*golden)
	chance = chance.From(start)
	course, err := like.Again(chance)
	if err != nil {
		r.err = err
		return
	}
	r.outcome, r.err = follow(c, course, Chance(chance), func() error {
		if r.begun += stopEvents; spent+r.begun > d.Effort {
			return errTooLong
		}
		return ctx.Err()
	})
}

// machineEffort and taskEffort are the effort for a machine and a task at the beginning of a run,
// in events. After triedRuns runs the effort of the others is estimated.
const (
	machineEffort = 3
	taskEffort    = 1
	triedRuns     = 3
)

// mostAhead bounds the number of runs that are kept until they are looked at.
const mostAhead = 128

// effort returns what a run of the case took.
func (c *Case) effort(o *Outcome) float64 {
	return float64(o.Events) + machineEffort*float64(c.Hosts.Machines()) + taskEffort*float64(o.Tasks)
}
